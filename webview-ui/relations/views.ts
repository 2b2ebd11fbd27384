import type { RelationsSubject, RelationsView } from '../protocol/relations';
import { MOST_EXPANDED } from '../protocol/relations-limits';

/** Views that one can go back to. */
const MOST_KEPT = 30;

export const EVERYTHING: RelationsView = { depth: 1, direction: 'both', minimum: 0, expanded: [] };

/** What is looked at, and what was looked at before. */
export class Views {
  constructor(private readonly stack: RelationsView[] = [EVERYTHING]) {
    if (stack.length === 0) stack.push(EVERYTHING);
  }

  get current(): RelationsView {
    return this.stack.at(-1) ?? EVERYTHING;
  }

  get canGoBack(): boolean {
    return this.stack.length > 1;
  }

  /** The last one is looked at. */
  get all(): readonly RelationsView[] {
    return this.stack;
  }

  back(): void {
    if (this.canGoBack) this.stack.pop();
  }

  /** Depth, direction and least confidence stay: nobody goes back from those. */
  change(changed: Partial<Pick<RelationsView, 'depth' | 'direction' | 'minimum'>>): void {
    this.stack[this.stack.length - 1] = { ...this.current, ...changed };
  }

  begin({ start, to }: RelationsSubject): void {
    if (start === undefined) {
      this.showAll();
      return;
    }
    const { depth, direction, minimum } = this.current;
    this.push({ start, depth, direction, minimum, expanded: [], ...(to && { way: { from: start, to } }) });
  }

  showAll(): void {
    const { depth, direction, minimum } = this.current;
    this.push({ depth, direction, minimum, expanded: [] });
  }

  /** Shows the neighbours of a thing as well, or no longer. */
  toggle(id: string): void {
    const { expanded } = this.current;
    const others = expanded.filter((each) => each !== id);
    const changed = others.length < expanded.length ? others : [...expanded.slice(1 - MOST_EXPANDED), id];
    this.push({ ...this.current, expanded: changed });
  }

  findWay(from: string, to: string): void {
    this.push({ ...this.current, way: { from, to } });
  }

  leaveWay(): void {
    const { way: _, ...rest } = this.current;
    this.push(rest);
  }

  private push(view: RelationsView): void {
    // Asked for the same twice, one would have to go back twice.
    if (JSON.stringify(view) === JSON.stringify(this.current)) return;
    this.stack.push(view);
    if (this.stack.length > MOST_KEPT) this.stack.shift();
  }
}
