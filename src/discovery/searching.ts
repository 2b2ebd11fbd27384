import type { BasesPart, KnowledgeNode } from '../bases';
import { isKaizenError, KaizenError } from '../core/errors';
import { parseEntryUri, parseNoteUri } from '../core/knowledge-uri';
import type { Sentence } from '../core/sentence';
import { inParallel } from '../files';
import type { KnowledgePart } from '../knowledge';
import type { NotesPart } from '../notes';
import { type FacetFilter, type HybridHit, type HybridSearch, type Snippet, snippetOf } from '../search';
import { textOf } from './found';
import type { FoundPassage, KnowledgeSearchRequest, KnowledgeSearchRow, SearchType } from './model';
import { Naming } from './naming';
import { notesNarrowing } from './note-narrowing';
import type { NoteView } from './note-view';
import { reasonFor } from './reasons';
import { rounded } from './scoring';
import { entriesSource, nodesSource } from './sources';
import { type Subject, Subjects, titleOf, typeOf } from './subject';
import type { Viewpoint } from './viewpoint';

const DEFAULT_RESULTS = 10;
/** Files that are read at once. */
const AT_ONCE = 8;

export interface SearchingParts {
  knowledge: KnowledgePart;
  bases: BasesPart;
  notes: NotesPart;
  noteView: NoteView;
  hybrid: HybridSearch;
  viewpoint: Viewpoint;
}

export interface Searched {
  results: KnowledgeSearchRow[];
  /** Their addresses. */
  uris: string[];
  total: number;
  used: SearchType;
  note?: Sentence | string;
}

/** Where to search: sources as a whole, and single nodes with what is below them. */
interface Narrowing {
  filter: FacetFilter;
  /** Undefined where all of the sources is asked for. */
  accept?: ((uri: string) => boolean) | undefined;
}

/** `search_knowledge` of seed 002, over notes, nodes and entries of all scopes, whether or not they hold for a project. */
export class Searching {
  constructor(private readonly parts: SearchingParts) {}

  /** Throws `unknown_node` for an id in `scope` that names nothing. */
  async search(request: KnowledgeSearchRequest, signal?: AbortSignal): Promise<Searched> {
    const { hybrid, bases, noteView, viewpoint } = this.parts;
    const subjects = new Subjects(bases, noteView, (uris) => viewpoint.stored(uris));
    const naming = new Naming(bases);
    const narrowing = request.scope?.length ? this.narrowing(request.scope) : undefined;
    const { hits, total, used, note } = await hybrid.find(request.query, request.search_type ?? 'hybrid', {
      limit: request.max_results ?? DEFAULT_RESULTS,
      filter: narrowing?.filter,
      accept: narrowing?.accept,
      admit: (uris) => subjects.all(uris).map(({ uri }) => uri),
      signal,
    });
    const results: KnowledgeSearchRow[] = [];
    const uris: string[] = [];
    for (const hit of hits) {
      signal?.throwIfAborted();
      const subject = subjects.get(hit.uri);
      if (!subject) continue;
      results.push(await this.row(subject, hit, request.query, naming));
      uris.push(subject.uri);
    }
    return { results, uris, total, used, ...(note === undefined ? {} : { note }) };
  }

  /** What is found, with its text; one whose file is gone meanwhile is left out. */
  async passages(query: string, limit: number, signal?: AbortSignal): Promise<FoundPassage[]> {
    const { hybrid, bases, noteView, viewpoint } = this.parts;
    const subjects = new Subjects(bases, noteView, (uris) => viewpoint.stored(uris));
    const naming = new Naming(bases);
    const { hits } = await hybrid.find(query, 'hybrid', {
      limit,
      admit: (uris) => subjects.all(uris).map(({ uri }) => uri),
      signal,
    });
    const found = await inParallel(hits, AT_ONCE, async (hit): Promise<FoundPassage[]> => {
      signal?.throwIfAborted();
      const subject = subjects.get(hit.uri);
      const text = subject && (await textOf(subject, this.parts));
      if (!subject || !text) return [];
      return [
        {
          uri: subject.uri,
          kind: subject.kind,
          title: titleOf(subject),
          path: naming.pathOf(subject),
          type: typeOf(subject),
          score: hit.score,
          matched: hit.matched.map(({ word }) => word),
          text,
        },
      ];
    });
    return found.flat();
  }

