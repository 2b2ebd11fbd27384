import * as vscode from 'vscode';
import { KNOWLEDGE_SCHEME } from '../../core/knowledge-uri';
import { type EntryKey, entriesTopic } from '../../knowledge';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { versionOf } from './entry-version';
import { documentUri, entryOf, revisionOf } from './uris';

/** Changes that come one right after the other are told as one. */
const PAUSE_MS = 20;
/** In so long an editor is done with a save that was answered. */
const SAVED_MS = 300;
/** How many changes below a watched folder are told one by one; of more, the newest. */
const TOLD_BELOW_FOLDERS = 200;

/**
 * Tells the editor which of the entries that it shows were changed, whoever changed them: only those that are open or
 * watched are looked at, so that it costs the same whether the stores hold ten entries or ten thousand.
 */
export class EntryChanges implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChange = this.changed.event;

  /** By URI: the `mtime` that the editor was told last, undefined where it was told that there is nothing. */
  private readonly told = new Map<string, number | undefined>();
  private readonly watched = new Map<string, { uri: vscode.Uri; times: number }>();
  private readonly topics = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private toldUntil = Date.now();
  private readonly listening: vscode.Disposable;

  constructor(private readonly knowledge: WorkspaceKnowledge) {
    this.listening = knowledge.onDidChange((topics) => {
      for (const topic of topics) this.topics.add(topic);
      this.timer ??= setTimeout(() => void this.tell(), PAUSE_MS);
    });
  }

  /** Notes what the editor was told of an entry. */
  note(uri: vscode.Uri, mtime: number | undefined): void {
    this.told.set(uri.toString(), mtime);
  }

  /** Tells of a change once the editor is done with the save that it is in. */
  tellLater(uri: vscode.Uri): void {
    setTimeout(() => this.changed.fire([{ uri, type: vscode.FileChangeType.Changed }]), SAVED_MS);
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    const id = uri.toString();
    const entry = this.watched.get(id) ?? { uri, times: 0 };
    entry.times++;
    this.watched.set(id, entry);
    return new vscode.Disposable(() => {
      entry.times--;
      if (entry.times === 0) this.watched.delete(id);
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listening.dispose();
    this.changed.dispose();
  }

  private async tell(): Promise<void> {
    this.timer = undefined;
    const topics = new Set(this.topics);
    this.topics.clear();
    const shown = this.shown();
    for (const id of [...this.told.keys()]) if (!shown.has(id)) this.told.delete(id);
    const concerned = [...shown].filter(([, { key }]) => topics.has('*') || topics.has(entriesTopic(key.scope_id)));
    const events = await this.belowFolders(shown);
    for (const [id, { uri, key }] of concerned) {
      const mtime = await this.mtimeOf(key);
      if (this.told.has(id) && this.told.get(id) === mtime && !topics.has('*')) continue;
      const existed = !this.told.has(id) || this.told.get(id) !== undefined;
      this.told.set(id, mtime);
      if (mtime === undefined && !existed) continue;
      const { Created, Changed, Deleted } = vscode.FileChangeType;
      events.push({ uri, type: mtime === undefined ? Deleted : existed ? Changed : Created });
    }
    if (events.length > 0) this.changed.fire(events);
  }

  /** Entries that came, changed or went below folders that are watched: of a workspace that has knowledge as a folder. */
  private async belowFolders(shown: ReadonlyMap<string, unknown>): Promise<vscode.FileChangeEvent[]> {
    const folders = [...this.watched.values()].map(({ uri }) => uri).filter((uri) => !entryOf(uri));
    const since = new Date(this.toldUntil).toISOString();
    this.toldUntil = Date.now();
    if (folders.length === 0) return [];
    const { Created, Changed, Deleted } = vscode.FileChangeType;
    const events = new Map<string, vscode.FileChangeEvent>();
    try {
      const { knowledge } = await this.knowledge.parts();
      for (const change of knowledge.changes({ since, limit: TOLD_BELOW_FOLDERS })) {
        const uri = documentUri(change);
        const isBelow = folders.some(({ path }) => `${uri.path}/`.startsWith(path.endsWith('/') ? path : `${path}/`));
        // The newest change of an entry comes first.
        if (!isBelow || shown.has(uri.toString()) || events.has(uri.toString())) continue;
        const type = change.content === null ? Deleted : change.previous_content === null ? Created : Changed;
        events.set(uri.toString(), { uri, type });
      }
    } catch {
      // The stores cannot be opened: reading will say so.
    }
    return [...events.values()];
  }

  private shown(): Map<string, { uri: vscode.Uri; key: EntryKey }> {
    const uris = [
      ...vscode.workspace.textDocuments.map(({ uri }) => uri).filter(({ scheme }) => scheme === KNOWLEDGE_SCHEME),
      ...[...this.watched.values()].map(({ uri }) => uri),
    ];
    const shown = new Map<string, { uri: vscode.Uri; key: EntryKey }>();
    for (const uri of uris) {
      const key = entryOf(uri);
      if (key && revisionOf(uri) === undefined) shown.set(uri.toString(), { uri, key });
    }
    return shown;
  }

  private async mtimeOf(key: EntryKey): Promise<number | undefined> {
    try {
      const { knowledge } = await this.knowledge.parts();
      return versionOf(knowledge.history(key))?.mtime;
    } catch {
      // Its scope is gone, or the stores cannot be opened: reading it will say which.
      return undefined;
    }
  }
}
