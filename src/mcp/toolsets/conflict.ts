import type { KaizenParts } from '../../kaizen';
import type { Change, EntryInput, EntryKey, StoreIfMissingResult } from '../../knowledge';
import { Question } from '../question';

const KEEP = 'Keep existing';
const REPLACE = 'Replace';
/** Of each content that a question shows: it is to be read at a glance. */
const SHOWN_CHARACTERS = 500;

/**
 * Answers a conflict in `store_knowledge_if_missing`: a question that lets the person replace what is stored, with seed
 * 000's answer for everybody who cannot be asked. Replacing is the person's explicit choice, so it needs no review.
 */
export function askAboutConflict(
  { knowledge }: KaizenParts,
  entry: EntryInput,
  conflict: Extract<StoreIfMissingResult, { success: false }>,
  change: Change,
): Question<StoreIfMissingResult> | typeof conflict {
  const key: EntryKey = { scope_id: entry.target_scope_id, category: entry.category, keyword: entry.keyword };
  const base = knowledge.history(key).at(-1);
  // Changed between the two looks at it: the agent sees what was found, and tries again.
  if (base?.content !== conflict.existing_content) return conflict;
  return new Question<StoreIfMissingResult>({
    message: [
      `"${entry.keyword.trim()}" is stored already in ${entry.target_scope_id}, ${entry.category.trim()}.`,
      `Stored: ${shown(conflict.existing_content)}`,
      `New, from ${change.author}: ${shown(entry.content)}`,
    ].join('\n\n'),
    choices: [KEEP, REPLACE],
    about: JSON.stringify([key.scope_id, key.category.trim(), key.keyword.trim(), base.number, entry.content]),
    otherwise: conflict,
    decided: async (choice, signal) => {
      if (choice !== REPLACE) return conflict;
      const because = 'The user chose to replace what was stored';
      const reason = change.reason ? `${because}: ${change.reason}`.slice(0, MAX_REASON) : `${because}.`;
      await knowledge.storeOverwrite(entry, { ...change, signal, reason, base_revision: base.number });
      return { success: true };
    },
  });
}

const MAX_REASON = 8_192;

function shown(content: string): string {
  return content.length > SHOWN_CHARACTERS ? `${content.slice(0, SHOWN_CHARACTERS).trimEnd()}…` : content;
}
