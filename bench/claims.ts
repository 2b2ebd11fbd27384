// How well what speaks against a claim is found: `npm run bench -- claims`, over the set in test/fixtures/claims
// (docs/learning.md, "What speaks against a claim"). `--missed` lists what was answered wrongly and what was not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kaizen } from '../src/kaizen';
import { CLAIMS, counterargumentsOf, storeClaims } from '../test/support/claims';
import { table } from './measure';

async function main(): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'kaizen-claims-'));
  const kaizen = new Kaizen({ data: path.join(root, 'data'), shared: path.join(root, 'shared') });
  try {
    const { knowledge, workflows } = await kaizen.parts();
    await storeClaims(knowledge);
    const rows: string[][] = [];
    for (const [name, isAsked] of [
      ['those whose misses were read', (at: number) => at % 2 === 0],
      ['the others', (at: number) => at % 2 === 1],
      ['all', () => true],
    ] as const) {
      const { precision, recall, named, wrong, missed } = await counterargumentsOf(workflows, isAsked);
      const asked = CLAIMS.filter((_, at) => isAsked(at)).length;
      rows.push([name, `${asked}`, ...[precision, recall, named].map((value) => value.toFixed(2))]);
      if (!process.argv.includes('--missed') || name !== 'those whose misses were read') continue;
      for (const each of wrong) console.log(`wrong: ${each}`);
      for (const each of missed) console.log(`missed: ${each}`);
    }
    console.log(table(['claims', 'number', 'precision', 'recall', 'rightly named'], rows));
  } finally {
    await kaizen.close();
    rmSync(root, { recursive: true, force: true });
  }
}

void main();
