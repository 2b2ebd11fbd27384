import type { Dialect } from './commands';

/** What names variables; in the groups where it may be otherwise than for their values. */
const POSIX_NAMES = /\$\w+|\$\{[#!]?\w+(?=[}%#/^,@?+-]|:[-+?\d $({]|\[[^}=\n]{1,60}\})|[ \t]-\w+|(\w+)/g;
const POWERSHELL_NAMES = /\$(\w+)(?!\w)(?=\s*(?:[-+*/%?]*=|,|in\b))|\$\w+|(\w+)/gi;

/** How often a line names a variable otherwise than for its value; looked through once, when it is first asked. */
export class Mentions {
  private counts: Map<string, number> | undefined;

  constructor(
    private readonly line: string,
    private readonly dialect: Dialect,
  ) {}

  /** Whether the line sets it once alone: else it may hold another value by then (`read F`, `F+=x`, a second `F=`). */
  isSetOnce(name: string): boolean {
    this.counts ??= this.counted();
    return this.counts.get(name) === 1;
  }

  private counted(): Map<string, number> {
    const isPowerShell = this.dialect === 'powershell';
    const counts = new Map<string, number>();
    for (const [, otherwise, set] of this.line.matchAll(isPowerShell ? POWERSHELL_NAMES : POSIX_NAMES)) {
      const found = otherwise ?? set;
      if (found === undefined) continue;
      const key = isPowerShell ? found.toLowerCase() : found;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }
}
