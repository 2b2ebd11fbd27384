import type * as vscode from 'vscode';

/** Changes that come close together are taken as one: an import makes many. */
const PAUSE_MS = 50;

/** Calls `react` with the topics of what changed, a moment after the first change and once for all until then. */
export function follow(
  changes: vscode.Event<ReadonlySet<string>>,
  react: (topics: ReadonlySet<string>) => void,
  pause = PAUSE_MS,
): vscode.Disposable {
  let collected = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const listener = changes((topics) => {
    for (const topic of topics) collected.add(topic);
    timer ??= setTimeout(() => {
      const topics = collected;
      timer = undefined;
      collected = new Set();
      react(topics);
    }, pause);
  });
  return {
    dispose: () => {
      listener.dispose();
      clearTimeout(timer);
    },
  };
}
