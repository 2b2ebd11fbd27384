import * as vscode from 'vscode';
import type { LibraryPlace, WebSettings } from '../../library';
import { DatabaseConnection } from '../database-connection';
import type { Log } from '../log';
import { configuredFolder, configuredWeb, LIBRARY_SETTING } from './settings';

/** Keys are kept by the server that they are for: another address in the settings never gets them. */
const KEY_PREFIX = 'kaizen.library.search.key:';

/**
 * Where the person has the library, and how it may ask the web. The settings belong to the machine, so that no workspace
 * can have anything read or fetched; addresses and keys lie in the editor's secret storage.
 */
export class LibraryChoice implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when the place, the web's settings or a key have changed. */
  readonly onDidChange = this.changed.event;
  /** The PostgreSQL database that is used in place of a folder. */
  readonly connection: DatabaseConnection;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly secrets: vscode.SecretStorage,
    log: Log,
  ) {
    const names = {
      secret: 'kaizen.library',
      context: 'kaizen.libraryConnected',
      variable: 'KAIZEN_LIBRARY',
      unverifiedVariable: 'KAIZEN_LIBRARY_UNVERIFIED_TLS',
      mayNameFolder: true,
      what: 'the library',
    };
    this.connection = new DatabaseConnection(names, secrets, log);
    this.disposables = [
      this.changed,
      this.connection,
      this.connection.onDidChange(() => this.changed.fire()),
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(KEY_PREFIX)) this.changed.fire();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(LIBRARY_SETTING)) this.changed.fire();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.fire()),
    ];
  }

  /** Undefined means the folder beside the shared store. */
  async place(): Promise<LibraryPlace | undefined> {
    const address = await this.connection.options();
    if (address) return address;
    const directory = configuredFolder();
    return directory === undefined ? undefined : { directory };
  }

  async web(): Promise<Partial<WebSettings>> {
    const web = configuredWeb();
    if (!web.search) return web;
    const key = await this.searchKey(web.search.url);
    return key ? { ...web, search: { ...web.search, key } } : web;
  }

  /** The key for the search endpoint of that address. */
  async searchKey(url: string): Promise<string | undefined> {
    const name = secretName(url);
    return (name && (await this.secrets.get(name))) || process.env.KAIZEN_WEB_SEARCH_KEY || undefined;
  }

  /** Writes the search endpoint into the person's own settings, and its key into secret storage; none switches it off. */
  async chooseSearch(search: WebSettings['search']): Promise<void> {
    const settings = vscode.workspace.getConfiguration(LIBRARY_SETTING);
    const write = (name: string, value: unknown) => settings.update(name, value, vscode.ConfigurationTarget.Global);
    const name = search && secretName(search.url);
    // The key first: with the address, the search begins to use it.
    if (name && search?.key) await this.secrets.store(name, search.key);
    if (search) await write('web.searchKind', search.kind);
    await write('web.searchEndpoint', search?.url);
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }
}

/** Undefined for what is no address. */
function secretName(url: string): string | undefined {
  return URL.canParse(url) ? KEY_PREFIX + new URL(url).origin : undefined;
}
