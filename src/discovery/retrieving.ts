import type { BasesPart, KnowledgeNode, NodeWithContent } from '../bases';
import { describeError, isKaizenError, KaizenError } from '../core/errors';
import { entryUri, NOTES_AUTHORITY } from '../core/knowledge-uri';
import { estimateTokens } from '../core/tokens';
import type { KnowledgePart, ResolvedEntry } from '../knowledge';
import { type NotesPart, SPACES } from '../notes';
import type { RetrievedNode, RetrieveRequest } from './model';
import { Naming } from './naming';
import type { NoteView } from './note-view';
import { plainText } from './plain-text';
import { entrySubject, nodeSubject, type Subject, titleOf, typeOf } from './subject';
import type { Viewpoint } from './viewpoint';

/** Seed 002, "Resource Limits". */
const MAX_IDS = 20;
const MAX_ID_LENGTH = 4_096;
/** Of one answer, in UTF-16 code units: some 100,000 tokens. */
const MAX_CHARACTERS = 400_000;
const FORMATS = ['markdown', 'json', 'plain'] as const;
type Format = (typeof FORMATS)[number];

export interface RetrievingParts {
  knowledge: KnowledgePart;
  bases: BasesPart;
  notes: NotesPart;
  noteView: NoteView;
  viewpoint: Viewpoint;
}

export interface Retrieved {
  nodes: RetrievedNode[];
  /** What was given, for counting. */
  subjects: Subject[];
  total_tokens: number;
  /** Sentences about what is missing. */
  notes: string[];
}

/** What one answer may still hold. */
class Space {
  private left = MAX_CHARACTERS;
  tokens = 0;
  /** Ids that had no room. */
  readonly leftOut: string[] = [];

  /** Whether the text has room; then it is counted. */
  take(id: string, content: string): boolean {
    if (content.length > this.left) {
      this.leftOut.push(id);
      return false;
    }
    this.left -= content.length;
    this.tokens += estimateTokens(content);
    return true;
  }
}

interface Answer {
  space: Space;
  naming: Naming;
}

/** Throws `invalid_argument`. */
function checked({ ids, format = 'markdown' }: RetrieveRequest): { ids: string[]; format: Format } {
  if (ids.length === 0 || ids.length > MAX_IDS) {
    throw new KaizenError(
      'invalid_argument',
      ids.length === 0 ? 'There are no ids.' : `There are ${ids.length} ids; the limit is ${MAX_IDS}.`,
      ids.length === 0
        ? 'Take them from discover_context or search_knowledge.'
        : 'Ask for the others in a second call.',
    );
  }
  if (ids.some((id) => id.length > MAX_ID_LENGTH)) {
    throw new KaizenError('invalid_argument', `An id is longer than ${MAX_ID_LENGTH} characters.`);
  }
  if (!FORMATS.includes(format)) {
    throw new KaizenError('invalid_argument', `"${String(format)}" is not a format.`, `Use ${FORMATS.join(', ')}.`);
  }
  return { ids: [...new Set(ids.map((id) => id.trim()))], format };
}

/** `retrieve_knowledge` of seed 002, for nodes, files, entries and notes. */
export class Retrieving {
  constructor(private readonly parts: RetrievingParts) {}

  /** Throws as `DiscoveryPart.retrieve`. */
  async retrieve(request: RetrieveRequest, signal?: AbortSignal): Promise<Retrieved> {
    const { ids, format } = checked(request);
    const found = new Map<string, Subject>();
    const errors: KaizenError[] = [];
    for (const id of ids) {
      try {
        const subject = this.find(id);
        found.set(subject.uri, subject);
      } catch (error) {
        if (!isKaizenError(error)) throw error;
        errors.push(error);
      }
    }
    const [first] = errors;
    if (found.size === 0 && first) {
      if (errors.length === 1) throw first;
      throw new KaizenError('unknown_node', 'None of the ids is known.', errors.map(describeError).join(' '));
    }
    const space = new Space();
    const naming = new Naming(this.parts.bases);
    const nodes: RetrievedNode[] = [];
    const subjects: Subject[] = [];
    for (const subject of found.values()) {
      signal?.throwIfAborted();
      const node = await this.read(subject, format, request.include_children === true, { space, naming });
      if (!node) continue;
      nodes.push(node);
      subjects.push(subject);
    }
    const notes = errors.map(describeError);
    if (space.leftOut.length > 0) notes.push(leftOutNote(space.leftOut));
    return { nodes, subjects, total_tokens: space.tokens, notes };
  }

  /** Throws `unknown_node`, naming near ones, and `ambiguous_node`. */
  private find(id: string): Subject {
    const { bases, viewpoint, noteView } = this.parts;
    const entry = viewpoint.stored([id]).get(id);
    if (entry) return entrySubject(entry);
    const note = noteView.subject(id);
    if (note) return note;
    try {
      return nodeSubject(bases.node(id));
    } catch (error) {
      if (!isKaizenError(error) || error.code !== 'unknown_node') throw error;
      const named = this.entryNamed(id);
      if (named) return entrySubject(named);
      const noted = this.noteNamed(id);
      if (noted) return noted;
      throw error;
    }
  }

