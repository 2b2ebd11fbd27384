import { createHash } from 'node:crypto';
import type { Turns } from '../../core/turns';

/** Characters of the part of a document's id that people can read. */
const SLUG = 60;
/** Bytes that are hashed in one turn: some 3 ms. */
const PIECE = 1024 * 1024;

/** SHA-256, hex. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** As `hashOf`, in short turns. */
export async function hashInTurns(bytes: Uint8Array, turns: Turns): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += PIECE) {
    hash.update(bytes.subarray(at, at + PIECE));
    await turns.pause();
  }
  return hash.digest('hex');
}

/** The same for the same source: what it is called there, and 8 hex digits of what tells it from all others. */
export function documentId(name: string, identity: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG)
    .replace(/^-+|-+$/g, '');
  return `${slug === '' ? 'document' : slug}-${hashOf(identity).slice(0, 8)}`;
}

/**
 * A UUID of version 8 (RFC 9562, 5.8) made of the document, what the chunk says and which of several equal ones it is: what
 * stays as it is keeps its id wherever in the document it moves.
 */
export function chunkId(document: string, contentHash: string, number: number): string {
  const hex = hashOf(`${document}\0${contentHash}\0${number}`);
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
