import type { Turns } from '../../core/turns';
import { idKey } from '../format/ids';
import { type NoteLink, SPACES, type Space } from '../model';
import { ManyByName } from './many';
import { linksOf, type Member, type Outgoing } from './member';
import { keyOf, keysOf, NameIndex } from './name-index';
import { type End, meantId, type Origin, resolveTarget } from './resolution';

/** Links that lead nowhere that are kept of one file. */
const MAX_BROKEN = 500;
const RESOLVED_AT_ONCE = 200;

/** Which notes are linked to which, in all spaces. What changes is looked at again, and what looks for it. */
export class LinkIndex {
  private readonly names: ReadonlyMap<Space, NameIndex> = new Map(SPACES.map((space) => [space, new NameIndex(space)]));
  /** Who has links to something of this name, whether there is such a thing or not. */
  private readonly seekers = new ManyByName<Member>();
  /** The names that a file's links look for. */
  private readonly sought = new Map<Member, readonly string[]>();
  private readonly unresolved = new Set<Member>();

  /** Found by its names from now on. */
  add(member: Member): void {
    for (const key of this.namesOf(member.space).add(member)) this.unsettle(key);
    this.unresolved.add(member);
  }

  /** Before what is known of it changes, or it goes. */
  remove(member: Member): void {
    for (const key of this.namesOf(member.space).remove(member)) this.unsettle(key);
  }

  /** What it says is another thing, but not how it is called. */
  touch(member: Member): void {
    this.unresolved.add(member);
  }

  /** It is gone for good; to be removed first. */
  forget(member: Member): void {
    this.unresolved.delete(member);
    this.replace(member, [], []);
    for (const key of this.sought.get(member) ?? []) this.seekers.remove(key, member);
    this.sought.delete(member);
  }

  setOther(space: Space, file: string, isThere: boolean): void {
    const names = this.namesOf(space);
    this.unsettle(isThere ? names.addOther(file) : names.removeOther(file));
  }

  get isSettled(): boolean {
    return this.unresolved.size === 0;
  }

  /** Looks for the ends of what has changed. Answers with those that have other broken links than before. */
  async settle(turns: Turns): Promise<Member[]> {
    const others: Member[] = [];
    for (const member of this.unresolved) {
      const before = member.broken;
      await this.resolveAll(member, turns);
      this.unresolved.delete(member);
      if (!areSame(before, member.broken)) others.push(member);
      await turns.pause();
    }
    return others;
  }

  resolve(from: Origin, link: Pick<NoteLink, 'target' | 'location'>): End {
    return resolveTarget(from, link, this.names);
  }

  /** Whether the link of `from` leads to the member; cheap where it is called otherwise. */
  leadsTo(from: Origin, link: Pick<NoteLink, 'target' | 'location'>, member: Member): boolean {
    return keysOf(member).has(keyOf(link.target)) && this.resolve(from, link) === member;
  }

  /** Files of a space that are called so, without regard to case. */
  filesCalled(space: Space, name: string): Member[] {
    return [...this.namesOf(space).called(idKey(name))].filter(({ file }) => keyOf(file) === idKey(name));
  }

  /** Nobody sees anything of it before all is resolved. Names are looked for earlier and forgotten later, which harms nobody. */
  private async resolveAll(member: Member, turns: Turns): Promise<void> {
    const outgoing = new Map<string | Member, Outgoing[]>();
    const broken: NoteLink[] = [];
    const keys = new Set<string>();
    const seen = new Map<string, End>();
    let missing = 0;
    let count = 0;
    for (const link of linksOf(member.known)) {
      if (++count % RESOLVED_AT_ONCE === 0) await turns.pause();
      const { target, location, type } = link;
      const address = `${location ?? ''}:${target}`;
      if (!seen.has(address)) {
        seen.set(address, this.resolve(member, link));
        if (location !== 'registry') {
          const key = keyOf(target);
          keys.add(key);
          this.seekers.add(key, member);
        }
      }
      const end = seen.get(address);
      if (!end && location !== 'registry' && broken.length < MAX_BROKEN) broken.push(link);
      const other = end && 'known' in end ? end : undefined;
      // A picture is no note, whether it is there or not.
      if (end ? !other || other === member : link.isEmbed) continue;
      const id = meantId(target);
      const key = other ?? `${location ?? ''}:${idKey(id)}`;
      const known = outgoing.get(key);
      if (!other && !known && ++missing > MAX_BROKEN) continue;
      const outgoingLink = { type, end: other, target: id, location };
      if (!known) outgoing.set(key, [outgoingLink]);
      else if (!known.some((each) => each.type === type)) known.push(outgoingLink);
    }
    this.replace(member, [...outgoing.values()].flat(), broken);
    const before = this.sought.get(member) ?? [];
    if (keys.size > 0) this.sought.set(member, [...keys]);
    else this.sought.delete(member);
    for (const key of before) {
      if (!keys.has(key)) this.seekers.remove(key, member);
      await turns.pause();
    }
  }

  private replace(member: Member, outgoing: readonly Outgoing[], broken: readonly NoteLink[]): void {
    for (const { end } of member.outgoing) end?.incoming.delete(member);
    for (const { end } of outgoing) end?.incoming.add(member);
    member.outgoing = outgoing;
    member.broken = broken;
  }

  private namesOf(space: Space): NameIndex {
    return this.names.get(space)!;
  }

  private unsettle(key: string): void {
    for (const member of this.seekers.of(key)) this.unresolved.add(member);
  }
}

function areSame(one: readonly NoteLink[], other: readonly NoteLink[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ target, location, range }, at) => {
      const twin = other[at]!;
      return twin.target === target && twin.location === location && twin.range.start === range.start;
    })
  );
}
