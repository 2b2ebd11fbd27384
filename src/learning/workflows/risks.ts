/** A rule that warns, as entries, nodes and notes word it: `WARNING: …`, `DANGER: …`, `LAST TIME: …`. */
export interface StatedRisk {
  level: 'WARNING' | 'DANGER' | 'LAST TIME';
  text: string;
}

/** To its paragraph's end, or to the next one. */
const INDICATOR =
  /(?<![\p{L}\p{N}_-])(WARNING|DANGER|LAST TIME):[*_]*\s*([\s\S]*?)(?=\n\s*\n|\n\s*[-*#>]|(?<![\p{L}\p{N}_-])(?:WARNING|DANGER|LAST TIME):|$)/gu;

export function risksIn(text: string): StatedRisk[] {
  return [...text.matchAll(INDICATOR)].map((match) => ({
    level: match[1] as StatedRisk['level'],
    text: match[2]!
      .replace(/\s+/gu, ' ')
      .replace(/[*_]+$/, '')
      .trim(),
  }));
}

export function isRisky(text: string): boolean {
  return /(?<![\p{L}\p{N}_-])(?:WARNING|DANGER|LAST TIME):/u.test(text);
}
