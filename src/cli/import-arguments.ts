import type { RuleKind } from '../transfer/rules';
import { type Arguments, UsageError } from './command';

/** Beside those of `./transfer/rules`, which is loaded only when it is needed. */
const KINDS: readonly RuleKind[] = [
  ...(['agents', 'claude', 'copilot', 'cursor', 'cline', 'windsurf'] as const),
  ...(['adr', 'memory', 'lines', 'markdown'] as const),
];

/** What `--from` says. Throws UsageError. */
export function sourceKindOf(args: Arguments): RuleKind | undefined {
  const said = args.string('from');
  if (said === undefined) return undefined;
  const kind = KINDS.find((each) => each === said.toLowerCase());
  if (kind === undefined) throw new UsageError(`--from knows no "${said}", but ${KINDS.join(', ')}.`);
  return kind;
}

/** What `--only` says: `1,4-7` are five numbers. Throws UsageError for what is none of 1 to `most`. */
export function numbersOf(said: string, most: number): Set<number> {
  const numbers = new Set<number>();
  for (const part of said.split(',').map((each) => each.trim())) {
    const [, from, to] = /^(\d{1,6})(?:\s*-\s*(\d{1,6}))?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to ?? from)];
    if (from === undefined || first < 1 || last > most || first > last) {
      throw new UsageError(`--only takes numbers of the review, from 1 to ${most}: "${part}" is none.`);
    }
    for (let number = first; number <= last; number++) numbers.add(number);
  }
  return numbers;
}
