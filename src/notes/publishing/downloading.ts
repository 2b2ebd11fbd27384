import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { Turns } from '../../core/turns';
import type { WriteCheck } from '../../safety';
import { type ChangeWriter, type FileChange, previewOf } from '../changes';
import { checkCategory, checkId, editFrontMatter, parseNoteInTurns } from '../format';
import {
  CATEGORY_OF,
  type Downloaded,
  type NoteChange,
  type NotePreview,
  type Space,
  type WriteResult,
} from '../model';
import type { Performer, WriteOf } from '../performer';
import type { RegistryEntry } from '../registry/model';
import { spaceName } from '../space-names';
import type { LocalSpaces } from './local-note';
import { comparable, comparableHash } from './same-text';
import type { SharedRegistry } from './shared-registry';

/** What becomes of one space: its answer, and what is written for it. */
interface Plan {
  answer: Downloaded;
  change?: FileChange;
}

const PATIENCE_MS = 30_000;

/**
 * Downloads notes into spaces, byte for byte as they were published. What is there and says something else stays unless
 * it is to be overwritten, as `store_if_missing` has it. All is planned before the first file is written.
 */
export class Downloading implements Performer<WriteOf<'download'>> {
  constructor(
    private readonly spaces: LocalSpaces,
    private readonly writer: ChangeWriter,
    private readonly shared: SharedRegistry,
    private readonly check: WriteCheck,
  ) {}

  async perform(write: WriteOf<'download'>, change: NoteChange): Promise<WriteResult> {
    const entry = await this.entry(write, change.signal);
    const downloads = await this.download(entry, write.destination, change, write.overwrite);
    return { action: 'download', zettel_id: entry.zettel_id, downloads };
  }

  async preview(write: WriteOf<'download'>, signal?: AbortSignal): Promise<NotePreview> {
    const plans = await this.plan(await this.entry(write, signal), write.destination, write.overwrite ?? false, signal);
    return previewOf(plans.flatMap(({ change }) => change ?? []));
  }

  /** Writes an entry that was fetched. Throws `invalid_argument`, `conflict`, and as files are written. */
  async download(
    entry: RegistryEntry,
    destination: readonly Space[],
    change: NoteChange,
    overwrite = false,
  ): Promise<Downloaded[]> {
    const plans = await this.plan(entry, destination, overwrite, change.signal);
    const files = plans.flatMap(({ change: file }) => file ?? []);
    const { zettel_id } = entry;
    if (files.length > 0) await this.check.refuse(entry.document, 'the note', change.signal);
    // Into both spaces, or into none.
    if (files[0]) await this.writer.commit({ space: files[0].space, zettel_id, action: 'download', files }, change);
    return plans.map(({ answer }) => answer);
  }

  private async entry({ zettel_id, version }: WriteOf<'download'>, signal?: AbortSignal): Promise<RegistryEntry> {
    const registry = await this.shared.open();
    const entry = await registry.get(zettel_id, version, signal);
    if (!entry) throw notPublished(zettel_id, version);
    return entry;
  }

  private async plan(
    entry: RegistryEntry,
    destination: readonly Space[],
    overwrite: boolean,
    signal?: AbortSignal,
  ): Promise<Plan[]> {
    // Whoever may write to the database may have given it any name.
    checkId(entry.zettel_id);
    await requireItself(entry);
    const spaces = [...new Set(destination)];
    const missing = spaces.find((space) => !this.spaces.has(space));
    if (missing !== undefined) {
      throw new KaizenError(
        'invalid_argument',
        sentence('There is no {0} space to download to.', spaceName(missing)),
        sentence('Open a folder first.'),
      );
    }
    await this.spaces.ready(PATIENCE_MS, signal);
    return Promise.all(spaces.map((space) => this.planFor(space, entry, overwrite)));
  }

  private async planFor(space: Space, entry: RegistryEntry, overwrite: boolean): Promise<Plan> {
    const { zettel_id, document, version } = entry;
    const holder = this.spaces.holderOf(space, zettel_id);
    if (holder && !('zettel_id' in holder && holder.zettel_id === zettel_id)) {
      const other =
        'zettel_id' in holder ? sentence('a note "{0}"', holder.zettel_id) : sentence('a collection "{0}"', holder.id);
      throw new KaizenError(
        'conflict',
        sentence('The {0} space has {1}, whose name "{2}" would take.', spaceName(space), other, zettel_id),
        sentence('Rename it first.'),
      );
    }
    const file = holder?.file ?? this.placeFor(space, entry);
    const before = await this.spaces.bytes(space, file);
    const path = this.spaces.shownPath(space, file);
    const written = (after: string): Plan => ({
      answer: { location: space, path, status: 'written' },
      change: { space, file, before, after },
    });
    if (before === undefined) return written(document);
    if (before.equals(Buffer.from(document))) return { answer: { location: space, path, status: 'unchanged' } };
    const text = before.toString('utf8');
    // What is there says the same: it is told which version it is, and stays otherwise as it is.
    if (comparableHash(text) === comparableHash(document)) {
      const after = editFrontMatter(text, { version });
      return after === text ? { answer: { location: space, path, status: 'unchanged' } } : written(after);
    }
    if (overwrite) return written(document);
    const { difference } = await this.shared.room();
    const shown = difference(
      { name: `${space}/${file}`, text: comparable(text) },
      { name: `registry/${zettel_id}@${version}`, text: comparable(document) },
    );
    return { answer: { location: space, path, status: 'conflict', difference: shown } };
  }

  /** Where it lay when it was published, unless that can be no folder of the space: the folder of its type then. */
  private placeFor(space: Space, { zettel_id, category, entry_type }: RegistryEntry): string {
    const fileIn = (folder: string) => (folder === '' ? `${zettel_id}.md` : `${folder}/${zettel_id}.md`);
    try {
      const file = fileIn(checkCategory(category));
      this.spaces.requirePlace(space, file);
      return file;
    } catch {
      return fileIn(entry_type === undefined ? '' : CATEGORY_OF[entry_type]);
    }
  }
}

export function notPublished(zettelId: string, version?: string): KaizenError {
  return new KaizenError(
    'unknown_note',
    version === undefined
      ? sentence('The registry does not have a note "{0}".', zettelId)
      : sentence('The registry does not have version {0} of a note "{1}".', version, zettelId),
    sentence('Search the registry for it.'),
  );
}

/**
 * Throws `registry_failed` for a file that would be another note than the one it is kept as: in a space the front matter
 * says which it is, and it could pass for one that is there.
 */
async function requireItself({ zettel_id, document }: RegistryEntry): Promise<void> {
  const said = (await parseNoteInTurns(document, `${zettel_id}.md`, new Turns())).fields.zettel_id;
  if (said === zettel_id) return;
  throw new KaizenError(
    'registry_failed',
    sentence('What the registry has as "{0}" says that it is "{1}".', zettel_id, said.slice(0, 120)),
    sentence('Nothing was downloaded. Ask who runs the registry.'),
  );
}
