import { KaizenError } from '../../core/errors';
import type { EntryKey, KnowledgePart, Revision } from '../../knowledge';
import { type Command, expectWords, UsageError } from '../command';
import { WRITING_OPTIONS, withKaizen } from '../session';
import { indent } from '../terminal';
import { authorOf, placeOf, timeOf } from '../wording';

/** As far back as changes of agents are looked through. */
const LOOKED_THROUGH = 1_000;

export const undo: Command = {
  name: 'undo',
  usage: ['undo SCOPE CATEGORY KEYWORD', 'undo --agent'],
  summary: "Take back an entry's last change, or the last one that an agent made",
  details: [
    'This is a new revision: undoing it again brings the change back. A new entry is deleted, a deleted one restored.',
    'With --agent: the newest change of an agent after which nobody changed that entry. Repeat it to go further back.',
  ].join('\n'),
  options: {
    agent: { type: 'boolean', help: 'the last change that an agent made' },
    reason: { type: 'string', value: 'TEXT', help: 'why, for the history' },
    ...WRITING_OPTIONS,
  },

  async run(args, terminal) {
    const byAgent = args.flag('agent');
    if (byAgent && args.positionals.length > 0) {
      throw new UsageError('--agent finds the entry by itself: name either it or an entry.');
    }
    if (!byAgent) expectWords(args.positionals, ['SCOPE', 'CATEGORY', 'KEYWORD']);
    const [scope_id, category, keyword] = args.positionals as [string, string, string];
    return withKaizen(args, terminal, async ({ knowledge, author, project }) => {
      const { key, revision } = byAgent ? lastOfAgents(knowledge) : lastOf(knowledge, { scope_id, category, keyword });
      const change = { author, project_context: project, reason: args.string('reason') };
      await knowledge.undo(key, revision.number, change);
      const entry = knowledge.entry(key);
      if (terminal.isJson) {
        terminal.json({ ...key, undone: revision, entry: entry ?? null });
        return 0;
      }
      const { number, action, at } = revision;
      terminal.out(`Undid revision ${number} of ${placeOf(key)}: ${action}, ${timeOf(at)}, ${authorOf(revision)}.`);
      terminal.out(entry ? `It says again:\n${indent(entry.content)}` : 'The entry is gone; its history stays.');
      return 0;
    });
  },
};

interface Undoable {
  key: EntryKey;
  revision: Revision;
}

function lastOf(knowledge: KnowledgePart, key: EntryKey): Undoable {
  const revision = knowledge.history(key).at(-1);
  if (revision) return { key, revision };
  throw new KaizenError(
    'unknown_entry',
    `There never was an entry ${placeOf(key)}.`,
    `"kaizen get ${key.scope_id}" lists what is there.`,
  );
}

function lastOfAgents(knowledge: KnowledgePart): Undoable {
  const found = knowledge.changes({ by_agent: true, limit: LOOKED_THROUGH }).find(({ is_latest }) => is_latest);
  if (!found) {
    throw new KaizenError(
      'unknown_entry',
      'There is no change of an agent to undo.',
      '"kaizen changes --agents" lists them; those that were changed again since are restored from the history.',
    );
  }
  const { scope_id, category, keyword, is_latest, ...revision } = found;
  return { key: { scope_id, category, keyword }, revision };
}
