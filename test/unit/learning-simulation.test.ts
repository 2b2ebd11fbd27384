import assert from 'node:assert/strict';
import { type Correlations, type Run, simulate, WORLDS } from '../support/score-simulation';

const SEEDS = 10;

describe('The score of a template', () => {
  /** Of 200 projects each; docs/learning.md has what becomes of more seeds and of noisier worlds. */
  it('foretells how a project goes: it correlates above 0.6 with the outcome, and above 0.8 with the quality', async () => {
    const runs: Run[] = [];
    for (let seed = 1; seed <= SEEDS; seed++) runs.push(await simulate(WORLDS[0]!, seed));
    const mean = (of: (run: Run) => Correlations) => runs.reduce((sum, run) => sum + of(run).pearson, 0) / SEEDS;
    const [outcome, quality, best] = [
      mean(({ ahead }) => ahead),
      mean(({ templates }) => templates),
      mean(({ ceiling }) => ceiling),
    ];
    assert.ok(outcome > 0.6, `outcome: ${outcome}`);
    assert.ok(quality > 0.8, `quality: ${quality}`);
    assert.ok(outcome < best, `no score knows more than the quality itself: ${best}`);
  });
});
