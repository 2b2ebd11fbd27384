import * as vscode from 'vscode';
import { SCOPES_AUTHORITY } from '../../core/knowledge-uri';
import type { EntryKey, KnowledgePart } from '../../knowledge';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import type { EntryChanges } from './entry-changes';
import { isSameEntry, sizeOf, versionOf } from './entry-version';
import { fileSystemError, refusal, unreadable } from './file-system-errors';
import { type LearningDocuments, learnedIn } from './learning-documents';
import { type LibraryDocuments, libraryDocumentOf } from './library-documents';
import { documentUri, entryOf, isProposedSide, namesIn, proposalOf, revisionOf, segmentOf } from './uris';

/** How many names are read before others have their turn. */
const PAGE = 250;

/** A text that is what it is: a revision, a proposal, a document of the library, a captured record. */
interface Fixed {
  text: string;
  at: number;
}

/**
 * Knowledge as folders and files: `knowledge://scopes/<scope>/<category>/<keyword>.md`, an entry's metaknowledge as YAML
 * front matter. Saving writes a revision by the person, renaming moves the entry, deleting deletes it; a text that
 * cannot be read is refused with its line, and changes nothing. Revisions (`?revision=2`), proposals
 * (`knowledge://proposals/…`), the library (`knowledge://library/…`) and what was captured (`knowledge://learning/…`) are
 * there to be read.
 */
export class EntryFileSystem implements vscode.FileSystemProvider {
  readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;
  /** By URI: what was stored otherwise than the editor has it, because a secret was taken out of it. */
  private readonly storedOtherwise = new Set<string>();

  constructor(
    private readonly window: WorkspaceKnowledge,
    private readonly changes: EntryChanges,
    private readonly library: LibraryDocuments,
    private readonly records: LearningDocuments,
  ) {
    this.onDidChangeFile = (listener, self, disposables) => {
      const all = [changes, library, records].map((each) => each.onDidChange(listener, self));
      const together = vscode.Disposable.from(...all);
      disposables?.push(together);
      return together;
    };
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    return this.changes.watch(uri);
  }

  stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return this.attempt(uri, async (knowledge) => {
      const fixed = await this.fixed(uri, knowledge);
      if (fixed) {
        const { at, text } = fixed;
        return { ...file(at, at, Buffer.byteLength(text)), permissions: vscode.FilePermission.Readonly };
      }
      const key = entryOf(uri);
      if (!key) return folder(uri, knowledge);
      const version = existing(uri, key, knowledge);
      this.changes.note(uri, version?.mtime);
      if (!version) throw vscode.FileSystemError.FileNotFound(uri);
      const { formatEntryText } = await import('../../frontmatter');
      const size = sizeOf(Buffer.byteLength(formatEntryText(version)), version.revision);
      // The editor, which asks after it saved, has an older text than what is stored: it is to read it once more.
      const isOlder = this.storedOtherwise.delete(uri.toString());
      if (isOlder) this.changes.tellLater(uri);
      const stat = file(version.ctime, isOlder ? version.mtime - 1 : version.mtime, size);
      return vscode.workspace.isTrusted ? stat : { ...stat, permissions: vscode.FilePermission.Readonly };
    });
  }

  readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    return this.attempt(uri, async (knowledge) => {
      folder(uri, knowledge);
      const [scope, category] = namesIn(uri.path);
      if (scope === undefined) {
        return knowledge.listScopes().map(({ scope_id }) => [segmentOf(scope_id), vscode.FileType.Directory]);
      }
      if (category === undefined) {
        return knowledge.ownCategories(scope).map(({ category: name }) => [segmentOf(name), vscode.FileType.Directory]);
      }
      const files: [string, vscode.FileType][] = [];
      for (let offset = 0; ; offset += PAGE) {
        const entries = knowledge.ownEntries(scope, category, { offset, limit: PAGE });
        for (const entry of entries) files.push([lastSegment(documentUri(entry)), vscode.FileType.File]);
        if (entries.length < PAGE) return files;
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
  }

  readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return this.attempt(uri, async (knowledge) => {
      const fixed = await this.fixed(uri, knowledge);
      if (fixed) return Buffer.from(fixed.text);
      const key = entryOf(uri);
      const version = key && existing(uri, key, knowledge);
      this.changes.note(uri, version?.mtime);
      if (!version) throw key ? vscode.FileSystemError.FileNotFound(uri) : noFile(uri, knowledge);
      const { formatEntryText } = await import('../../frontmatter');
      return Buffer.from(formatEntryText(version));
    });
  }

  writeFile(uri: vscode.Uri, bytes: Uint8Array, options: { create: boolean; overwrite: boolean }): Promise<void> {
    return this.attempt(uri, async (knowledge) => {
      const key = writable(uri);
      const change = this.window.change();
      const text = textOf(bytes);
      const { parseEntryText, lineAt } = await import('../../frontmatter');
      const { metaknowledge, content, faults } = parseEntryText(text);
      if (faults[0]) throw unreadable(lineAt(text, faults[0].range.start), faults[0]);
      const history = knowledge.history(key);
      const before = versionOf(history);
      if (!before && !options.create) throw vscode.FileSystemError.FileNotFound(uri);
      if (before && !options.overwrite) throw vscode.FileSystemError.FileExists(uri);
      if (before && isSameEntry(before, { metaknowledge, content })) return;
      const { scope_id: target_scope_id, category, keyword } = key;
      await knowledge.storeOverwrite(
        { target_scope_id, category, keyword, content, metaknowledge },
        { ...change, base_revision: history.at(-1)?.number ?? 0 },
      );
      const stored = versionOf(knowledge.history(key));
      if (stored && !isSameEntry(stored, { metaknowledge, content })) this.storedOtherwise.add(uri.toString());
    });
  }

  rename(from: vscode.Uri, to: vscode.Uri, { overwrite }: { overwrite: boolean }): Promise<void> {
    return this.attempt(from, async (knowledge) => {
      const [source, target] = [writable(from), writable(to)];
      const change = this.window.change();
      if (!existing(from, source, knowledge)) throw vscode.FileSystemError.FileNotFound(from);
      if (existing(to, target, knowledge)) {
        if (!overwrite) throw vscode.FileSystemError.FileExists(to);
        await knowledge.delete(target, change);
      }
      await knowledge.move(source, target, change);
    });
  }

  delete(uri: vscode.Uri): Promise<void> {
    return this.attempt(uri, async (knowledge) => {
      await knowledge.delete(writable(uri), this.window.change());
    });
  }

  /** A category is there as soon as it holds an entry, so there is nothing to make. */
  createDirectory(uri: vscode.Uri): Promise<void> {
    return this.attempt(uri, async (knowledge) => {
      const names = namesIn(uri.path);
      this.window.change();
      knowledge.scope(names[0] ?? '');
      if (names.length === 2) return;
      throw vscode.FileSystemError.NoPermissions(
        vscode.l10n.t('Knowledge has scopes and, in them, categories: no other folders.'),
      );
    });
  }

  /** The text of a revision, a proposal, a document of the library or a captured record; undefined when the URI names none of them. */
  private async fixed(uri: vscode.Uri, knowledge: KnowledgePart): Promise<Fixed | undefined> {
    const document = libraryDocumentOf(uri);
    if (document !== undefined) return this.library.read(document);
    const record = learnedIn(uri);
    if (record !== undefined) return this.records.read(record);
    const id = proposalOf(uri);
    if (id !== undefined) {
      const { review } = await this.window.parts();
      const [proposal, preview] = [review.proposal(id), await review.preview(id)];
      if (!proposal || !preview) throw vscode.FileSystemError.FileNotFound(uri);
      return { text: isProposedSide(uri) ? preview.after : preview.before, at: Date.parse(proposal.at) };
    }
    const number = revisionOf(uri);
    const key = number === undefined ? undefined : entryOf(uri);
    if (!key) return undefined;
    const history = knowledge.history(key);
    // Before the first revision there was nothing, as there is after a deletion.
    const revision = history.find((each) => each.number === number);
    if (history.length === 0 || (!revision && number !== 0)) throw vscode.FileSystemError.FileNotFound(uri);
    const { formatEntryText } = await import('../../frontmatter');
    const { content = null, metaknowledge = null, at = history[0]!.at } = revision ?? {};
    const text = content === null ? '' : formatEntryText({ content, metaknowledge: metaknowledge ?? {} });
    return { text, at: Date.parse(at) };
  }

  private async attempt<T>(uri: vscode.Uri, action: (knowledge: KnowledgePart) => T | Promise<T>): Promise<T> {
    try {
      return await action((await this.window.parts()).knowledge);
    } catch (error) {
      throw fileSystemError(error, uri);
    }
  }
}

