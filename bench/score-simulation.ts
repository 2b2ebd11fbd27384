// Does the score know what works? `npm run bench -- score-simulation [--seeds 200]`: made-up projects whose truth is known, the
// feedback that they would give, through the very code that scores (docs/learning.md, "How well the score agrees with
// what is true").
import { parseArgs } from 'node:util';
import { type Correlations, PROJECTS, type Run, simulate, TEMPLATES, WORLDS } from '../test/support/score-simulation';
import { table } from './measure';

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '40' } } });
const seeds = Number(values.seeds);

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