  /** An entry by what answers call its path, or by the keyword that holds. */
  private entryNamed(id: string): ResolvedEntry | undefined {
    const { viewpoint, knowledge } = this.parts;
    const [scope, category, ...rest] = id.split('/');
    if (scope && category && rest.length > 0) {
      const uri = entryUri({ scope_id: scope, category, keyword: rest.join('/') });
      const entry = viewpoint.stored([uri]).get(uri);
      if (entry) return entry;
    }
    const scopeId = viewpoint.scopeId();
    return scopeId === undefined ? undefined : knowledge.getKnowledge(scopeId, [id])[0];
  }

  /** A note by its id, or by what answers call its path. */
  private noteNamed(id: string): Subject | undefined {
    const { notes, noteView } = this.parts;
    for (const space of SPACES) {
      const prefix = `${NOTES_AUTHORITY}/${space}/`;
      const file = id.startsWith(prefix) ? id.slice(prefix.length) : undefined;
      const note = file === undefined ? notes.note(space, id) : notes.notes(space).find((each) => each.file === file);
      if (note) return noteView.of(note);
    }
    return undefined;
  }

  private async read(subject: Subject, format: Format, children: boolean, answer: Answer) {
    if (subject.kind === 'entry') return entryNode(subject, format, answer);
    if (subject.kind === 'note')
      return noteNode(subject, (await this.parts.notes.text(subject.note)).body, format, answer);
    const contents = await this.parts.bases.contents(subject.node.base, subject.node.file);
    const texts = new Map(contents.map((each) => [each.node.id, each]));
    return childNode(subject.node.id, texts, format, children, answer);
  }
}

function entryNode(subject: Subject & { kind: 'entry' }, format: Format, { space, naming }: Answer) {
  const { category, content, metaknowledge, source_scope, source_tier, risks, keyword } = subject.entry;
  const id = naming.idOf(subject);
  const text = shown(content, format);
  if (!space.take(id, text)) return undefined;
  const more = { keyword, metaknowledge, risks: risks.map(({ level, text: says }) => ({ level, text: says })) };
  return {
    id,
    path: naming.pathOf(subject),
    title: titleOf(subject),
    metadata: {
      ...(format === 'json' ? more : metaknowledge),
      type: 'entry',
      scope: source_scope,
      tier: source_tier,
      category,
    },
    content: text,
    children: [],
  };
}

function noteNode(
  subject: Subject & { kind: 'note' },
  body: string,
  format: Format,
  { space, naming }: Answer,
): RetrievedNode | undefined {
  const id = naming.idOf(subject);
  const text = shown(body, format);
  if (!space.take(id, text)) return undefined;
  const { zettel_id, entry_type, tags, source_type, source_url, created_at, updated_at, version } = subject.note;
  const optional = Object.entries({ entry_type, source_type, source_url, created_at, updated_at, version });
  const { category, file, content_hash } = subject.note;
  return {
    id,
    path: naming.pathOf(subject),
    title: titleOf(subject),
    metadata: {
      ...{ type: typeOf(subject), zettel_id, tags, ...Object.fromEntries(optional.filter(([, value]) => value)) },
      source_location: subject.note.space,
      category,
      ...(format === 'json' ? { file, content_hash } : {}),
    },
    content: text,
    children: [],
  };
}

function childNode(
  id: string,
  texts: ReadonlyMap<string, NodeWithContent>,
  format: Format,
  children: boolean,
  answer: Answer,
): RetrievedNode | undefined {
  const found = texts.get(id);
  if (!found) return undefined;
  const { node } = found;
  const { space, naming } = answer;
  const subject = nodeSubject(node);
  const content = shown(found.content, format);
  if (!space.take(naming.idOf(subject), content)) return undefined;
  const below = children ? node.children_ids : [];
  return {
    id: naming.idOf(subject),
    path: naming.pathOf(subject),
    title: node.title,
    metadata: format === 'json' ? structured(node) : { ...node.metadata, type: node.type, status: node.status },
    content,
    children: below.flatMap((child) => childNode(child, texts, format, true, answer) ?? []),
  };
}

function shown(content: string, format: Format): string {
  return format === 'plain' ? plainText(content) : content;
}

/** All that is known of a node but its content: seed 002's IndexEntry. */
function structured({ metadata, ...node }: KnowledgeNode): Record<string, unknown> {
  const { base, uri, file, level, type, status, owner, last_checked, estimate, keywords, line } = node;
  const { parent_id, children_ids, blocked_by, token_count, content_hash } = node;
  const optional = Object.entries({ owner, last_checked, estimate }).filter(([, value]) => value !== undefined);
  return {
    ...metadata,
    ...{ type, status, ...Object.fromEntries(optional), blocked_by, keywords },
    ...{ base, uri, file, level, line: line + 1, parent_id, children_ids, token_count, content_hash },
  };
}

function leftOutNote(ids: readonly string[]): string {
  const some = ids.slice(0, 5).join(', ');
  const more = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
  return `One answer has room for ${MAX_CHARACTERS} characters; left out: ${some}${more}. Ask for them by themselves.`;
}
