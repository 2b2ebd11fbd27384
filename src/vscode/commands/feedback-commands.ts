import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import { giveThumb, type Thumb, takeBackThumb } from '../learning';
import { pickArtifact } from './artifact-pick';
import type { CommandContext, CommandHandlers } from './command';
import { rateInDetail } from './feedback-detail';
import { artifactToRate } from './rating-in-front';

export function feedbackCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.rateHelpful': (given?: unknown) => rate(context, 'helpful', given),
    'kaizen.rateNotHelpful': (given?: unknown) => rate(context, 'not_helpful', given),
    // In a title, each says which thumb it takes back.
    'kaizen.takeBackHelpful': (given?: unknown) => takeBack(context, given),
    'kaizen.takeBackNotHelpful': (given?: unknown) => takeBack(context, given),
    'kaizen.takeBackRating': (given?: unknown) => takeBack(context, given),
    'kaizen.rateInDetail': async (given?: unknown) => {
      context.learning.change();
      const parts = await context.learning.start();
      const artifact = await chosen(context, parts, vscode.l10n.t('Rate in Detail'), given);
      if (artifact !== undefined) await rateInDetail(context, parts, artifact);
    },
    'kaizen.explainScore': async (given?: unknown) => {
      const parts = await context.learning.start();
      const artifact = await chosen(context, parts, vscode.l10n.t('Explain Score'), given);
      if (artifact !== undefined) await context.editors.openScore(artifact);
    },
  };
}

async function rate(context: CommandContext, thumb: Thumb, given: unknown): Promise<void> {
  // In Restricted Mode nobody is asked for what cannot be written.
  context.learning.change();
  const parts = await context.learning.start();
  const artifact = await chosen(context, parts, vscode.l10n.t('Was This Helpful?'), given);
  if (artifact !== undefined) await giveThumb(context.learning, parts, artifact, thumb);
}

async function takeBack(context: CommandContext, given: unknown): Promise<void> {
  context.learning.change();
  const parts = await context.learning.start();
  const artifact = await chosen(context, parts, vscode.l10n.t('Take Back Rating'), given);
  if (artifact !== undefined) await takeBackThumb(context.learning, parts, artifact);
}

/** What the command was given, or what is in front, or what the person looks for; undefined on cancel. */
async function chosen(
  context: CommandContext,
  parts: KaizenParts,
  title: string,
  given: unknown,
): Promise<string | undefined> {
  const artifact = await artifactToRate(context, parts, given);
  if (artifact !== undefined) return artifact;
  return pickArtifact(context, parts, {
    title,
    placeholder: vscode.l10n.t('What is it about? Words of an entry, a note, a record, a passage …'),
  });
}
