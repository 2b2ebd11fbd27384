import { distance } from 'fastest-levenshtein';
import { KaizenError } from '../core/errors';
import { KNOWLEDGE_SCHEME } from '../core/knowledge-uri';
import { anyOf, sentence } from '../core/sentence';
import { compareText } from '../core/text';
import type { Base } from './base';
import type { KnowledgeNode } from './model';

/** Ids that are looked at to name one that nobody knows, and steps of comparing their letters: some 25 ms. */
const MAX_COMPARED = 20_000;
const MAX_STEPS = 2_000_000;
const MAX_NEAR = 3;
/** Characters of a file's path (see `checkRelativePath`). */
const LONGEST_PATH = 4_096;

/** Finds nodes by what they are called: id, id with its base, path, or URI. */
export class References {
  /** @param bases by their names in lower case */
  constructor(private readonly bases: ReadonlyMap<string, Base>) {}

  /** Throws `unknown_node`, naming near ids, and `ambiguous_node`, naming the ids with their bases. */
  node(reference: string): KnowledgeNode {
    const wanted = reference.trim();
    if (wanted.toLowerCase().startsWith(`${KNOWLEDGE_SCHEME}://`)) {
      const found = this.byUri(wanted);
      if (found) return found;
      throw this.unknown(wanted);
    }
    const bases = [...this.bases.values()];
    const byId = bases.flatMap(({ catalogue }) => catalogue.node(wanted) ?? []);
    const found = byId.length > 0 ? byId : this.inNamedBase(wanted);
    const byFile = found.length > 0 ? found : bases.flatMap((base) => byPath(base, wanted) ?? []);
    const all = byFile.length > 0 ? byFile : this.byPathWithBase(wanted);
    const [first, ...others] = all;
    if (!first) throw this.unknown(wanted);
    if (others.length > 0) {
      const ids = all.map(({ base, id }) => `${base}:${id}`).join(', ');
      const message = sentence('{0} knowledge bases have "{1}".', all.length, shown(wanted));
      throw new KaizenError('ambiguous_node', message, sentence('Say which is meant: {0}.', ids));
    }
    return first;
  }

  /** The address may be percent-encoded in any way, and its fragment an anchor or an id. */
  byUri(uri: string): KnowledgeNode | undefined {
    const parts = /^knowledge:\/\/([^/?#]+)\/([^?#]+)(?:#(.*))?$/i.exec(uri);
    const base = parts && this.bases.get(parts[1]!.toLowerCase());
    if (!base) return undefined;
    return inFile(base, decoded(parts[2]!), decoded(parts[3] ?? ''));
  }

  publicId({ base, id }: KnowledgeNode): string {
    const others = [...this.bases.values()].some((each) => each.definition.name !== base && each.catalogue.node(id));
    return others ? `${base}:${id}` : id;
  }

  /** `docs:security.auth`, `docs:SECURITY.md#authentication` */
  private inNamedBase(wanted: string): KnowledgeNode[] {
    const { base, rest } = this.withoutBase(wanted, ':');
    const found = base && (base.catalogue.node(rest) ?? byPath(base, rest));
    return found ? [found] : [];
  }

  /** A path as answers give it where there are several bases: `docs/SECURITY.md#authentication` */
  private byPathWithBase(wanted: string): KnowledgeNode[] {
    const { base, rest } = this.withoutBase(wanted, '/');
    const found = base && byPath(base, rest);
    return found ? [found] : [];
  }

  private withoutBase(wanted: string, separator: string): { base: Base | undefined; rest: string } {
    const at = wanted.indexOf(separator);
    const base = this.bases.get(wanted.slice(0, Math.max(0, at)).toLowerCase());
    return { base, rest: wanted.slice(at + 1) };
  }

  private unknown(wanted: string): KaizenError {
    const near = this.near(wanted);
    const hint =
      near.length > 0
        ? sentence('Did you mean {0}?', anyOf(near))
        : sentence('search_knowledge and list_knowledge_bases find ids.');
    return new KaizenError('unknown_node', sentence('No knowledge base has a node "{0}".', shown(wanted)), hint);
  }

  /** Ids that differ in few letters, and those that end alike: the folder is what is forgotten most. */
  private near(wanted: string): string[] {
    if (wanted.length > 300) return [];
    const last = lastPart(wanted);
    const allowed = Math.max(2, Math.floor(wanted.length / 4));
    const near: { node: KnowledgeNode; far: number }[] = [];
    let compared = 0;
    let steps = 0;
    let nearest = Number.POSITIVE_INFINITY;
    for (const { catalogue } of this.bases.values()) {
      for (const node of catalogue.nodes()) {
        if (++compared > MAX_COMPARED) break;
        const { id } = node;
        const isAlike = Math.abs(id.length - wanted.length) <= allowed && steps < MAX_STEPS;
        // The distance takes 32 letters at once.
        if (isAlike) steps += Math.ceil(wanted.length / 32) * id.length;
        let far = isAlike ? distance(id, wanted) : Number.POSITIVE_INFINITY;
        if (far > allowed) far = last.length > 2 && lastPart(id) === last ? allowed + 1 : Number.POSITIVE_INFINITY;
        if (far === Number.POSITIVE_INFINITY || far > nearest + 1) continue;
        nearest = Math.min(nearest, far);
        near.push({ node, far });
      }
    }
    near.sort((a, b) => a.far - b.far || compareText(a.node.id, b.node.id));
    return near
      .filter(({ far }) => far <= nearest + 1)
      .slice(0, MAX_NEAR)
      .map(({ node }) => this.publicId(node));
  }
}

/** `SECURITY.md#authentication`, `SECURITY.md`. Files may be called `C#.md`, so that each `#` may be the one that counts. */
function byPath(base: Base, path: string): KnowledgeNode | undefined {
  for (let hash = path.indexOf('#'); hash >= 0 && hash < LONGEST_PATH; hash = path.indexOf('#', hash + 1)) {
    const found = inFile(base, path.slice(0, hash), path.slice(hash + 1));
    if (found) return found;
  }
  return inFile(base, path, '');
}

function inFile({ catalogue }: Base, file: string, fragment: string): KnowledgeNode | undefined {
  const nodes = catalogue.file(file)?.nodes;
  return nodes?.find(({ anchor }) => anchor === fragment) ?? nodes?.find(({ id }) => id === fragment);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function lastPart(id: string): string {
  return id.slice(Math.max(id.lastIndexOf('.'), id.lastIndexOf('#'), id.lastIndexOf('/')) + 1).toLowerCase();
}

function shown(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
