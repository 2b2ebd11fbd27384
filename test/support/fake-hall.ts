import { KaizenError } from '../../src/core/errors';
import type { KaizenParts } from '../../src/kaizen';
import type { KaizenHall } from '../../src/mcp';

/** Each call that reached a domain method, with what it was given. */
export interface RecordedCall {
  method: string;
  args: unknown[];
}

/** What is noted beside an answer. */
const UNCOUNTED = new Set(['noteReads', 'noteUse', 'noteQuery', 'start']);

/** Asked for beside the answer as well: who wrote what is in it. */
const ORIGINS = new Set(['latestRevisions', 'lastWrites']);

type Answers = Record<string, (...args: never[]) => unknown>;

/** Parts that answer what the test says and keep what they were asked; everything else is refused by name. */
export function fakeHall(answers: Answers, project?: string): KaizenHall & { calls: RecordedCall[]; opened: number } {
  const calls: RecordedCall[] = [];
  const part = () =>
    new Proxy(
      {},
      {
        get:
          (_target, method: string) =>
          (...args: unknown[]) => {
            // Counted beside the answer; what a tool asks for is what counts here.
            if (UNCOUNTED.has(method)) return undefined;
            if (ORIGINS.has(method) && !answers[method]) return [];
            if (method === 'onDidChange') return { dispose: () => {} };
            if (method === 'ready' && !answers.ready) return Promise.resolve(true);
            calls.push({ method, args });
            const answer = answers[method];
            if (answer === undefined) throw new KaizenError('invalid_argument', `No answer for ${method}.`);
            return answer(...(args as never[]));
          },
      },
    );
  const names = [
    'knowledge',
    'continuity',
    'review',
    'bases',
    'notes',
    'library',
    'relations',
    'learning',
    'workflows',
    'discovery',
  ];
  const parts = Object.fromEntries(names.map((name) => [name, part()])) as unknown as KaizenParts;
  const hall = {
    project,
    calls,
    opened: 0,
    parts: async () => {
      hall.opened++;
      return parts;
    },
  };
  return hall;
}
