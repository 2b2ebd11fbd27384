import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { compareText } from '../../core/text';
import { Turns } from '../../core/turns';
import { inParallel } from '../../files';
import type { FileChange } from '../changes';
import type { NoteLink } from '../model';
import type { LinkingFile, SpaceFiles } from '../spaces';
import type { TextEdit } from './retarget';

/** Files that are read at once. */
const AT_ONCE = 16;
/** How often a change is planned anew when files change meanwhile. */
const ATTEMPTS = 3;

/** A file, its links, and what each is to say. */
export interface Following extends LinkingFile {
  edit(link: NoteLink): TextEdit;
}

/** What has links follow a note. */
export interface FollowingChanges {
  /** Sorted by space and file. */
  changes: readonly FileChange[];
  /** Files that are not as they were indexed: nothing of it holds. */
  stale: readonly LinkingFile[];
  /** Files that cannot be edited, because they are not UTF-8. */
  left: readonly LinkingFile[];
}

/** Reads the files, in turns with others, and makes out what they are to say. */
export async function followingChanges(
  files: SpaceFiles,
  following: readonly Following[],
  signal: AbortSignal | undefined,
): Promise<FollowingChanges> {
  const changes: FileChange[] = [];
  const stale: LinkingFile[] = [];
  const left: LinkingFile[] = [];
  const turns = new Turns(signal);
  const { applyEdits } = await import('../format');
  await inParallel(following, AT_ONCE, async (each) => {
    const { space, file, content_hash, links, edit } = each;
    await turns.pause();
    const before = await files.bytes(space, file);
    if (!before || createHash('sha256').update(before).digest('hex') !== content_hash) stale.push(each);
    else if (!isUtf8(before)) left.push(each);
    else changes.push({ space, file, before, after: applyEdits(before.toString('utf8'), links.map(edit)) });
  });
  for (const list of [changes, left]) {
    list.sort((a, b) => compareText(a.space, b.space) || compareText(a.file, b.file));
  }
  return { changes, stale, left };
}

/** Plans anew, with what changed meanwhile indexed, until nothing is stale. Throws `conflict` when that does not end. */
export async function untilNothingIsStale<Plan extends { stale: readonly LinkingFile[] }>(
  files: SpaceFiles,
  plan: () => Promise<Plan>,
): Promise<Plan> {
  for (let attempt = 1; ; attempt++) {
    const planned = await plan();
    const [first] = planned.stale;
    if (!first) return planned;
    if (attempt === ATTEMPTS) {
      throw new KaizenError(
        'conflict',
        sentence('"{0}" was changed just now by somebody else.', first.file),
        sentence('Try again.'),
      );
    }
    for (const { space, file } of planned.stale) await files.reindex(space, [file]);
  }
}

/** What a person should know about files whose links could not follow. */
export function aboutLeft(left: readonly LinkingFile[]): string[] {
  return left.map(({ file }) => `"${file}" is not UTF-8, and its links stay as they were.`);
}
