import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import { giveThumb, rankedBy, type Thumb, thumbIcon, thumbOf, thumbTooltip } from '../learning';
import { scoreInWords } from '../views';
import type { CommandContext } from './command';
import type { HitAction, PickItem } from './live-pick';

const THUMBS: readonly Thumb[] = ['helpful', 'not_helpful'];

/**
 * What lists of results have of what was learned: how each served before, the order by it, and two buttons that ask
 * nothing and wait for nobody: was this helpful?
 */
export class RatedLines {
  constructor(
    private readonly context: CommandContext,
    private readonly parts: KaizenParts,
  ) {}

  /**
   * The buttons of a line, behind its own.
   * @param fit how well it was found, 0 to 1, where that is known
   */
  actions<T>(artifact: string, fit?: number): HitAction<T>[] {
    const { context, parts } = this;
    // Nothing is written there.
    const thumbs = vscode.workspace.isTrusted ? THUMBS : [];
    const said = thumbs.length > 0 ? thumbOf(context.learning, parts, artifact) : undefined;
    return [
      ...this.explaining<T>(artifact, fit),
      ...thumbs.map((thumb) => ({
        icon: thumbIcon(thumb, thumb === said),
        tooltip: thumbTooltip(thumb, thumb === said),
        run: () => giveThumb(context.learning, parts, artifact, thumb),
        stays: true,
      })),
    ];
  }

  /** The line with how it served before, where somebody said so. */
  dress<T>(item: PickItem<T>, artifact: string): PickItem<T> {
    const effectiveness = this.parts.learning.effectivenessOf(artifact);
    if (effectiveness.ratings === 0) return item;
    const said = `$(star-full) ${scoreInWords(effectiveness)}`;
    return { ...item, description: item.description ? `${said} · ${item.description}` : said };
  }

  /** As the tools rank: how well it was found and how it served, by the settings. Equal ones stay as they were. */
  ranked<T>(found: readonly T[], of: (each: T) => { artifact: string; fit: number }): T[] {
    return rankedBy(this.parts.learning, found, of);
  }

  /** A person opened what was found: it was used, as far as that is to be counted. */
  opened(artifact: string): void {
    this.parts.learning.noteUse('used', [artifact]);
  }

  private explaining<T>(artifact: string, fit: number | undefined): HitAction<T>[] {
    const { learning } = this.parts;
    const effectiveness = learning.effectivenessOf(artifact);
    if (effectiveness.ratings === 0) return [];
    const explain = vscode.l10n.t('Explain Score');
    const numbers =
      fit === undefined
        ? ''
        : vscode.l10n.t(
            'fits {0}, served {1}, together {2}',
            ...[fit, effectiveness.score, Math.min(1, learning.combinedScore(fit, effectiveness))].map(shown),
          );
    return [
      {
        icon: 'graph',
        tooltip: [explain, numbers].filter(Boolean).join(': '),
        run: () => vscode.commands.executeCommand('kaizen.explainScore', artifact),
      },
    ];
  }
}

function shown(share: number): string {
  return share.toLocaleString(vscode.env.language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
