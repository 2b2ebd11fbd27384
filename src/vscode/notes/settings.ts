import * as vscode from 'vscode';
import { settingPlace } from '../bases/settings';
import { type FolderFault, type ReadSpaces, readSpaces } from './space-folders';

export const NOTES_SETTING = 'kaizen.notes';

/** Where the settings say that notes lie; nowhere in Restricted Mode, where nothing is indexed. */
export function configuredSpaces(consent: { allows(root: string): boolean }): ReadSpaces {
  if (!vscode.workspace.isTrusted) return { spaces: {}, faults: [] };
  const settings = vscode.workspace.getConfiguration(NOTES_SETTING);
  const { workspaceValue, globalValue } = settings.inspect<unknown>('projectFolder') ?? {};
  const own = settings.inspect<unknown>('userFolder');
  return readSpaces(
    {
      project: settings.get<unknown>('projectFolder'),
      user: own?.globalValue ?? process.env.KAIZEN_USER_NOTES ?? own?.defaultValue,
      isOfWorkspace: workspaceValue !== undefined && workspaceValue !== globalValue,
      allows: (root) => consent.allows(root),
    },
    settingPlace(),
  );
}

/** What is wrong with a folder of the settings, in words. */
export function folderFaultInWords(fault: FolderFault): string {
  switch (fault) {
    case 'no_folder':
      return vscode.l10n.t('The path starts from a folder that is not open.');
    case 'unknown_variable':
      return vscode.l10n.t('The path holds a variable that is not known here.');
    case 'not_absolute':
      return vscode.l10n.t('The path has to be absolute or to begin with ~.');
    case 'same_folder':
      return vscode.l10n.t('Your own notes lie in the same folder.');
    case 'unusable':
      return vscode.l10n.t('This is no path.');
  }
}
