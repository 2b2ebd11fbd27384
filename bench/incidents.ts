// How well similar failures are found: `npm run bench -- incidents`, over the sets in test/fixtures/incidents (docs/learning.md,
// "How well similar failures are found"). Beside it the plain search of captured records, and `find_similar` without its
// list of other words, over the same questions and records. `--missed` lists what was not found.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kaizen } from '../src/kaizen';
import { Incidents } from '../src/learning/workflows/incidents';
import { Inquiry } from '../src/learning/workflows/inquiry';
import { findSimilar } from '../src/learning/workflows/similar';
import {
  type AnswerIncidents,
  captureIncidents,
  FIRST_SET,
  type IncidentSet,
  recallOf,
  SECOND_SET,
} from '../test/support/incidents';
import { table } from './measure';

async function rowsOf(name: string, set: IncidentSet): Promise<string[][]> {
  const root = mkdtempSync(path.join(tmpdir(), 'kaizen-incidents-'));
  const kaizen = new Kaizen({ data: path.join(root, 'data'), shared: path.join(root, 'shared') });
  try {
    const { learning, library, relations } = await kaizen.parts();
    const ids = await captureIncidents({ learning }, set);
    const world = { learning, library, relations, knowledge: async () => [] };
    const similarBy = (incidents: Incidents): AnswerIncidents => {
      return async (problem_description, symptom_keywords) => {
        const asked = { text: [problem_description, ...symptom_keywords].join(' '), n_results: 10 };
        const request = { operation: 'find_similar', problem_description, symptom_keywords } as const;
        const { results } = await findSimilar(request, new Inquiry(world, asked, undefined), incidents);
        return results.map(({ id }) => id);
      };
    };
    const ways: [string, AnswerIncidents][] = [
      [
        'search of captured records',
        async (query, symptoms) => {
          const asked = [query, ...symptoms].join(' ');
          return (await learning.search({ query: asked, kinds: ['project'], limit: 10 })).map(({ id }) => id);
        },
      ],
      ['`find_similar` without other words', similarBy(new Incidents(learning, () => []))],
      ['`find_similar`', similarBy(new Incidents(learning))],
    ];
    const rows: string[][] = [];
    for (const [way, answer] of ways) {
      const { recall, first, reciprocalRank, missed } = await recallOf(set, ids, answer);
      rows.push([name, way, ...[recall, first, reciprocalRank].map((value) => value.toFixed(3)), `${missed.length}`]);
      if (!process.argv.includes('--missed')) continue;
      for (const { query, relevant, got } of missed) console.log(`${way}: ${query}\n  ${relevant} · ${got}`);
    }
    return rows;
  } finally {
    await kaizen.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const rows: string[][] = [];
  for (const [name, set] of [
    ['first', FIRST_SET],
    ['second', SECOND_SET],
  ] as const) {
    rows.push(...(await rowsOf(`${name}: ${set.queries.length} questions to ${set.incidents.length} incidents`, set)));
  }
  const heads = ['set', '', 'recall@5', 'first is relevant', 'mean reciprocal rank', 'questions with something missed'];
  console.log(table(heads, rows));
}

void main();
