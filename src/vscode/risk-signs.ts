import * as vscode from 'vscode';
import type { Risk, RiskLevel } from '../knowledge';

/** From the one to see first to the one to see last. */
const ORDER: readonly RiskLevel[] = ['DANGER', 'WARNING', 'LAST TIME'];

const SIGNS: Record<RiskLevel, { icon: string; letter: string; color: string }> = {
  DANGER: { icon: 'flame', letter: 'D', color: 'list.errorForeground' },
  WARNING: { icon: 'warning', letter: 'W', color: 'list.warningForeground' },
  'LAST TIME': { icon: 'history', letter: 'L', color: 'textLink.foreground' },
};

/** The levels that occur, gravest first, each once. */
export function levelsOf(risks: readonly Pick<Risk, 'level'>[]): RiskLevel[] {
  return ORDER.filter((level) => risks.some((risk) => risk.level === level));
}

/** Sorts what carries risks, gravest first, and leaves the order of equals. */
export function byGravity(a: { risks: readonly Risk[] }, b: { risks: readonly Risk[] }): number {
  const rank = ({ risks }: { risks: readonly Risk[] }) => ORDER.indexOf(levelsOf(risks)[0]!);
  return rank(a) - rank(b);
}

/** How many risks, in words. */
export function riskCount(count: number): string {
  if (count === 0) return vscode.l10n.t('no risks');
  return count === 1 ? vscode.l10n.t('1 risk') : vscode.l10n.t('{0} risks', count.toLocaleString(vscode.env.language));
}

/** Told apart by shape as well as by colour. */
export function riskIcon(risks: readonly Pick<Risk, 'level'>[]): vscode.ThemeIcon {
  const [gravest] = levelsOf(risks);
  if (!gravest) return new vscode.ThemeIcon('note');
  const { icon, color } = SIGNS[gravest];
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
}

/**
 * The letter of the gravest risk for the end of a line, with all of them in words; none without risks. It has no colour:
 * the editor would draw the description beside it in that colour too, and too faint to be read well.
 */
export function riskDecoration(risks: readonly Risk[]): vscode.FileDecoration | undefined {
  const levels = levelsOf(risks);
  const [gravest] = levels;
  if (!gravest) return undefined;
  return new vscode.FileDecoration(SIGNS[gravest].letter, levels.join(', '));
}

/** The number of risks for the end of a line, which has place for two characters. */
export function riskCountDecoration(count: number): vscode.FileDecoration {
  return new vscode.FileDecoration(count < 100 ? String(count) : '9+', riskCount(count));
}
