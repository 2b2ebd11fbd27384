import type { KaizenParts } from '../kaizen';
import type { Direction, Provenance, Relation, RelationInput, RelationPath, RelationType } from '../relations';
import type { RelationWrite } from '../review';
import { changeBy, writeOrHold } from './agent-writes';
import type { EnvelopedResult } from './envelope';
import { isSaid, neededArgument } from './needed';
import type { Held } from './policy';
import type { ToolCall } from './tool';

/** The arguments of `knowledge_relationship` (seed 003, 5.6.1): each operation takes some of them. */
export interface RelationshipArguments {
  operation: 'add' | 'remove' | 'traverse' | 'find';
  source_chunk_id?: string | undefined;
  target_chunk_id?: string | undefined;
  relationship_type?: RelationType | undefined;
  context?: string | undefined;
  bidirectional?: boolean | undefined;
  confidence?: number | undefined;
  created_by?: Provenance | undefined;
  evidence_chunk_ids?: readonly string[] | undefined;
  relationship_id?: string | undefined;
  direction?: Direction | undefined;
  max_depth?: number | undefined;
  relationship_types?: readonly RelationType[] | undefined;
  min_confidence?: number | undefined;
  limit?: number | undefined;
}

export async function relationship(
  parts: KaizenParts,
  args: RelationshipArguments,
  call: ToolCall,
): Promise<EnvelopedResult | Held> {
  switch (args.operation) {
    case 'add':
      return add(parts, args, call);
    case 'remove':
      return remove(parts, args, call);
    default:
      return lookUpRelationships(parts, { ...args, operation: args.operation }, call);
  }
}

export function lookUpRelationships(
  parts: KaizenParts,
  args: RelationshipArguments & { operation: 'traverse' | 'find' },
  call: ToolCall,
): Promise<EnvelopedResult> {
  return args.operation === 'traverse' ? traverse(parts, args, call) : find(parts, args, call);
}

async function add(parts: KaizenParts, args: RelationshipArguments, call: ToolCall): Promise<EnvelopedResult | Held> {
  const { context, bidirectional, confidence, created_by, evidence_chunk_ids: evidence } = args;
  const input: RelationInput = {
    source: needed(args, 'source_chunk_id'),
    target: needed(args, 'target_chunk_id'),
    type: needed(args, 'relationship_type'),
    ...{ context, bidirectional, confidence, created_by, evidence },
  };
  return writing(parts, call, { action: 'add', input }, async () => {
    const { relation, status } = await parts.relations.add(input, changeBy(call));
    return { status, relationship_id: relation.id, relationship: relationshipOf(relation) };
  });
}

async function remove(parts: KaizenParts, args: RelationshipArguments, call: ToolCall) {
  const id = needed(args, 'relationship_id');
  return writing(parts, call, { action: 'remove', id }, async () => {
    const relation = await parts.relations.remove(id, changeBy(call));
    return { status: 'removed', relationship_id: id, relationship: relationshipOf(relation) };
  });
}

async function writing(
  parts: KaizenParts,
  call: ToolCall,
  input: RelationWrite,
  write: () => Promise<object>,
): Promise<EnvelopedResult | Held> {
  const proposed = { operation: 'write_relation', input } as const;
  return writeOrHold(parts, call, proposed, changeBy(call), async () => ({ result: await write() }));
}

async function traverse({ relations }: KaizenParts, args: RelationshipArguments, { signal }: ToolCall) {
  const { direction, max_depth, min_confidence } = args;
  const { ends, paths, truncated, unresolved, ...found } = await relations.traverse({
    from: [needed(args, 'source_chunk_id')],
    ...{ direction, max_depth, min_confidence, signal },
    types: typesOf(args),
  });
  const results = ends.slice(1).map(({ uri, ...end }) => ({ id: uri, uri, ...end }));
  const message = [
    ...(truncated ? ['There is more: ask for fewer types, one direction or a smaller depth.'] : []),
    ...(unresolved > 0 ? [`${unresolved} ends are left out: it cannot be told now whether they are there.`] : []),
  ].join(' ');
  return {
    result: {
      start: ends[0],
      total_results: results.length,
      results,
      relationships: found.relations.map(relationshipOf),
      paths: paths.map(pathOf),
      truncated,
      ...(message ? { message } : {}),
    },
  };
}

async function find({ relations }: KaizenParts, args: RelationshipArguments, { signal }: ToolCall) {
  const { direction, min_confidence, created_by, limit } = args;
  const [source, target] = [orNothing(args.source_chunk_id), orNothing(args.target_chunk_id)];
  // With one end alone, the direction is the one that is asked for; its own side else.
  const ends =
    source !== undefined
      ? { uri: source, other: target, direction }
      : { uri: target, direction: direction ?? (target === undefined ? undefined : ('incoming' as const)) };
  const types = typesOf(args);
  const found = await relations.find({ ...ends, types, min_confidence, created_by, limit, signal });
  return { result: { total_results: found.length, results: found.map(relationshipOf) } };
}

/** Throws `invalid_argument`, naming the operation that needs it. */
function needed<Name extends keyof RelationshipArguments>(args: RelationshipArguments, name: Name) {
  return neededArgument(args, name, HINTS[name]);
}

function orNothing(text: string | undefined): string | undefined {
  return isSaid(text) ? text : undefined;
}

const END = 'An address (knowledge://…), the id of a passage, or the id of a captured record.';
const HINTS: Partial<Record<keyof RelationshipArguments, string>> = {
  source_chunk_id: END,
  target_chunk_id: END,
  relationship_id: 'find and traverse answer ids.',
};

function typesOf({ relationship_type: type, relationship_types: types = [] }: RelationshipArguments) {
  const all = [...types, ...(type === undefined ? [] : [type])];
  return all.length > 0 ? all : undefined;
}

/** With the names of seed 003, 4.2.1; the ends are addresses. */
function relationshipOf({ source, target, type, evidence, created_at, ...rest }: Relation) {
  return {
    ...rest,
    source_chunk_id: source,
    target_chunk_id: target,
    relationship_type: type,
    evidence_chunk_ids: evidence,
    ...(created_at === '' ? {} : { created_at }),
  };
}

function pathOf({ uris, relations, confidence }: RelationPath) {
  return { uris, relationship_ids: relations.map(({ id }) => id), confidence };
}