function file(ctime: number, mtime: number, size: number): vscode.FileStat {
  return { type: vscode.FileType.File, ctime, mtime, size };
}

/** The root, a scope, or a category that holds something; anything else is not there. */
function folder(uri: vscode.Uri, knowledge: KnowledgePart): vscode.FileStat {
  const [scope, category, ...more] = namesIn(uri.path);
  const isThere =
    uri.authority === SCOPES_AUTHORITY &&
    more.length === 0 &&
    (scope === undefined || knowledge.scope(scope)) &&
    (category === undefined || knowledge.ownCategories(scope!).some((each) => each.category === category));
  if (!isThere) throw vscode.FileSystemError.FileNotFound(uri);
  return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
}

function noFile(uri: vscode.Uri, knowledge: KnowledgePart): Error {
  folder(uri, knowledge);
  return vscode.FileSystemError.FileIsADirectory(uri);
}

/** Only under the one address that the entry has: names are stored without the spaces around them. */
function existing(uri: vscode.Uri, key: EntryKey, knowledge: KnowledgePart) {
  return documentUri(key).path === uri.path && isTrimmed(key) ? versionOf(knowledge.history(key)) : undefined;
}

function writable(uri: vscode.Uri): EntryKey {
  const key = entryOf(uri);
  if (key && revisionOf(uri) === undefined && isTrimmed(key) && documentUri(key).path === uri.path) return key;
  throw vscode.FileSystemError.NoPermissions(
    libraryDocumentOf(uri) !== undefined
      ? vscode.l10n.t('This is what a source says: it can only be read.')
      : learnedIn(uri) !== undefined
        ? vscode.l10n.t('What was captured is changed by its own commands: here it can only be read.')
        : proposalOf(uri) !== undefined || revisionOf(uri) !== undefined
          ? vscode.l10n.t('This is what was or might be: it can only be read.')
          : vscode.l10n.t(
              'Only entries can be written, as <scope>/<category>/<keyword>.md; scopes have commands of their own.',
            ),
  );
}

function isTrimmed({ category, keyword }: EntryKey): boolean {
  return category === category.trim() && keyword === keyword.trim();
}

function lastSegment(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

/** Another encoding would be stored with its letters replaced. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal(
      vscode.l10n.t('Entries are kept in UTF-8. Save this document with that encoding (in the status bar).'),
    );
  }
}
