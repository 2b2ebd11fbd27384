const OPERATORS = ['&&', '||', ';;', '|&', ';', '|', '&', '\n', '(', ')', '{', '}'];

/**
 * The operator that stands there; undefined for a sign of a word. `isInWord`: whether a word has begun, `begins`: whether
 * nothing of a command has been read.
 */
export function operatorAt(
  line: string,
  at: number,
  { isInWord, begins }: { isInWord: boolean; begins: boolean },
): string | undefined {
  const operator = OPERATORS.find((each) => line.startsWith(each, at));
  if (operator !== '{' && operator !== '}') return operator;
  if (isInWord) return undefined;
  // A brace that stands alone; the one that ends a group may have a sign behind it.
  const next = line[at + 1] ?? ' ';
  return /\s/.test(next) || (operator === '}' && begins && /[;|&)<>]/.test(next)) ? operator : undefined;
}
