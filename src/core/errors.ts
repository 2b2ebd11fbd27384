import { type Sentence, sentence } from './sentence';

/** What went wrong, as a word that programs can rely on; it never changes once released. */
export type ErrorCode =
  | 'invalid_argument'
  | 'unknown_scope'
  | 'unknown_entry'
  | 'unknown_proposal'
  | 'unknown_node'
  | 'ambiguous_node'
  | 'unknown_base'
  | 'outside_root'
  | 'embedding_failed'
  | 'unknown_note'
  | 'unknown_collection'
  | 'unknown_revision'
  | 'unreadable_note'
  | 'registry_not_configured'
  | 'registry_unreachable'
  | 'registry_refused'
  | 'registry_unverified'
  | 'registry_not_initialised'
  | 'registry_newer'
  | 'registry_failed'
  | 'unknown_document'
  | 'unknown_request'
  | 'unreadable_source'
  | 'fetch_refused'
  | 'fetch_failed'
  | 'unknown_end'
  | 'unknown_relation'
  | 'invalid_relation'
  | 'derived_relation'
  | 'relations_full'
  | 'unknown_artifact'
  | 'unknown_project'
  | 'unknown_template'
  | 'unknown_pattern'
  | 'unknown_decision'
  | 'unknown_lesson'
  | 'invalid_project'
  | 'invalid_transition'
  | 'learning_full'
  | 'wrong_tier'
  | 'conflict'
  | 'confirmation_required'
  | 'review_full'
  | 'read_only'
  | 'secret_found'
  | 'cancelled'
  | 'store_full'
  | 'store_damaged'
  | 'store_newer'
  | 'store_closed'
  | 'store_io';

/**
 * An error for a person or an agent: `message` is one sentence that says what happened, `hint` what to do next.
 * Nothing has been changed when one is thrown.
 */
export class KaizenError extends Error {
  override readonly name = 'KaizenError';

  readonly hint?: string;
  /** The message, and the hint if there is one, for who says it in another language: what is no `Sentence` is English. */
  readonly said: readonly (Sentence | string)[];

  constructor(
    readonly code: ErrorCode,
    message: Sentence | string,
    hint?: Sentence | string,
    options?: { cause?: unknown },
  ) {
    super(String(message), options);
    if (hint !== undefined) this.hint = String(hint);
    this.said = hint === undefined ? [message] : [message, hint];
  }
}

/** Told by name and not by class, because each bundle carries a class of its own. */
export function isKaizenError(error: unknown): error is KaizenError {
  return error instanceof Error && error.name === 'KaizenError' && 'code' in error;
}

/** As `describeError`, for who says it in another language later; what is no `Sentence` is said in English only. */
export function errorSaid(error: unknown): Sentence | string {
  if (!isKaizenError(error)) return describeError(error);
  const [message = '', hint] = error.said;
  return hint === undefined ? message : sentence('{0} {1}', message, hint);
}

/** The sentence and the hint in one line, for places that show plain text. */
export function describeError(error: unknown): string {
  if (isKaizenError(error)) return error.hint ? `${error.message} ${error.hint}` : error.message;
  return error instanceof Error ? error.message : String(error);
}
