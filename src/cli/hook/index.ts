import { describeError, isKaizenError, KaizenError } from '../../core/errors';
import {
  appendRecord,
  BRIEF_TOKENS,
  briefText,
  DamagedIndex,
  type GuardPlace,
  type GuardRecord,
  guardPlace,
  HOOK_EVENTS,
  type HookCall,
  type HookEvent,
  onHook,
  readHookInput,
  readRecords,
} from '../../guard/hooks';
import { type Arguments, expectWords, readArguments, UsageError } from '../command';
import { globsRoot } from '../files';
import { locate } from '../locating';
import { currentIndex } from './current-index';
import type { CurrentIndex } from './holding';
import { isTyped, readCall } from './input';
import { budgetOf, HOOK_OPTIONS, MAKE_INDEX } from './options';
import { writeAnswer } from './output';

/** Before any client loses its patience, and with it the answer. */
const MAX_MS = 8_000;
/** Of it, for the stores to be read: the rest is for an answer from what was known before. */
const READING_MS = 7_000;

/** What is known when something goes wrong, for the log. */
interface Known {
  call?: HookCall;
  place?: GuardPlace;
  /** The place of the folder that the hook was started in, where no call says another. */
  placeHere?: () => GuardPlace | undefined;
  /** Aborted when the stores were read for too long. */
  reading: AbortSignal;
}

/**
 * Answers one call of a hook: JSON on standard input, JSON on standard output. Whatever goes wrong, the agent goes on:
 * the exit code is 0, and the answer says what it was, for the person. Never throws.
 */
export async function runHook(event: HookEvent, args: Arguments): Promise<number> {
  if (await isTyped()) {
    process.stderr.write(
      'kaizen: A hook is started by an agent program, which tells it on standard input what it does.\n',
    );
    return 2;
  }
  return answered(event, async (known) => answerOf(event, args, known));
}

/** `kaizen hook EVENT …` as it was typed, without the commands' help. What is no call of a hook stands in nobody's way either. */
export async function hookMain(name: string, words: readonly string[]): Promise<number> {
  if (name === MAKE_INDEX) return (await import('./making-index')).makeIndex(words);
  const event = HOOK_EVENTS.find((each) => each === name);
  let args: Arguments;
  try {
    if (event === undefined) throw new UsageError(`There is no hook "${name}"; there are ${HOOK_EVENTS.join(', ')}.`);
    args = readArguments({ options: HOOK_OPTIONS }, words);
    expectWords(args.positionals, []);
  } catch (error) {
    return answered(name, () => Promise.reject(error));
  }
  return runHook(event, args);
}

/** What hooks said for these stores, newest first. */
export function hookRecords(where: Omit<GuardPlace, 'directory'>, limit: number): GuardRecord[] {
  const place = guardPlace(where);
  return place ? readRecords(place.directory, limit) : [];
}

async function answered(event: string, work: (known: Known) => Promise<object>): Promise<number> {
  const reading = new AbortController();
  const known: Known = { reading: reading.signal };
  const readers = setTimeout(() => reading.abort(notRead()), READING_MS);
  let late: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`there was no answer within ${MAX_MS / 1_000} seconds`)), MAX_MS);
  });
  let output: object;
  let isLate = false;
  try {
    output = await Promise.race([work(known), patience]);
  } catch (error) {
    isLate = !(error instanceof UsageError) && !isKaizenError(error);
    const message = sentenceOf(error);
    output = { systemMessage: `Kaizen: ${message}` };
    noteFailure(event, known, message);
  }
  clearTimeout(late);
  clearTimeout(readers);
  await writeAnswer(output);
  // Whatever is still under way holds nobody up.
  if (isLate || reading.signal.aborted) process.exit(0);
  return 0;
}

function notRead(): KaizenError {
  return new KaizenError('store_io', `What is stored could not be read within ${READING_MS / 1_000} seconds.`);
}

async function answerOf(event: HookEvent, args: Arguments, known: Known): Promise<object> {
  const budget = budgetOf(args);
  known.placeHere = () => guardPlace(locate(args, process.env.CLAUDE_PROJECT_DIR || process.cwd()));
  const call = readHookInput(event, await readCall(), process.cwd());
  known.call = call;
  // The agent may have gone into another folder since it was started.
  const folder = (call.client === 'claude-code' && process.env.CLAUDE_PROJECT_DIR) || call.cwd;
  const { data, shared, project, editor } = locate(args, folder);
  const place = guardPlace({ data, shared, project });
  // Nothing is stored: nothing is known, and nothing is made.
  if (!place) return {};
  known.place = place;
  const workspace = globsRoot(args.string('workspace') ?? editor?.workspace, folder);
  const from = async ({ index, outdated }: CurrentIndex) => {
    const result = await onHook(call, index, {
      workspace,
      directory: place.directory,
      brief: () => briefText(index.brief, budget ?? editor?.hooks.budget ?? BRIEF_TOKENS),
      reminds: !args.flag('no-reminder') && editor?.hooks.reminder !== false,
    });
    return { ...result, outdated };
  };
  const caller = { event, signal: known.reading };
  const anew = async (error: unknown) => {
    if (!(error instanceof DamagedIndex)) throw error;
    return from(await currentIndex(place, caller, true));
  };
  const { output, record, outdated } = await currentIndex(place, caller).then(from).catch(anew);
  if (record) note(place, record);
  if (outdated === undefined) return output;
  noteFailure(event, known, outdated);
  return { systemMessage: `Kaizen: ${outdated} What was known before is used.`, ...output };
}

function note({ directory }: GuardPlace, record: GuardRecord): void {
  try {
    appendRecord(directory, record);
  } catch {
    // A decision that cannot be written down is made all the same.
  }
}

/** Of a call that could not be read no more is noted than why: whose it was is not known, and its text is nobody's. */
function noteFailure(event: string, known: Known, message: string): void {
  const { call } = known;
  const place = known.place ?? placeHere(known);
  if (!place) return;
  note(place, {
    at: new Date().toISOString(),
    event: event as HookEvent,
    client: call?.client ?? 'other',
    session_id: call?.session_id ?? '',
    tool: call?.tool?.name ?? null,
    use_id: call?.tool?.use_id ?? null,
    outcome: 'failed',
    rules: [],
    paths: [],
    message,
  });
}

function placeHere({ placeHere: find }: Known): GuardPlace | undefined {
  try {
    return find?.();
  } catch {
    return undefined;
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof UsageError || isKaizenError(error)) return describeError(error);
  const { code, path } = error as NodeJS.ErrnoException;
  return code
    ? `The hook could not do its work (${code}${path ? `, ${path}` : ''}). \`kaizen doctor\` says what is wrong.`
    : `The hook failed: ${describeError(error)}.`;
}
