import { type Sentence, sentence } from '../../core/sentence';
import { Turns } from '../../core/turns';
import { findInstructions, findSecrets } from '../../safety';
import { type ComparedDraft, compareDrafts, type StoredText } from './comparing';
import type { RuleDraft } from './model';

/** Something about a draft that a person should know before it is stored. Holds no secret. */
export interface DraftFlag {
  kind: 'secret' | 'instruction' | 'hides' | 'remark';
  /** A sentence, or what was found. */
  text: Sentence;
}

/** A draft as it is put before a person. */
export interface ReviewedDraft extends ComparedDraft {
  /** From 1, in the review's order. */
  number: number;
  flags: DraftFlag[];
  /** The levels of risk that its text will be read as, the gravest first. */
  levels: readonly string[];
  /** Whether it is stored unless somebody says otherwise: it is new, and nothing speaks against it. */
  isProposed: boolean;
}

/**
 * What would become of the drafts, flagged. Stores nothing; yields to the event loop.
 * @param levelsOf the levels of risk that stores read in a text, the gravest first
 */
export async function reviewDrafts(
  drafts: readonly RuleDraft[],
  stored: readonly StoredText[],
  scopeId: string,
  levelsOf: (content: string) => readonly string[],
  signal?: AbortSignal,
): Promise<ReviewedDraft[]> {
  const compared = await compareDrafts(drafts, stored, scopeId, signal);
  const reviewed: ReviewedDraft[] = [];
  const turns = new Turns(signal);
  for (const [index, each] of compared.entries()) {
    await turns.pause();
    const flags = await flagsOf(each);
    const isSafe = flags.every(({ kind }) => kind === 'hides');
    reviewed.push({
      ...each,
      number: index + 1,
      flags,
      levels: levelsOf(each.draft.content),
      isProposed: each.standing === 'new' && isSafe,
    });
  }
  return reviewed;
}

async function flagsOf({ draft, hides }: ComparedDraft): Promise<DraftFlag[]> {
  const { keyword, category, content, metaknowledge, remark } = draft;
  const texts = [content, ...Object.values(metaknowledge), `${category} ${keyword}`];
  const secrets = (await Promise.all(texts.map((text) => findSecrets(text)))).flat();
  const instructions = (await Promise.all(texts.map((text) => findInstructions(text)))).flat();
  const kinds = (findings: readonly { kind: Sentence }[]) => [
    ...new Map(findings.map(({ kind }) => [String(kind), kind])).values(),
  ];
  return [
    ...kinds(secrets).map((text): DraftFlag => ({ kind: 'secret', text })),
    ...kinds(instructions).map((text): DraftFlag => ({ kind: 'instruction', text })),
    ...(hides
      ? [
          {
            kind: 'hides',
            text: sentence('"{0}" is a keyword in {1}, {2} as well.', keyword, hides.scope_id, hides.category),
          } as const,
        ]
      : []),
    ...(remark === undefined ? [] : [{ kind: 'remark', text: remark } as const]),
  ];
}
