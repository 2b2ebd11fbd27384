import { isKaizenError } from './core/errors';
import { type Sentence, sentence } from './core/sentence';
import type { KaizenParts } from './opening';
import { type SecretPlace, WriteCheck } from './safety';
import type { TransferRecord } from './transfer';

/** Something stored that looks as if it held a secret. Says where, never what. */
export interface StoredSecret {
  /** For a person: `entry shop/git/commit`, `note 2024-api`. */
  where: Sentence;
  /** Of an entry, a note, or a document of the library. */
  uri?: string | undefined;
  places: SecretPlace[];
}

/** Looks at everything that is stored: entries, overviews, sessions, tasks, notes, the library, what was learned. */
export async function findStoredSecrets(
  { notes, library, learning }: KaizenParts,
  records: readonly TransferRecord[],
  signal?: AbortSignal,
): Promise<StoredSecret[]> {
  const check = new WriteCheck();
  const found: StoredSecret[] = [];
  const look = async (where: Sentence, value: unknown, uri?: string) => {
    const places = await check.places(value, signal);
    if (places.length > 0) found.push({ where, uri, places });
  };
  for (const record of records) await look(whereOf(record), record);
  for (const note of notes.notes()) {
    const text = await orUndefined(async () => (await notes.text(note)).text);
    await look(sentence('note {0}', note.zettel_id), { text }, note.uri);
  }
  for (const { document_id, title, uri } of await library.sources()) {
    await look(sentence('document {0}', title), { text: await orUndefined(() => library.text(document_id)) }, uri);
  }
  for (const [kind, items] of Object.entries(await learning.exportInTurns({}, signal))) {
    if (Array.isArray(items)) for (const item of items) await look(sentence('what was learned, {0}', kind), item);
  }
  return found;
}

const WHERE: { readonly [Type in TransferRecord['type']]: (name: string) => Sentence } = {
  scope: (name) => sentence('scope {0}', name),
  category: (name) => sentence('category {0}', name),
  entry: (name) => sentence('entry {0}', name),
  overview: (name) => sentence('overview {0}', name),
  session: (name) => sentence('session {0}', name),
  progress: (name) => sentence('progress {0}', name),
  task: (name) => sentence('task {0}', name),
};

/** What a record is called to a person. */
export function whereOf(record: TransferRecord): Sentence {
  const named = Object.entries(record).filter(([key]) => /^(?:scope|project|category|keyword|id|name|date)$/.test(key));
  return WHERE[record.type](named.map(([, value]) => String(value).slice(0, 80)).join('/'));
}

/** What is gone meanwhile holds nothing. */
async function orUndefined<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isKaizenError(error)) return undefined;
    throw error;
  }
}
