import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';

/** What is done sooner needs no notification, which would only come and go. */
const PATIENCE_MS = 500;

export interface LongWork {
  signal: AbortSignal;
  /** How many of all are done. */
  onProgress(done: number, total: number): void;
}

/**
 * Does `work`, and shows its progress in a notification once it takes longer; pressing *Cancel* there aborts its signal.
 * Throws `cancelled` then.
 */
export async function withProgress<T>(title: string, work: (context: LongWork) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let report = (_done: number, _total: number) => {};
  const onProgress = (done: number, total: number) => report(done, total);
  const running = work({ signal: controller.signal, onProgress }).catch((error: unknown) => {
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
      await ended;
      cancelling.dispose();
    });
  }
  return running;
}

function reporting(progress: vscode.Progress<{ message?: string; increment?: number }>) {
  let told = 0;
  return (done: number, total: number) => {
    const percent = Math.floor((done / total) * 100);
    if (percent <= told) return;
    progress.report({ increment: percent - told, message: vscode.l10n.t('{0} of {1}', done, total) });
    told = percent;
  };
}
