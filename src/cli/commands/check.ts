import { readFile, stat } from 'node:fs/promises';
import { entryUri } from '../../core/knowledge-uri';
import {
  type EntryOrigin,
  type FileWarning,
  type KnowledgePart,
  originsOf,
  type RiskLevel,
  scopeOfRules,
} from '../../knowledge';
import { type Command, UsageError } from '../command';
import { globsRoot, pathBelow } from '../files';
import { COMMON_OPTIONS, withKaizen } from '../session';
import { type Colour, counted } from '../terminal';
import { byAgent } from '../wording';

/** One risk at one place, as `--json` prints it. */
interface Finding {
  /** As it was given. */
  file: string;
  /** From 1. */
  line: number;
  column: number;
  level: RiskLevel;
  text: string;
  keyword: string;
  category: string;
  scope_id: string;
  /** Which agent wrote the rule, where one did. */
  origin?: EntryOrigin;
}

const COLOURS: Record<RiskLevel, Colour> = { DANGER: 'red', WARNING: 'yellow', 'LAST TIME': 'magenta' };

/** What makes the call fail. LAST TIME tells of the past and never does. */
const FAILING: Readonly<Record<string, readonly RiskLevel[]>> = {
  danger: ['DANGER'],
  warning: ['DANGER', 'WARNING'],
};

/** Bytes; in larger files MATCHES is not looked for. */
const MAX_SIZE = 4_000_000;

export const check: Command = {
  name: 'check',
  usage: ['check FILE... [--fail-on danger|warning]'],
  summary: 'Show the rules with a risk that apply to files',
  details: [
    'A rule applies by its metaknowledge: APPLIES_TO names files by globs, from the root of the repository, or from the',
    'folder that --workspace names, as a window that has it open does; MATCHES narrows it to the lines in which a',
    'regular expression occurs. Each line of output is',
    'FILE:LINE: LEVEL text [keyword, scope], with the agent that wrote the rule where one did.',
    'The exit code is 0, also when something is found; with --fail-on it is 1 when a risk of that level, or a graver',
    'one, is. A hook before each commit: git diff --cached --name-only -z | xargs -0r kaizen check --fail-on danger',
  ].join('\n'),
  options: {
    'fail-on': { type: 'string', value: 'LEVEL', help: 'danger or warning: end with exit code 1 when one is found' },
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    const files = args.positionals;
    if (files.length === 0) throw new UsageError('FILE is missing.');
    const failOn = args.string('fail-on');
    const failing = failOn === undefined ? [] : FAILING[failOn.toLowerCase()];
    if (failing === undefined) throw new UsageError('--fail-on takes danger or warning.');
    return withKaizen(args, terminal, async ({ knowledge, project }) => {
      const scope = scopeOfRules(knowledge, project);
      const root = globsRoot(args.string('workspace'));
      const findings: Finding[] = [];
      for (const file of files) {
        const path = pathBelow(root, file);
        if (path === undefined) terminal.say(`${file} is not in ${root} and is passed over.`);
        else if (scope !== undefined) findings.push(...(await findingsIn(file, path, knowledge, scope)));
      }
      if (terminal.isJson) terminal.json(findings);
      for (const finding of terminal.isJson ? [] : findings) {
        const { file, line, level, text, keyword, scope_id } = finding;
        const from = terminal.paint('dim', `[${keyword}, ${scope_id}${byAgent(finding)}]`);
        terminal.out(`${file}:${line}: ${terminal.paint(COLOURS[level], level)} ${text} ${from}`);
      }
      if (!terminal.isJson && findings.length === 0) {
        terminal.say(`No rule warns of ${files.length === 1 ? files[0] : `any of ${counted(files.length, 'file')}`}.`);
      }
      return findings.some(({ level }) => failing.includes(level)) ? 1 : 0;
    });
  },
};

async function findingsIn(file: string, path: string, knowledge: KnowledgePart, scope: string): Promise<Finding[]> {
  const warnings = knowledge.warningsFor(scope, path);
  const text = warnings.some(({ matches }) => matches !== undefined) ? await textOf(file) : '';
  const findings: Finding[] = [];
  const origins = originsOf(knowledge, warnings.map(keyOf));
  for (const warning of warnings) {
    for (const place of await placesOf(warning, text, knowledge)) {
      for (const { level, text: risk } of warning.risks) {
        const key = keyOf(warning);
        const origin = origins.get(entryUri(key));
        findings.push({ file, ...place, level, text: risk || key.keyword, ...key, ...(origin ? { origin } : {}) });
      }
    }
  }
  return findings.sort((a, b) => a.line - b.line || a.column - b.column);
}

function keyOf({ keyword, category, source_scope: scope_id }: FileWarning) {
  return { keyword, category, scope_id };
}

/** @param text undefined when it is not to be searched */
async function placesOf(
  { matches }: FileWarning,
  text: string | undefined,
  knowledge: KnowledgePart,
): Promise<{ line: number; column: number }[]> {
  const first = [{ line: 1, column: 1 }];
  if (matches === undefined || text === undefined) return first;
  const { ranges, unsearched } = await knowledge.findOccurrences(text, matches);
  if (ranges.length === 0) return unsearched ? first : [];
  let line = 1;
  let lineStart = 0;
  return ranges.map(({ start }) => {
    for (let end = text.indexOf('\n', lineStart); end >= 0 && end < start; end = text.indexOf('\n', lineStart)) {
      line++;
      lineStart = end + 1;
    }
    return { line, column: start - lineStart + 1 };
  });
}

/** Empty for a file that is not there, such as one that was deleted; undefined for one that is too large. */
async function textOf(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return '';
  return found.size > MAX_SIZE ? undefined : readFile(file, 'utf8');
}
