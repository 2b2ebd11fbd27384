import { idKey } from '../format/ids';
import type { Space } from '../model';
import { nameOf } from './known';
import { ManyByName } from './many';
import { declaredId, isIdDeclared, type Member } from './member';

/** Files of one name that are compared: of more, the nearest are looked for by their folders. */
const MAX_COMPARED = 200;

/** Under which names the files of one space are found, by links and by people. */
export class NameIndex {
  private readonly members = new ManyByName<Member>();
  private readonly ids = new ManyByName<Member>();
  private readonly others = new ManyByName<string>();
  private readonly byPath = new ManyByName<Member>();

  constructor(readonly space: Space) {}

  /** All that are called so, by id or by file name, without regard to case; in no order. */
  called(key: string): Iterable<Member> {
    return this.members.of(key);
  }

  /** Other files of this name, without regard to case. */
  otherFiles(key: string): Iterable<string> {
    return this.others.of(key);
  }

  /** Notes that declare this id, without regard to case. */
  declaring(key: string): Iterable<Member> {
    return this.ids.of(key);
  }

  /** Those whose path, without ending and case, is this one. */
  at(pathKey: string): Iterable<Member> {
    return this.byPath.of(pathKey);
  }

  /** Whether so many are called so that they cannot all be compared. */
  isCommon(key: string): boolean {
    return this.members.countOf(key) > MAX_COMPARED;
  }

  /** Answers the names under which it is found now. */
  add(member: Member): Iterable<string> {
    const keys = keysOf(member);
    for (const key of keys) this.members.add(key, member);
    this.byPath.add(member.pathKey, member);
    if (isIdDeclared(member.known)) this.ids.add(idKey(declaredId(member.known)), member);
    return keys;
  }

  /** Answers the names under which it was found. */
  remove(member: Member): Iterable<string> {
    const keys = keysOf(member);
    for (const key of keys) this.members.remove(key, member);
    this.byPath.remove(member.pathKey, member);
    if (isIdDeclared(member.known)) this.ids.remove(idKey(declaredId(member.known)), member);
    return keys;
  }

  addOther(file: string): string {
    const key = keyOf(file);
    this.others.add(key, file);
    return key;
  }

  removeOther(file: string): string {
    const key = keyOf(file);
    this.others.remove(key, file);
    return key;
  }
}

/** By which name a link's target is looked for: the last part of a path, without `.md`. */
export function keyOf(target: string): string {
  return idKey(nameOf(target));
}

/** The names that it is found under: its file's, and the id that it declares. */
export function keysOf({ known }: Member): ReadonlySet<string> {
  const keys = new Set([keyOf(known.file)]);
  if (isIdDeclared(known)) keys.add(idKey(declaredId(known)));
  return keys;
}
