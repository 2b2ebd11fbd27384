import { Worker } from 'node:worker_threads';

/**
 * Ends this process when so many milliseconds are over, also while it waits in a read that never comes back: by a thread of
 * its own, as no timer fires then. Keeps no process from ending sooner.
 */
export function endAfter(milliseconds: number): void {
  const code = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${milliseconds})`;
  new Worker(code, { eval: true, execArgv: [], env: {}, stdin: false })
    // Where there is no thread to be had, the work goes on without a limit.
    .on('error', () => {})
    .unref();
}
