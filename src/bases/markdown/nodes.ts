import { createHash } from 'node:crypto';
import { KNOWLEDGE_SCHEME } from '../../core/knowledge-uri';
import { estimateTokens } from '../../core/tokens';
import type { Turns } from '../../core/turns';
import { firstText, titleOf } from '../../markdown';
import type { KnowledgeNode, MetadataValue } from '../model';
import { typeByPlace } from './conventions';
import { keywordsOf } from './keywords';
import type { Head, Section } from './layout';
import { fileId, fileTitle, freeSlug, slugOf } from './slug';

/** Where a file stands. */
export interface Place {
  /** The base's name. */
  base: string;
  /** Relative to the base's root, `/` between its parts. */
  file: string;
}

const DEFAULT_TYPE = 'context';
const DEFAULT_STATUS = 'active';
const MAX_FIELD = 200;
/** Without white space, and without what separates a base, a path and an anchor from each other. */
const ID = /^[^\s\p{C}#:/\\?]{1,200}$/u;

/** `knowledge://<base>/<file>#<anchor>`, each name percent-encoded. */
function nodeUri({ base, file }: Place, anchor = ''): string {
  const path = file.split('/').map(encodeURIComponent).join('/');
  return `${KNOWLEDGE_SCHEME}://${base}/${path}${anchor === '' ? '' : `#${encodeURIComponent(anchor)}`}`;
}

/** A section's own content as it is read: its lines end in LF, without blank lines around it. */
export function contentOf(text: string, { contentStart, end }: Section): string {
  return withoutBlankLines(normalized(text.slice(contentStart, end)));
}

/** `contentOf`, and a SHA-256, hex, over all of a section but blank lines behind it; neither depends on line ends. */
function contentAndHash(text: string, { start, contentStart, end }: Section): { content: string; hash: string } {
  const whole = normalized(text.slice(start, end));
  const above = normalized(text.slice(start, contentStart));
  const said = whole.replace(/^\uFEFF/, '').trimEnd();
  return {
    content: withoutBlankLines(whole.slice(above.length)),
    hash: createHash('sha256').update(said).digest('hex'),
  };
}

function withoutBlankLines(text: string): string {
  return text.slice(firstText(text)).trimEnd();
}

/** Splitting and joining is twice as fast as replacing where most of a text is line ends. */
function normalized(text: string): string {
  const lines = text.includes('\r') ? text.split('\r\n').join('\n').split('\r').join('\n') : text;
  return lines.includes('\0') ? lines.split('\0').join('\uFFFD') : lines;
}

export interface NodeFault {
  line: number;
  code: 'metadata' | 'duplicate_id';
  message: string;
}

/** Makes nodes of the sections of one file, one after the other, root first. */
export class NodeMaker {
  readonly faults: NodeFault[] = [];
  private readonly nodes: KnowledgeNode[] = [];
  private readonly ids: string[];
  private readonly anchors: string[];

  private constructor(
    private readonly text: string,
    private readonly place: Place,
    private readonly head: Head | undefined,
    private readonly sections: readonly Section[],
    /** What the headings say. */
    private readonly shown: readonly string[],
  ) {
    this.anchors = this.findAnchors();
    this.ids = this.findIds();
  }

  static async of(
    text: string,
    place: Place,
    { head, sections, turns }: { head: Head | undefined; sections: readonly Section[]; turns: Turns },
  ): Promise<NodeMaker> {
    const shown: string[] = [];
    for (const { heading } of sections) {
      shown.push(heading ? titleOf(text.slice(heading.textStart, heading.textEnd)) : '');
      await turns.pause();
    }
    return new NodeMaker(text, place, head, sections, shown);
  }

  /** The node of the section at `index`; those before it were made before. */
  make(index: number): { node: KnowledgeNode; content: string } {
    const { text, place } = this;
    const section = this.sections[index]!;
    const parent = section.parent === -1 ? undefined : this.nodes[section.parent]!;
    const metadata = this.metadataOf(index);
    const anchor = this.anchors[index]!;
    const { content, hash } = contentAndHash(text, section);
    const owner = field(metadata, 'owner') ?? parent?.owner;
    const last_checked = field(metadata, 'last_checked') ?? parent?.last_checked;
    const estimate = field(metadata, 'estimate');
    const node: KnowledgeNode = {
      id: this.ids[index]!,
      base: place.base,
      uri: nodeUri(place, anchor),
      file: place.file,
      anchor,
      path: anchor === '' ? place.file : `${place.file}#${anchor}`,
      title: this.titleOf(index),
      level: section.level,
      type: word(field(metadata, 'type')) ?? parent?.type ?? typeByPlace(place.file) ?? DEFAULT_TYPE,
      status: word(field(metadata, 'status')) ?? parent?.status ?? DEFAULT_STATUS,
      ...(owner === undefined ? {} : { owner }),
      ...(last_checked === undefined ? {} : { last_checked }),
      ...(estimate === undefined ? {} : { estimate }),
      metadata: Object.fromEntries(metadata),
      keywords: keywordsOf(metadata, content),
      parent_id: section.parent === -1 ? null : this.ids[section.parent]!,
      children_ids: [],
      blocked_by: idsIn(lookUp(metadata, 'blocked_by')),
      token_count: estimateTokens(content),
      content_hash: hash,
      line: section.line,
      end_line: section.endLine,
    };
    parent?.children_ids.push(node.id);
    this.nodes.push(node);
    return { node, content };
  }

  /** The list under a heading; for the root the front matter as well, where the list does not say otherwise. */
  private metadataOf(index: number): ReadonlyMap<string, MetadataValue> {
    const { metadata } = this.sections[index]!;
    return index === 0 && this.head ? new Map([...this.head.values, ...metadata]) : metadata;
  }

  private titleOf(index: number): string {
    const shown = this.shown[index]!;
    if (shown !== '') return shown;
    const metadata = this.metadataOf(index);
    const named = titleOf(field(metadata, 'title') ?? (index === 0 ? field(metadata, 'name') : undefined) ?? '');
    if (named !== '') return named;
    return index === 0 ? fileTitle(this.place.file) : this.anchors[index]!.split('.').at(-1)!;
  }

  private findAnchors(): string[] {
    const anchors: string[] = [];
    const taken = new Map<string, number>();
    for (const [index, { parent }] of this.sections.entries()) {
      if (parent === -1) {
        anchors.push('');
        continue;
      }
      const above = anchors[parent]!;
      const slug = slugOf(this.shown[index]!) || 'section';
      anchors.push(freeSlug(above === '' ? slug : `${above}.${slug}`, taken));
    }
    return anchors;
  }

  /** What the metadata says comes first, so that no made-up id takes its place. */
  private findIds(): string[] {
    const taken = new Map<string, number>();
    const written = this.sections.map((section, index) => {
      const id = field(this.metadataOf(index), 'id');
      if (id === undefined) return undefined;
      if (!ID.test(id)) {
        const message =
          'An id has at most 200 characters, without spaces, "#", ":", "/" and "?". Another one was made of the path.';
        this.faults.push({ line: section.line, code: 'metadata', message });
        return undefined;
      }
      if (taken.has(id)) {
        const message = `The id "${id}" stands here twice. This node has one made of its path.`;
        this.faults.push({ line: section.line, code: 'duplicate_id', message });
        return undefined;
      }
      taken.set(id, 0);
      return id;
    });
    const root = fileId(this.place.file);
    return written.map((id, index) => {
      const anchor = this.anchors[index]!;
      return id ?? freeSlug(anchor === '' ? root : `${root}.${anchor}`, taken);
    });
  }
}

/** Keys are found whatever their case, and with a hyphen or a space for `_`. */
function lookUp(metadata: ReadonlyMap<string, MetadataValue>, name: string): MetadataValue | undefined {
  const exact = metadata.get(name);
  if (exact !== undefined || metadata.size === 0) return exact;
  for (const [key, value] of metadata) if (key.toLowerCase().replace(/[- ]/g, '_') === name) return value;
  return undefined;
}

/** A text of one line; of a list the first. */
function field(metadata: ReadonlyMap<string, MetadataValue>, name: string): string | undefined {
  const value = lookUp(metadata, name);
  const text = (Array.isArray(value) ? value[0] : value)?.replace(/\s+/g, ' ').trim().slice(0, MAX_FIELD);
  return text === '' ? undefined : text;
}

/** `Agent Skill` is `agent_skill`. */
function word(value: string | undefined): string | undefined {
  return value?.toLowerCase().replace(/[- ]+/g, '_');
}

const NOTHING = new Set(['', 'none', 'null', '~', '-']);

function idsIn(value: MetadataValue | undefined): string[] {
  const texts = value === undefined ? [] : Array.isArray(value) ? value : value.split(',');
  return [...new Set(texts.map((text) => text.trim()))].filter((id) => !NOTHING.has(id.toLowerCase()));
}