  private async row(subject: Subject, hit: HybridHit, query: string, naming: Naming): Promise<KnowledgeSearchRow> {
    // A file that is gone meanwhile leaves its row without a snippet.
    const text = await textOf(subject, this.parts);
    return {
      id: naming.idOf(subject),
      path: naming.pathOf(subject),
      title: titleOf(subject),
      type: typeOf(subject),
      score: rounded(hit.score),
      snippet: marked(snippetOf(text, query, { matched: hit.matched })),
      reason: reasonFor({ matched: hit.matched, byMeaning: hit.byMeaning, headings: naming.headingsAbove(subject) }),
    };
  }

  /** Each id is a base's name, a scope's id, notes of a place or a node; where a name is both, both are searched. */
  private narrowing(ids: readonly string[]): Narrowing {
    const { bases, knowledge, notes } = this.parts;
    const baseNames = new Map(bases.statuses().map(({ definition: { name } }) => [name.toLowerCase(), name]));
    const scopeIds = new Set(knowledge.listScopes().map(({ scope_id }) => scope_id));
    const sources = new Set<string>();
    const wholeBases = new Set<string>();
    const below = new Set<string>();
    const files = new Set<string>();
    const ofNotes: ((uri: string) => boolean)[] = [];
    let hasParts = false;
    let isOfFiles = true;
    for (const id of new Set(ids.map((each) => each.trim()))) {
      if (scopeIds.has(id)) sources.add(entriesSource(id));
      const base = baseNames.get(id.toLowerCase());
      if (base !== undefined) {
        sources.add(nodesSource(base));
        wholeBases.add(base);
      }
      const noted = notesNarrowing(id, notes);
      if (noted) {
        for (const source of noted.sources) sources.add(source);
        ofNotes.push(noted.accept);
        hasParts ||= !noted.isWhole;
      }
      if (scopeIds.has(id) || base !== undefined || noted) {
        isOfFiles = false;
        continue;
      }
      const node = this.nodeIn(id);
      sources.add(nodesSource(node.base));
      files.add(node.file);
      for (const uri of this.urisBelow(node)) below.add(uri);
    }
    const accept = (uri: string) => {
      if (below.has(uri) || parseEntryUri(uri)) return true;
      if (parseNoteUri(uri)) return ofNotes.some((accepts) => accepts(uri));
      const base = bases.nodeByUri(uri)?.base;
      return base !== undefined && wholeBases.has(base);
    };
    if (below.size === 0 && !hasParts) return { filter: { sources: [...sources] } };
    // Files with nodes that are asked for: what lies elsewhere in their bases is not to crowd them out.
    const path = isOfFiles ? [...files] : undefined;
    return { filter: { sources: [...sources], path }, accept };
  }

  private nodeIn(scope: string): KnowledgeNode {
    const { bases } = this.parts;
    try {
      return bases.node(scope);
    } catch (error) {
      if (!isKaizenError(error) || error.code !== 'unknown_node') throw error;
      const names = bases.statuses().map(({ definition }) => definition.name);
      const known = names.length > 0 ? `Knowledge bases: ${names.slice(0, 10).join(', ')}. ` : '';
      const message = `"${scope.slice(0, 120)}" is no knowledge base, no scope, no node and no place of notes.`;
      throw new KaizenError('unknown_node', message, `${known}${error.hint ?? ''}`.trim(), { cause: error });
    }
  }

  private urisBelow(node: KnowledgeNode): string[] {
    const nodes = new Map(this.parts.bases.file(node.base, node.file)?.nodes.map((each) => [each.id, each]));
    const open = [node];
    const uris: string[] = [];
    for (let next = open.pop(); next; next = open.pop()) {
      uris.push(next.uri);
      open.push(...next.children_ids.flatMap((id) => nodes.get(id) ?? []));
    }
    return uris;
  }
}

/** The snippet on one line, its hits between `**`; asterisks of the text itself are escaped. */
function marked({ text, marks }: Snippet): string {
  let shown = '';
  let at = 0;
  for (const { start, end } of marks) {
    shown += `${escaped(text.slice(at, start))}**${escaped(text.slice(start, end))}**`;
    at = end;
  }
  return (shown + escaped(text.slice(at))).replace(/\s+/gu, ' ').trim();
}

function escaped(text: string): string {
  return text.replace(/[\\*]/g, '\\$&');
}
