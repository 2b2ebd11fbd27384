import type { Clock } from '../core/clock';
import { describeError, isKaizenError } from '../core/errors';
import { Turns } from '../core/turns';
import type { Store } from '../store';
import type { Area, EndsChange, RelationEnds } from './model';
import { deleteAside, endsWithin, putAside, standingOf, takeUp } from './rows';
import type { Writing } from './writing';

/** Ends that are looked up before something is written. */
const PAGE = 200;
/** What was put aside is kept so long. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
const FOLLOWING = { author: 'kaizen' };

/**
 * Has stored relations follow what they lead to: to another address where it moved, aside where it is gone, back where it
 * is there again. One change after the other; what comes while one is followed is followed together.
 */
export class Following {
  private pending: EndsChange[] = [];
  private running: Promise<void> = Promise.resolve();
  private readonly turns = new Turns();

  constructor(
    private readonly stores: readonly Store[],
    private readonly ends: Pick<RelationEnds, 'resolve'>,
    private readonly writing: Writing,
    private readonly clock: Clock,
    private readonly log: (message: string) => void,
  ) {}

  noted(change: EndsChange): void {
    this.pending.push(change);
    if (this.pending.length === 1) this.running = this.running.then(() => this.followAll());
  }

  /** Waits for what was noted until now. */
  async settled(): Promise<void> {
    await this.running;
  }

  /**
   * Looks up all ends within the areas, and puts relations aside or takes them up again; answers how many were put aside.
   * Those that begin with `spared` are only taken up.
   */
  async judge(areas: readonly Area[], spared?: string): Promise<number> {
    let count = 0;
    for (const area of areas) {
      for (const store of this.stores) count += await this.judgeIn(store, area, spared);
    }
    return count;
  }

  private async followAll(): Promise<void> {
    const changes = this.pending;
    this.pending = [];
    const moves = changes.flatMap(({ moved = [] }) => moved);
    const areas = new Map<string, Area>();
    for (const { touched = [] } of changes) for (const area of touched) areas.set(`${area.below} ${area.uri}`, area);
    try {
      for (const { from, to } of moves) await this.writing.moved(from, to, FOLLOWING);
      for (const area of areas.values()) {
        const count = await this.judge([area]);
        if (count > 0)
          this.log(`Relations put aside, as what they lead to is not there any more (${area.uri}): ${count}.`);
      }
    } catch (error) {
      // What can only be read, or is full, goes on answering without them.
      if (isKaizenError(error) && (error.code === 'read_only' || error.code === 'store_closed')) return;
      this.log(`Relations could not follow a change: ${describeError(error)}`);
    }
  }

  private async judgeIn(store: Store, area: Area, spared: string | undefined): Promise<number> {
    let count = 0;
    let after: string | undefined;
    for (;;) {
      const uris = endsWithin(store.read(), area, after, PAGE);
      const gone: string[] = [];
      const back: string[] = [];
      for (const uri of uris) {
        const end = await this.ends.resolve(uri);
        const { isEnd, aside } = standingOf(store.read(), uri);
        const isSpared = spared !== undefined && uri.startsWith(spared);
        if (end === 'gone' && isEnd && !isSpared) gone.push(uri);
        if (typeof end !== 'string') {
          for (const { id, other } of aside) {
            if (typeof (await this.ends.resolve(other)) !== 'string') back.push(id);
          }
        }
        await this.turns.pause();
      }
      if (gone.length + back.length > 0) {
        const now = this.clock.now();
        count += await store.write((transaction) => {
          takeUp(transaction, back);
          deleteAside(transaction, { before: now - KEPT_MS });
          return putAside(transaction, gone, now);
        });
      }
      if (uris.length < PAGE) return count;
      after = uris.at(-1);
    }
  }
}
