import type { RiskLevel } from '../knowledge';
import type { Colour, Terminal } from './terminal';

/** Something that was found, in two lines: how relevant and what it is, then where and by which id it is got. */
export function heading(
  { id, path, title, type, score }: { id: string; path: string; title: string; type: string; score: number },
  terminal: Terminal,
): string {
  const place = id === path ? id : `${path}  ${id}`;
  return [
    `${terminal.paint(colourOf(score), score.toFixed(2))}  ${terminal.paint('bold', title)}  ${terminal.paint('dim', type)}`,
    `      ${terminal.paint('dim', place)}`,
  ].join('\n');
}

/** By seed 002's thresholds. */
function colourOf(score: number): Colour {
  if (score >= 0.7) return 'green';
  return score >= 0.5 ? 'yellow' : 'dim';
}

/** A snippet with its marked words shown as such, and what was escaped for Markdown as it is in the text. */
export function emphasised(snippet: string, terminal: Terminal): string {
  return snippet
    .replace(/(?<!\\)\*\*([^*]+)\*\*/g, (whole, word: string) => {
      const painted = terminal.paint('bold', word);
      return painted === word ? whole : painted;
    })
    .replace(/\\([\\*_`])/g, '$1');
}

const RISK_COLOURS: Record<RiskLevel, Colour> = { DANGER: 'red', WARNING: 'yellow', 'LAST TIME': 'magenta' };

export function riskLabel(level: RiskLevel, terminal: Terminal): string {
  return terminal.paint(RISK_COLOURS[level], `${level}:`);
}
