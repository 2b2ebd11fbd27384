// Search in a registry of 50,000 notes, on a real PostgreSQL on this machine: `npm run bench -- registry`.
import { cpus } from 'node:os';
import { Client } from 'pg';
import type { RegistrySearchRequest } from '../src/notes';
import { openRegistry } from '../src/notes/registry';
import { startDatabaseServer } from '../test/support/postgres';
import { publishRequest } from '../test/support/published-notes';
import { seeded } from './corpus';
import { shown, table, timed } from './measure';

const ENTRIES = 50_000;
const BATCH = 500;
const ROUNDS = 200;
const VOCABULARY = 40_000;
const CATEGORIES = ['apis', 'patterns', 'concepts', 'learnings', 'experiments', 'references', 'templates', 'workflows'];
const TYPES = ['api_fact', 'pattern', 'concept', 'learning', 'experiment', 'reference', 'template', 'workflow'];
const SYLLABLES =
  'ba be bo ca co da de do fa fi ga go ka ko la le li lo ma me mi mo na ne no pa pe po ra re ri ro'.split(' ');

/** Made-up words by how common they are; the n-th 1/n times as often as the first. */
const random = seeded(50);
const words = [...made()];
const sums = words.map((_, rank) => 1 / (rank + 2.7));
for (let rank = 1; rank < sums.length; rank++) sums[rank]! += sums[rank - 1]!;

function made(): Set<string> {
  const made = new Set<string>();
  while (made.size < VOCABULARY) {
    const syllables = 2 + Math.floor(random() * 4);
    made.add(Array.from({ length: syllables }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]!).join(''));
  }
  return made;
}

function word(): string {
  const wanted = random() * sums.at(-1)!;
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sums[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return words[low]!;
}

function text(length: number): string {
  return Array.from({ length }, word).join(' ');
}

/** As `publish` would have stored them, by the thousand. */
async function load(url: string): Promise<void> {
  const client = new Client({ connectionString: url, ssl: false });
  await client.connect();
  for (let from = 0; from < ENTRIES; from += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, index) => {
      const number = from + index;
      const topic = number % CATEGORIES.length;
      const tags = [words[number % 40]!, words[40 + (number % 400)]!];
      return [
        `${number}-${word()}`,
        text(5),
        text(60 + Math.floor(random() * 240)),
        CATEGORIES[topic],
        TYPES[topic],
        tags,
      ];
    });
    const values = rows.map((row) => {
      const [id, title, content, category, type, tags] = row.map((cell) =>
        Array.isArray(cell) ? `'{${cell.join(',')}}'` : `'${cell}'`,
      );
      return `(${id}, ${title}, ${content}, ${category}, ${type}, ${tags})`;
    });
    await client.query(
      `INSERT INTO kaizen.knowledge_entries (zettel_id, title, content, category, entry_type, tags) VALUES ${values.join()}`,
    );
  }
  await client.query('ANALYZE kaizen.knowledge_entries');
  await client.end();
}

async function main(): Promise<void> {
  const server = await startDatabaseServer({ durable: true });
  if (server.kind !== 'postgres') throw new Error('This measures a real server, and there is none.');
  const url = await server.createDatabase();
  const registry = openRegistry({ url });
  try {
    await registry.init();
    process.stderr.write(`loading ${ENTRIES.toLocaleString('en')} notes\n`);
    await load(url);
    const { postgres, entries } = await registry.status();
    const [rare, middling, frequent] = [30_000, 1_500, 3].map((rank) => (round: number) => words[rank + (round % 50)]!);
    const kinds: [string, (round: number) => Omit<RegistrySearchRequest, 'limit'>][] = [
      ['a rare word', (round) => ({ query: rare!(round) })],
      ['a middling word', (round) => ({ query: middling!(round) })],
      ['a frequent word', (round) => ({ query: frequent!(round) })],
      ['the most frequent word', () => ({ query: words[0]! })],
      ['two frequent words', (round) => ({ query: `${frequent!(round)} ${frequent!(round + 7)}` })],
      ['a frequent and a rare word', (round) => ({ query: `${frequent!(round)} ${rare!(round)}` })],
      [
        'six words that no note has all of',
        (round) => ({ query: [...[1, 2, 3, 4, 5].map((n) => middling!(round + n)), frequent!(round)].join(' ') }),
      ],
      ['a frequent word, one category', (round) => ({ query: frequent!(round), category: CATEGORIES[round % 8] })],
      [
        'a frequent word, two tags',
        (round) => ({ query: frequent!(round), tags: [words[round % 40]!, words[40 + (round % 40)]!] }),
      ],
      [
        'a middling word, type and tag',
        (round) => ({ query: middling!(round), entry_type: 'pattern', tags: [words[1]!] }),
      ],
    ];
    const rows: string[][] = [];
    for (const [name, request] of kinds) {
      let found = 0;
      const times = await timed(ROUNDS, async (round) => {
        found += (await registry.search({ limit: 10, ...request(round) })).total;
      });
      rows.push([name, shown(times), (found / (ROUNDS * 1.1)).toFixed(0)]);
    }
    const get = await timed(ROUNDS, (round) => registry.get(`${round}-x`));
    rows.push(['get a note that is not there', shown(get), '']);
    const publish = await timed(ROUNDS, (round) => registry.publish(publishRequest(`new-${round}`, text(200))));
    rows.push(['publish a note, fsync included', shown(publish), '']);
    console.log(
      `PostgreSQL ${postgres}, ${entries.toLocaleString('en')} notes, Node ${process.version}, ${cpus().length} cores. Medians; p95 in brackets.\n`,
    );
    console.log(table(['search, 10 results', 'time', 'ranked'], rows));
  } finally {
    await registry.close();
    await server.stop();
  }
}

void main();
