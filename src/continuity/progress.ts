import type { TaskStatus } from './model';

/** What the tasks say about the whole: `40% complete`. */
export function computedProgress(completed: number, all: number): string {
  const percent = all === 0 ? 0 : Math.round((100 * completed) / all);
  return `${percent}% complete`;
}

/** What somebody said about the whole; empty where the tasks speak for it. `status` is that of all domains. */
export function statedProgress(status: TaskStatus): string {
  const { overall_progress, completed_tasks, in_progress_tasks, blocked_tasks } = status;
  const all = completed_tasks.length + in_progress_tasks.length + blocked_tasks.length;
  return overall_progress === computedProgress(completed_tasks.length, all) ? '' : overall_progress;
}
