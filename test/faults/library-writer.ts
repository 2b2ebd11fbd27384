// Puts, replaces and removes documents until it is killed, and says of each step that it is done once that was promised:
//   node library-writer.js DIRECTORY NAME
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/core/clock';
import { isKaizenError } from '../../src/core/errors';
import { openKeeper } from '../../src/library/keeping';
import type { LibraryKeeper } from '../../src/library/keeping/model';
import { type MadeDocument, madeDocument } from '../support/library-documents';

/** The document that all writers replace. */
export const SHARED = 'shared';
const SECTIONS = 60;

/** What the document says in its revision: long, so that a kill can cut it in two; each of its chunks names the revision. */
export function revisionOf(documentId: string, revision: number): MadeDocument {
  const sections = Array.from({ length: SECTIONS }, (_, section) => ({
    content: `Section ${section} of revision${revision}. ${`${documentId} ${revision} `.repeat(150)}`,
    section_title: `Section ${section}`,
  }));
  const updated_at = new Date(Date.UTC(2026, 0, 1) + revision).toISOString();
  return madeDocument(documentId, sections, { title: `${documentId} in revision ${revision}`, updated_at });
}

/** What was done: `n` counts documents of the writer's own. */
export type Said = { n: number; step: 'added' | 'replaced' | 'removed' } | { shared: string } | { error: string };

/** Straight to the pipe: what was said stands even when the process is gone in the next instant. */
function say(value: Said): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}

export function openLibraryIn(directory: string): Promise<LibraryKeeper> {
  return openKeeper(
    { directory: join(directory, 'library') },
    {
      cacheDirectory: join(directory, 'index'),
      embeddingsDirectory: join(directory, 'embeddings'),
      modelsDirectory: join(directory, 'models'),
      clock: systemClock,
      log: (error) => say({ error }),
    },
  );
}

async function main(directory: string, name: string): Promise<void> {
  const keeper = await openLibraryIn(directory);
  for (let n = 1; ; n++) await round(keeper, name, n);
}

/** Every third document goes again. */
async function round(keeper: LibraryKeeper, name: string, n: number): Promise<void> {
  const id = `${name}-${n}`;
  const [first, second] = [revisionOf(id, 1), revisionOf(id, 2)];
  await keeper.put(first.document, first.content, null);
  say({ n, step: 'added' });
  await keeper.put(second.document, second.content, first.document.updated_at);
  say({ n, step: 'replaced' });
  if (n % 3 === 0) {
    await keeper.remove([id]);
    say({ n, step: 'removed' });
  }
  const known = await keeper.document(SHARED);
  const next = revisionOf(SHARED, known ? Date.parse(known.updated_at) - Date.UTC(2026, 0, 1) + 1 : 1);
  try {
    await keeper.put(next.document, next.content, known?.updated_at ?? null);
    say({ shared: next.document.updated_at });
  } catch (error) {
    if (!isKaizenError(error) || error.code !== 'conflict') throw error;
  }
}

const [directory, name] = process.argv.slice(2);
if (require.main === module && directory && name) main(directory, name).catch((error) => say({ error: String(error) }));
