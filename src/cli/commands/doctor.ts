import { hostname, userInfo } from 'node:os';
import { version } from '../../../package.json';
import { thisPlatform } from '../../core/locations';
import type { DoctorFinding, DoctorSurroundings } from '../../doctor';
import { type Command, expectWords, UsageError } from '../command';
import { handedOn } from '../handed-on';
import { notesOptionsOf } from '../notes-options';
import { COMMON_OPTIONS, expectFolder, locate, NOTES_OPTIONS } from '../session';
import { onTermination } from '../signals';
import { counted, indent, type Terminal } from '../terminal';

const SIGNS: Record<DoctorFinding['level'], [sign: string, word: string, colour: 'green' | 'yellow' | 'red']> = {
  ok: ['✔', 'well', 'green'],
  note: ['!', 'note', 'yellow'],
  problem: ['✖', 'problem', 'red'],
};

export const doctor: Command = {
  name: 'doctor',
  usage: ['doctor [--json | --report]'],
  summary: 'Look at stores, locks, indexes, clients, hooks and the registry, and say how to mend what is wrong',
  details:
    'Nothing is changed, and stores that do not open are looked at all the same. --report prints Markdown for an issue, ' +
    'without names of people, projects, entries or folders. The exit code is 1 when something does not work.',
  options: {
    report: { type: 'boolean', help: 'print a report that can be pasted into an issue' },
    ...NOTES_OPTIONS,
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, [], 0);
    if (args.flag('report') && terminal.isJson) throw new UsageError('--report and --json exclude each other.');
    const { workspace, data, shared, project, isProjectNamed, editor } = locate(args);
    expectFolder(workspace);
    const [{ diagnose, doctorReport }, { ownCommand }] = await Promise.all([
      import('../../doctor'),
      import('../../agents'),
    ]);
    const ending = new AbortController();
    const stopListening = onTermination(() => ending.abort());
    const platform = thisPlatform();
    const flags = handedOn(args);
    const told = [
      ...flags,
      ...(args.string('workspace') === undefined ? [] : [['--workspace', workspace] as const]),
      ...(args.string('registry') === undefined ? [] : [['--registry', 'URL'] as const]),
    ];
    const around: DoctorSurroundings = {
      ...{ workspace, data, shared, project, platform, told, hooks: undefined, signal: ending.signal },
      isProjectGuessed: !isProjectNamed && editor === undefined,
      versions: { kaizen: version, node: process.versions.node, editor: undefined },
      kaizen: { ...ownCommand(process.argv[1] ?? '', process.execPath, platform), flags: flags.flat() },
      registry: notesOptionsOf(args, workspace).registry,
    };
    const findings: DoctorFinding[] = [];
    try {
      for await (const finding of diagnose(around)) {
        findings.push(finding);
        if (!terminal.isJson && !args.flag('report')) show(finding, findings.at(-2), terminal);
      }
    } finally {
      stopListening();
    }
    const problems = findings.filter(({ level }) => level === 'problem').length;
    if (terminal.isJson) terminal.json({ findings, problems });
    else if (args.flag('report')) {
      terminal.raw(doctorReport(findings, around, { user: userName(), host: hostname() }));
    } else {
      const notes = findings.filter(({ level }) => level === 'note').length;
      terminal.out(
        `\n${problems === 0 ? 'Nothing is wrong' : counted(problems, 'problem')}, ${counted(notes, 'note')}.`,
      );
      if (problems > 0) terminal.say('"kaizen doctor --report" prints a report for an issue, without private content.');
    }
    return problems > 0 ? 1 : 0;
  },
};

function show(
  { area, level, message, reason, mend }: DoctorFinding,
  before: DoctorFinding | undefined,
  terminal: Terminal,
): void {
  if (area !== before?.area) terminal.out(`${before ? '\n' : ''}${terminal.paint('bold', area)}`);
  const [sign, word, colour] = SIGNS[level];
  // Told apart by sign and word as well as by colour.
  const said = [level === 'ok' ? message : `${word}: ${message}`, reason ?? ''].filter(String).join(' ');
  terminal.out(indent(`${terminal.paint(colour, sign)} ${said}`));
  if (!mend) return;
  terminal.out(indent(`→ ${mend.sentence}`, '    '));
  if (mend.folder) terminal.out(indent(`Folder: ${mend.folder}`, '      '));
  if (mend.command) terminal.out(indent(terminal.paint('dim', mend.command), '      '));
}

/** Undefined where the system knows none, as in some containers. */
function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
