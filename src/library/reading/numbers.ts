// How numbers are written (ECMA-376, part 1, 17.18.59): as far as they are letters and digits of Latin.

/** Beyond it, letters would fill lines. */
const MOST_LETTERS = 26 * 20;
const ROMAN: readonly (readonly [value: number, digits: string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** `a`, `b` … `z`, then `aa`, `bb`, as Word and HTML up to 26 have it; digits where there is no such letter. */
export function letters(value: number): string {
  if (value < 1 || value > MOST_LETTERS) return String(value);
  return String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}

/** `i`, `ii` … up to 3,999; digits beyond. */
export function roman(value: number): string {
  if (value < 1 || value > 3_999) return String(value);
  let rest = value;
  let text = '';
  for (const [each, digits] of ROMAN) {
    while (rest >= each) {
      text += digits;
      rest -= each;
    }
  }
  return text;
}

/** A number in a format by Word's name for it. Those of other scripts are written in digits. */
export function written(value: number, format: string): string {
  switch (format) {
    case 'none':
      return '';
    case 'lowerLetter':
      return letters(value);
    case 'upperLetter':
      return letters(value).toUpperCase();
    case 'lowerRoman':
      return roman(value);
    case 'upperRoman':
      return roman(value).toUpperCase();
    case 'decimalZero':
      return value >= 0 && value < 10 ? `0${value}` : String(value);
    default:
      return String(value);
  }
}
