import path from 'node:path';
import type { BaseDefinition } from '../../bases';

/** What paths of the setting are read against. */
export interface SettingPlace {
  /** The open folders that lie on this machine, in their order. */
  folders: readonly { name: string; path: string }[];
  home: string;
}

/** Why a base of the setting is not used. */
export type BaseFault =
  | 'bad_name'
  | 'reserved_name'
  | 'same_name'
  | 'too_many'
  | 'no_object'
  | 'no_path'
  | 'no_folder'
  | 'unknown_variable'
  | 'bad_patterns';

export interface ReadBases {
  definitions: BaseDefinition[];
  /** What of the setting cannot be used, by the name that it has there. */
  faults: { name: string; fault: BaseFault }[];
}

/** A base's name is the authority of its nodes' addresses; these are taken. */
const RESERVED: ReadonlySet<string> = new Set(['scopes', 'proposals', 'notes', 'library', 'learning']);
const NAME = /^[A-Za-z0-9._-]{1,100}$/;
const MOST_BASES = 100;
const VARIABLE = /\$\{[^}]*\}/g;

/**
 * Reads the value of `kaizen.bases`: name → `{ path, include?, exclude? }`. A path is absolute, begins with `~` or with
 * `${workspaceFolder}` (`${workspaceFolder:name}`), or is relative to the first open folder. A base that is `null` is
 * left out without a word: so a workspace leaves out one of the person's own. Never throws.
 */
export function readBases(value: unknown, place: SettingPlace): ReadBases {
  const read: ReadBases = { definitions: [], faults: [] };
  const names = new Set<string>();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return read;
  for (const [name, entry] of Object.entries(value)) {
    if (entry === null) continue;
    const definition = readBase(name, entry, place);
    // An address has its authority in lower case.
    const fault = typeof definition === 'string' ? definition : placeFault(names, name.toLowerCase());
    if (fault !== undefined) read.faults.push({ name, fault });
    else if (typeof definition === 'object') read.definitions.push(definition);
  }
  return read;
}

/** A free name for a folder's base, made of what the folder is called.
 * @param taken in lower case */
export function proposeBaseName(folder: string, taken: ReadonlySet<string>): string {
  const plain = folder
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .toLowerCase()
    .slice(0, 80);
  const base = plain === '' || RESERVED.has(plain) ? `${plain}${plain && '-'}base` : plain;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(name)) return name;
  }
}

/** Whether a base may have the name; why not, otherwise. */
export function nameFault(name: string): 'bad_name' | 'reserved_name' | undefined {
  if (!NAME.test(name) || /^\.+$/.test(name)) return 'bad_name';
  return RESERVED.has(name.toLowerCase()) ? 'reserved_name' : undefined;
}

/** The path as the setting is to have it: relative to the folder that it lies in, where there is one. */
export function pathForSetting(folder: string, place: SettingPlace): string {
  const [first] = place.folders;
  const relative = first && path.relative(first.path, folder);
  if (relative === '') return '.';
  const isInside = relative !== undefined && !relative.startsWith('..') && !path.isAbsolute(relative);
  return isInside ? relative.replaceAll('\\', '/') : folder;
}

/** Takes the name, unless another base has it or there are too many. */
function placeFault(names: Set<string>, name: string): BaseFault | undefined {
  if (names.has(name)) return 'same_name';
  if (names.size === MOST_BASES) return 'too_many';
  names.add(name);
  return undefined;
}

function readBase(name: string, entry: unknown, place: SettingPlace): BaseDefinition | BaseFault {
  const fault = nameFault(name);
  if (fault) return fault;
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return 'no_object';
  const { path: given, include, exclude } = entry as Record<string, unknown>;
  if (typeof given !== 'string' || given.trim() === '' || given.includes('\0')) return 'no_path';
  const root = resolveRoot(given.trim(), place);
  if (typeof root !== 'object') return root;
  if (!isPatterns(include) || !isPatterns(exclude)) return 'bad_patterns';
  return { name, root: root.path, ...(include ? { include } : {}), ...(exclude ? { exclude } : {}) };
}

function resolveRoot(given: string, { folders, home }: SettingPlace): { path: string } | BaseFault {
  let missing: BaseFault | undefined;
  const filled = given.replace(VARIABLE, (variable) => {
    const match = /^\$\{workspaceFolder(?::([^}]+))?\}$/.exec(variable);
    const folder = match && (match[1] === undefined ? folders[0] : folders.find(({ name }) => name === match[1]));
    if (!folder) missing ??= match ? 'no_folder' : 'unknown_variable';
    return folder?.path ?? '';
  });
  if (missing) return missing;
  if (/^~(?=$|[\\/])/.test(filled)) return { path: path.join(home, filled.slice(1)) };
  if (path.isAbsolute(filled)) return { path: path.normalize(filled) };
  const [first] = folders;
  return first ? { path: path.resolve(first.path, filled) } : 'no_folder';
}

function isPatterns(value: unknown): value is string[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every((each) => typeof each === 'string'));
}
