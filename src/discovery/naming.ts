import type { BasesPart } from '../bases';
import { NOTES_AUTHORITY } from '../core/knowledge-uri';
import { foldersOf } from './note-passages';
import type { Subject } from './subject';

/** How answers name what they give: one for each answer, as bases come and go. */
export class Naming {
  private readonly areSeveral: boolean;

  constructor(readonly bases: BasesPart) {
    this.areSeveral = bases.statuses().length > 1;
  }

  /** What `retrieve` takes: an entry's or a note's address, a node's id. */
  idOf(subject: Subject): string {
    return subject.kind === 'node' ? this.bases.publicId(subject.node) : subject.uri;
  }

  /**
   * Where it stands, for a reader: `shop/git.workflows/branch-naming`, `SECURITY.md#authentication`,
   * `notes/project/patterns/042-email.md`.
   */
  pathOf(subject: Subject): string {
    if (subject.kind === 'entry') {
      const { source_scope, category, keyword } = subject.entry;
      return [source_scope, category, keyword].join('/');
    }
    if (subject.kind === 'note') return `${NOTES_AUTHORITY}/${subject.note.space}/${subject.note.file}`;
    const { base, path } = subject.node;
    return this.areSeveral ? `${base}/${path}` : path;
  }

  /** Titles above it, outermost first. */
  headingsAbove(subject: Subject): string[] {
    if (subject.kind === 'entry') return subject.entry.category.split('.');
    if (subject.kind === 'note') return foldersOf(subject.note);
    const { base, file, parent_id } = subject.node;
    if (parent_id === null) return [];
    const nodes = new Map(this.bases.file(base, file)?.nodes.map((node) => [node.id, node]));
    const titles: string[] = [];
    let above = nodes.get(parent_id);
    while (above) {
      titles.unshift(above.title);
      above = above.parent_id === null ? undefined : nodes.get(above.parent_id);
    }
    return titles;
  }
}
