import { holdsDefault, withoutDefaults } from './shell';
import { joined } from './written-paths';

/** Where a line is: not changed by what is in parentheses. */
export interface Place {
  folder: string;
  /** Where `cd -` goes back to, and `popd`. */
  before: string;
  pushed: readonly string[];
  /** Where a variable may have led instead. */
  perhaps: string | undefined;
  /** Whether it is so only by a default: `cd "${DIR:-db}"`. */
  isGuess: boolean;
}

/** Most often it is the one that the agent is in already. */
const UNKNOWN_FOLDER = /^\$(?!\{?(?:TMPDIR|TEMP|TMP|HOME|PWD)\b)[^/\\]*$/;
const CHANGES = /^(cd|chdir|pushd|popd|[SP](et|ush|op)-Location)$/i;
const MAX_PUSHED = 100;

export function changesFolder(name: string): boolean {
  return CHANGES.test(name);
}

/** The folder that a line works in, as `cd`, `pushd` and `popd` change it and parentheses give it back. */
export class WorkingFolder {
  place: Place;
  /** What is open: parentheses, with the place before each (`cd` inside of it ends with it), and `case`. */
  private open: (Place | 'case')[] = [];

  constructor(readonly start: string) {
    this.place = { folder: start, before: start, pushed: [], perhaps: undefined, isGuess: false };
  }

  parenthesis(sign: '(' | ')'): void {
    if (sign === '(') {
      this.open.push(this.place);
      return;
    }
    const opened = this.open.at(-1);
    // Behind a pattern of `case`: it closes nothing.
    if (opened === undefined || opened === 'case') return;
    this.open.pop();
    this.place = opened;
  }

  beginCase(): void {
    this.open.push('case');
  }

  endCase(): void {
    if (this.open.at(-1) === 'case') this.open.pop();
  }

  /** What is read in a shell of its own does not change it. */
  inSubshell(read: () => void): void {
    const { place, open } = this;
    this.open = [];
    read();
    this.open = open;
    this.place = place;
  }

  /** `filled`: what a word would be by what its variables may hold, a default last. */
  change(name: string, args: readonly string[], filled: (word: string) => readonly string[]): void {
    const program = name.toLowerCase();
    const target = args.find((word) => !/^-./.test(word) && word !== '/d');
    const { folder, before } = this.place;
    let { folder: to, pushed, perhaps, isGuess } = this.place;
    if (program.startsWith('push')) pushed = [...pushed.slice(1 - MAX_PUSHED), folder];
    if (program.startsWith('pop')) {
      to = pushed.at(-1) ?? folder;
      pushed = pushed.slice(0, -1);
      perhaps = undefined;
      isGuess = false;
    } else if (target === '-' || /^\$(OLDPWD|\{OLDPWD\})$/.test(target ?? '')) {
      to = before;
      perhaps = undefined;
      isGuess = false;
    } else if (target !== undefined) {
      const words = filled(target);
      const byDefault = holdsDefault(target) ? words.at(-1) : undefined;
      const meant = byDefault ?? withoutDefaults(target);
      const isUnknown = UNKNOWN_FOLDER.test(meant);
      const possible = words[0] ?? (isUnknown ? undefined : meant);
      perhaps = possible === undefined ? undefined : joined(perhaps ?? folder, possible);
      to = isUnknown ? this.start : joined(folder, meant);
      isGuess ||= byDefault !== undefined && !isUnknown;
    }
    this.place = { folder: to, before: folder, pushed, perhaps: perhaps === to ? undefined : perhaps, isGuess };
  }
}
