// Creates and changes notes until it is killed, and says of each write that it is done once that was promised:
//   node note-writer.js DIRECTORY NAME
// Beside it lies `shared.md`, which all writers change.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/core/clock';
import { isKaizenError } from '../../src/core/errors';
import { type NotesPart, notesSchema, openNotes } from '../../src/notes';
import { Store } from '../../src/store';

/** What the note `<name>-<n>` says after its update: long, so that a kill can cut it in two. */
export const bodyOf = (name: string, n: number) => `${name} ${n}. `.repeat(3_000).trimEnd();

/** Straight to the pipe: what was said stands even when the process is gone in the next instant. */
function say(value: { n: number; shared?: boolean } | { error: string }): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}

async function main(directory: string, name: string): Promise<void> {
  const store = await Store.open(join(directory, 'store'), { schemas: [notesSchema] });
  const notes = openNotes({
    spaces: { project: join(directory, 'notes') },
    store,
    cacheDirectory: undefined,
    watch: false,
    clock: systemClock,
  });
  notes.start();
  await notes.ready(30_000);
  for (let n = 1; ; n++) await round(notes, name, n);
}

async function round(notes: NotesPart, name: string, n: number): Promise<void> {
  const change = { author: name };
  const zettel_id = `${name}-${n}`;
  const input = { zettel_id, title: zettel_id, content: 'First.', entry_type: 'concept' as const };
  await notes.write({ action: 'create', location: 'project', input }, change);
  await notes.write({ action: 'update', zettel_id, patch: { content: bodyOf(name, n) } }, change);
  say({ n });
  try {
    await notes.write({ action: 'update', zettel_id: 'shared', patch: { tags: [`${name}-${n}`] } }, change);
    say({ n, shared: true });
  } catch (error) {
    if (!isKaizenError(error) || error.code !== 'conflict') throw error;
  }
}

const [directory, name] = process.argv.slice(2);
if (require.main === module && directory && name) main(directory, name).catch((error) => say({ error: String(error) }));
