/** Values by names, nearly always one of a name: only where there are several a set is kept. */
export class ManyByName<Value extends object | string> {
  private readonly held = new Map<string, Value | Set<Value>>();

  /** In no order. */
  of(name: string): Iterable<Value> {
    const held = this.held.get(name);
    if (held === undefined) return [];
    return held instanceof Set ? held : [held];
  }

  countOf(name: string): number {
    const held = this.held.get(name);
    if (held === undefined) return 0;
    return held instanceof Set ? held.size : 1;
  }

  add(name: string, value: Value): void {
    const held = this.held.get(name);
    if (held === undefined) this.held.set(name, value);
    else if (held instanceof Set) held.add(value);
    else if (held !== value) this.held.set(name, new Set([held, value]));
  }

  remove(name: string, value: Value): void {
    const held = this.held.get(name);
    if (held === value) this.held.delete(name);
    if (!(held instanceof Set)) return;
    held.delete(value);
    if (held.size === 0) this.held.delete(name);
  }
}
