import type { Disposable } from '../../core/disposable';
import type { KeeperChange } from './model';

/** Who wants to hear of a keeper's changes and of its progress. */
export class KeeperListeners {
  private readonly ofChanges = new Set<(change: KeeperChange) => void>();
  private readonly ofProgress = new Set<() => void>();

  onDidChange(listener: (change: KeeperChange) => void): Disposable {
    this.ofChanges.add(listener);
    return { dispose: () => void this.ofChanges.delete(listener) };
  }

  onDidProgress(listener: () => void): Disposable {
    this.ofProgress.add(listener);
    return { dispose: () => void this.ofProgress.delete(listener) };
  }

  changed(change: KeeperChange): void {
    for (const listener of [...this.ofChanges]) listener(change);
  }

  progressed(): void {
    for (const listener of [...this.ofProgress]) listener();
  }

  /** Nobody hears of anything any more. */
  clear(): void {
    this.ofChanges.clear();
    this.ofProgress.clear();
  }
}
