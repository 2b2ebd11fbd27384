import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';

/** What is done sooner needs no notification, which would only come and go. */
const PATIENCE_MS = 500;

export interface LongWork {
  signal: AbortSignal;
  /** How many of all are done. */
  onProgress(done: number, total: number): void;
  /** What is being done, and how much of all is done: 0 to 1. */
  onStep(done: number, what: string): void;
}

/**
 * Does `work`, and shows its progress in a notification once it takes longer; pressing *Cancel* there aborts its signal.
 * Throws `cancelled` then.
 */
export async function withProgress<T>(title: string, work: (context: LongWork) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let last: [number, string] | undefined;
  let report = (done: number, message: string) => {
    last = [done, message];
  };
  const onProgress = (done: number, total: number) => report(done / total, vscode.l10n.t('{0} of {1}', done, total));
  const onStep = (done: number, what: string) => report(done, what);
  const running = work({ signal: controller.signal, onProgress, onStep }).catch((error: unknown) => {
    throw controller.signal.aborted ? new KaizenError('cancelled', vscode.l10n.t('Cancelled.')) : error;
  });
  const ended = running.then(
    () => true,
    () => true,
  );
  if (!(await Promise.race([ended, delay(PATIENCE_MS, false)]))) {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    await vscode.window.withProgress(options, async (progress, token) => {
      const cancelling = token.onCancellationRequested(() => controller.abort());
      report = reporting(progress);
      // What was told before anybody could see it.
      if (last) report(...last);
      await ended;
      cancelling.dispose();
    });
  }
  return running;
}

function reporting(progress: vscode.Progress<{ message?: string; increment?: number }>) {
  let told = 0;
  let said = '';
  return (done: number, message: string) => {
    const percent = Math.floor(done * 100);
    if (percent <= told && message === said) return;
    progress.report({ increment: Math.max(0, percent - told), message });
    told = Math.max(told, percent);
    said = message;
  };
}
