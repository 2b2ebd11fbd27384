import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { isoTime, systemClock } from '../src/core/clock';
import { Kaizen } from '../src/kaizen';
import { openSource } from '../src/transfer';
import { type RuleKind, type RulesSource, recordsOf } from '../src/transfer/rules';
import { asShipped } from './as-shipped';
import { corpus, PROJECT, seeded } from './corpus';
import { milliseconds, table, threadTime, watchTurns } from './measure';

/** What is there already, and what an import is compared with. */
const STORED = 10_000;
const ENTRIES = 4_000;
const FOOTER =
  'Whoever works on the shop keeps this file, and asks in its channel when a rule is unclear or looks wrong.';

/** Sentences of words that are as common as in a language: the n-th 1/n times as often as the first. */
function writer(seed: number): (words: number) => string {
  const random = seeded(seed);
  const word = () => `w${Math.floor(8_000 ** random()).toString(36)}`;
  return (words) => `${Array.from({ length: words }, word).join(' ')}.`;
}

/** Files by their names, each with `ENTRIES` entries in all of about 300 characters. */
const SOURCES: readonly (readonly [name: string, files: () => Record<string, string>])[] = [
  [
    '800 files of .cursor/rules, each with the same footer',
    () => {
      const say = writer(1);
      const rule = (index: number) =>
        `---\nglobs: src/part-${index}/**, **/*.ts\n---\n# Part ${index}\n\n${[1, 2, 3, 4].map((section) => `## Topic ${section}\n\n${say(50)}\n`).join('\n')}\n## Who\n\n${say(15)} ${FOOTER}\n`;
      return Object.fromEntries(
        Array.from({ length: 800 }, (_, index) => [`.cursor/rules/p${index}.mdc`, rule(index)]),
      );
    },
  ],
  [
    'one AGENTS.md of 1 MB',
    () => {
      const say = writer(2);
      return {
        'AGENTS.md': Array.from({ length: ENTRIES }, (_, index) => `## Rule ${index}\n\n${say(45)}\n`)
          .join('\n')
          .slice(0, 999_000),
      };
    },
  ],
  [
    'memory.json of the memory server',
    () => {
      const say = writer(3);
      const line = (index: number) => [
        { type: 'entity', name: `Thing ${index}`, entityType: 'thing', observations: [say(25), say(25)] },
        { type: 'relation', from: `Thing ${index}`, to: `Thing ${(index * 7) % ENTRIES}`, relationType: 'needs' },
      ];
      const lines = Array.from({ length: ENTRIES }, (_, index) => line(index)).flat();
      return { 'memory.json': lines.map((each) => JSON.stringify(each)).join('\n') };
    },
  ],
  [
    'a folder of 4,000 notes',
    () => {
      const say = writer(4);
      return Object.fromEntries(
        Array.from({ length: ENTRIES }, (_, index) => [
          `area-${index % 40}/note-${index}.md`,
          `---\ntags: [a, b]\n---\n${say(50)}\n`,
        ]),
      );
    },
  ],
];

/** Drafts that differ in one word, as of a mould: each is like all others. */
const ALIKE = [2_000, 4_000, 8_000] as const;

function ofOneMould(entries: number): Record<string, string> {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`);
  const text = (index: number) => words.map((word, at) => (at === 30 ? `part${index}` : word)).join(' ');
  return {
    'lines.jsonl': Array.from({ length: entries }, (_, index) =>
      JSON.stringify({ name: `rule ${index}`, content: text(index) }),
    ).join('\n'),
  };
}

const STEPS = ['reading', 'review', 'storing'] as const;

async function main(): Promise<void> {
  const rows: string[][] = [];
  // The first is not counted: modules are loaded and code is made fast then.
  for (const [index, [name, files]] of [SOURCES[0]!, ...SOURCES].entries()) {
    const root = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-'));
    try {
      const row = await measure(root, files());
      if (index > 0) rows.push([name, ...row]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  console.log(table(['', 'entries', ...STEPS, 'entries a second', 'longest turn'], rows));
  console.log(
    `\n${table(['drafts that differ in one word', 'reading', 'review', 'marked ≈', 'longest turn'], await alike())}`,
  );
}

/** Nothing is stored: all but the first are like another. */
async function alike(): Promise<string[][]> {
  const rows: string[][] = [];
  for (const entries of [ALIKE[0], ...ALIKE]) {
    const root = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-'));
    try {
      const { kaizen, times, held, reviewed } = await review(root, ofOneMould(entries));
      await kaizen.close();
      const marked = reviewed.filter(({ standing }) => standing === 'duplicate').length;
      const counts = [entries, marked].map((count) => count.toLocaleString('en'));
      rows.push([counts[0]!, ...times.map(milliseconds), counts[1]!, milliseconds(held())]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  return rows.slice(1);
}

async function measure(root: string, files: Record<string, string>): Promise<string[]> {
  const began = threadTime();
  const { kaizen, step, times, held, drafts, reviewed, prepared } = await review(root, files);
  const chosen = reviewed.filter(({ isProposed }) => isProposed).map(({ draft }) => draft);
  const at = isoTime(systemClock.now());
  const records = recordsOf(chosen, { scope: PROJECT, author: 'bench', at, project: PROJECT, isNew: false });
  const { entry } = await step(() => kaizen.importRecords(records, { author: 'bench' }));
  const run = threadTime() - began - prepared;
  await kaizen.close();
  if (entry.added < 0.9 * drafts.length) throw new Error(`${entry.added} of ${drafts.length} were stored`);
  const perSecond = Math.round(drafts.length / (run / 1000) / 10) * 10;
  return [
    drafts.length.toLocaleString('en'),
    ...times.map(milliseconds),
    perSecond.toLocaleString('en'),
    milliseconds(held()),
  ];
}

/** Reads files and reviews them, beside what is stored; `prepared`: what the thread ran before, in milliseconds. */
async function review(root: string, files: Record<string, string>) {
  const start = threadTime();
  const folder = path.join(root, 'from');
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const open = () => new Kaizen({ data: path.join(root, 'data'), shared: path.join(root, 'shared'), project: PROJECT });
  const before = open();
  await before.importRecords(corpus(STORED), { author: 'bench' });
  await before.close();
  const kaizen = open();
  await kaizen.parts();
  const prepared = threadTime() - start;
  const times: number[] = [];
  let longest = 0;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    const [began, stop] = [performance.now(), watchTurns()];
    const result = await work();
    times.push(performance.now() - began);
    // What others on this machine take from this thread is none of its turns.
    longest = Math.max(longest, stop().run);
    return result;
  };
  const { drafts } = await step(async () =>
    kaizen.readRules((await openSource(folder, { from: kindOf(files) })) as RulesSource),
  );
  const reviewed = await step(() => kaizen.reviewRules(drafts, PROJECT));
  return { kaizen, step, times, held: () => longest, drafts, reviewed, prepared };
}

/** A folder of lines is told as such. */
function kindOf(files: Record<string, string>): RuleKind | undefined {
  return 'lines.jsonl' in files ? 'lines' : undefined;
}

asShipped(__filename, main);
