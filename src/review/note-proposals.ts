import { createHash } from 'node:crypto';
import { isKaizenError, KaizenError } from '../core/errors';
import { allOf, type Sentence, sentence } from '../core/sentence';
import { Turns } from '../core/turns';
import type { Change } from '../knowledge';
import type { NoteChange, NotePreview, NotesPart, NoteWrite, WriteResult } from '../notes';
import type { NoteProposal, ProposalPreview } from './model';

/** Files that a preview shows; of a rename that a thousand notes follow nobody reads more. */
const MAX_SHOWN = 50;

/** What notes a write is about, on one line. */
export function noteTitle(write: NoteWrite): string {
  switch (write.action) {
    case 'create':
      return write.input.zettel_id;
    case 'create_collection':
      return write.input.name;
    case 'link':
    case 'unlink':
      return write.from_zettel_id;
    case 'update_collection':
    case 'delete_collection':
      return write.id;
    default:
      return write.zettel_id;
  }
}

/**
 * The write as it waits: checked as making it would, with a hash of the files that it would change. Throws as
 * `NotesPart.preview`.
 */
export async function keptProposal(
  notes: NotesPart,
  proposal: NoteProposal,
  agent: string,
  signal?: AbortSignal,
): Promise<NoteProposal> {
  const write = writeOf(proposal);
  const files_hash = await hashOf(await notes.preview(write, signal, agent), signal);
  return { ...withoutHash(write), files_hash };
}

/**
 * Makes a write that was accepted. Throws `confirmation_required` where its files were changed since it was proposed, or
 * the registry or a space has another text in its place, unless `confirmed`.
 */
export async function performProposal(
  notes: NotesPart,
  proposal: NoteProposal,
  { author, reason, signal }: Pick<Change, 'author' | 'reason' | 'signal'>,
  confirmed: boolean,
): Promise<void> {
  const write = writeOf(proposal);
  if (!confirmed && (await hashOf(await notes.preview(write, signal), signal)) !== proposal.files_hash) {
    throw changedSince(write, author);
  }
  const change: NoteChange = { author, by_agent: true, reason, signal };
  const result = await notes.write(decided(notes, write, confirmed), change).catch((error: unknown) => {
    // What is changed between looking and writing.
    if (!confirmed && isKaizenError(error) && error.code === 'conflict') throw changedSince(write, author, error);
    throw error;
  });
  const refusal = refusalOf(result);
  if (refusal === undefined) return;
  if (confirmed) throw new KaizenError('conflict', refusal, sentence('Compare the two, and propose it anew.'));
  throw new KaizenError('confirmation_required', refusal, sentence('Confirm to write the proposal all the same.'));
}

/** What the write would do now, as two texts; what it says where it cannot be made any more. */
export async function notePreviewOf(notes: NotesPart, proposal: NoteProposal): Promise<ProposalPreview> {
  const write = writeOf(proposal);
  const title = noteTitle(write);
  try {
    const { files } = await notes.preview(write);
    return { title, ...(files.length === 0 ? { before: '', after: textOf(write) } : textsOf(files)) };
  } catch (error) {
    // Accepting will say what stands in the way.
    if (!isKaizenError(error)) throw error;
    return { title, before: await storedText(notes, write), after: textOf(write) };
  }
}

/** What there is of the note; empty where there is none. */
async function storedText(notes: NotesPart, write: NoteWrite): Promise<string> {
  const { location } = { location: undefined, ...write };
  if (location === 'registry') return '';
  try {
    return (await notes.text(notes.resolve({ zettel_id: noteTitle(write), space: location }))).text;
  } catch (error) {
    if (!isKaizenError(error)) throw error;
    return '';
  }
}

/**
 * Whether a write that was cut off had been made: its mark stands in the reason of a revision, which is kept just before
 * the files are written, and making it again would change nothing, or is not possible.
 */
export async function isNoteWritten(
  notes: NotesPart,
  proposal: NoteProposal,
  author: string,
  isMarked: (reason: string) => boolean,
): Promise<boolean> {
  const isBegun = notes
    .revisions({ limit: 1_000 })
    .some((revision) => revision.by_agent && revision.author === author && isMarked(revision.reason ?? ''));
  if (!isBegun) return false;
  try {
    const { files } = await notes.preview(writeOf(proposal));
    return files.every(({ before, after }) => before === after);
  } catch (error) {
    // The id is taken, the note is gone.
    if (!isKaizenError(error)) throw error;
    return true;
  }
}

