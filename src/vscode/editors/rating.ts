import * as vscode from 'vscode';
import type { RatingRequest, RatingState } from '../../../webview-ui/protocol/rating';
import type { KaizenParts } from '../../kaizen';
import { type LearningAtWork, thumbOf } from '../learning';

/** How something served, and what this person said of it. */
export function ratingOf(atWork: LearningAtWork, parts: KaizenParts, artifact: string): RatingState {
  const { score, ratings } = parts.learning.effectivenessOf(artifact);
  const said = thumbOf(atWork, parts, artifact);
  return { ...(said && { said }), score, ratings, writable: vscode.workspace.isTrusted };
}

/** Does what the buttons *Was this helpful?* ask for. */
export async function doRating(artifact: string, message: RatingRequest): Promise<void> {
  const command =
    message.type === 'explainScore'
      ? 'kaizen.explainScore'
      : message.type === 'takeBackRating'
        ? 'kaizen.takeBackRating'
        : message.helpful
          ? 'kaizen.rateHelpful'
          : 'kaizen.rateNotHelpful';
  await vscode.commands.executeCommand(command, artifact);
}
