import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeError, KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { compareText } from '../../core/text';
import { Turns } from '../../core/turns';
import { compilePatterns, FOLDER_LIMITS, isInside, readInside, scan } from '../../files';
import type { ChangeWriter } from '../changes';
import { checkCategory, checkId, idKey } from '../format/ids';
import { whenIndexed } from '../indexed';
import type { MigrationStep, NoteChange, Space } from '../model';
import { spaceName } from '../space-names';
import type { SpaceFiles } from '../spaces';

type Format = typeof import('../format');

/** Of one old folder: far more than somebody wrote by hand. */
const LIMITS = { ...FOLDER_LIMITS, files: 10_000, totalSize: 64 * 1_048_576 };
const MARKDOWN = /\.(?:md|mdc|markdown)$/i;

/** Brings notes over from the old layout, `knowledge/base/`: planned first, copied then. The originals stay as they are. */
export class Migrating {
  constructor(
    private readonly files: SpaceFiles,
    private readonly writer: ChangeWriter,
    /** Of a space, absolute; undefined where there is none. */
    private readonly rootOf: (space: Space) => string | undefined,
  ) {}

  /**
   * What becomes of each file of the folder, in the order of their paths. Throws `invalid_argument` where there is no such
   * folder, or it is the space's own.
   */
  async plan(from: string, space: Space, signal?: AbortSignal): Promise<MigrationStep[]> {
    await whenIndexed(this.files, signal);
    const root = await folderAt(from);
    const own = await this.ownRoot(space);
    if (isInside(own, root)) {
      throw new KaizenError(
        'invalid_argument',
        sentence('"{0}" lies in the {1} space already.', root, spaceName(space)),
        sentence('Name the folder of the old notes, such as knowledge/base.'),
      );
    }
    const turns = new Turns(signal);
    const found = await scan({
      realRoot: root,
      patterns: compilePatterns(['**/*'], []),
      limits: LIMITS,
      signal: signal ?? new AbortController().signal,
    });
    const format = await import('../format');
    const steps: Planned[] = [];
    for (const { file } of found.files) {
      await turns.pause();
      if (isInside(own, resolve(root, file))) continue;
      steps.push(MARKDOWN.test(file) ? await stepFor(root, file, format) : unreadable(root, file, NOT_MARKDOWN));
    }
    for (const { file, message } of found.problems) steps.push(unreadable(root, file ?? '', String(message)));
    steps.sort((one, other) => compareText(one.from, other.from));
    await this.tellCollisions(steps, space, turns);
    tellLinks(steps);
    return steps.map(({ file: _file, targets: _targets, ...step }) => step);
  }

  /**
   * Writes the steps that convert, each as one revision, and answers how many were written. What has got another file in
   * its place since it was planned is passed over; `signal` ends it between two files.
   */
  async migrate(steps: readonly MigrationStep[], space: Space, change: NoteChange): Promise<number> {
    await whenIndexed(this.files, change.signal);
    let written = 0;
    for (const { status, to, zettel_id, text } of steps) {
      if (change.signal?.aborted) break;
      if (status !== 'convert' || text === undefined) continue;
      checkId(zettel_id);
      checkCategory(to.slice(0, Math.max(0, to.lastIndexOf('/'))));
      if (to.slice(to.lastIndexOf('/') + 1) !== `${zettel_id}.md`) {
        throw new KaizenError(
          'invalid_argument',
          sentence('"{0}" is not the file of "{1}".', to, zettel_id),
          sentence('Plan the migration anew.'),
        );
      }
      if (this.files.holderOf(space, zettel_id) || (await this.files.bytes(space, to))) continue;
      // A note that was begun is finished.
      const { signal: _, ...by } = change;
      const files = [{ space, file: to, before: undefined, after: text }];
      await this.writer.commit({ space, zettel_id, action: 'create', files }, by);
      written++;
    }
    return written;
  }

  /** Where the space is, or will be. */
  private async ownRoot(space: Space): Promise<string> {
    const root = this.rootOf(space);
    if (root === undefined) {
      throw new KaizenError(
        'invalid_argument',
        sentence('There is no {0} space here.', spaceName(space)),
        sentence('Name the other one.'),
      );
    }
    return realpath(root).catch(() => root);
  }

