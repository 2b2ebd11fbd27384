import type { Session } from './session';
import type { Terminal } from './terminal';

/** After this long somebody at a keyboard wants to know why nothing comes. */
const SAY_AFTER_MS = 1_000;
const SAY_EVERY_MS = 2_000;

/** Has entries and knowledge bases indexed, and waits for all of it: a command has one answer, and it is to be whole. */
export async function waitForIndex({ bases, discovery }: Session, terminal: Terminal): Promise<void> {
  bases.start();
  discovery.start();
  if (discovery.state.ready) return;
  const say = () => {
    const { entries, nodes, total } = discovery.state;
    terminal.say(`kaizen: indexing, ${entries + nodes} of ${Math.max(total, entries + nodes)} so far`);
  };
  let every: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    say();
    every = setInterval(say, SAY_EVERY_MS);
  }, SAY_AFTER_MS);
  try {
    await new Promise<void>((resolve) => {
      const listening = discovery.onDidChange(() => {
        if (!discovery.state.ready) return;
        listening.dispose();
        resolve();
      });
    });
  } finally {
    clearTimeout(first);
    clearInterval(every);
  }
}
