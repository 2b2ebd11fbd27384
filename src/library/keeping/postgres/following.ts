import { describeError } from '../../../core/errors';
import type { Connections, Session } from '../../../postgres';
import type { KeeperChange } from '../model';
import { POSTGRES_LIMITS } from './limits';

interface Look {
  snapshot: string;
  changes: { transaction: string; document_id: string | null }[];
}

/**
 * Looks now and then for what others have changed. A look sees exactly the transactions that ended since the last one,
 * in whatever order they did; it takes no connection of its own, as listening would, and so works behind poolers that
 * hand out connections by the transaction.
 */
export class Following {
  private snapshot: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private complained = false;
  private lookedAt = 0;
  private readonly own = new Set<string>();

  constructor(
    private readonly connections: Connections,
    private readonly tell: (change: KeeperChange) => void,
    private readonly log: (message: string) => void,
  ) {}

  /** From here on: what was changed before this resolves is known. Throws as a call does. */
  async start(): Promise<void> {
    if (this.timer || this.stopped) return;
    this.timer = setTimeout(() => {}, 0).unref();
    try {
      const { snapshot } = await this.connections.call((session) => look(session, undefined), { reads: true });
      this.snapshot = snapshot;
      this.lookedAt = performance.now();
      this.wait(POSTGRES_LIMITS.lookEvery);
    } catch (error) {
      this.timer = undefined;
      throw error;
    }
  }

  /** This transaction is told by whoever made it. */
  made(transaction: string): void {
    if (this.timer) this.own.add(transaction);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private wait(ms: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      void this.look().then((isThere) => {
        this.wait(isThere ? POSTGRES_LIMITS.lookEvery : POSTGRES_LIMITS.lookEveryWithout);
      });
    }, ms);
    // Nobody stays for what others do.
    this.timer.unref();
  }

  /** False where the server could not be asked. */
  private async look(): Promise<boolean> {
    try {
      const { snapshot } = this;
      const now = performance.now();
      const isLate = snapshot !== undefined && now - this.lookedAt > POSTGRES_LIMITS.changesKept / 2;
      const { changes, ...seen } = await this.connections.call((session) => look(session, snapshot), { reads: true });
      this.snapshot = seen.snapshot;
      this.lookedAt = now;
      this.complained = false;
      if (this.stopped) return true;
      if (isLate) this.tell({ documents: undefined, requests: true });
      else this.tellOf(changes);
      return true;
    } catch (error) {
      if (!this.complained && !this.stopped) this.log(`Changes of the library are not seen: ${describeError(error)}`);
      this.complained = true;
      return false;
    }
  }

  private tellOf(changes: Look['changes']): void {
    const others = changes.filter(({ transaction }) => !this.own.has(transaction));
    for (const { transaction } of changes) this.own.delete(transaction);
    if (others.length === 0) return;
    const documents = others.flatMap(({ document_id }) => document_id ?? []);
    this.tell({ documents: [...new Set(documents)], requests: documents.length < others.length });
  }
}

async function look(session: Session, since: string | undefined): Promise<Pick<Look, 'snapshot' | 'changes'>> {
  const [row] = await session.query<{ snapshot: string; changes: Look['changes'] | null }>(
    since === undefined
      ? 'SELECT pg_current_snapshot()::text AS snapshot, NULL AS changes'
      : `SELECT pg_current_snapshot()::text AS snapshot, (
           SELECT json_agg(json_build_object('transaction', transaction::text, 'document_id', document_id))
           FROM kaizen_library.changes
           WHERE transaction >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(transaction, $1::pg_snapshot)
         ) AS changes`,
    since === undefined ? [] : [since],
  );
  return { snapshot: row!.snapshot, changes: row!.changes ?? [] };
}