function writeOf({ files_hash: _, ...write }: NoteProposal): NoteWrite {
  return write;
}

/** What the agent knew of a file was checked just now; from here on the hash of all files counts. */
function withoutHash(write: NoteWrite): NoteWrite {
  if ((write.action !== 'update' && write.action !== 'delete') || write.location === 'registry') return write;
  const { content_hash: _, ...rest } = write;
  return rest;
}

/** A person has looked at what is there now, so that what the agent knew of it does not count any more. */
function decided(notes: NotesPart, write: NoteWrite, confirmed: boolean): NoteWrite {
  switch (write.action) {
    case 'update':
    case 'delete': {
      if (write.location === 'registry') return write;
      const { content_hash } = notes.resolve({ zettel_id: write.zettel_id, space: write.location });
      return { ...write, content_hash };
    }
    case 'publish':
      return confirmed ? { ...write, confirmed } : write;
    case 'download':
      return confirmed ? { ...write, overwrite: true } : write;
    default:
      return write;
  }
}

/** What was not written, and why; undefined when all was. */
function refusalOf(result: WriteResult): Sentence | string | undefined {
  if (result.action === 'publish' && result.status === 'conflict') return result.conflict.message;
  if (result.action !== 'download') return undefined;
  const kept = result.downloads.filter(({ status }) => status === 'conflict').map(({ path }) => `"${path}"`);
  return kept.length === 0 ? undefined : sentence('{0} has another text than the registry.', allOf(kept));
}

function changedSince(write: NoteWrite, author: string, cause?: unknown): KaizenError {
  return new KaizenError(
    'confirmation_required',
    sentence('"{0}" was changed since {1} proposed this.', noteTitle(write), author),
    sentence('Compare the two, and confirm to write the proposal all the same.'),
    { cause },
  );
}

async function hashOf({ files }: NotePreview, signal: AbortSignal | undefined): Promise<string> {
  const turns = new Turns(signal);
  const hash = createHash('sha256');
  for (const { space, file, before } of files) {
    hash.update(JSON.stringify([space, file, before ?? null]));
    await turns.pause();
  }
  return hash.digest('hex');
}

// ── Texts ──────────────────────────────────────────────────────────────────────────────────────────────────────────

type Files = NotePreview['files'];

/** One file as it is; of several each below its path, and of those that are changed in some lines only these. */
function textsOf(files: Files): { before: string; after: string } {
  const [file] = files;
  if (file && files.length === 1) return { before: file.before ?? '', after: file.after ?? '' };
  const shown = files.slice(0, MAX_SHOWN);
  const more = files.length - shown.length;
  const rest = more === 0 ? '' : `And ${more} more.\n`;
  const side = (name: 'before' | 'after') =>
    [...shown.flatMap((each) => sectionOf(each, name)), ...(rest ? [rest] : [])].join('\n');
  return { before: side('before'), after: side('after') };
}

function sectionOf({ space, file, before, after }: Files[number], side: 'before' | 'after'): string[] {
  const text = side === 'before' ? before : after;
  if (text === undefined) return [];
  const heading = `# ${space}: ${file}\n`;
  if (before === undefined || after === undefined) return [`${heading}\n${text.trimEnd()}\n`];
  const [old, now] = [linesOf(before), linesOf(after)];
  if (old.length !== now.length) return [`${heading}\n${text.trimEnd()}\n`];
  const lines = (side === 'before' ? old : now).flatMap((line, at) =>
    old[at] === now[at] ? [] : [`${at + 1}: ${line}`],
  );
  return [`${heading}\n${lines.join('\n')}\n`];
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Of a write that changes no file here, or cannot be made now. */
function textOf(write: NoteWrite): string {
  switch (write.action) {
    case 'create':
      return `# ${write.input.title}\n\n${write.input.content.trimEnd()}\n`;
    case 'update':
      return write.patch.content ?? fieldsOf(write.patch);
    case 'create_collection':
      return fieldsOf(write.input);
    case 'update_collection':
      return fieldsOf(write.patch);
    case 'delete':
    case 'delete_collection':
      return '';
    default: {
      const { action: _, ...fields } = write;
      return fieldsOf(fields);
    }
  }
}

function fieldsOf(fields: object): string {
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`],
  );
  return `${lines.join('\n')}\n`;
}
