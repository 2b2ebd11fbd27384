import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { DiscoverySettings } from '../../discovery';
import { type BaseFault, type ReadBases, readBases, type SettingPlace } from './base-definitions';

export const BASES_SETTING = 'kaizen.bases';
export const DISCOVERY_SETTING = 'kaizen.discovery';

/** Where the paths of the setting start. */
export function settingPlace(): SettingPlace {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return { folders: folders.map(({ name, uri }) => ({ name, path: uri.fsPath })), home: homedir() };
}

/** The knowledge bases that person and workspace have set; none in Restricted Mode, where nothing is indexed. */
export function configuredBases(): ReadBases {
  if (!vscode.workspace.isTrusted) return { definitions: [], faults: [] };
  return readBases(vscode.workspace.getConfiguration('kaizen').get('bases'), settingPlace());
}

/** What is set of weights and thresholds; what is not, or is no number, keeps its default. */
export function discoverySettings(): Partial<DiscoverySettings> {
  const settings = vscode.workspace.getConfiguration(DISCOVERY_SETTING);
  const number = (name: string, least: number, most: number) => {
    const value = settings.get<unknown>(name);
    return typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : undefined;
  };
  const given = {
    default_max_results: number('maxResults', 1, 50),
    min_relevance_threshold: number('minRelevance', 0, 1),
    boost_active_status: number('activeBoost', 0, 10),
    boost_recent_update_days: number('recentDays', 0, 36_500),
    boost_recent_update_factor: number('recentBoost', 0, 10),
    boosts: boostsOf(settings.get<unknown>('boosts')),
  };
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<DiscoverySettings>;
}

/** What is wrong with a base of the setting, in words. */
export function faultInWords(name: string, fault: BaseFault): string {
  switch (fault) {
    case 'bad_name':
      return vscode.l10n.t('{0}: a name consists of letters, digits, ".", "_" and "-".', name);
    case 'reserved_name':
      return vscode.l10n.t('{0}: this name is taken by Kaizen itself.', name);
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

/** Only the factors that are numbers; the domain knows which task types there are. */
function boostsOf(value: unknown): DiscoverySettings['boosts'] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const rows = Object.entries(value).map(([task, factors]) => [
    task,
    Object.fromEntries(
      Object.entries((typeof factors === 'object' && factors) || {}).filter(
        ([, factor]) => typeof factor === 'number' && factor >= 0 && factor <= 10,
      ),
    ),
  ]);
  return Object.fromEntries(rows) as DiscoverySettings['boosts'];
}
