import { compareText } from '../../core/text';
import type { Turns } from '../../core/turns';
import type { FileKeeper } from '../../files';
import { idKey } from '../format/ids';
import type { NoteProblem, Space } from '../model';
import type { KnownNote } from './known';
import type { LinkIndex } from './links';
import { declaredId, isIdDeclared, type Member, memberOf } from './member';

/**
 * The files of one space. Ids are unique in it: of several notes with the same id the first by path has it, and the
 * others are called `id~2`, `id~3`, which no id that is allowed can be. `settle` ends each round: until then everybody
 * sees what there was before.
 */
export class SpaceCatalogue implements FileKeeper<KnownNote> {
  private readonly known = new Map<string, KnownNote>();
  private readonly members = new Map<string, Member>();
  /** By id, notes and collections apart. */
  private readonly byId = { note: new Map<string, Member>(), collection: new Map<string, Member>() };
  /** Who declares an id, without regard to case; sorted by path. */
  private readonly holders = new Map<string, Member[]>();
  /** Files to be published anew. */
  private stale = new Set<string>();
  private sortedMembers: readonly Member[] | undefined;
  private rounds = 0;
  private isCleared = false;

  constructor(
    private readonly space: Space,
    private readonly links: LinkIndex,
    /** Has links followed, after all others that have; answers with the files of this space that are shown otherwise. */
    private readonly follow: (publish: () => readonly Member[], turns: Turns) => Promise<readonly string[]>,
  ) {}

  get fileCount(): number {
    return this.known.size;
  }

  get problemRevision(): number {
    return this.rounds;
  }

  read(file: string): KnownNote | undefined {
    return this.known.get(file);
  }

  reads(): Iterable<KnownNote> {
    return this.known.values();
  }

  set(known: KnownNote): void {
    this.known.set(known.file, known);
    this.stale.add(known.file);
  }

  restamp(file: string, stamp: string): void {
    const known = this.known.get(file);
    if (!known) return;
    const restamped = { ...known, stamp };
    this.known.set(file, restamped);
    const member = this.members.get(file);
    if (member?.known === known) member.known = restamped;
  }

  remove(file: string): void {
    this.known.delete(file);
    this.stale.add(file);
  }

  async settle(turns: Turns): Promise<string[]> {
    if (this.stale.size === 0 && this.links.isSettled) return [];
    const files = this.stale;
    this.stale = new Set();
    const others = await this.follow(() => this.publish(files), turns);
    if (files.size + others.length > 0) this.rounds++;
    return [...new Set([...files, ...others])].sort(compareText);
  }

  /** Takes everything out at once, for good. Answers the files that were there. */
  clear(): string[] {
    const files = [...this.members.keys()].sort(compareText);
    this.isCleared = true;
    this.known.clear();
    this.publishAll(new Set(files));
    return files;
  }

  /** By its id, which has its case. */
  withId(kind: 'note' | 'collection', id: string): Member | undefined {
    return this.byId[kind].get(id);
  }

  /** Any file that declares this id, without regard to case. */
  holdersOf(kind: 'note' | 'collection', id: string): readonly Member[] {
    return this.holders.get(`${kind} ${idKey(id)}`) ?? [];
  }

  member(file: string): Member | undefined {
    return this.members.get(file);
  }

  /** Sorted by file. */
  sorted(): readonly Member[] {
    this.sortedMembers ??= [...this.members.values()].sort((a, b) => compareText(a.file, b.file));
    return this.sortedMembers;
  }

  ids(): Iterable<string> {
    return this.byId.note.keys();
  }

  get noteCount(): number {
    return this.byId.note.size;
  }

  /** Shows these files as they are known; answers with all that are called otherwise by that. At once, so that nobody sees half of it. */
  private publish(files: ReadonlySet<string>): readonly Member[] {
    return this.isCleared ? [] : this.publishAll(files);
  }

  private publishAll(files: ReadonlySet<string>): readonly Member[] {
    const touchedIds = new Set<string>();
    for (const file of files) {
      const known = this.known.get(file);
      const member = this.members.get(file);
      if (member && known && isCalledTheSame(member.known, known)) {
        member.known = known;
        member.view = undefined;
        this.links.touch(member);
        continue;
      }
      if (member) touchedIds.add(this.takeOut(member, known === undefined));
      if (known) touchedIds.add(this.takeIn(known, member));
    }
    const renamed: Member[] = [];
    for (const key of touchedIds) renamed.push(...this.giveIds(key));
    return renamed;
  }

  private takeOut(member: Member, isGone: boolean): string {
    const key = holderKey(member.known);
    const holders = this.holders.get(key)!.filter((each) => each !== member);
    if (holders.length > 0) this.holders.set(key, holders);
    else this.holders.delete(key);
    this.letGoOfId(member);
    this.links.remove(member);
    if (isGone) {
      this.links.forget(member);
      this.members.delete(member.file);
      this.sortedMembers = undefined;
    }
    return key;
  }

  private takeIn(known: KnownNote, before: Member | undefined): string {
    const member = before ?? memberOf(this.space, known);
    member.known = known;
    member.view = undefined;
    if (!before) {
      this.members.set(known.file, member);
      this.sortedMembers = undefined;
    }
    const key = holderKey(known);
    const holders = this.holders.get(key) ?? [];
    holders.push(member);
    this.holders.set(key, holders);
    this.links.add(member);
    return key;
  }

  /** Gives out the ids that differ in case at most; answers with those that have another one, or another problem, than before. */
  private giveIds(key: string): Member[] {
    const holders = this.holders.get(key)?.sort((a, b) => compareText(a.file, b.file)) ?? [];
    const renamed: Member[] = [];
    const before = holders.map(({ id, idProblem }) => ({ id, message: idProblem?.message }));
    for (const member of holders) this.letGoOfId(member);
    const counts = new Map<string, number>();
    for (const member of holders) {
      const id = declaredId(member.known);
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      member.id = count === 1 ? id : `${id}~${count}`;
      member.idProblem = member === holders[0] ? undefined : this.taken(member, holders);
      this.byId[kindOf(member.known)].set(member.id, member);
    }
    for (const [at, member] of holders.entries()) {
      const { id, message } = before[at]!;
      if (id === member.id && message === member.idProblem?.message) continue;
      member.view = undefined;
      renamed.push(member);
    }
    return renamed;
  }

  private letGoOfId(member: Member): void {
    for (const ids of [this.byId.note, this.byId.collection]) {
      if (ids.get(member.id) === member) ids.delete(member.id);
    }
  }

  private taken({ file, id, known }: Member, holders: readonly Member[]): NoteProblem {
    const { space } = this;
    const own = declaredId(known);
    const twin = holders.find((each) => each.file !== file && declaredId(each.known) === own);
    const message =
      id === own
        ? `The id "${id}" differs from "${declaredId(holders[0]!.known)}" of ${holders[0]!.file} in case alone. Give the note another id.`
        : `The id "${own}" is taken by ${twin!.file}; here it is called "${id}". Give it another id.`;
    return { space, file, code: 'duplicate_id', message, detail: own };
  }
}

function holderKey(known: KnownNote): string {
  return `${kindOf(known)} ${idKey(declaredId(known))}`;
}

function kindOf({ note }: KnownNote): 'note' | 'collection' {
  return note ? 'note' : 'collection';
}

function isCalledTheSame(one: KnownNote, other: KnownNote): boolean {
  return (
    kindOf(one) === kindOf(other) && declaredId(one) === declaredId(other) && isIdDeclared(one) === isIdDeclared(other)
  );
}
