import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { learningUri } from '../../src/core/knowledge-uri';
import {
  type LearningExport,
  type LearningPart,
  learningSchema,
  type OutcomeType,
  openLearning,
} from '../../src/learning';
import { Store } from '../../src/store';
import { seededRandom } from './hall';

/** Made-up projects whose truth is known, and what they say of their templates: see docs/learning.md. */

export const PROJECTS = 200;
export const TEMPLATES = 25;
const DAY_MS = 86_400_000;
const START = Date.UTC(2025, 6, 1);
const BY = { author: 'made up' };

/** What a world is like: how noisy people are, and how much they say. */
export interface World {
  name: string;
  /** Standard deviation of an outcome around its template's quality, and of a rating around the outcome. */
  luck: number;
  noise: number;
  /** Share of projects whose outcome is never captured, and of those that are, of ones without a rating. */
  silent: number;
  unrated: number;
}

export const WORLDS: readonly World[] = [
  { name: 'as assumed', luck: 0.15, noise: 0.1, silent: 0.3, unrated: 0.3 },
  { name: 'twice the noise', luck: 0.3, noise: 0.2, silent: 0.3, unrated: 0.3 },
  { name: 'few say anything', luck: 0.15, noise: 0.1, silent: 0.7, unrated: 0.5 },
];

export interface Correlations {
  pearson: number;
  spearman: number;
}

export interface Run {
  /** Score of a template and its hidden quality. */
  templates: Correlations;
  /** Score of its template before a project begins, and how the project then goes: what a ranking can foretell. */
  ahead: Correlations;
  /** The best that could be foretold: the hidden quality itself. */
  ceiling: Correlations;
}

/** A project that was made from a template, and what is said of it. */
interface Planned {
  at: number;
  template: number;
  modifications: number;
  /** How it goes. */
  outcome: number;
  said?: { rating: number | undefined; helpful: boolean | undefined } | undefined;
}

/** What happens follows from the seed alone, whatever the scores are. */
function planned(world: World, seed: number): { qualities: number[]; projects: Planned[] } {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const qualities = Array.from({ length: TEMPLATES }, () => random());
  let now = START;
  const projects = Array.from({ length: PROJECTS }, (): Planned => {
    now += Math.floor(random() * 2 * DAY_MS);
    const template = Math.floor(random() * TEMPLATES);
    const modifications = random() < 0.5 ? 0 : Math.floor(random() * 9);
    // What is modified owes less to its template.
    const kept = 1 - modifications / 10;
    const outcome = share(kept * qualities[template]! + (1 - kept) * 0.5 + world.luck * normal());
    if (random() < world.silent) return { at: now, template, modifications, outcome };
    const rating = random() < world.unrated ? undefined : share(outcome + world.noise * normal());
    // One in four says something of the template itself.
    const helpful = random() < 0.25 ? share(outcome + world.noise * normal()) >= 0.5 : undefined;
    return { at: now, template, modifications, outcome, said: { rating, helpful } };
  });
  return { qualities, projects };
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}

const template = (number: number) => `tmpl-${number}`;
const project = (number: number) => `proj-${number}`;

/** Brings the records with ids of their own, which nobody else makes. */
async function bring(learning: LearningPart, projects: readonly Planned[]): Promise<void> {
  const visibility = 'team' as const;
  const { record } = await learning.write({ operation: 'capture_project', project: { name: 'One', visibility } }, BY);
  const project_id = record.id;
  await learning.write({ operation: 'capture_template', project_id, template_name: 'All' }, BY);
  const ones = learning.export().records;
  const one = (kind: string) => ones.find((each) => each.kind === kind)!;
  const records = [
    ...Array.from({ length: TEMPLATES }, (_, number) => ({
      kind: 'template',
      record: { ...one('template').record, id: template(number) },
    })),
    ...projects.map((each, number) => ({
      kind: 'project',
      record: {
        ...{ ...one('project').record, id: project(number), source_template_id: template(each.template) },
        template_modifications: Array.from({ length: each.modifications }, (_, at) => `change ${at}`),
      },
    })),
  ] as LearningExport['records'];
  await learning.import({ records }, {}, BY);
}

/** All of it goes through the door of learning: what is said, what is asked, the store. */
export async function simulate(world: World, seed: number): Promise<Run> {
  const { qualities, projects } = planned(world, seed);
  const root = mkdtempSync(path.join(tmpdir(), 'kaizen-simulation-'));
  const store = await Store.open(root, { schemas: [learningSchema] });
  let now = START;
  const learning = openLearning({ store, clock: { now: () => now }, person: 'made up', counts: true });
  try {
    await bring(learning, projects);
    const uris = qualities.map((_, number) => learningUri('template', template(number)));
    const foretold: { score: number; quality: number; outcome: number }[] = [];
    for (const [number, { at, template: made, outcome, said }] of projects.entries()) {
      now = at;
      const { score } = learning.effectivenessOf(uris[made]!);
      foretold.push({ score, quality: qualities[made]!, outcome });
      learning.noteUse('used', [uris[made]!]);
      if (!said) continue;
      const outcome_type: OutcomeType =
        outcome >= 0.6 ? 'project_success' : outcome >= 0.3 ? 'project_partial' : 'project_failure';
      const of = { artifact_id: project(number), artifact_type: 'project', rating: said.rating } as const;
      await learning.feedback({ operation: 'report_outcome', ...of, outcome_type }, BY);
      if (said.helpful === undefined) continue;
      const direct = { artifact_id: uris[made]!, artifact_type: 'template', helpful: said.helpful } as const;
      await learning.feedback({ operation: 'rate', ...direct }, BY);
    }
    const scores = uris.map((uri) => learning.effectivenessOf(uri).score);
    // The first quarter is what is learned from before anything can be foretold.
    const later = foretold.slice(PROJECTS / 4);
    const outcomes = later.map((each) => each.outcome);
    return {
      templates: correlations(scores, qualities),
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
    await learning.close();
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
