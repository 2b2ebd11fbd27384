/** A knowledge base's name is the authority of its nodes' addresses; these mean something else there, or may come to. */
const RESERVED: ReadonlySet<string> = new Set(['scopes', 'proposals', 'notes', 'library', 'learning']);
const NAME = /^[A-Za-z0-9._-]{1,100}$/;
/** Leaves room for a number. */
const MAX_FOLDER = 80;

/** Why a knowledge base may not have the name; undefined when it may. */
export function baseNameFault(name: string): 'bad_name' | 'reserved_name' | undefined {
  if (!NAME.test(name) || /^\.+$/.test(name)) return 'bad_name';
  return RESERVED.has(name.toLowerCase()) ? 'reserved_name' : undefined;
}

/**
 * A name for a folder's knowledge base that it may have and no other has, made of what the folder is called.
 *
 * @param taken in lower case: names differ by more than their case
 */
export function freeBaseName(folder: string, taken: ReadonlySet<string>): string {
  const plain = folder
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, MAX_FOLDER)
    .replace(/^[-.]+|[-.]+$/g, '');
  const name = plain === '' ? 'base' : baseNameFault(plain) ? `${plain}-base` : plain;
  let free = name;
  for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${name}-${number}`;
  return free;
}
