import { idKey } from '../format/ids';
import type { Space } from '../model';
import { nameOf } from './known';
import { declaredId, isIdDeclared, type Member } from './member';

/** Files of one name that are compared: of more, the nearest are looked for by their folders. */
const MAX_COMPARED = 200;

/** Under which names the files of one space are found, by links and by people. */
export class NameIndex {
  private readonly members = new Map<string, Set<Member>>();
  private readonly ids = new Map<string, Set<Member>>();
  private readonly others = new Map<string, Set<string>>();
  private readonly byPath = new Map<string, Set<Member>>();

  constructor(readonly space: Space) {}

  /** All that are called so, by id or by file name, without regard to case; in no order. */
  called(key: string): Iterable<Member> {
    return this.members.get(key) ?? [];
  }

  /** Other files of this name, without regard to case. */
  otherFiles(key: string): Iterable<string> {
    return this.others.get(key) ?? [];
  }

  /** Notes that declare this id, without regard to case. */
  declaring(key: string): Iterable<Member> {
    return this.ids.get(key) ?? [];
  }

  /** Those whose path, without ending and case, is this one. */
  at(pathKey: string): Iterable<Member> {
    return this.byPath.get(pathKey) ?? [];
  }

  /** Whether so many are called so that they cannot all be compared. */
  isCommon(key: string): boolean {
    return (this.members.get(key)?.size ?? 0) > MAX_COMPARED;
  }

  /** Answers the names under which it is found now. */
  add(member: Member): Iterable<string> {
    const keys = keysOf(member);
    for (const key of keys) push(this.members, key, member);
    push(this.byPath, member.pathKey, member);
    if (isIdDeclared(member.known)) push(this.ids, idKey(declaredId(member.known)), member);
    return keys;
  }

  /** Answers the names under which it was found. */
  remove(member: Member): Iterable<string> {
    const keys = keysOf(member);
    for (const key of keys) drop(this.members, key, member);
    drop(this.byPath, member.pathKey, member);
    if (isIdDeclared(member.known)) drop(this.ids, idKey(declaredId(member.known)), member);
    return keys;
  }

  addOther(file: string): string {
    const key = keyOf(file);
    push(this.others, key, file);
    return key;
  }

  removeOther(file: string): string {
    const key = keyOf(file);
    drop(this.others, key, file);
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

function push<Value>(map: Map<string, Set<Value>>, key: string, value: Value): void {
  const values = map.get(key);
  if (values) values.add(value);
  else map.set(key, new Set([value]));
}

function drop<Value>(map: Map<string, Set<Value>>, key: string, value: Value): void {
  const values = map.get(key);
  values?.delete(value);
  if (values?.size === 0) map.delete(key);
}
