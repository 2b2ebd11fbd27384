import { describeError, isKaizenError, KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import type { WriteCheck } from '../../safety';
import { type ChangeWriter, previewOf } from '../changes';
import { checkId, editFrontMatter, idFault } from '../format';
import type { Note, NoteChange, NotePreview, PublishConflict, PublishResult, WriteResult } from '../model';
import type { Performer, WriteOf } from '../performer';
import type { PublishOutcome, PublishRequest } from '../registry/model';
import { type LocalNote, type LocalSpaces, readLocal } from './local-note';
import { comparable, comparableHash } from './same-text';
import type { SharedRegistry } from './shared-registry';

/** How often the version is written into a file that changes at just this moment. */
const TRIES = 3;

type Refused = Extract<PublishOutcome, { status: 'conflict' }>;

/**
 * Publishes notes of the spaces. The registry comes first, then the version is written into the note's file: when that
 * is cut off in between, publishing again finds the same text there and writes the version only.
 */
export class Publishing implements Performer<WriteOf<'publish'>> {
  constructor(
    private readonly spaces: LocalSpaces,
    private readonly writer: ChangeWriter,
    private readonly shared: SharedRegistry,
    private readonly check: WriteCheck,
  ) {}

  async perform(write: WriteOf<'publish'>, change: NoteChange): Promise<WriteResult> {
    return { action: 'publish', ...(await this.publish(write, change)) };
  }

  /** What it would write into the file, as the registry is now. Throws `conflict` where it would be refused. */
  async preview(write: WriteOf<'publish'>, signal?: AbortSignal): Promise<NotePreview> {
    const local = await this.local(write, signal);
    const registry = await this.shared.open();
    const { nextVersion, FIRST_VERSION } = await this.shared.room();
    const latest = await registry.get(local.note.zettel_id, undefined, signal);
    const isSame = latest?.content_hash === comparableHash(local.text);
    const next = latest === undefined ? FIRST_VERSION : isSame ? latest.version : nextVersion(latest.version);
    const { space, file } = local.note;
    const after = editFrontMatter(local.text, { version: write.version ?? next });
    return previewOf([{ space, file, before: local.bytes, after }]);
  }

  private async publish(write: WriteOf<'publish'>, change: NoteChange): Promise<PublishResult> {
    const registry = await this.shared.open();
    const local = await this.local(write, change.signal);
    // Kaizen need not have written the file, and what is published cannot be taken back.
    await this.check.refuse(local.text, 'the note', change.signal);
    const { note } = local;
    const request = requestOf(local, this.spaces, write, change.author);
    const outcome = await registry.publish(request, change.signal);
    const what = { zettel_id: note.zettel_id, location: note.space };
    if (outcome.status === 'conflict') {
      return { status: 'conflict', ...what, conflict: await this.describe(local, outcome, request) };
    }
    const { status, version } = outcome;
    return { status, ...what, version, ...(await this.keepVersion(local, version, change)) };
  }

  private async local({ zettel_id, location }: WriteOf<'publish'>, signal?: AbortSignal): Promise<LocalNote> {
    const local = await readLocal(this.spaces, { zettel_id, space: location }, signal);
    requirePublishable(local);
    return local;
  }

  /** Writes the version into the file, as it is by now. What was published stays so, whatever becomes of that. */
  private async keepVersion(local: LocalNote, version: string, change: NoteChange): Promise<{ message?: string }> {
    const { zettel_id, space } = local.note;
    for (let tries = TRIES, now = local; ; tries--) {
      try {
        const after = editFrontMatter(now.text, { version });
        if (after === now.text) return {};
        const { file } = now.note;
        const set = {
          space,
          zettel_id,
          action: 'publish',
          files: [{ space, file, before: now.bytes, after }],
        } as const;
        await this.writer.commit(set, change);
        return {};
      } catch (error) {
        const isOther = isKaizenError(error) && error.code === 'conflict';
        if (!isOther || tries === 0) {
          const why = describeError(error);
          return { message: `It was published, but its version could not be written into the file: ${why}` };
        }
        now = await readLocal(this.spaces, { zettel_id, space });
      }
    }
  }

  private async describe(
    { note, text }: LocalNote,
    refused: Refused,
    { base }: PublishRequest,
  ): Promise<PublishConflict> {
    const { difference } = await this.shared.room();
    const { existing, latest, reason } = refused;
    return {
      reason,
      latest,
      difference: difference(
        { name: `registry/${note.zettel_id}@${existing.version}`, text: comparable(existing.document) },
        { name: `${note.space}/${note.file}`, text: comparable(text) },
      ),
      message: withFolder(messageOf(refused, note, base), existing.category, note),
    };
  }
}

/** Throws `unreadable_note` and `invalid_argument`: what others download must be readable. */
function requirePublishable({ note, parsed }: LocalNote): void {
  const unreadable = parsed.problems.find(({ code }) => code === 'front_matter');
  if (unreadable) {
    throw new KaizenError(
      'unreadable_note',
      sentence(
        'The front matter of "{0}" cannot be read, line {1}: {2}',
        note.zettel_id,
        (unreadable.line ?? 0) + 1,
        unreadable.message,
      ),
      sentence('Correct it, and publish again.'),
    );
  }
  checkId(note.zettel_id);
  if (parsed.fields.entry_type === undefined) {
    throw new KaizenError(
      'invalid_argument',
      sentence('The note "{0}" says no entry_type.', note.zettel_id),
      sentence('Add one to its front matter, such as entry_type: pattern, and publish again.'),
    );
  }
}

function requestOf(
  { note, text, parsed }: LocalNote,
  spaces: LocalSpaces,
  { version, confirmed }: WriteOf<'publish'>,
  author: string,
): PublishRequest {
  const outgoing = spaces.relationships(note).filter(({ direction }) => direction === 'outgoing');
  return {
    fields: { ...parsed.fields, zettel_id: note.zettel_id },
    category: note.category,
    content: text.slice(parsed.bodyStart),
    document: (version) => editFrontMatter(text, { version }),
    content_hash: comparableHash(text),
    version,
    base: parsed.fields.version,
    // A link may lead nowhere yet, but not to what can be no note.
    relationships: outgoing
      .filter(({ zettel_id }) => idFault(zettel_id) === undefined)
      .map(({ zettel_id, relationship_type }) => ({ to_zettel_id: zettel_id, relationship_type })),
    confirmed,
    author,
  };
}

/** A folder is no part of the text, so that no difference shows it. */
function withFolder(message: Sentence, category: string, note: Note): Sentence {
  if (category === note.category) return message;
  const named = (folder: string) => (folder === '' ? sentence('no folder') : `"${folder}"`);
  return sentence('{0} There it lies in {1}, here in {2}.', message, named(category), named(note.category));
}

function messageOf({ reason, existing, latest }: Refused, note: Note, base: string | undefined): Sentence {
  const { version, published_by, published_at } = latest;
  const by = sentence('{0}, published by {1} on {2}', version, published_by, published_at.slice(0, 10));
  const id = note.zettel_id;
  switch (reason) {
    case 'version_exists':
      return sentence(
        'Version {0} of "{1}" was published already. The latest is {2}: choose a higher one.',
        existing.version,
        id,
        by,
      );
    case 'newer_version':
      return sentence('The registry has a newer version of "{0}": {1}. Choose a higher one.', id, by);
    case 'changed_since':
      return sentence(
        'This text is based on version {0}; since then the registry came to {1}. Bring what changed there into your text, or confirm to publish over it.',
        String(base),
        by,
      );
    case 'never_seen':
      return sentence(
        'The registry has another note "{0}", which this text does not come from: {1}. Rename yours, or confirm to publish over it.',
        id,
        by,
      );
  }
}
