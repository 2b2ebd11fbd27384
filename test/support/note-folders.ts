import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { NoteSpaces, Space } from '../../src/notes';

export interface WrittenNote {
  title?: string;
  entry_type?: string;
  tags?: string[];
  /** More lines of front matter. */
  more?: string[];
  body?: string;
}

/** A workspace with the two spaces of notes, in a folder for one test. */
export class NoteFolders {
  /** Its real path: temporary folders are links on macOS. */
  readonly path = realpathSync.native(mkdtempSync(join(tmpdir(), 'kaizen-notes-')));
  readonly workspace = join(this.path, 'workspace');
  readonly roots: Record<Space, string> & NoteSpaces = {
    project: join(this.workspace, '.ai', 'knowledge'),
    user: join(this.path, 'user'),
  };

  /** Writes a file of a space as it is. */
  file(space: Space, file: string, text: string): string {
    const path = join(this.roots[space], ...file.split('/'));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Writes a note: `patterns/042-x` is the note `042-x` of the category `patterns`. */
  note(
    space: Space,
    place: string,
    { title, entry_type = 'pattern', tags = [], more = [], body }: WrittenNote = {},
  ): string {
    const id = place.slice(place.lastIndexOf('/') + 1);
    const named = title ?? id;
    const front = [
      `zettel_id: ${id}`,
      `title: ${named}`,
      `entry_type: ${entry_type}`,
      ...(tags.length > 0 ? [`tags: [${tags.join(', ')}]`] : []),
      ...more,
    ];
    return this.file(space, `${place}.md`, `---\n${front.join('\n')}\n---\n\n${body ?? `# ${named}\n`}`);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}
