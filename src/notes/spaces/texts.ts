import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { makeRoot, readBytes, readInside, resolveInside } from '../../files';
import type { Note, NoteText, Space } from '../model';
import { gone, toldOf, tooLarge } from './faults';
import { type Format, MAX_NOTE } from './known';
import type { Member } from './member';
import { insidePath } from './roots';
import type { SpaceAtWork } from './space';

export interface TextsOptions {
  /** Throws `invalid_argument` where there is no such space. */
  at(space: Space): SpaceAtWork;
  view(member: Member | undefined): Note | undefined;
  format(): Promise<Format>;
  /** The workspace folder, absolute: paths in answers are relative to it. */
  workspace: string | undefined;
}

/** Opens the files of spaces, by their paths in them. */
export class SpaceTexts {
  constructor(private readonly options: TextsOptions) {}

  async text(note: Note): Promise<NoteText> {
    const { space, file } = note;
    const atWork = this.options.at(space);
    const { catalogue } = atWork;
    const realRoot = await this.rootOf(space);
    if (realRoot === undefined) throw gone(note);
    const read = await readInside(realRoot, file, MAX_NOTE).catch((error) => {
      throw toldOf(error, note);
    });
    if (read.fault === 'too_large') throw tooLarge(file);
    if (catalogue.member(file)?.known.hash !== read.hash) await atWork.reindex([file]);
    const member = catalogue.member(file);
    const view = this.options.view(member);
    if (!member || !view) throw gone(note);
    // Somebody may have written it once more since: what was read is what it is measured by.
    const isSame = view.content_hash === read.hash;
    const bodyStart = isSame
      ? member.known.note!.bodyStart
      : (await this.options.format()).parseNote(read.text, file).bodyStart;
    const current = isSame ? view : { ...view, content_hash: read.hash };
    return { note: current, text: read.text, body: read.text.slice(bodyStart) };
  }

  async locate(space: Space, file: string): Promise<string> {
    const realRoot = await this.rootOf(space);
    try {
      if (realRoot !== undefined) return await resolveInside(realRoot, file);
    } catch (error) {
      throw toldOf(error, { space, file });
    }
    throw gone({ space, file });
  }

  async writableRoot(space: Space): Promise<string> {
    const atWork = this.options.at(space);
    const realRoot = await makeRoot(atWork.root);
    await atWork.requireOwn(realRoot);
    await atWork.tidy(realRoot);
    return realRoot;
  }

  async bytes(space: Space, file: string): Promise<Buffer | undefined> {
    const realRoot = await this.rootOf(space);
    if (realRoot === undefined) return undefined;
    const bytes = await readBytes(realRoot, file, MAX_NOTE).catch((error) => {
      throw toldOf(error, { space, file });
    });
    if (bytes === 'too_large') throw tooLarge(file);
    return bytes;
  }

  shownPath(space: Space, file: string): string {
    const path = resolve(this.options.at(space).root, ...file.split('/'));
    const { workspace } = this.options;
    const inside = workspace === undefined ? undefined : insidePath(workspace, path);
    return inside ?? path;
  }

  /** The real path; undefined where there is no such folder. */
  private async rootOf(space: Space): Promise<string | undefined> {
    return realpath(this.options.at(space).root).catch(() => undefined);
  }
}
