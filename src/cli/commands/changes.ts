import type { EntryChange } from '../../knowledge';
import { type Command, expectWords, UsageError } from '../command';
import { COMMON_OPTIONS, withKaizen } from '../session';
import { indent, type Terminal } from '../terminal';
import { authorOf, difference, placeOf, timeOf } from '../wording';

const DEFAULT_LIMIT = 20;

/** Milliseconds of what may stand behind a number. */
const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

export const changes: Command = {
  name: 'changes',
  usage: ['changes [--since TIME] [--agents | --people] [--limit N]'],
  summary: 'Show what was changed lately, newest first',
  details: '"kaizen undo" takes back a change that is still the last one of its entry.',
  options: {
    since: { type: 'string', value: 'TIME', help: 'from then on: 30m, 2h, 3d, 1w, 2026-01-31 or 2026-01-31T09:30:00Z' },
    agents: { type: 'boolean', help: 'only what agents changed' },
    people: { type: 'boolean', help: 'only what people changed' },
    limit: { type: 'string', value: 'N', help: `so many at most; ${DEFAULT_LIMIT} unless told, 1000 is the most` },
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, []);
    if (args.flag('agents') && args.flag('people')) {
      throw new UsageError('--agents and --people exclude each other. Leave both out to see every change.');
    }
    const query = {
      since: sinceOf(args.string('since'), Date.now()),
      by_agent: args.flag('agents') ? true : args.flag('people') ? false : undefined,
      limit: limitOf(args.string('limit')),
    };
    return withKaizen(args, terminal, async ({ knowledge }) => {
      const found = knowledge.changes(query);
      if (terminal.isJson) terminal.json(found);
      else if (found.length === 0) terminal.say('Nothing was changed.');
      else terminal.out(found.map((change) => changeText(change, terminal)).join('\n\n'));
      return 0;
    });
  },
};

/** A length of time before `now` becomes a time; what a time may look like otherwise is known below. */
function sinceOf(text: string | undefined, now: number): string | undefined {
  const [, count, unit = ''] = /^(\d{1,4})([mhdw])$/.exec(text ?? '') ?? [];
  return count === undefined ? text : new Date(now - Number(count) * UNITS[unit]!).toISOString();
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`--limit needs a number from 1 on, not "${text}".`);
}

function changeText(change: EntryChange, terminal: Terminal): string {
  const { number, action, at, reason, is_latest } = change;
  const since = is_latest ? '' : terminal.paint('dim', '  changed again since');
  const text = difference(change.previous_content ?? '', change.content ?? '', terminal);
  const labels = difference(labelLines(change.previous_metaknowledge), labelLines(change.metaknowledge), terminal);
  return [
    `${terminal.paint('bold', placeOf(change))}  ${number} ${action}  ${timeOf(at)}  ${authorOf(change)}${since}`,
    ...[reason ? `Reason: ${reason}` : '', text, labels].filter(Boolean).map((part) => indent(part)),
  ].join('\n');
}

function labelLines(metaknowledge: EntryChange['metaknowledge']): string {
  return Object.entries(metaknowledge ?? {})
    .map(([label, text]) => `${label}: ${text}`)
    .sort()
    .join('\n');
}
