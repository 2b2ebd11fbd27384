import * as vscode from 'vscode';
import type { EmbeddingOptions } from '../../search';

const EMBEDDINGS_SETTING = 'kaizen.embeddings';
/** Keys are kept by the server that they are for: another address in the settings never gets them. */
const KEY_PREFIX = 'kaizen.embeddings.key:';

/**
 * Which embedder the person has chosen. The settings belong to the machine, so that no workspace can have texts sent
 * anywhere; the key lies in the editor's secret storage, or comes from KAIZEN_EMBEDDINGS_KEY.
 */
export class EmbeddingChoice implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when settings or key have changed. */
  readonly onDidChange = this.changed.event;
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly secrets: vscode.SecretStorage) {
    this.disposables = [
      this.changed,
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(KEY_PREFIX)) this.changed.fire();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(EMBEDDINGS_SETTING)) this.changed.fire();
      }),
    ];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  get provider(): EmbeddingOptions['provider'] {
    const provider = this.settings.get<unknown>('provider');
    return provider === 'endpoint' || provider === 'local' ? provider : 'none';
  }

  get url(): string {
    return this.text('url');
  }

  get model(): string {
    return this.text('model');
  }

  /** What the settings say, with the key. `none` in Restricted Mode, and as long as an endpoint has no address. */
  async options(): Promise<EmbeddingOptions> {
    const { provider, url, model } = this;
    if (!vscode.workspace.isTrusted || provider === 'none') return { provider: 'none' };
    if (provider === 'local') return { provider };
    if (url === '' || model === '') return { provider: 'none' };
    const dimensions = this.settings.get<unknown>('dimensions');
    const isNumber = typeof dimensions === 'number' && Number.isInteger(dimensions) && dimensions > 0;
    return { provider, url, model, key: await this.key(url), dimensions: isNumber ? dimensions : undefined };
  }

  /** The key for the server of that address. */
  async key(url: string): Promise<string | undefined> {
    const name = secretName(url);
    return (name && (await this.secrets.get(name))) || process.env.KAIZEN_EMBEDDINGS_KEY || undefined;
  }

  /** Keeps a key for the server of that address. */
  async keepKey(url: string, key: string): Promise<void> {
    const name = secretName(url);
    if (name) await this.secrets.store(name, key);
  }

  /** Forgets all keys, also of servers that were used before. Gives the servers. */
  async forgetKeys(): Promise<string[]> {
    const names = (await this.secrets.keys()).filter((name) => name.startsWith(KEY_PREFIX));
    for (const name of names) await this.secrets.delete(name);
    return names.map((name) => name.slice(KEY_PREFIX.length));
  }

  /** Writes the choice into the person's own settings. */
  async choose(options: EmbeddingOptions): Promise<void> {
    const write = (name: string, value: unknown) =>
      this.settings.update(name, value, vscode.ConfigurationTarget.Global);
    if (options.provider === 'endpoint') {
      await write('url', options.url);
      await write('model', options.model);
    }
    await write('provider', options.provider);
  }

  private get settings(): vscode.WorkspaceConfiguration {
    return vscode.workspace.getConfiguration(EMBEDDINGS_SETTING);
  }

  private text(name: string): string {
    const value = this.settings.get<unknown>(name);
    return typeof value === 'string' ? value.trim() : '';
  }
}

/** Undefined for what is no address. */
function secretName(url: string): string | undefined {
  return URL.canParse(url) ? KEY_PREFIX + new URL(url).origin : undefined;
}
