import { join, relative } from 'node:path';
import type { BasesPart, KnowledgeNode } from '../bases';
import { isKaizenError } from '../core/errors';
import { realPath } from '../core/locations';
import type { Note, NotesPart, SpaceStatus } from '../notes';
import type { SearchIndex } from '../search';
import { tokensIn } from './note-passages';
import { notesSource } from './sources';
import { type NoteLookup, noteSubject, type Subject } from './subject';

/** A base whose folder holds a space's, or lies in it. */
interface Overlap {
  base: string;
  space: SpaceStatus;
  /** From the base's folder down to the space's; with `isAround`, from the space's down to the base's. */
  way: string;
  isAround: boolean;
}

/** Notes as answers give them. */
export class NoteView implements NoteLookup {
  private overlapping: { of: string; overlaps: readonly Overlap[] } | undefined;

  constructor(
    private readonly notes: NotesPart,
    private readonly bases: BasesPart,
    private readonly index: SearchIndex,
  ) {}

  subject(uri: string): Subject | undefined {
    const note = this.notes.noteByUri(uri);
    return note && this.of(note);
  }

  of(note: Note): Subject {
    return noteSubject(note, tokensIn(this.index.segment(notesSource(note.space)).fingerprint(note.uri)));
  }

  /** The user's of which the project has another one of the same id, without regard to case: that one is meant. */
  isShadowed({ space, zettel_id }: Note): boolean {
    if (space !== 'user') return false;
    try {
      return this.notes.resolve({ zettel_id }).space === 'project';
    } catch (error) {
      // It is gone meanwhile.
      if (isKaizenError(error)) return false;
      throw error;
    }
  }

  /** How many notes there are that may be recommended. */
  get available(): number {
    const all = this.notes.spaces().reduce((sum, { notes }) => sum + notes, 0);
    return all - this.notes.notes('user').filter((note) => this.isShadowed(note)).length;
  }

  standsFor({ base, file }: KnowledgeNode): boolean {
    return this.overlaps.some((overlap) => {
      if (overlap.base !== base) return false;
      const below = overlap.isAround ? `${overlap.way}${file}` : inside(overlap.way, file);
      return below !== undefined && this.notes.noteAt(join(overlap.space.root, below)) !== undefined;
    });
  }

  /** How many nodes are of notes' files. */
  get doubled(): number {
    let nodes = 0;
    for (const { base, space, way, isAround } of this.overlaps) {
      for (const { file } of this.notes.notes(space.space)) {
        const below = isAround ? inside(way, file) : `${way}${file}`;
        if (below !== undefined) nodes += this.bases.file(base, below)?.nodes.length ?? 0;
      }
    }
    return nodes;
  }

  /** Looked up once for the folders that there are: an answer is not to wait for the disk. */
  private get overlaps(): readonly Overlap[] {
    const spaces = this.notes.spaces();
    if (spaces.length === 0) return [];
    const bases = this.bases.statuses().map(({ definition }) => definition);
    const of = JSON.stringify([bases.map(({ name, root }) => [name, root]), spaces.map(({ root }) => root)]);
    if (this.overlapping?.of !== of) {
      const overlaps = bases.flatMap(({ name, root }) => spaces.flatMap((space) => overlapOf(name, root, space) ?? []));
      this.overlapping = { of, overlaps };
    }
    return this.overlapping.overlaps;
  }
}

function overlapOf(base: string, baseRoot: string, space: SpaceStatus): Overlap | undefined {
  const [outer, inner] = [realPath(baseRoot), realPath(space.root)];
  const down = wayDown(outer, inner);
  if (down !== undefined) return { base, space, way: down, isAround: false };
  const up = wayDown(inner, outer);
  return up === undefined ? undefined : { base, space, way: up, isAround: true };
}

/** From a folder to one in it, with a slash behind unless it is the same; undefined where it does not lie in it. */
function wayDown(outer: string, inner: string): string | undefined {
  const way = relative(outer, inner).replaceAll('\\', '/');
  if (way === '') return '';
  return way === '..' || way.startsWith('../') || /^([A-Za-z]:|\/)/.test(way) ? undefined : `${way}/`;
}

function inside(folder: string, file: string): string | undefined {
  return file.startsWith(folder) ? file.slice(folder.length) : undefined;
}
