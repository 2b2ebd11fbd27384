// Another process at a library on a server, which does what it is told, a line each, and says what came of it:
//   node library-peer.js URL
import { writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import readline from 'node:readline';
import { isKaizenError } from '../../src/core/errors';
import type { DocumentMetadata } from '../../src/library';
import type { DocumentContent, LibraryKeeper } from '../../src/library/keeping/model';
import type { MadeDocument } from '../support/library-documents';
import { ServerLibraries } from '../support/server-libraries';

export type Told = { put: MadeDocument; expected?: string | null } | { see: string; words: readonly string[] };

export type Answered =
  | { ready: true }
  | { changed: readonly string[] | null }
  | { put: 'done' | { code: string } }
  | { documents: DocumentMetadata[]; content: DocumentContent | null; hits: number[] };

function say(answer: Answered): void {
  writeSync(1, `${JSON.stringify(answer)}\n`);
}

async function perform(keeper: LibraryKeeper, told: Told): Promise<Answered> {
  if ('put' in told) {
    try {
      await keeper.put(told.put.document, told.put.content, told.expected);
      return { put: 'done' };
    } catch (error) {
      return { put: { code: isKaizenError(error) ? error.code : String(error) } };
    }
  }
  const hits: number[] = [];
  for (const word of told.words) hits.push((await keeper.search(word, { limit: 5 })).hits.length);
  const content = (await keeper.content(told.see)) ?? null;
  return { documents: await keeper.documents(), content, hits };
}

async function main(url: string): Promise<void> {
  const keeper = await new ServerLibraries(tmpdir()).open({ url });
  keeper.onDidChange(({ documents }) => say({ changed: documents ?? null }));
  say({ ready: true });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    say(await perform(keeper, JSON.parse(line) as Told));
  }
}

const [url] = process.argv.slice(2);
if (require.main === module && url) void main(url);
