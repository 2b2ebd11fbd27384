import type * as vscode from 'vscode';
import { entryPath, parseEntryPath } from '../../core/knowledge-uri';
import type { EntryKey, FileWarning } from '../../knowledge';

const STATE = 'kaizen.warnings.dismissed';
/** Of each kind; beyond it the oldest are forgotten, and their warnings come back. */
const MAX_REMEMBERED = 1_000;

/** What a person does not want to see again in this workspace: lists of `[entry, what]`, oldest first. */
interface Dismissed {
  /** With the revision that was acknowledged. */
  acknowledged: [entry: string, revision: number][];
  /** With the address of the file. */
  muted: [entry: string, file: string][];
}

/** Warnings that a person has acknowledged (until the entry changes) or muted for a file, kept in this workspace. */
export class Dismissals {
  private readonly dismissed: Dismissed;

  constructor(private readonly state: vscode.Memento) {
    this.dismissed = readState(state.get(STATE));
  }

  /** How many warnings are kept back. */
  get size(): number {
    return this.dismissed.acknowledged.length + this.dismissed.muted.length;
  }

  isDismissed(warning: FileWarning, file: vscode.Uri): boolean {
    if (this.size === 0) return false;
    const entry = entryPath(keyOf(warning));
    return (
      this.dismissed.acknowledged.some(([id, revision]) => id === entry && revision === warning.revision) ||
      this.dismissed.muted.some(([id, path]) => id === entry && path === file.toString())
    );
  }

  async acknowledge(key: EntryKey, revision: number): Promise<void> {
    const entry = entryPath(key);
    const others = this.dismissed.acknowledged.filter(([id]) => id !== entry);
    this.dismissed.acknowledged = [...others, [entry, revision] as [string, number]].slice(-MAX_REMEMBERED);
    await this.save();
  }

  async mute(key: EntryKey, file: vscode.Uri): Promise<void> {
    const [entry, path] = [entryPath(key), file.toString()];
    const others = this.dismissed.muted.filter(([id, other]) => id !== entry || other !== path);
    this.dismissed.muted = [...others, [entry, path] as [string, string]].slice(-MAX_REMEMBERED);
    await this.save();
  }

  /** Takes back what was done last about this entry: its acknowledgement, or its being muted for the file. */
  async takeBack(key: EntryKey, file?: vscode.Uri): Promise<void> {
    const entry = entryPath(key);
    if (file) this.dismissed.muted = this.dismissed.muted.filter(([id, at]) => id !== entry || at !== file.toString());
    else this.dismissed.acknowledged = this.dismissed.acknowledged.filter(([id]) => id !== entry);
    await this.save();
  }

  /** Gives how many were kept back. */
  async clear(): Promise<number> {
    const { size } = this;
    Object.assign(this.dismissed, { acknowledged: [], muted: [] });
    await this.save();
    return size;
  }

  /** Forgets what is about entries that are gone. */
  async prune(exists: (key: EntryKey) => boolean): Promise<void> {
    const before = this.size;
    const stays = (id: string) => {
      const key = parseEntryPath(id);
      return key !== undefined && exists(key);
    };
    this.dismissed.acknowledged = this.dismissed.acknowledged.filter(([id]) => stays(id));
    this.dismissed.muted = this.dismissed.muted.filter(([id]) => stays(id));
    if (this.size !== before) await this.save();
  }

  private async save(): Promise<void> {
    await this.state.update(STATE, this.size > 0 ? this.dismissed : undefined);
  }
}

/** Where the entry of a warning stands. */
export function keyOf({ source_scope, category, keyword }: FileWarning): EntryKey {
  return { scope_id: source_scope, category, keyword };
}

/** What an older or a foreign version wrote is passed over. */
function readState(value: unknown): Dismissed {
  const { acknowledged, muted } = (value ?? {}) as Record<string, unknown>;
  const pairs = <T>(list: unknown, type: 'number' | 'string') =>
    (Array.isArray(list) ? list : []).filter(
      (pair): pair is [string, T] => Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === type,
    );
  return { acknowledged: pairs<number>(acknowledged, 'number'), muted: pairs<string>(muted, 'string') };
}
