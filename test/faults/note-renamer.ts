// A process that renames one note over and over until it is killed, and says each name that it got to.
import path from 'node:path';
import { systemClock } from '../../src/core/clock';
import { notesSchema, openNotes } from '../../src/notes';
import { Store } from '../../src/store';

async function main(directory: string): Promise<void> {
  const store = await Store.open(path.join(directory, 'store'), { schemas: [notesSchema] });
  const notes = openNotes({
    spaces: { project: path.join(directory, 'notes') },
    store,
    cacheDirectory: undefined,
    watch: false,
    clock: systemClock,
  });
  notes.start();
  await notes.ready(30_000);
  for (;;) {
    const zettel_id = notes.notes().find((note) => note.zettel_id.startsWith('name-'))!.zettel_id;
    const new_zettel_id = `name-${Number(zettel_id.slice(5)) + 1}`;
    await notes.write({ action: 'rename', zettel_id, new_zettel_id }, { author: 'renamer' });
    console.log(new_zettel_id);
  }
}

main(process.argv[2]!).catch((error) => {
  console.log(`error: ${String(error)}`);
  process.exitCode = 1;
});
