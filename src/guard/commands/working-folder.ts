import { holdsDefault } from './shell';
import { joined } from './written-paths';

/** Where a line is: not changed by what is in parentheses. */
export interface Place {
  folder: string;
  /** Where `cd -` goes back to, and `popd`. */
  before: string;
  pushed: readonly string[];
  /** Where variables may have led instead. */
  others: readonly string[];
  /** Whether it is so only by a default: `cd "${DIR:-db}"`. */
  isGuess: boolean;
}

/** Most often it is the one that the agent is in already. */
const UNKNOWN_FOLDER = /^\$(?!\{?(?:TMPDIR|TEMP|TMP|HOME|PWD)\b)[^/\\]*$/;
const CHANGES = /^(cd|chdir|pushd|popd|[SP](et|ush|op)-Location)$/i;
const MAX_PUSHED = 100;
const MAX_OTHERS = 8;

export function changesFolder(name: string): boolean {
  return CHANGES.test(name);
}

/** The folder that a line works in, as `cd`, `pushd` and `popd` change it and parentheses give it back. */
export class WorkingFolder {
  place: Place;
  /** What is open: parentheses, with the place before each (`cd` inside of it ends with it), and `case`. */
  private open: (Place | 'case')[] = [];

  constructor(readonly start: string) {
    this.place = { folder: start, before: start, pushed: [], others: [], isGuess: false };
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

  /** `filled`: what a word would be by what its variables may hold, a default last; `shown`: where nothing is known of these. */
  change(
    name: string,
    args: readonly string[],
    { filled, shown }: { filled: (word: string) => readonly string[]; shown: (word: string) => string },
  ): void {
    const program = name.toLowerCase();
    const target = args.find((word) => !/^-./.test(word) && word !== '/d');
    const { folder, before } = this.place;
    let { folder: to, pushed, others, isGuess } = this.place;
    if (program.startsWith('push')) pushed = [...pushed.slice(1 - MAX_PUSHED), folder];
    if (program.startsWith('pop')) {
      to = pushed.at(-1) ?? folder;
      pushed = pushed.slice(0, -1);
      others = [];
      isGuess = false;
    } else if (target === '-' || /^\$(OLDPWD|\{OLDPWD\})$/.test(target ?? '')) {
      to = before;
      others = [];
      isGuess = false;
    } else if (target !== undefined) {
      const words = filled(target);
      const byDefault = holdsDefault(target) ? words.at(-1) : undefined;
      const meant = byDefault ?? shown(target);
      const isUnknown = UNKNOWN_FOLDER.test(meant);
      to = isUnknown ? this.start : joined(folder, meant);
      const from = [folder, ...others];
      const possible = isUnknown ? words : [meant, ...words];
      // What nobody knows may lead anywhere, and most often to where the line begins.
      const start = possible.some((word) => UNKNOWN_FOLDER.test(word)) ? [this.start] : [];
      others = [...start, ...possible.slice(0, MAX_OTHERS).flatMap((word) => from.map((each) => joined(each, word)))];
      isGuess ||= byDefault !== undefined && !isUnknown;
    }
    others = [...new Set(others)].filter((each) => each !== to).slice(0, MAX_OTHERS);
    this.place = { folder: to, before: folder, pushed, others, isGuess };
  }
}
