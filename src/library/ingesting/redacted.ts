import { createHash } from 'node:crypto';
import { estimateTokens } from '../../core/tokens';
import type { Turns } from '../../core/turns';
import type { Redaction } from '../../safety';
import type { ChunkDraft, NormalisedDocument } from '../model';

/** The same document where its text has lost its secrets: what names a place in it names the same one still. */
export function redactedDocument(document: NormalisedDocument, redaction: Redaction): NormalisedDocument {
  const moved = (start: number) => redaction.placeOf({ start, end: start }).now.start;
  return {
    ...document,
    text: redaction.text,
    pages: document.pages.map((each) => ({ ...each, start: moved(each.start) })),
    outline: document.outline.map((each) => ({ ...each, start: moved(each.start) })),
  };
}

/**
 * A document's passages where its text has lost its secrets: in order, none within another, each what stands in its place.
 * A secret that lies across the end of a passage is in the one that it begins in; a passage that had no more of its own
 * is gone, and what stood below it stands below the one before. In short turns.
 */
export async function redactedPassages(
  { pages }: Pick<NormalisedDocument, 'pages'>,
  drafts: readonly ChunkDraft[],
  redaction: Redaction,
  turns: Turns,
): Promise<ChunkDraft[]> {
  const passages: ChunkDraft[] = [];
  /** Where each of the drafts is now. */
  const now: number[] = [];
  let last = 0;
  const ends = new Map(pages.map(({ page }, index) => [page, pages[index + 1]?.start ?? Number.POSITIVE_INFINITY]));
  for (const draft of drafts) {
    await turns.pause();
    const parent = draft.parent === undefined ? undefined : now[draft.parent];
    const passage = placed(draft, redaction, last, ends);
    if (passage) passages.push({ ...passage, parent });
    last = passage?.char_end ?? last;
    now.push(Math.max(0, passages.length - 1));
  }
  return passages;
}

function placed(
  draft: ChunkDraft,
  redaction: Redaction,
  last: number,
  endOfPage: ReadonlyMap<number, number>,
): ChunkDraft | undefined {
  const before = { start: draft.char_start, end: draft.char_end };
  const { now, isCut, isSame } = redaction.placeOf(before);
  if (isSame) return { ...draft, char_start: now.start, char_end: now.end };
  const isTold = isCut.start && now.start < last;
  const from = isTold ? last : now.start;
  const rest = redaction.text.slice(from, now.end);
  const content = isTold ? rest.trimStart() : rest;
  if (content.trim() === '') return undefined;
  const shown = isTold ? redaction.behindSecretAt(before.start) : before.start;
  return {
    ...draft,
    content,
    content_hash: createHash('sha256').update(content).digest('hex'),
    token_count: estimateTokens(content),
    page_numbers: draft.page_numbers.filter((page) => (endOfPage.get(page) ?? 0) > shown),
    char_start: now.end - content.length,
    char_end: now.end,
    // Those that were a part of a secret are gone with it.
    references: draft.references.filter((each) => content.includes(each) || !draft.content.includes(each)),
  };
}
