import { parseEntryUri, parseLearningUri, parseNoteUri } from '../core/knowledge-uri';
import type { KaizenParts } from '../kaizen';
import { originsOf } from '../knowledge';
import { LEARNED_KINDS, type LearningPart } from '../learning';
import { type NotesPart, SPACES } from '../notes';

/** Who wrote what an answer quotes, where that was no person of the team by their own hand. */
export interface Origin {
  /** `registry`: downloaded from there, or still there; whoever publishes to it wrote it. */
  by: 'agent' | 'registry';
  /** Of an agent: the MCP client's name. */
  author?: string;
}

/** In words, for a fence. */
export function originInWords({ by, author }: Origin): string {
  return by === 'agent' ? `written by the agent ${author ?? ''}`.trim() : 'from the registry of notes';
}

/** Rows of entries, nodes and notes by their address, each that an agent wrote or the registry gave with its origin. */
export function withOriginsById<Row extends { id: string }>(
  { knowledge, notes }: Pick<KaizenParts, 'knowledge' | 'notes'>,
  rows: readonly Row[],
): (Row & { origin?: Origin })[] {
  const keys = rows.flatMap(({ id }) => parseEntryUri(id) ?? []);
  const entries = keys.length === 0 ? undefined : originsOf(knowledge, keys);
  return rows.map((row) => {
    const note = parseNoteUri(row.id);
    const origin = note ? originOfNote(notes, note) : entries?.get(row.id);
    return origin ? { ...row, origin } : row;
  });
}

/** Undefined for what a person wrote, or what Kaizen did not write. */
export function originOfNote(
  notes: Pick<NotesPart, 'lastWrites'>,
  { space, zettel_id }: { space: string; zettel_id: string },
): Origin | undefined {
  if (space === 'registry') return { by: 'registry' };
  const known = SPACES.find((each) => each === space);
  const [last] = known ? notes.lastWrites([{ space: known, zettel_id }]) : [];
  if (last?.action === 'download') return { by: 'registry' };
  return last?.by_agent ? { by: 'agent', author: last.author } : undefined;
}

/** Of a captured record, as its last change was; undefined for what a person captured. */
export function originOfRecord(learning: Pick<LearningPart, 'revisions'>, uri: string): Origin | undefined {
  const { kind, id = '' } = parseLearningUri(uri) ?? {};
  const known = LEARNED_KINDS.find((each) => each === kind);
  const [last] = known ? learning.revisions({ kind: known, id, limit: 1 }) : [];
  return last?.by_agent ? { by: 'agent', author: last.author } : undefined;
}
