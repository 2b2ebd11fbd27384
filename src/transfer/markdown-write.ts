import { Turns } from '../core/turns';
import { DEFINITIONS_FILE, type TextFile, withNames } from './markdown-format';
import { fileNames } from './markdown-names';
import type { EntryRecord, TransferRecord } from './records';
import { serialise } from './serialise';

/**
 * The files of a Markdown folder: what scopes, categories and entries are now. Revisions, deleted entries, overviews,
 * sessions and progress have no place in it (a JSON Lines file holds everything). The same state gives the same files.
 * Yields to the event loop.
 */
export async function* markdownFiles(
  records: readonly TransferRecord[],
  signal?: AbortSignal,
): AsyncGenerator<TextFile> {
  // Loaded here: who only opens a store needs no YAML.
  const { formatEntryText } = await import('../frontmatter');
  const turns = new Turns(signal);
  yield {
    path: DEFINITIONS_FILE,
    text: serialise(records.filter(({ type }) => type === 'scope' || type === 'category')),
  };
  const entries = records.filter((record) => record.type === 'entry').filter(({ content }) => content !== null);
  const scopes = groups(entries, ({ scope }) => scope);
  const scopeNames = fileNames(scopes.keys());
  for (const [scope, inScope] of scopes) {
    const categories = groups(inScope, ({ category }) => category);
    const categoryNames = fileNames(categories.keys());
    for (const [category, inCategory] of categories) {
      const keywords = fileNames(inCategory.map(({ keyword }) => keyword));
      for (const { keyword, content, metaknowledge } of inCategory) {
        await turns.pause();
        const [folder, file] = [categoryNames.get(category)!, keywords.get(keyword)!];
        const document = formatEntryText({ metaknowledge: metaknowledge ?? {}, content: content ?? '' });
        yield {
          path: `${scopeNames.get(scope)!.file}/${folder.file}/${file.file}.md`,
          text: folder.isWhole && file.isWhole ? document : withNames(document, { category, keyword }),
        };
      }
    }
  }
}

/** Only what belongs to these scopes, and the definitions of those that they inherit from. */
export function ofScopes(records: readonly TransferRecord[], scopeIds: ReadonlySet<string>): TransferRecord[] {
  const parents = new Map(records.filter(({ type }) => type === 'scope').map(parentsOf));
  const defined = new Set<string>();
  const add = (id: string) => {
    if (defined.has(id)) return;
    defined.add(id);
    for (const parent of parents.get(id) ?? []) add(parent);
  };
  for (const id of scopeIds) add(id);
  return records.filter((record) => {
    if (record.type === 'scope') return defined.has(record.id);
    return scopeIds.has('scope' in record ? record.scope : record.project);
  });
}

function parentsOf(record: TransferRecord): [id: string, parents: readonly string[]] {
  return record.type === 'scope' ? [record.id, record.parents] : ['', []];
}

function groups(entries: readonly EntryRecord[], by: (entry: EntryRecord) => string): Map<string, EntryRecord[]> {
  const found = new Map<string, EntryRecord[]>();
  for (const entry of entries) {
    const name = by(entry);
    const group = found.get(name);
    if (group) group.push(entry);
    else found.set(name, [entry]);
  }
  return found;
}
