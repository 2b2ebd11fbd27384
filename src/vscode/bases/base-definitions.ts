import path from 'node:path';
import type { BaseDefinition } from '../../bases';
import { baseNameFault } from '../../core/base-names';
import { liesInside } from './outside';

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
  /** Those that the workspace places outside of its folders: not used as long as the person has not allowed it. */
  outside: BaseDefinition[];
}

/** Who has set the bases, and what the person has allowed the workspace. */
export interface BaseConsent {
  /** Whether a base is the workspace's, or changed by it. */
  isOfWorkspace(name: string): boolean;
  allows(definition: BaseDefinition): boolean;
}

/** The person's own setting may name every folder of the machine. */
const OWN: BaseConsent = { isOfWorkspace: () => false, allows: () => true };

const MOST_BASES = 100;
const VARIABLE = /\$\{[^}]*\}/g;

/**
 * Reads the value of `kaizen.bases`: name → `{ path, include?, exclude? }`. A path is absolute, begins with `~` or with
 * `${workspaceFolder}` (`${workspaceFolder:name}`), or is relative to the first open folder. A base that is `null` is
 * left out without a word: so a workspace leaves out one of the person's own. Never throws.
 */
export function readBases(value: unknown, place: SettingPlace, consent = OWN): ReadBases {
  const read: ReadBases = { definitions: [], faults: [], outside: [] };
  const folders = place.folders.map((folder) => folder.path);
  const names = new Set<string>();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return read;
  for (const [name, entry] of Object.entries(value)) {
    if (entry === null) continue;
    const definition = readBase(name, entry, place);
    // An address has its authority in lower case.
    const fault = typeof definition === 'string' ? definition : placeFault(names, name.toLowerCase());
    if (fault !== undefined) read.faults.push({ name, fault });
    else if (typeof definition === 'object') {
      const isAsked = consent.isOfWorkspace(name) && !consent.allows(definition);
      const list = isAsked && !liesInside(definition.root, folders) ? read.outside : read.definitions;
      list.push(definition);
    }
  }
  return read;
}

/**
 * The path as the setting is to have it: from the folder that it lies in, where there is one, so that it holds for whoever
 * else opens the workspace.
 */
export function pathForSetting(folder: string, { folders }: SettingPlace): string {
  for (const [index, { name, path: above }] of folders.entries()) {
    const relative = path.relative(above, folder).replaceAll('\\', '/');
    if (relative === '..' || relative.startsWith('../') || path.isAbsolute(relative)) continue;
    if (index === 0) return relative || '.';
    // Of two folders of one name the first is meant.
    const isMeant = !name.includes('}') && folders.find((each) => each.name === name)?.path === above;
    if (isMeant) return [`\${workspaceFolder:${name}}`, relative].filter(Boolean).join('/');
  }
  return folder;
}

/** Takes the name, unless another base has it or there are too many. */
function placeFault(names: Set<string>, name: string): BaseFault | undefined {
  if (names.has(name)) return 'same_name';
  if (names.size === MOST_BASES) return 'too_many';
  names.add(name);
  return undefined;
}

function readBase(name: string, entry: unknown, place: SettingPlace): BaseDefinition | BaseFault {
  const fault = baseNameFault(name);
  if (fault) return fault;
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return 'no_object';
  const { path: given, include, exclude } = entry as Record<string, unknown>;
  if (typeof given !== 'string' || given.trim() === '' || given.includes('\0')) return 'no_path';
  const root = resolveRoot(given.trim(), place);
  if (typeof root !== 'object') return root;
  if (!isPatterns(include) || !isPatterns(exclude)) return 'bad_patterns';
  return { name, root: root.path, ...(include ? { include } : {}), ...(exclude ? { exclude } : {}) };
}

/** Where a path of a setting leads; see `readBases`. */
export function resolveRoot(
  given: string,
  { folders, home }: SettingPlace,
): { path: string } | 'no_folder' | 'unknown_variable' {
  let missing: 'no_folder' | 'unknown_variable' | undefined;
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
