import type { Clock } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { checkId, editFrontMatter, formatNote, idFault, noteTime, parseNote, replaceContent } from '../format';
import type { NoteChange, NotePreview, ParsedNote, WriteResult } from '../model';
import type { Performer, WriteOf } from '../performer';
import type { PublishRequest, Registry, RegistryEntry } from '../registry/model';
import { checkInput, checkPatch, type HandedOut } from '../writing';
import { notPublished } from './downloading';
import { comparableHash, fileHash } from './same-text';
import type { SharedRegistry } from './shared-registry';

type EntryWrite = WriteOf<'create' | 'update' | 'delete'>;

/** Notes that are written in the registry itself, without a file: each change is a version of its own. */
export class InRegistry implements Performer<EntryWrite> {
  constructor(
    private readonly shared: SharedRegistry,
    private readonly handedOut: HandedOut,
    private readonly clock: Clock,
  ) {}

  /** Throws as `LocalWriting` does, and what the registry throws. */
  async perform(write: EntryWrite, change: NoteChange): Promise<WriteResult> {
    switch (write.action) {
      case 'create':
        return this.create(write, change);
      case 'update':
        return this.update(write, change);
      case 'delete':
        return this.remove(write, change);
    }
  }

  /** No file changes; the registry is not asked. */
  async preview(write: EntryWrite): Promise<NotePreview> {
    if (write.action === 'create') checkInput(write.input);
    else checkId(write.zettel_id);
    if (write.action === 'update') checkPatch(write.patch);
    return { files: [] };
  }

  private async create(write: WriteOf<'create'>, change: NoteChange): Promise<WriteResult> {
    const { category, ...input } = checkInput(write.input);
    const text = formatNote(input, { now: this.clock.now() });
    const request = requestOf(text, input.zettel_id, category, change);
    const registry = await this.shared.open();
    const outcome = await registry.publish(request, change.signal);
    if (outcome.status !== 'conflict') return this.written('create', input.zettel_id, outcome, change);
    const { version, published_by } = outcome.latest;
    throw new KaizenError(
      'conflict',
      sentence('The registry has a note "{0}" already, version {1} by {2}.', input.zettel_id, version, published_by),
      sentence('Update it, or take another id.'),
    );
  }

  private async update(write: WriteOf<'update'>, change: NoteChange): Promise<WriteResult> {
    const { zettel_id } = write;
    checkId(zettel_id);
    const { content, category, ...fields } = checkPatch(write.patch);
    return this.shared.inTime(change.signal, async (registry, signal) => {
      const entry = await entryOf(registry, zettel_id, this.knownHash(write, change), signal);
      let text = editFrontMatter(entry.document, { ...fields, updated_at: noteTime(this.clock.now()) });
      if (content !== undefined) text = replaceContent(text, parseNote(text, `${zettel_id}.md`).bodyStart, content);
      const request = requestOf(text, zettel_id, category ?? entry.category, change);
      const outcome = await registry.publish({ ...request, base: entry.version }, signal);
      if (outcome.status !== 'conflict') return this.written('update', zettel_id, outcome, change);
      throw changedMeanwhile(zettel_id);
    });
  }

  private async remove(write: WriteOf<'delete'>, change: NoteChange): Promise<WriteResult> {
    const { zettel_id } = write;
    checkId(zettel_id);
    const known = this.knownHash(write, change);
    return this.shared.inTime(change.signal, async (registry, signal) => {
      if (known !== undefined) await entryOf(registry, zettel_id, known, signal);
      if (!(await registry.remove(zettel_id, signal))) throw notPublished(zettel_id);
      return { action: 'delete', zettel_id, location: 'registry' };
    });
  }

  /** What the caller takes the note to be: an agent must not write over a text that it has not seen. */
  private knownHash(write: WriteOf<'update' | 'delete'>, { author, by_agent }: NoteChange): string | undefined {
    const isWhole = write.action === 'delete' || write.patch.content !== undefined;
    const seen = by_agent && isWhole ? this.handedOut.hashOf(author, 'registry', write.zettel_id) : undefined;
    return write.content_hash ?? seen;
  }

  private written(
    action: 'create' | 'update',
    zettelId: string,
    { version, document }: { version: string; document: string },
    { author }: NoteChange,
  ): WriteResult {
    const content_hash = fileHash(document);
    this.handedOut.remember(author, 'registry', zettelId, content_hash);
    return { action, zettel_id: zettelId, location: 'registry', version, content_hash };
  }
}

/** Throws `unknown_note`, and `conflict` when it is another one than its reader saw. */
async function entryOf(
  registry: Registry,
  zettelId: string,
  hash: string | undefined,
  signal: AbortSignal | undefined,
): Promise<RegistryEntry> {
  const entry = await registry.get(zettelId, undefined, signal);
  if (!entry) throw notPublished(zettelId);
  if (hash !== undefined && hash !== fileHash(entry.document)) throw changedMeanwhile(zettelId);
  return entry;
}

function changedMeanwhile(zettelId: string): KaizenError {
  return new KaizenError(
    'conflict',
    sentence('Somebody else has published "{0}" since you read it.', zettelId),
    sentence('Get it again from the registry, and make your change in what it says now.'),
  );
}

function requestOf(text: string, zettelId: string, category: string, { author }: NoteChange): PublishRequest {
  const { fields, bodyStart, links } = parseNote(text, `${zettelId}.md`);
  return {
    fields: { ...fields, zettel_id: zettelId },
    category,
    content: text.slice(bodyStart),
    document: (version) => editFrontMatter(text, { version }),
    content_hash: comparableHash(text),
    relationships: relationshipsIn(links, zettelId),
    author,
  };
}

/** The ids that the text names; without a space nobody knows where else a path would lead. */
function relationshipsIn(links: ParsedNote['links'], from: string): PublishRequest['relationships'] {
  return links
    .filter(({ isEmbed, target }) => !isEmbed && target !== from && idFault(target) === undefined)
    .map(({ target, type }) => ({ to_zettel_id: target, relationship_type: type }));
}
