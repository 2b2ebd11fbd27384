import type { DiscoveryState } from '../discovery';
import type { Session } from './session';
import type { Terminal } from './terminal';

/** After this long somebody at a keyboard wants to know why nothing comes. */
const SAY_AFTER_MS = 1_000;
const SAY_EVERY_MS = 2_000;

/**
 * Has entries and knowledge bases indexed, by meaning too where a model is set up, and waits for all of it: a command has
 * one answer, and it is to be whole. A model that does not answer is not waited for.
 */
export async function waitForIndex({ bases, discovery }: Session, terminal: Terminal): Promise<void> {
  bases.start();
  discovery.start();
  await indexedAll(discovery, terminal);
  for (const { state, definition } of bases.statuses()) {
    if (state === 'missing') terminal.say(`kaizen: the folder of ${definition.name} is not there: ${definition.root}`);
  }
}

async function indexedAll(discovery: Session['discovery'], terminal: Terminal): Promise<void> {
  if (isComplete(discovery.state)) return;
  let timer = setTimeout(say, SAY_AFTER_MS);
  function say(): void {
    terminal.say(`kaizen: ${progressOf(discovery.state)}`);
    timer = setTimeout(say, SAY_EVERY_MS);
  }
  try {
    await new Promise<void>((resolve) => {
      const listening = discovery.onDidChange(() => {
        if (!isComplete(discovery.state)) return;
        listening.dispose();
        resolve();
      });
    });
  } finally {
    clearTimeout(timer);
  }
}

function isComplete({ ready, embeddings }: DiscoveryState): boolean {
  if (!ready || embeddings.provider === 'none') return ready;
  return 'done' in embeddings && (embeddings.done >= embeddings.total || embeddings.problem !== undefined);
}

function progressOf({ ready, entries, nodes, notes, total, embeddings }: DiscoveryState): string {
  if (ready && 'done' in embeddings) return `asking the model, ${embeddings.done} of ${embeddings.total} so far`;
  const indexed = entries + nodes + notes;
  return `indexing, ${indexed} of ${Math.max(total, indexed)} so far`;
}
