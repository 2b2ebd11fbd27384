import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { WebSettings } from '../../library';
import { isDatabaseUrl } from '../database-connection';

export const LIBRARY_SETTING = 'kaizen.library';
export const WEB_SETTING = 'kaizen.library.web';
/** Whether the person is told when a document is asked for. */
export const NOTIFY_SETTING = 'kaizen.library.notifyRequests';

/** The folder that setting or environment (`KAIZEN_LIBRARY`) name; undefined means the one beside the shared store. */
export function configuredFolder(): string | undefined {
  const value = vscode.workspace.getConfiguration(LIBRARY_SETTING).get<unknown>('place');
  const named = typeof value === 'string' && value.trim() !== '' ? value.trim() : (process.env.KAIZEN_LIBRARY ?? '');
  if (named === '' || isDatabaseUrl(named)) return undefined;
  const folder = named === '~' || /^~[/\\]/.test(named) ? path.join(homedir(), named.slice(1)) : named;
  // A relative one would lie somewhere else in each window.
  return path.isAbsolute(folder) ? folder : undefined;
}

/** What the settings say of the web, without the key. Nothing is fetched in Restricted Mode. */
export function configuredWeb(): Partial<WebSettings> {
  const settings = vscode.workspace.getConfiguration(WEB_SETTING);
  const { rateLimit, allowedDomains, searchEndpoint } = {
    rateLimit: settings.get<unknown>('rateLimit'),
    allowedDomains: settings.get<unknown>('allowedDomains'),
    searchEndpoint: settings.get<unknown>('searchEndpoint'),
  };
  const url = typeof searchEndpoint === 'string' ? searchEndpoint.trim() : '';
  const kind = settings.get<unknown>('searchKind') === 'brave' ? 'brave' : 'searxng';
  return {
    enabled: vscode.workspace.isTrusted && settings.get<unknown>('enabled') !== false,
    ...(typeof rateLimit === 'number' && rateLimit > 0 ? { rateLimit } : {}),
    allowedDomains: Array.isArray(allowedDomains)
      ? allowedDomains.flatMap((each) => (typeof each === 'string' && each.trim() !== '' ? [each.trim()] : []))
      : [],
    allowPrivateAddresses: settings.get<unknown>('allowPrivateAddresses') === true,
    search: URL.canParse(url) ? { kind, url } : undefined,
  };
}
