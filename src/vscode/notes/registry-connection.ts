import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import type { RegistryOptions } from '../../notes';
import type { Log } from '../log';

const SECRET = 'kaizen.registry';
const CONTEXT = 'kaizen.registryConnected';

/**
 * Which registry the person uses. Its address holds a password, so it is kept in secret storage and shown nowhere, not
 * even to who prints this object; where none is kept, that of the environment (`KAIZEN_REGISTRY_URL`) counts. Choosing
 * one connects to nothing.
 */
export class RegistryConnection implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when there is another registry, or none, in this window or another one. */
  readonly onDidChange = this.changed.event;
  private readonly disposables: vscode.Disposable[];
  #known: RegistryOptions | undefined;
  #reading: Promise<RegistryOptions | undefined> | undefined;

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly log: Log,
  ) {
    this.disposables = [
      this.changed,
      secrets.onDidChange(({ key }) => {
        if (key === SECRET) this.lookAgain();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.lookAgain()),
    ];
  }

  /** Whether there is one, as far as was looked; see `options`. */
  get isConfigured(): boolean {
    return this.#known !== undefined;
  }

  /** Where the registry is, without the secret; undefined where there is none. */
  get server(): string | undefined {
    return this.#known && serverOf(this.#known.url);
  }

  /** None in Restricted Mode, where nothing is connected to. */
  async options(): Promise<RegistryOptions | undefined> {
    this.#reading ??= this.read();
    return this.#reading;
  }

  async choose(options: RegistryOptions): Promise<void> {
    await this.secrets.store(SECRET, JSON.stringify(options));
    this.#reading = undefined;
  }

  async forget(): Promise<void> {
    await this.secrets.delete(SECRET);
    this.#reading = undefined;
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private lookAgain(): void {
    this.#reading = undefined;
    void this.options().then(() => this.changed.fire());
  }

  private async read(): Promise<RegistryOptions | undefined> {
    this.#known = vscode.workspace.isTrusted ? ((await this.kept()) ?? ofEnvironment()) : undefined;
    void vscode.commands.executeCommand('setContext', CONTEXT, this.isConfigured);
    return this.#known;
  }

  /** Where the system's keyring cannot be opened there is none: what lies in files goes on working. */
  private async kept(): Promise<RegistryOptions | undefined> {
    try {
      return parse(await this.secrets.get(SECRET));
    } catch (error) {
      this.log.warn(`The address of the registry cannot be read from secret storage: ${describeError(error)}`);
      return undefined;
    }
  }
}

/** `host:port/database as user`: an address of a registry as it may be shown. */
export function serverOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  // A sign in the password that is not written as %2F and the like cuts the address short: its parts hold the password.
  if (!url || /[/@]/.test(url.pathname.slice(1)) || url.hash || [...url.searchParams.keys()].join().includes('@')) {
    return vscode.l10n.t('an address that cannot be read');
  }
  const { hostname, port, pathname, username, searchParams: query } = url;
  // The query wins, as it does when the registry is connected to.
  const host = query.get('host') || decoded(hostname) || 'localhost';
  const database = decoded(pathname.slice(1)) || 'postgres';
  const place = `${host}:${query.get('port') || port || '5432'}/${database}`;
  const user = query.get('user') || decoded(username);
  return user ? vscode.l10n.t('{0} as {1}', place, user) : place;
}

function ofEnvironment(): RegistryOptions | undefined {
  const { KAIZEN_REGISTRY_URL: url, KAIZEN_REGISTRY_UNVERIFIED_TLS: word } = process.env;
  return url
    ? { url, ...(word === '1' || word?.toLowerCase() === 'true' ? { allowUnverifiedTls: true } : {}) }
    : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parse(kept: string | undefined): RegistryOptions | undefined {
  try {
    const { url, allowUnverifiedTls } = JSON.parse(kept ?? '{}') as Partial<RegistryOptions>;
    return typeof url === 'string'
      ? { url, ...(allowUnverifiedTls === true ? { allowUnverifiedTls } : {}) }
      : undefined;
  } catch {
    return undefined;
  }
}
