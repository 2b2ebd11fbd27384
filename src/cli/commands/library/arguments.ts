import { KaizenError } from '../../../core/errors';
import type { AuthorityLevel, LibraryChange, LibraryProgress, LibraryState, MetadataOverrides } from '../../../library';
import { AUTHORITY_NAMES } from '../../../library';
import { type Arguments, type Options, UsageError } from '../../command';
import { chosen } from '../../discovery-arguments';
import { EMBEDDINGS_OPTIONS, LIBRARY_OPTIONS, type Session, WRITING_OPTIONS, withKaizen } from '../../session';
import { onTermination } from '../../signals';
import type { Terminal } from '../../terminal';

/** What each command about the library has. */
export const EVERY_LIBRARY_COMMAND: Options = { ...LIBRARY_OPTIONS, ...EMBEDDINGS_OPTIONS, ...WRITING_OPTIONS };

/** What is said of a source. */
export const METADATA_OPTIONS: Options = {
  title: { type: 'string', value: 'TEXT', help: 'its title' },
  type: { type: 'string', value: 'TYPE', help: 'standard, handbook, guide, web, report, paper, internal, vendor, …' },
  authority: { type: 'string', value: 'LEVEL', help: AUTHORITY_NAMES.join(', ') },
  standard: { type: 'string', value: 'ID', help: 'the standard that it is: "ISO 9001:2015"' },
  version: { type: 'string', value: 'TEXT', help: 'its version or edition' },
};

export function metadataOf(args: Arguments): MetadataOverrides {
  const given = {
    title: args.string('title'),
    document_type: args.string('type'),
    authority_level: chosen<AuthorityLevel>(args, 'authority', AUTHORITY_NAMES),
    standard_id: args.string('standard'),
    version: args.string('version'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export interface LibrarySession extends Session {
  /** By this person; Ctrl+C ends what is under way. */
  change: LibraryChange & { signal: AbortSignal };
}

/** Opens the stores; the library itself is opened by the first question. Tells on standard error how far it has come. */
export function withLibrary<T>(
  args: Arguments,
  terminal: Terminal,
  action: (session: LibrarySession) => Promise<T>,
): Promise<T> {
  return withKaizen(args, terminal, async (session) => {
    const stop = new AbortController();
    const stopped = new KaizenError('cancelled', 'Stopped.', 'What was added before is there.');
    const release = onTermination(() => stop.abort(stopped));
    const { author } = session;
    try {
      return await action({ ...session, change: { author, signal: stop.signal, onProgress: teller(terminal) } });
    } finally {
      release();
    }
  });
}

/** A library that is not read after this long answers with what there is. */
const LONGEST_MS = 10 * 60_000;
/** After this long somebody at a keyboard wants to know why nothing comes. */
const SAY_AFTER_MS = 1_000;
const SAY_EVERY_MS = 2_000;

/** A line now and then, not for each step. */
function teller(terminal: Terminal): (progress: LibraryProgress) => void {
  let next = performance.now() + SAY_AFTER_MS;
  return ({ message, done }) => {
    const now = performance.now();
    if (now < next) return;
    next = now + SAY_EVERY_MS;
    terminal.say(`kaizen: ${message}${done === undefined ? '' : ` (${Math.floor(done * 100)} %)`}`);
  };
}

/**
 * Has all passages read, and embedded where a model is set up: a command has one answer, and it is to be whole. A model
 * that does not answer is not waited for.
 */
export async function wholeLibrary({ library, change: { signal } }: LibrarySession, terminal: Terminal): Promise<void> {
  const say = () => terminal.say(`kaizen: ${progressOf(library.state)}`);
  let timer = setTimeout(function again() {
    say();
    timer = setTimeout(again, SAY_EVERY_MS);
  }, SAY_AFTER_MS);
  try {
    await library.ready(LONGEST_MS, signal);
    await embedded(library, signal);
  } finally {
    clearTimeout(timer);
  }
}

function embedded(library: Session['library'], signal: AbortSignal): Promise<void> {
  if (isEmbedded(library.state)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = () => {
      listening.dispose();
      signal.removeEventListener('abort', stop);
    };
    const stop = () => {
      end();
      reject(signal.reason);
    };
    const listening = library.onDidChangeState(() => {
      if (!isEmbedded(library.state)) return;
      end();
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}

function isEmbedded({ embeddings }: LibraryState): boolean {
  return !('done' in embeddings) || embeddings.done >= embeddings.total || embeddings.problem !== undefined;
}

function progressOf({ chunks, indexed, embeddings }: LibraryState): string {
  if (indexed !== undefined && indexed < chunks) return `reading the library, ${indexed} of ${chunks} passages so far`;
  if ('done' in embeddings) return `asking the model, ${embeddings.done} of ${embeddings.total} so far`;
  return 'reading the library';
}

/** A number from 0 to 1, or undefined when the option was not given. */
export function shareOf(args: Arguments, option: string): number | undefined {
  const text = args.string(option);
  if (text === undefined) return undefined;
  const share = Number(text);
  if (!/^(0|1|0?\.\d{1,9}|1\.0+)$/.test(text)) {
    throw new UsageError(`--${option} needs a number from 0 to 1, not "${text}".`);
  }
  return share;
}

/** None when the option was not given. */
export function listOf(args: Arguments, option: string): string[] | undefined {
  const given = args.strings(option);
  return given.length > 0 ? given : undefined;
}
