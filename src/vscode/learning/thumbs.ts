import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import type { LearningAtWork } from './learning-at-work';
import { quickOf, type Thumb, thumbIn } from './opinions';

const SHOWN_MS = 5_000;

/** What this person said of something and did not take back. Answers from memory for what nobody rated. */
export function thumbOf({ person }: LearningAtWork, { learning }: KaizenParts, artifact: string): Thumb | undefined {
  return thumbIn(learning.saidBy(person, artifact));
}

/**
 * Says it, in place of what the person said before; saying the same again takes it back. Answers what is said now, and
 * shows it in the status bar. Throws `unknown_artifact` and the like, and in Restricted Mode.
 */
export async function giveThumb(
  atWork: LearningAtWork,
  parts: KaizenParts,
  artifact: string,
  thumb: Thumb,
): Promise<Thumb | undefined> {
  const change = atWork.change();
  if (thumbOf(atWork, parts, artifact) === thumb) {
    await takeBackThumb(atWork, parts, artifact);
    return undefined;
  }
  const { learning } = parts;
  const { artifact: artifact_id, artifact_type } = await learning.resolve(artifact);
  await learning.feedback(
    { operation: 'rate', artifact_id, artifact_type, helpful: thumb === 'helpful' },
    { ...change, instead: true },
  );
  const message =
    thumb === 'helpful'
      ? vscode.l10n.t('Noted as helpful. The same click takes it back.')
      : vscode.l10n.t('Noted as not helpful. The same click takes it back.');
  vscode.window.setStatusBarMessage(`$(${thumbIcon(thumb, true)}) ${message}`, SHOWN_MS);
  return thumb;
}

/** Nothing is taken back where nothing was said. */
export async function takeBackThumb(
  atWork: LearningAtWork,
  { learning }: KaizenParts,
  artifact: string,
): Promise<void> {
  const change = atWork.change();
  const own = quickOf(learning.saidBy(atWork.person, artifact));
  await learning.takeBack(
    own.map(({ id }) => id),
    change,
  );
  const message =
    own.length > 0 ? vscode.l10n.t('Taken back: it counts no longer.') : vscode.l10n.t('You have not rated this.');
  vscode.window.setStatusBarMessage(`$(discard) ${message}`, SHOWN_MS);
}

/** The codicon, filled where it is what was said. */
export function thumbIcon(thumb: Thumb, isSaid: boolean): string {
  const name = thumb === 'helpful' ? 'thumbsup' : 'thumbsdown';
  return isSaid ? `${name}-filled` : name;
}

/** What a button with a thumb does. */
export function thumbTooltip(thumb: Thumb, isSaid: boolean): string {
  if (thumb === 'helpful') {
    return isSaid ? vscode.l10n.t('You found this helpful: take back') : vscode.l10n.t('This was helpful');
  }
  return isSaid ? vscode.l10n.t('You found this not helpful: take back') : vscode.l10n.t('This was not helpful');
}