  /** Why nobody would look for a note there. */
  private placeFault(space: Space, file: string): string | undefined {
    try {
      this.files.requirePlace(space, file);
      return undefined;
    } catch (error) {
      return describeError(error);
    }
  }

  /** Of several with one id the first is converted; what the space has stays. */
  private async tellCollisions(steps: Planned[], space: Space, turns: Turns): Promise<void> {
    const taken = new Map<string, string>();
    for (const step of steps) {
      await turns.pause();
      if (step.status !== 'convert') continue;
      const first = taken.get(idKey(step.zettel_id));
      if (first !== undefined) {
        step.status = 'conflict';
        step.remarks = [
          `"${first}" has the id "${step.zettel_id}" already. Give one of them another id.`,
          ...step.remarks,
        ];
        continue;
      }
      const fault = this.placeFault(space, step.to);
      if (fault !== undefined) {
        step.status = 'conflict';
        step.remarks = [fault, ...step.remarks];
        continue;
      }
      taken.set(idKey(step.zettel_id), step.file);
      const holder = this.files.holderOf(space, step.zettel_id);
      const file = holder?.file ?? step.to;
      const there = await this.files.bytes(space, file);
      if (!there) continue;
      const isSame = file === step.to && there.equals(Buffer.from(step.text ?? ''));
      step.status = isSame ? 'unchanged' : 'conflict';
      if (!isSame) {
        const shown = this.files.shownPath(space, file);
        step.remarks = [`The ${space} space has "${step.zettel_id}" already: ${shown}. It stays.`, ...step.remarks];
      }
    }
  }
}

/** A step as long as others may still change what becomes of it. */
interface Planned extends MigrationStep {
  status: MigrationStep['status'];
  remarks: string[];
  /** Relative to the old folder. */
  file: string;
  targets: readonly string[];
}

const NOT_MARKDOWN = 'It is no Markdown. Copy it yourself where notes refer to it.';

async function folderAt(from: string): Promise<string> {
  try {
    const root = await realpath(resolve(from));
    if ((await stat(root)).isDirectory()) return root;
  } catch {
    // It is told below.
  }
  throw new KaizenError(
    'invalid_argument',
    sentence('There is no folder "{0}".', from),
    sentence('Name the folder of the old notes, such as knowledge/base.'),
  );
}

async function stepFor(root: string, file: string, format: Format): Promise<Planned> {
  try {
    const { text, fault } = await readInside(root, file, LIMITS.fileSize);
    if (fault === 'too_large') return unreadable(root, file, `It has more than ${LIMITS.fileSize / 1_048_576} MB.`);
    if (fault === 'not_utf8') return unreadable(root, file, 'It is not UTF-8. Save it as UTF-8, and try again.');
    const { zettel_id, file: to, text: converted, remarks, targets } = format.convertOldNote(text, file);
    const status = converted === undefined ? 'unreadable' : 'convert';
    return { from: resolve(root, file), to, zettel_id, status, remarks, text: converted, file, targets };
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return unreadable(root, file, `It cannot be read (${code}).`);
  }
}

function unreadable(root: string, file: string, why: string): Planned {
  return { from: resolve(root, file), to: '', zettel_id: '', status: 'unreadable', remarks: [why], file, targets: [] };
}

/** Says of links by the old name of a file that they have to be written anew: texts stay as they are. */
function tellLinks(steps: readonly Planned[]): void {
  const ids = new Set(steps.map(({ zettel_id }) => idKey(zettel_id)));
  const renamed = new Map<string, string>();
  for (const { status, file, zettel_id } of steps) {
    const name = idKey(file.slice(file.lastIndexOf('/') + 1).replace(MARKDOWN, ''));
    if (status === 'convert' && name !== idKey(zettel_id) && !ids.has(name)) renamed.set(name, zettel_id);
  }
  if (renamed.size === 0) return;
  for (const { targets, remarks } of steps) {
    for (const target of new Set(targets)) {
      const id = renamed.get(idKey(target.slice(target.lastIndexOf('/') + 1).replace(MARKDOWN, '')));
      if (id !== undefined) remarks.push(`The link [[${target}]] leads to what is called "${id}" now; write it anew.`);
    }
  }
}
