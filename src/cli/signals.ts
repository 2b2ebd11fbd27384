const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * The first signal ends what is under way in order; a second one, of either kind, ends the process as usual. Returns what
 * to call when nothing is under way any more.
 */
export function onTermination(end: () => void): () => void {
  const release = () => {
    for (const signal of SIGNALS) process.off(signal, first);
  };
  const first = () => {
    release();
    end();
  };
  for (const signal of SIGNALS) process.on(signal, first);
  return release;
}
