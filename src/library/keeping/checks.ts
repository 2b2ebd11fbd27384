import { createHash } from 'node:crypto';
import { KaizenError } from '../../core/errors';
import type { Turns } from '../../core/turns';
import type { DocumentMetadata, DocumentRequest } from '../model';
import { recordOf } from './chunk-record';
import { KEEPING_LIMITS } from './limits';
import type { DocumentContent } from './model';
import { piecesOf } from './pieces';

/** What every keeper refuses with `invalid_argument`, before anything is stored. */

const DOCUMENT_ID = /^[A-Za-z0-9-]+$/;
/** As passages are named: what is longer, or written otherwise, names none. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SHA256 = /^[0-9a-f]{64}$/;
const UNKEPT = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** The document as it is stored. */
export function checkedDocument(document: DocumentMetadata): string {
  const { document_id } = document;
  if (!DOCUMENT_ID.test(document_id) || document_id.length > KEEPING_LIMITS.documentId) {
    const hint = `Use 1 to ${KEEPING_LIMITS.documentId} letters, digits and hyphens.`;
    throw new KaizenError('invalid_argument', `"${document_id.slice(0, 120)}" cannot be a document's id.`, hint);
  }
  return checkedJson(document, KEEPING_LIMITS.metadata, `What is said of the document ${document_id}`);
}

/** The request as it is stored. */
export function checkedRequest(request: DocumentRequest): string {
  if (request.id === '') throw new KaizenError('invalid_argument', 'A document request needs an id.');
  return checkedJson(request, KEEPING_LIMITS.request, 'The document request');
}

/** A chunk's own particulars as they are stored: what `recordOf` takes of it. */
export function checkedRecord(chunk: DocumentContent['chunks'][number]): string {
  return checkedJson(recordOf(chunk), KEEPING_LIMITS.chunkMetadata, `What is said of the passage ${chunk.id}`);
}

/** Whether the chunks are what they say: pieces of the text, in its order, with ids and hashes of their own. */
export async function checkContent({ text, chunks }: DocumentContent, documentId: string, turns: Turns): Promise<void> {
  if (text.length > KEEPING_LIMITS.text) {
    refuse(`The document's text has ${text.length} characters; the limit is ${KEEPING_LIMITS.text}.`);
  }
  if (chunks.length > KEEPING_LIMITS.chunks) {
    refuse(`The document has ${chunks.length} passages; the limit is ${KEEPING_LIMITS.chunks}.`);
  }
  // NUL ends a text in databases, and half of a surrogate pair has no UTF-8.
  for (const piece of piecesOf(text)) {
    if (UNKEPT.test(piece)) refuse("The document's text has a NUL character or half of a surrogate pair.");
    await turns.pause();
  }
  const ids = new Set<string>();
  let last = 0;
  for (const { id, document_id, content, content_hash, char_start, char_end } of chunks) {
    if (!UUID.test(id)) refuse(`"${id.slice(0, 80)}" cannot be a passage's id: it is no UUID.`);
    if (ids.has(id)) refuse(`Two passages have the id ${id}.`);
    if (document_id !== documentId) refuse(`The passage ${id} belongs to another document.`);
    if (char_start < last || char_end < char_start || text.slice(char_start, char_end) !== content) {
      refuse(`The passage ${id} does not stand in the text where it says, or not in order.`);
    }
    if (!SHA256.test(content_hash) || createHash('sha256').update(content).digest('hex') !== content_hash) {
      refuse(`The passage ${id} has a hash that is not its content's.`);
    }
    ids.add(id);
    last = char_start;
    await turns.pause();
  }
}

function checkedJson(value: object, most: number, what: string): string {
  const json = JSON.stringify(value);
  if (json.length > most) refuse(`${what} takes ${json.length} characters; the limit is ${most}.`);
  // JSON writes both with a backslash; a document's own backslashes are doubled.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i.test(json)) {
    refuse(`${what} has a NUL character or half of a surrogate pair.`);
  }
  return json;
}

function refuse(message: string): never {
  throw new KaizenError('invalid_argument', message);
}
