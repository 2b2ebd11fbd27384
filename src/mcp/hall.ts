import type { Disposable } from '../core/disposable';
import type { KaizenParts } from '../kaizen';

/** What serving needs of the hall. */
export interface KaizenHall {
  /** The current project's scope id. */
  readonly project: string | undefined;
  /** Opens the stores on the first call, so it is called by a tool and never while a client connects. */
  parts(): Promise<KaizenParts>;
  /** Calls `listener` with the topics of what was changed, by whomever. */
  onDidChange?(listener: (topics: ReadonlySet<string>) => void): Disposable | Promise<Disposable>;
}
