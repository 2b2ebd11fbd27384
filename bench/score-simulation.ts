// Does the score know what works? `npm run bench -- score-simulation [--seeds 200]`: made-up projects whose truth is known, the
// feedback that they would give, through the very code that scores (docs/learning.md, "How well the score agrees with
// what is true").
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { FeedbackInput, LearnedRecords } from '../src/learning';
import { learningSchema } from '../src/learning';
import { Feedback } from '../src/learning/feedback';
import { Store } from '../src/store';
import { KnownRecords } from '../test/support/feedback';
import { seeded } from './corpus';
import { table } from './measure';

const PROJECTS = 200;
const TEMPLATES = 25;
const DAY_MS = 86_400_000;
const START = Date.UTC(2025, 6, 1);
const { values } = parseArgs({ options: { seeds: { type: 'string', default: '40' } } });
const seeds = Number(values.seeds);

/** What a world is like: how noisy people are, and how much they say. */
interface World {
  name: string;
  /** Standard deviation of an outcome around its template's quality, and of a rating around the outcome. */
  luck: number;
  noise: number;
  /** Share of projects whose outcome is never captured, and of those that are, of ones without a rating. */
  silent: number;
  unrated: number;
}

const WORLDS: readonly World[] = [
  { name: 'as assumed', luck: 0.15, noise: 0.1, silent: 0.3, unrated: 0.3 },
  { name: 'twice the noise', luck: 0.3, noise: 0.2, silent: 0.3, unrated: 0.3 },
  { name: 'few say anything', luck: 0.15, noise: 0.1, silent: 0.7, unrated: 0.5 },
];

interface Correlations {
  pearson: number;
  spearman: number;
}

interface Run {
  /** Score of a template and its hidden quality. */
  templates: Correlations;
  /** Score of its template before a project begins, and how the project then goes: what a ranking can foretell. */
  ahead: Correlations;
  /** The best that could be foretold: the hidden quality itself. */
  ceiling: Correlations;
}

async function simulate(world: World, seed: number): Promise<Run> {
  const random = seeded(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const share = (value: number) => Math.min(1, Math.max(0, value));
  const root = mkdtempSync(path.join(tmpdir(), 'kaizen-simulation-'));
  const store = await Store.open(root, { schemas: [learningSchema] });
  try {
    let now = START;
    const records = new KnownRecords();
    const feedback = new Feedback({ store, clock: { now: () => now }, records: () => records, counts: true });
    const templates = Array.from({ length: TEMPLATES }, (_, at) => ({
      uri: records.add('template', { id: `tmpl-${at}`, created_at: new Date(START).toISOString() }),
      quality: random(),
    }));
    const foretold: { score: number; quality: number; outcome: number }[] = [];
    for (let at = 0; at < PROJECTS; at++) {
      now += Math.floor(random() * 2 * DAY_MS);
      const template = templates[Math.floor(random() * TEMPLATES)]!;
      const modifications = random() < 0.5 ? 0 : Math.floor(random() * 9);
      // What is modified owes less to its template.
      const kept = 1 - modifications / 10;
      const outcome = share(kept * template.quality + (1 - kept) * 0.5 + world.luck * normal());
      foretold.push({ score: feedback.effectivenessOf(template.uri).score, quality: template.quality, outcome });
      feedback.noteUse('used', [template.uri]);
      if (random() < world.silent) continue;
      const id = `proj-${at}`;
      records.add('project', {
        id,
        source_template_id: template.uri.slice(template.uri.lastIndexOf('/') + 1),
        template_modifications: Array.from({ length: modifications }, (_each, number) => `change ${number}`),
      });
      const status = outcome >= 0.6 ? 'project_success' : outcome >= 0.3 ? 'project_partial' : 'project_failure';
      const rating = random() < world.unrated ? undefined : share(outcome + world.noise * normal());
      const input: FeedbackInput = {
        ...{ operation: 'report_outcome', artifact_id: id, artifact_type: 'project', outcome_type: status, rating },
      };
      const project = records.get('project', id) as LearnedRecords['project'];
      await store.write((transaction) => feedback.give(transaction, input, { author: 'made up', at: now, project }));
      // One in four says something of the template itself.
      if (random() < 0.25) {
        const helpful = share(outcome + world.noise * normal()) >= 0.5;
        await feedback.feedback(
          { operation: 'rate', artifact_id: template.uri, artifact_type: 'template', helpful },
          { author: 'made up' },
        );
      }
    }
    const scores = templates.map(({ uri }) => feedback.effectivenessOf(uri).score);
    // The first quarter is what is learned from before anything can be foretold.
    const later = foretold.slice(PROJECTS / 4);
    const outcomes = later.map((each) => each.outcome);
    return {
      templates: correlations(
        scores,
        templates.map(({ quality }) => quality),
      ),
      ahead: correlations(
        later.map(({ score }) => score),
        outcomes,
      ),
      ceiling: correlations(
        later.map(({ quality }) => quality),
        outcomes,
      ),
    };
  } finally {
    await store.close();
    rmSync(root, { recursive: true, force: true });
  }
}

function correlations(a: readonly number[], b: readonly number[]): Correlations {
  return { pearson: pearson(a, b), spearman: pearson(ranks(a), ranks(b)) };
}

function pearson(a: readonly number[], b: readonly number[]): number {
  const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, ofA, ofB] = [0, 0, 0];
  for (const [at, value] of a.entries()) {
    const [x, y] = [value - meanA, b[at]! - meanB];
    both += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return both / Math.sqrt(ofA * ofB);
}

/** Equals share the mean of their ranks. */
function ranks(all: readonly number[]): number[] {
  const order = all.map((value, at) => ({ value, at })).sort((x, y) => x.value - y.value);
  const ranked = new Array<number>(all.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && order[to + 1]!.value === order[from]!.value) to++;
    for (let each = from; each <= to; each++) ranked[order[each]!.at] = (from + to) / 2;
    from = to + 1;
  }
  return ranked;
}

/** Mean over the seeds with the interval of 95 % of the mean, and the lowest twentieth of the seeds. */
function summary(values_: readonly number[]): string {
  const count = values_.length;
  const mean = values_.reduce((sum, each) => sum + each, 0) / count;
  const variance = values_.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (count - 1);
  const half = 1.96 * Math.sqrt(variance / count);
  const low = [...values_].sort((a, b) => a - b)[Math.floor(count * 0.05)]!;
  return `${mean.toFixed(3)} (${(mean - half).toFixed(3)} to ${(mean + half).toFixed(3)}; 5 % of the seeds below ${low.toFixed(2)})`;
}

async function main(): Promise<void> {
  const rows: string[][] = [];
  for (const world of WORLDS) {
    const runs: Run[] = [];
    for (let seed = 1; seed <= seeds; seed++) runs.push(await simulate(world, seed));
    const row = (what: string, of: (run: Run) => Correlations) =>
      rows.push([
        world.name,
        what,
        summary(runs.map((run) => of(run).pearson)),
        summary(runs.map((run) => of(run).spearman)),
      ]);
    row('score of a template, its hidden quality', ({ templates }) => templates);
    row("score of its template before a project, the project's outcome", ({ ahead }) => ahead);
    row('… were the quality itself known', ({ ceiling }) => ceiling);
  }
  console.log(`${PROJECTS} projects from ${TEMPLATES} templates, ${seeds} seeds.\n`);
  console.log(table(['world', 'correlation of', 'Pearson, mean over seeds (95 % interval)', 'Spearman'], rows));
}

void main();
