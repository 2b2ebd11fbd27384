import * as vscode from 'vscode';
import { describeError } from '../core/errors';
import type { Log } from './log';

/** Where a PostgreSQL database is, and whether its certificate is passed over. */
export interface DatabaseAddress {
  url: string;
  allowUnverifiedTls?: boolean | undefined;
}

/** What is told apart by which database it is. */
export interface DatabaseNames {
  /** Of the secret. */
  secret: string;
  /** The context key that says whether there is one. */
  context: string;
  /** Of the environment: may hold the address. */
  variable: string;
  /** Of the environment: `1` or `true` passes the certificate over. */
  unverifiedVariable: string;
  /** Where the variable may name a folder as well, which is no database. */
  mayNameFolder?: boolean;
  /** For the log, in English: `the registry`. */
  what: string;
}

const SCHEMES = ['postgres:', 'postgresql:'];

/** Whether a text is the address of a PostgreSQL database. */
export function isDatabaseUrl(text: string): boolean {
  return URL.canParse(text) && SCHEMES.includes(new URL(text).protocol);
}

/**
 * Which database the person uses. Its address holds a password, so it is kept in secret storage and shown nowhere, not
 * even to who prints this object; where none is kept, that of the environment counts. Choosing one connects to nothing.
 */
export class DatabaseConnection implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when there is another one, or none, in this window or another one. */
  readonly onDidChange = this.changed.event;
  private readonly disposables: vscode.Disposable[];
  #known: DatabaseAddress | undefined;
  #reading: Promise<DatabaseAddress | undefined> | undefined;

  constructor(
    private readonly names: DatabaseNames,
    private readonly secrets: vscode.SecretStorage,
    private readonly log: Log,
  ) {
    this.disposables = [
      this.changed,
      secrets.onDidChange(({ key }) => {
        if (key === names.secret) this.lookAgain();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.lookAgain()),
    ];
  }

  /** Whether there is one, as far as was looked; see `options`. */
  get isConfigured(): boolean {
    return this.#known !== undefined;
  }

  /** Where it is, without the secret; undefined where there is none. */
  get server(): string | undefined {
    return this.#known && serverOf(this.#known.url);
  }

  /** None in Restricted Mode, where nothing is connected to. */
  async options(): Promise<DatabaseAddress | undefined> {
    this.#reading ??= this.read();
    return this.#reading;
  }

  async choose(options: DatabaseAddress): Promise<void> {
    await this.secrets.store(this.names.secret, JSON.stringify(options));
    this.#reading = undefined;
  }

  async forget(): Promise<void> {
    await this.secrets.delete(this.names.secret);
    this.#reading = undefined;
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private lookAgain(): void {
    this.#reading = undefined;
    void this.options().then(() => this.changed.fire());
  }

  private async read(): Promise<DatabaseAddress | undefined> {
    this.#known = vscode.workspace.isTrusted ? ((await this.kept()) ?? ofEnvironment(this.names)) : undefined;
    void vscode.commands.executeCommand('setContext', this.names.context, this.isConfigured);
    return this.#known;
  }

  /** Where the system's keyring cannot be opened there is none: what lies in files goes on working. */
  private async kept(): Promise<DatabaseAddress | undefined> {
    try {
      return parse(await this.secrets.get(this.names.secret));
    } catch (error) {
      this.log.warn(`The address of ${this.names.what} cannot be read from secret storage: ${describeError(error)}`);
      return undefined;
    }
  }
}

/** `host:port/database as user`: an address as it may be shown. */
export function serverOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  // A sign in the password that is not written as %2F and the like cuts the address short: its parts hold the password.
  if (!url || /[/@]/.test(url.pathname.slice(1)) || url.hash || [...url.searchParams.keys()].join().includes('@')) {
    return vscode.l10n.t('an address that cannot be read');
  }
  const { hostname, port, pathname, username, searchParams: query } = url;
  // The query wins, as it does when the database is connected to.
  const host = query.get('host') || decoded(hostname) || 'localhost';
  const database = decoded(pathname.slice(1)) || 'postgres';
  const place = `${host}:${query.get('port') || port || '5432'}/${database}`;
  const user = query.get('user') || decoded(username);
  return user ? vscode.l10n.t('{0} as {1}', place, user) : place;
}

function ofEnvironment({ variable, unverifiedVariable, mayNameFolder }: DatabaseNames): DatabaseAddress | undefined {
  const { [variable]: url = '', [unverifiedVariable]: word = '' } = process.env;
  if (url === '' || (mayNameFolder && !isDatabaseUrl(url))) return undefined;
  return { url, ...(/^(1|true)$/i.test(word) ? { allowUnverifiedTls: true } : {}) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parse(kept: string | undefined): DatabaseAddress | undefined {
  try {
    const { url, allowUnverifiedTls } = JSON.parse(kept ?? '{}') as Partial<DatabaseAddress>;
    return typeof url === 'string'
      ? { url, ...(allowUnverifiedTls === true ? { allowUnverifiedTls } : {}) }
      : undefined;
  } catch {
    return undefined;
  }
}
