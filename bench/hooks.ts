import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { Kaizen } from '../src/kaizen';
import type { ParsedRecord } from '../src/transfer';
import { corpus, PROJECT } from './corpus';
import { milliseconds, shown, table, watchTurns } from './measure';

const ENTRIES = 10_000;
const RULES = 1_000;
const WITH_MATCHES = 100;
/** The rule whose expression is none that JavaScript's engine is asked for. */
const BEYOND_PLAIN = 30;
const ROUNDS = 20;
/** Another build than that of the working copy may be named. */
const CLI = path.resolve(process.argv[2] ?? 'dist/cli.js');

/** Every rule has a risk and a glob of its own; each tenth a text as well. */
function rules(): ParsedRecord[] {
  return Array.from({ length: RULES }, (_, index) => ({
    line: ENTRIES + index,
    record: {
      type: 'entry' as const,
      scope: index % 2 === 0 ? PROJECT : 'general',
      category: `guarded.area${index % 20}`,
      keyword: `guarded-${index}`,
      content: `${index % 3 === 0 ? 'DANGER' : 'WARNING'}: Number ${index} ${'must be looked at before it is changed '.repeat(4)}`,
      metaknowledge: {
        REASON: 'Measured',
        APPLIES_TO: `src/area-${index % 20}/module-${index}/**, **/handler-${index}.{ts,tsx}, !**/*.test.ts`,
        ...(index % (RULES / WITH_MATCHES) === 0 ? { MATCHES: matchesOf(index) } : {}),
      },
      action: 'create' as const,
      author: 'bench',
      by_agent: false,
      at: '2026-01-05T09:00:00.000Z',
      project_context: PROJECT,
      reason: null,
      revisions: [],
    },
  }));
}

function matchesOf(index: number): string {
  return index === BEYOND_PLAIN ? `DROP\\s+TABLE\\s+[a-z]+_${index}\\b` : `\\bDROP\\s+TABLE\\s+table_${index}\\b`;
}

function main(): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-'));
  return measure(root).finally(() => rmSync(root, { recursive: true, force: true }));
}

