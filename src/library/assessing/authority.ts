import type { SourceType } from '../vocabulary';
import { AUTHORITY_LEVELS, type AuthorityLevel } from '../vocabulary';
import { authorityOfHost, isStandardsBody } from './hosts';
import { standardsIn } from './standards';

/** What is known of a source when its authority is told. */
export interface AuthoritySigns {
  /** What a person or an agent said; it holds whatever the rest says. */
  given?: AuthorityLevel | undefined;
  title: string;
  document_type: string;
  standard_id?: string | undefined;
  source_type: SourceType;
  source_domain?: string | undefined;
  /** Text that was given directly by an agent: nobody knows where it has it from. */
  unsourced?: boolean | undefined;
  /** Chunks that say what shall be, and all of them. */
  normativeChunks: number;
  chunks: number;
}

export interface Authority {
  level: AuthorityLevel;
  score: number;
  /** One sentence. */
  reason: string;
}

/** A standard says "shall" now and then; a text about standards hardly does. */
const NORMATIVE_TEXT = { chunks: 2, share: 0.05 };

/** How far a source is to be believed (seed 003, 4.8 and appendix A), by the first rule that holds: docs/library.md, "Authority". */
export function authorityOf(signs: AuthoritySigns): Authority {
  const { given, title, document_type, source_type, source_domain, unsourced } = signs;
  if (given !== undefined) return of(given, 'It was said of it.');
  const host = source_domain === undefined ? undefined : authorityOfHost(source_domain);
  // A page that only talks about a standard, or calls itself one, is none.
  const mayBeStandard = source_type === 'document' ? !unsourced : isStandardsBody(source_domain ?? '');
  const [standard] = standardsIn(signs.standard_id ?? title, 1);
  if (mayBeStandard && (standard || document_type === 'standard')) {
    const named = standard?.id ?? title;
    if (standard?.kind === 'handbook') return of('authoritative', `${named} is an official handbook.`);
    if (isNormative(signs)) return of('normative', `${named} is a standard, and its text says what shall be.`);
    return of('authoritative', `${named} is a standard, and its text requires nothing.`);
  }
  if (source_type === 'web') {
    return host ? of(host.level, `${host.why}.`) : of('unverified', 'Nothing is known of its site.');
  }
  if (unsourced) return of('unverified', 'It was given as text, without a source.');
  if (document_type === 'handbook') return of('authoritative', 'It is a handbook.');
  if (document_type === 'paper') return of('reputable', 'It is a paper.');
  return of('informative', 'It is a document without a sign of who stands for it.');
}

function isNormative({ normativeChunks, chunks }: AuthoritySigns): boolean {
  return (
    normativeChunks >= Math.min(chunks, Math.max(NORMATIVE_TEXT.chunks, chunks * NORMATIVE_TEXT.share)) &&
    chunks > 0 &&
    normativeChunks > 0
  );
}

function of(level: AuthorityLevel, reason: string): Authority {
  return { level, score: AUTHORITY_LEVELS[level], reason: reason[0]!.toUpperCase() + reason.slice(1) };
}
