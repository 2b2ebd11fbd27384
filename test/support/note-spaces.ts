import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/core/clock';
import { type NotesOptions, type NotesPart, notesSchema, openNotes } from '../../src/notes';
import { Store } from '../../src/store';

/** A workspace and a home for one test, with everything that notes need; what it opened is closed with it. */
export class NoteFolders {
  /** Its real path: temporary folders are links on macOS. */
  readonly path = realpathSync.native(mkdtempSync(join(tmpdir(), 'kaizen-notes-')));
  readonly workspace = join(this.path, 'workspace');
  readonly project = join(this.workspace, '.ai', 'knowledge');
  readonly user = join(this.path, 'home', '.knowledge-kiwi');
  readonly cacheDirectory = join(this.path, 'cache');
  readonly logged: string[] = [];
  private readonly opened: { notes: NotesPart; store: Store }[] = [];
  private stores = 0;

  /** Writes files below `project`, by their paths there; texts as they are. */
  write(files: Readonly<Record<string, string | Buffer>>, root = this.project): void {
    for (const [file, text] of Object.entries(files)) {
      const path = join(root, ...file.split('/'));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }

  async open(options: Partial<NotesOptions> = {}): Promise<NotesPart> {
    const store = await Store.open(join(this.path, `store-${this.stores++}`), {
      schemas: [notesSchema],
      clock: systemClock,
    });
    const notes = openNotes({
      spaces: { project: this.project, user: this.user },
      workspace: this.workspace,
      store,
      cacheDirectory: this.cacheDirectory,
      watch: false,
      clock: systemClock,
      log: (message) => void this.logged.push(message),
      ...options,
    });
    this.opened.push({ notes, store });
    return notes;
  }

  /** Opens and waits until everything is indexed. */
  async indexed(options?: Partial<NotesOptions>): Promise<NotesPart> {
    const notes = await this.open(options);
    notes.start();
    if (!(await notes.ready(15_000))) throw new Error('The spaces did not become ready.');
    return notes;
  }

  async remove(): Promise<void> {
    for (const { notes, store } of this.opened) {
      await notes.close();
      await store.close();
    }
    rmSync(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A note's file as the specification has it. */
export function noteText(id: string, body = '', more: readonly string[] = []): string {
  const head = [`zettel_id: ${id}`, `title: Title of ${id}`, 'entry_type: concept', ...more];
  return `---\n${head.join('\n')}\n---\n\n${body}\n`;
}
