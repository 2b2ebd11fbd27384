import type { KaizenParts } from '../../kaizen';
import {
  type Change,
  type EntryInput,
  type EntryKey,
  type EntryOrigin,
  type Metaknowledge,
  originOfText,
  type StoreIfMissingResult,
  untied,
} from '../../knowledge';
import { writeOrHold } from '../agent-writes';
import type { Held } from '../policy';
import { Question } from '../question';
import type { ToolCall } from '../tool';
import { noticeOf } from './store-notice';

const KEEP = 'Keep existing';
const REPLACE = 'Replace';
/** Of each side that a question shows: it is to be read at a glance. */
const SHOWN_CHARACTERS = 500;
const MAX_REASON = 8_192;

type Conflict = Extract<StoreIfMissingResult, { success: false }>;

/** What the tool answers; `notice` beside success. */
type Answered = (Extract<StoreIfMissingResult, { success: true }> & { notice?: string }) | ToldConflict;

/** What is stored is a text for the agent: of an agent's it is said whose. */
type ToldConflict = Conflict & { existing_origin?: EntryOrigin };

/**
 * Answers a conflict in `store_knowledge_if_missing`: a question that lets the person replace what is stored, with seed
 * 000's answer for everybody who cannot be asked. Replacing what they saw is the person's explicit choice and needs no
 * review; where the question could not show all of it, what is to be reviewed is reviewed.
 */
export function askAboutConflict(
  parts: KaizenParts,
  call: ToolCall,
  entry: EntryInput,
  found: Conflict,
  change: Change,
): Question<Answered | Held> | ToldConflict {
  const { knowledge } = parts;
  const key: EntryKey = { scope_id: entry.target_scope_id, category: entry.category, keyword: entry.keyword };
  const revisions = knowledge.history(key);
  const base = revisions.at(-1);
  const origin = originOfText(revisions, found.existing_content);
  const conflict: ToldConflict = origin ? { ...found, existing_origin: origin } : found;
  // Changed between the two looks at it: the agent sees what was found, and tries again.
  if (base?.content !== conflict.existing_content) return conflict;
  const { metaknowledge = {} } = entry;
  const stored = sideOf(conflict.existing_content, conflict.existing_metaknowledge);
  const proposed = sideOf(entry.content, metaknowledge);
  const { untied: lost = {} } = untied(conflict.existing_metaknowledge, metaknowledge);
  return new Question<Answered | Held>({
    message: [
      `"${entry.keyword.trim()}" is stored already in ${entry.target_scope_id}, ${entry.category.trim()}.`,
      `Stored: ${shown(stored)}`,
      `New, from ${change.author}: ${shown(proposed)}`,
      ...Object.entries(lost).map(
        ([label, text]) => `What is new has no ${label}: it does not warn any more where that was "${shown(text)}".`,
      ),
    ].join('\n\n'),
    choices: [KEEP, REPLACE],
    about: JSON.stringify([
      key.scope_id,
      key.category.trim(),
      key.keyword.trim(),
      base.number,
      entry.content,
      metaknowledge,
    ]),
    otherwise: conflict,
    decided: async (choice, signal) => {
      if (choice !== REPLACE) return conflict;
      const replace = async (): Promise<Answered> => {
        const because = 'The user chose to replace what was stored';
        const reason = change.reason ? `${because}: ${change.reason}`.slice(0, MAX_REASON) : `${because}.`;
        const { notices } = await knowledge.storeOverwrite(entry, {
          ...change,
          signal,
          reason,
          base_revision: base.number,
        });
        return { success: true, ...noticeOf(notices) };
      };
      if (proposed.length <= SHOWN_CHARACTERS) return replace();
      return writeOrHold(parts, call, { operation: 'store', input: entry }, { ...change, signal }, replace);
    },
  });
}

/** The content, and what is noted about it, as far as there is something. */
function sideOf(content: string, metaknowledge: Metaknowledge): string {
  const labels = Object.entries(metaknowledge).map(([key, value]) => `${key}: ${value}`);
  return labels.length > 0 ? `${content}\n\n${labels.join('\n')}` : content;
}

function shown(side: string): string {
  return side.length > SHOWN_CHARACTERS ? `${side.slice(0, SHOWN_CHARACTERS).trimEnd()}…` : side;
}
