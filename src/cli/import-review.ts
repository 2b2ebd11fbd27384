import { isoTime, systemClock } from '../core/clock';
import type { ReviewedDraft, RulesReading, RulesSource } from '../transfer/rules';
import { type Arguments, UsageError } from './command';
import { numbersOf } from './import-arguments';
import type { Session } from './session';
import { counted, type Terminal, table } from './terminal';

/** Notes and lines without a place that are told at once; `--json` has them all. */
const SHOWN = 30;

const SIGNS = { new: '+', same: '=', differs: '≠', duplicate: '≈' } as const;

/**
 * Shows what a source would become, and stores what is chosen once a person agrees (or `--yes` does). Exit code 1 where
 * nothing was stored because nobody agreed.
 */
export async function reviewAndStore(
  source: RulesSource,
  { kaizen, knowledge, project, author }: Session,
  args: Arguments,
  terminal: Terminal,
): Promise<number> {
  const { draftPlaces, recordsOf, tellDraftPlaces } = await import('../transfer/rules');
  const scope = args.string('scope') ?? project;
  // The project that is worked in comes to be with its first entries; a scope that was named has to be there.
  const isNew = scope === project && !knowledge.listScopes().some(({ scope_id }) => scope_id === scope);
  if (!isNew) knowledge.chain(scope);
  const reading = await kaizen.readRules(source);
  const reviewed = await kaizen.reviewRules(reading.drafts, scope);
  const only = args.string('only');
  const numbers = only === undefined ? undefined : numbersOf(only, reviewed.length);
  const overwrite = args.flag('overwrite');
  const chosen = reviewed.filter((each) => isChosen(each, numbers, overwrite));
  const isRehearsal = args.flag('dry-run');
  if (!terminal.isJson) report(reading, reviewed, new Set(chosen), scope, terminal);
  const store = async () => {
    const at = isoTime(systemClock.now());
    const drafts = chosen.map(({ draft }) => draft);
    try {
      return await kaizen.importRecords(recordsOf(drafts, { scope, author, at, project, isNew }), {
        author,
        overwrite,
        placeOf: draftPlaces(drafts),
      });
    } catch (error) {
      throw tellDraftPlaces(error, drafts);
    }
  };
  if (chosen.length === 0 || isRehearsal) {
    if (terminal.isJson) terminal.json(jsonOf(reading, reviewed, chosen, scope));
    else terminal.say(isRehearsal ? 'Nothing was changed.' : nothingToStore(reviewed));
    return 0;
  }
  const agreed =
    args.flag('yes') ||
    (await terminal.confirm(
      `Store ${counted(chosen.length, 'entry', 'entries')} in ${isNew ? `the new project ${scope}` : scope}?`,
    ));
  if (agreed === undefined) {
    throw new UsageError(
      'Nobody can be asked here: --yes stores what is marked with *, --only N,… others, --dry-run only shows it.',
    );
  }
  if (!agreed) {
    terminal.say('Nothing was stored.');
    return 1;
  }
  const result = await store();
  if (terminal.isJson) {
    terminal.json({ ...jsonOf(reading, reviewed, chosen, scope), result });
    return 0;
  }
  const { added, overwritten, kept } = result.entry;
  const parts = [`${counted(added, 'entry', 'entries')} stored in ${scope}`];
  if (overwritten > 0) parts.push(`${overwritten} replaced`);
  if (kept > 0) parts.push(`${kept} kept as they were (--overwrite replaces them)`);
  terminal.out(`${parts.join(', ')}.`);
  return 0;
}

/** Where something could be stored all the same, how. */
function nothingToStore(reviewed: readonly ReviewedDraft[]): string {
  const isLeft = reviewed.some(({ standing }) => standing !== 'same');
  return isLeft
    ? 'Nothing is marked, so nothing was stored: --only N,… names what is to be, --overwrite replaces what differs.'
    : 'There is nothing to store.';
}

