import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { BaseDefinition } from '../../bases';
import type { DiscoverySettings } from '../../discovery';
import { foldersOnDisk } from '../folders-on-disk';
import { type BaseConsent, type BaseFault, type ReadBases, readBases, type SettingPlace } from './base-definitions';
import { discoveryValues } from './discovery-values';

export const BASES_SETTING = 'kaizen.bases';
export const DISCOVERY_SETTING = 'kaizen.discovery';

/** Where the paths of the setting start. */
export function settingPlace(): SettingPlace {
  return { folders: foldersOnDisk().map(({ name, uri }) => ({ name, path: uri.fsPath })), home: homedir() };
}

/** The knowledge bases that person and workspace have set; none in Restricted Mode, where nothing is indexed. */
export function configuredBases(consent: Pick<BaseConsent, 'allows'>): ReadBases {
  if (!vscode.workspace.isTrusted) return { definitions: [], faults: [], outside: [] };
  const settings = vscode.workspace.getConfiguration('kaizen');
  const { globalValue: own = {}, workspaceValue: shared = {} } =
    settings.inspect<Record<string, unknown>>('bases') ?? {};
  // The editor merges what both say of one base: the workspace may have changed where the person's own lies.
  const isOfWorkspace = (name: string) =>
    Object.hasOwn(shared, name) && JSON.stringify(shared[name]) !== JSON.stringify(own[name]);
  const allows = (definition: BaseDefinition) => consent.allows(definition);
  return readBases(settings.get('bases'), settingPlace(), { isOfWorkspace, allows });
}

/** What is set of weights and thresholds; see `discoveryValues`. */
export function discoverySettings(): Partial<DiscoverySettings> {
  const settings = vscode.workspace.getConfiguration(DISCOVERY_SETTING);
  const defaults = settings.inspect<Record<string, unknown>>('boosts')?.defaultValue ?? {};
  return discoveryValues((name) => settings.get<unknown>(name), Object.keys(defaults));
}

/** What is wrong with a base of the setting, in words. */
export function faultInWords(name: string, fault: BaseFault): string {
  switch (fault) {
    case 'bad_name':
      return vscode.l10n.t('{0}: a name consists of letters, digits, ".", "_" and "-".', name);
    case 'reserved_name':
      return vscode.l10n.t('{0}: this name is taken by Kaizen itself.', name);
    case 'same_name':
      return vscode.l10n.t('{0}: another base has this name; case does not count.', name);
    case 'too_many':
      return vscode.l10n.t('{0}: there are too many bases.', name);
    case 'no_object':
    case 'no_path':
      return vscode.l10n.t('{0}: the setting names no path.', name);
    case 'no_folder':
      return vscode.l10n.t('{0}: the path starts from a folder that is not open.', name);
    case 'unknown_variable':
      return vscode.l10n.t('{0}: the path holds a variable that is not known here.', name);
    case 'bad_patterns':
      return vscode.l10n.t('{0}: include and exclude are lists of globs.', name);
  }
}