async function measure(root: string): Promise<void> {
  const [data, shared, workspace] = ['data', 'shared', 'workspace'].map((name) => path.join(root, name)) as [
    ...[string, string, string],
  ];
  mkdirSync(workspace);
  const kaizen = new Kaizen({ data, shared, project: PROJECT });
  await kaizen.importRecords([...corpus(ENTRIES - RULES), ...rules()], { author: 'bench' });
  const { continuity, knowledge } = await kaizen.parts();
  await continuity.storeProjectOverview({ project_id: PROJECT, purpose: 'To be measured' }, { author: 'bench' });
  // The first build reads everything anew, as a process does that has just opened the stores.
  const before = performance.now();
  const held = watchTurns();
  const { rules: guarded } = await kaizen.guardIndex({ project: PROJECT, shared });
  const { passed } = held();
  const built = performance.now() - before;
  if (guarded.length !== RULES) throw new Error(`${guarded.length} rules in the index`);

  const where = ['--data', data, '--shared', shared, '--project', PROJECT, '--workspace', workspace];
  const env = { ...process.env, NODE_OPTIONS: '' };
  let session = 0;
  const call = (event: string, more: object) => {
    const input = JSON.stringify({ session_id: `session-${session++}`, cwd: workspace, ...more });
    const start = performance.now();
    const { status, stdout } = spawnSync(process.execPath, [CLI, 'hook', event, ...where], { input, env });
    const time = performance.now() - start;
    if (status !== 0 || stdout.includes('systemMessage')) throw new Error(`${event}: ${stdout}`);
    return { time, output: stdout.toString() };
  };
  const edit = (file: string, rule = 0) => ({
    tool_name: 'Edit',
    tool_use_id: `use-${session}`,
    tool_input: { file_path: path.join(workspace, file), old_string: 'a', new_string: `DROP TABLE table_${rule}` },
    hook_event_name: 'PreToolUse',
  });
  const asked = edit('src/area-0/module-0/a.ts');
  const askedBeyondPlain = edit(`src/area-10/module-${BEYOND_PLAIN}/a.ts`, BEYOND_PLAIN);
  const command = { tool_name: 'Bash', tool_input: { command: 'rm -rf src/area-3 && git commit -m "x"' } };
  const write = async (what: () => Promise<unknown>) => void (await what());
  const nothing = async () => {};
  const change = (keyword: string) => () =>
    knowledge.storeOverwrite(
      { target_scope_id: PROJECT, category: 'written', keyword, content: `At ${session}` },
      { author: 'bench' },
    );
  const byCommand = async () => {
    const words = ['store', PROJECT, 'written', `command-${session}`, 'By a command'];
    const { status, stderr } = spawnSync(process.execPath, [CLI, ...words, ...where], { env });
    if (status !== 0) throw new Error(stderr.toString());
  };
  const irrelevant = () =>
    continuity.updateProgress({ project_id: PROJECT, current_sprint: `Sprint ${session}` }, { author: 'bench' });
  const kinds: [
    name: string,
    before: () => Promise<unknown>,
    run: () => { time: number; output: string },
    says: string,
  ][] = [
    ['session-start', nothing, () => call('session-start', { hook_event_name: 'SessionStart' }), 'To be measured'],
    ['pre-tool-use, an edit that a DANGER rule stops', nothing, () => call('pre-tool-use', asked), '"ask"'],
    ['pre-tool-use, … by an expression that needs RE2', nothing, () => call('pre-tool-use', askedBeyondPlain), '"ask"'],
    ['pre-tool-use, an edit of another file', nothing, () => call('pre-tool-use', edit('README.md')), '{}'],
    ['pre-tool-use, a command', nothing, () => call('pre-tool-use', command), '{'],
    ['post-tool-use', nothing, () => call('post-tool-use', { ...asked, tool_response: {} }), '{}'],
    ['pre-compact', nothing, () => call('pre-compact', {}), '{}'],
    ['stop', nothing, () => call('stop', {}), '{}'],
    ['pre-tool-use, after something else was stored', irrelevant, () => call('pre-tool-use', asked), '"ask"'],
    ['pre-tool-use, after a command stored an entry', byCommand, () => call('pre-tool-use', asked), '"ask"'],
    [
      'pre-tool-use, after an entry was stored by what keeps no index: the stores are read',
      change('one'),
      () => call('pre-tool-use', asked),
      '"ask"',
    ],
  ];
  const times = new Map<string, number[]>();
  const baseline: number[] = [];
  call('session-start', {});
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    spawnSync(process.execPath, ['-e', '0'], { env, input: '' });
    baseline.push(performance.now() - start);
    for (const [name, prepare, run, says] of kinds) {
      await write(prepare);
      // What is not measured must not leave the index outdated for what is.
      if (prepare === nothing && round > 0 && name === kinds[0]![0]) call('stop', {});
      const { time, output } = run();
      if (!output.includes(says)) throw new Error(`${name}: ${output}`);
      times.set(name, [...(times.get(name) ?? []), time]);
    }
  }
  const guard = path.join(data, 'guard');
  const index = readdirSync(guard).find((name) => name.endsWith('.json'))!;
  await kaizen.close();
  console.log(
    table(
      [
        `${ENTRIES.toLocaleString('en')} entries, ${RULES.toLocaleString('en')} rules with globs, ${WITH_MATCHES} with MATCHES`,
        '',
      ],
      [
        ['`node -e 0`, beside them', spread(baseline)],
        ...[...times].map(([name, list]) => [
          name,
          `${spread(list)}, ${(median(list) / median(baseline)).toFixed(2)} times that`,
        ]),
        ['building the index in an open process', milliseconds(built)],
        ['the event loop is held meanwhile for at most', milliseconds(passed)],
        ['size of the index', `${(statSync(path.join(guard, index)).size / 1024).toFixed(0)} KB`],
      ],
    ),
  );
}

function spread(times: number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  return shown({ median: median(times), p95: sorted[Math.floor(sorted.length * 0.95)]! });
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

void main();
