import * as vscode from 'vscode';
import type { Risk, RiskLevel } from '../knowledge';

/** From the one to see first to the one to see last. */
const ORDER: readonly RiskLevel[] = ['DANGER', 'WARNING', 'LAST TIME'];

const ICONS: Record<RiskLevel, { icon: string; color: string }> = {
  DANGER: { icon: 'flame', color: 'errorForeground' },
  WARNING: { icon: 'warning', color: 'list.warningForeground' },
  'LAST TIME': { icon: 'history', color: 'charts.blue' },
};

/** The levels that occur, gravest first, each once. */
export function levelsOf(risks: readonly Risk[]): RiskLevel[] {
  return ORDER.filter((level) => risks.some((risk) => risk.level === level));
}

/** Sorts what carries risks, gravest first, and leaves the order of equals. */
export function byGravity(a: { risks: readonly Risk[] }, b: { risks: readonly Risk[] }): number {
  const rank = ({ risks }: { risks: readonly Risk[] }) => ORDER.indexOf(levelsOf(risks)[0]!);
  return rank(a) - rank(b);
}

/** Told apart by shape as well as by colour. */
export function riskIcon(risks: readonly Risk[]): vscode.ThemeIcon {
  const [gravest] = levelsOf(risks);
  if (!gravest) return new vscode.ThemeIcon('note');
  const { icon, color } = ICONS[gravest];
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
}
