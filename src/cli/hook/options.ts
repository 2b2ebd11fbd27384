import { BRIEF_TOKENS, MAX_BRIEF_TOKENS, MIN_BRIEF_TOKENS } from '../../guard/hooks';
import { type Arguments, type Options, UsageError } from '../command';
import { LOCATION_OPTIONS } from '../locating';

/** Makes an index that a hook gave up, in a process of its own; not for people, so that no help names it. */
export const MAKE_INDEX = 'make-index';

/** What every event takes: which knowledge is meant, as for `kaizen mcp`, and how much is said. */
export const HOOK_OPTIONS: Options = {
  ...LOCATION_OPTIONS,
  workspace: { ...LOCATION_OPTIONS.workspace!, help: 'the folder that is worked in; as the agent says unless told' },
  budget: {
    type: 'string',
    value: 'N',
    help: `tokens that a session's beginning may take; ${BRIEF_TOKENS} unless told, ${MIN_BRIEF_TOKENS} to ${MAX_BRIEF_TOKENS}`,
  },
  'no-reminder': { type: 'boolean', help: 'let an agent stop without a summary of its session' },
};

/** Throws UsageError. */
export function budgetOf(args: Arguments): number | undefined {
  const text = args.string('budget');
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d{1,6}$/.test(text) || number < MIN_BRIEF_TOKENS || number > MAX_BRIEF_TOKENS) {
    throw new UsageError(`--budget needs a number from ${MIN_BRIEF_TOKENS} to ${MAX_BRIEF_TOKENS}, not "${text}".`);
  }
  return number;
}
