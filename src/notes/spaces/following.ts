import { describeError } from '../../core/errors';
import { compareText } from '../../core/text';
import { Turns } from '../../core/turns';
import { type NotesChangeEvent, SPACES, type Space } from '../model';
import type { LinkIndex } from './links';
import type { Member } from './member';
import type { SpaceAtWork } from './space';

export interface LinkFollowingOptions {
  links: LinkIndex;
  spaces(): readonly SpaceAtWork[];
  changed(change: NotesChangeEvent): void;
  /** Where all links lead is known from now on. */
  known(): void;
  log(message: string): void;
  signal: AbortSignal;
}

/**
 * Looks where links lead whenever files are shown, one space after another: links of one lead to the other. As long as
 * not every space was read once, nothing is looked for, and no link is called broken.
 */
export class LinkFollowing {
  private last: Promise<unknown> = Promise.resolve();
  private areKnown = false;
  private isRelinking = false;

  constructor(private readonly options: LinkFollowingOptions) {}

  /** Whether all that links could lead to was read, and looked for. */
  get areLinksKnown(): boolean {
    return this.areKnown;
  }

  /** Whether each space was read once. */
  get isRead(): boolean {
    return this.options.spaces().every(({ state }) => state !== 'indexing');
  }

  /** There are other spaces: what links lead to is to be read first. */
  restart(): void {
    this.areKnown = false;
    void this.relink();
  }

  /** Follows all links as soon as each space was read; called whenever one may have been. */
  spaceRead(): void {
    if (this.isRead && !this.areKnown) void this.relink();
  }

  /**
   * Shows files, then looks where links lead by that. Answers with the files of the space that are shown otherwise by
   * it, and tells of those of the other one.
   */
  follow(space: Space, publish: () => readonly Member[], turns: Turns): Promise<string[]> {
    const { links, changed } = this.options;
    const run = this.last.then(async () => {
      const others = new Set(publish());
      // As long as there are more to come, each would be looked at again and again.
      const isTime = this.areKnown || this.isRead;
      for (const member of isTime ? await links.settle(turns) : []) others.add(member);
      if (isTime && !this.areKnown) for (const member of this.withBrokenLinks()) others.add(member);
      this.areKnown = isTime;
      const own: string[] = [];
      const foreign: string[] = [];
      for (const member of others) {
        member.view = undefined;
        (member.space === space ? own : foreign).push(member.file);
      }
      const other = SPACES.find((name) => name !== space)!;
      if (foreign.length > 0) changed({ space: other, files: foreign.sort(compareText) });
      return own;
    });
    this.last = run.catch(() => undefined);
    return run;
  }

  /** Resolves when nothing is being followed. */
  async close(): Promise<void> {
    await this.last;
  }

  private async relink(): Promise<void> {
    if (this.isRelinking) return;
    this.isRelinking = true;
    const { changed, known, log, signal } = this.options;
    try {
      do {
        const files = await this.follow('project', () => [], new Turns(signal));
        if (files.length > 0) changed({ space: 'project', files: files.sort(compareText) });
      } while (this.isRead && !this.areKnown);
      if (this.areKnown) known();
    } catch (error) {
      if (!signal.aborted) log(`Links between notes: ${describeError(error)}`);
    } finally {
      this.isRelinking = false;
    }
  }

  private *withBrokenLinks(): Iterable<Member> {
    for (const { catalogue } of this.options.spaces()) {
      for (const member of catalogue.sorted()) if (member.broken.length > 0) yield member;
    }
  }
}
