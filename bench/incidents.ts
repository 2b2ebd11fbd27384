// How well similar failures are found: `npm run bench -- incidents`, over the set in test/fixtures/incidents (docs/learning.md,
// "Finding what helps"). Beside it the plain search of captured records, over the same questions and records.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kaizen } from '../src/kaizen';
import { captureIncidents, INCIDENTS, QUERIES, recallOf, similarFailureRecall } from '../test/support/incidents';
import { table } from './measure';

async function main(): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'kaizen-incidents-'));
  const kaizen = new Kaizen({ data: path.join(root, 'data'), shared: path.join(root, 'shared') });
  try {
    const parts = await kaizen.parts();
    const ids = await captureIncidents(parts);
    const plain = await recallOf(ids, async (query, symptoms) => {
      const hits = await parts.learning.search({ query: [query, ...symptoms].join(' '), kinds: ['project'], limit: 5 });
      return hits.map(({ id }) => id);
    });
    const similar = await similarFailureRecall(parts, ids);
    console.log(
      table(
        [`${QUERIES.length} questions to ${INCIDENTS.length} incidents`, 'recall@5', 'questions with something missed'],
        [
          ['search of captured records', plain.recall.toFixed(3), `${plain.missed.length}`],
          ['`find_similar`', similar.recall.toFixed(3), `${similar.missed.length}`],
        ],
      ),
    );
  } finally {
    await kaizen.close();
    rmSync(root, { recursive: true, force: true });
  }
}

void main();
