import type { BaseChange, BasesPart } from '../bases';
import type { Disposable } from '../core/disposable';
import {
  entryUri,
  KNOWLEDGE_SCHEME,
  LEARNING_AUTHORITY,
  libraryUri,
  NOTES_AUTHORITY,
  noteUri,
  SCOPES_AUTHORITY,
} from '../core/knowledge-uri';
import { entryOfTopic, moveOfTopic, scopeOfManyEntries } from '../knowledge';
import type { LearningPart } from '../learning';
import type { LibraryPart } from '../library';
import type { NoteRevision, NotesPart } from '../notes';
import type { Area, EndsChange } from '../relations';

/** Files of one change that are looked at one by one; of more, the whole of their knowledge base. */
const MANY = 100;
/** Changes of notes that may come at once. */
const MANY_REVISIONS = 50;

/** The topic of a change that may concern everything in a store. */
const EVERYTHING = '*';

type Listener = (change: EndsChange) => void;

/** Below an address, or all that begins so. */
function below(uri: string): Area {
  return { uri, below: true };
}

const authority = (name: string) => `${KNOWLEDGE_SCHEME}://${name}/`;

/** What entries came, went or moved, as the topics of their stores tell. */
export function onEntriesChanged(
  listen: (listener: (topics: ReadonlySet<string>) => void) => Disposable,
  listener: Listener,
): Disposable {
  return listen((topics) => {
    const touched: Area[] = [];
    const moved: { from: string; to: string }[] = [];
    for (const topic of topics) {
      const key = entryOfTopic(topic);
      const scope = scopeOfManyEntries(topic);
      const move = moveOfTopic(topic);
      if (key) touched.push({ uri: entryUri(key) });
      if (scope !== undefined) touched.push(below(`${authority(SCOPES_AUTHORITY)}${encodeURIComponent(scope)}/`));
      if (move) moved.push({ from: entryUri(move.from), to: entryUri(move.to) });
      if (topic === EVERYTHING) touched.push(below(authority(SCOPES_AUTHORITY)));
    }
    if (touched.length + moved.length > 0) listener({ touched, moved });
  });
}

export function onNodesChanged(bases: BasesPart, listener: Listener): Disposable {
  return bases.onDidChange(({ base, files }: BaseChange) => {
    const whole = authority(base);
    const addresses = files.map((file) => `${whole}${file.split('/').map(encodeURIComponent).join('/')}`);
    const each = addresses.flatMap((uri) => [{ uri }, below(`${uri}#`)]);
    listener({ touched: files.length > MANY ? [below(whole)] : each });
  });
}

/**
 * Notes come, go and are renamed as files: which of them were renamed through here, their revisions tell. A revision is
 * kept just before its files are written, so that one waits until its note is there under the new name.
 */
export function onNotesChanged(notes: NotesPart, listener: Listener): Disposable {
  let last = notes.revisions({ limit: 1 })[0]?.id ?? 0;
  return notes.onDidChange(({ space }) => {
    const moved: { from: string; to: string }[] = [];
    for (const revision of notes.revisions({ limit: MANY_REVISIONS }).reverse()) {
      if (revision.id <= last) continue;
      const moves = movesOf(notes, revision);
      if (moves === undefined) break;
      last = revision.id;
      moved.push(...moves);
    }
    const touched = [space, ...moved.map(({ to }) => spaceOf(to))].map((each) =>
      below(`${authority(NOTES_AUTHORITY)}${each}/`),
    );
    listener({ moved, touched });
  });
}

function spaceOf(uri: string): string {
  return uri.slice(authority(NOTES_AUTHORITY).length).split('/', 1)[0]!;
}

/** The address that a change gave to a note; undefined where its file is not there yet. */
function movesOf(notes: NotesPart, revision: NoteRevision): { from: string; to: string }[] | undefined {
  const { files, space, action, zettel_id } = revision;
  const gone = files.filter(({ after }) => after === null);
  const came = files.filter(({ before }) => before === null);
  const [from, to] = [gone[0], came[0]];
  if (!from || !to || gone.length > 1 || came.length > 1) return [];
  const target = notes.notes(to.space ?? space).find(({ file }) => file === to.file);
  if (!target) return undefined;
  const id = action === 'rename' ? zettel_id : nameOf(from.file);
  const uri = noteUri(from.space ?? space, id);
  return uri === target.uri ? [] : [{ from: uri, to: target.uri }];
}

function nameOf(file: string): string {
  return file
    .slice(file.lastIndexOf('/') + 1)
    .replace(/\.md$/i, '')
    .normalize('NFC');
}

export function onDocumentsChanged(library: LibraryPart, listener: Listener): Disposable {
  return library.onDidChange(({ documents }) => {
    // Another place may have other documents: that is no reason to take anything for gone.
    if (documents === undefined || documents.length === 0) return;
    listener({ touched: documents.flatMap((id) => [{ uri: libraryUri(id) }, below(`${libraryUri(id)}#`)]) });
  });
}

export function onRecordsChanged(learning: Pick<LearningPart, 'onDidChange'>, listener: Listener): Disposable {
  return learning.onDidChange(({ records }) => {
    if (records) listener({ touched: [below(authority(LEARNING_AUTHORITY))] });
  });
}