/** What is named is meant; otherwise what is proposed, and with `--overwrite` what differs and is not flagged. */
function isChosen(
  { number, standing, isProposed, flags }: ReviewedDraft,
  numbers: ReadonlySet<number> | undefined,
  overwrite: boolean,
): boolean {
  if (numbers) return numbers.has(number) && standing !== 'same';
  const isSafe = flags.every(({ kind }) => kind === 'hides');
  return isProposed || (overwrite && standing === 'differs' && isSafe);
}

function report(
  { files, leftovers, notes }: RulesReading,
  reviewed: readonly ReviewedDraft[],
  chosen: ReadonlySet<ReviewedDraft>,
  scope: string,
  terminal: Terminal,
): void {
  const say = (lines: readonly string[]) => {
    for (const line of lines.slice(0, SHOWN)) terminal.say(line);
    if (lines.length > SHOWN) terminal.say(`and ${lines.length - SHOWN} more`);
  };
  say(files.filter(({ reason }) => reason !== undefined).map(({ path, reason }) => `${path}: no entry. ${reason}`));
  say(notes.map(({ path, message }) => `${path}: ${message}`));
  say(
    leftovers.map(
      ({ path, line, endLine, why }) =>
        `${path}, line${endLine > line ? `s ${line}–${endLine}` : ` ${line}`}: left out. ${why}`,
    ),
  );
  const rowsOf = new Map<string, string[][]>();
  for (const each of reviewed) {
    const { path } = each.draft;
    const rows = rowsOf.get(path) ?? [];
    rows.push(rowOf(each, chosen.has(each)));
    rowsOf.set(path, rows);
  }
  // A table of its own for each file: the longest name of all would leave no room in a line.
  for (const [path, rows] of rowsOf) terminal.out(`${terminal.paint('bold', path)}\n${table(rows)}\n`);
  const count = (standing: ReviewedDraft['standing']) => reviewed.filter((each) => each.standing === standing).length;
  const sources = files.filter(({ entries }) => entries > 0).length;
  terminal.out(
    `${counted(sources, 'file')}: ${count('new')} new (+), ${count('same')} stored already (=), ${count('differs')} that differ (≠), ` +
      `${count('duplicate')} like another (≈). Marked with *: ${chosen.size}, for ${scope}.`,
  );
}

function rowOf(each: ReviewedDraft, isChosen: boolean): string[] {
  const { number, standing, draft, levels } = each;
  const { category, keyword, line, risk, metaknowledge } = draft;
  const said = [
    ...levels.map((level) => (level === risk?.level ? `${level} (it says ${risk.because})` : level)),
    ...(metaknowledge.APPLIES_TO === undefined ? [] : [`for ${shortened(metaknowledge.APPLIES_TO, 40)}`]),
    ...remarksOf(each),
  ];
  return [
    `${isChosen ? '*' : ' '} ${number}`,
    SIGNS[standing],
    `${category} / ${keyword}`,
    `:${line}`,
    said.join('; '),
  ];
}

function remarksOf({ standing, like, flags }: ReviewedDraft): string[] {
  const words = { secret: 'a secret: ', instruction: 'speaks to agents: ', hides: '', remark: '' };
  const alike = like
    ? [`like ${like.scope_id === undefined ? '' : `${like.scope_id}, `}${like.category} / ${like.keyword}`]
    : [];
  return [
    ...(standing === 'differs' ? ['another text is stored'] : []),
    ...alike,
    ...flags.map(({ kind, text }) => `${words[kind]}${text}`),
  ];
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function jsonOf(
  { files, leftovers, notes }: RulesReading,
  reviewed: readonly ReviewedDraft[],
  chosen: readonly ReviewedDraft[],
  scope: string,
) {
  const picked = new Set(chosen);
  const entries = reviewed.map((each) => {
    const { number, standing, draft, levels, flags, like, hides, stored } = each;
    return {
      number,
      standing,
      chosen: picked.has(each),
      ...draft,
      levels,
      flags,
      ...(like ? { like } : {}),
      ...(hides ? { hides } : {}),
      ...(stored ? { stored } : {}),
    };
  });
  return { scope, entries, files, leftovers, notes };
}
