import path from 'node:path';
import type { NoteSpaces, Space } from '../../notes';
import { resolveRoot, type SettingPlace } from '../bases/base-definitions';
import { isNamedInside, placeOutside } from '../bases/outside';

/** Why a folder of the settings is not used. */
export type FolderFault = 'no_folder' | 'unknown_variable' | 'not_absolute' | 'unusable' | 'same_folder';

export interface ReadSpaces {
  spaces: NoteSpaces;
  faults: { space: Space; fault: FolderFault }[];
  /** Where the workspace would have its notes outside of its folders, links followed: used once the person allows it. */
  outside?: string | undefined;
}

export interface SpaceSettings {
  project: unknown;
  user: unknown;
  /** Whether it is the workspace that says where the project's notes lie. */
  isOfWorkspace: boolean;
  allows(root: string): boolean;
}

/**
 * Reads `kaizen.notes.projectFolder` and `kaizen.notes.userFolder`. Paths are read as those of knowledge bases; the
 * person's own is absolute or begins with `~`. Empty means none. Without an open folder there is no project space, unless
 * its path is absolute. Never throws.
 */
export function readSpaces({ project, user, isOfWorkspace, allows }: SpaceSettings, place: SettingPlace): ReadSpaces {
  const read: ReadSpaces = { spaces: {}, faults: [] };
  const own = rootOf(user, { ...place, folders: [] });
  if (typeof own === 'object') read.spaces.user = own.root;
  else if (own) read.faults.push({ space: 'user', fault: own === 'no_folder' ? 'not_absolute' : own });
  const shared = rootOf(project, place);
  if (typeof shared === 'string') {
    // Where nothing is open, there is no project to have notes.
    if (shared !== 'no_folder' || place.folders.length > 0) read.faults.push({ space: 'project', fault: shared });
    return read;
  }
  if (!shared) return read;
  const { root } = shared;
  const folders = place.folders.map((folder) => folder.path);
  // What lies in the workspace may be a link that somebody else has put there, wherever the path comes from.
  const isForeign = isOfWorkspace || isNamedInside(root, folders);
  const outside = isForeign ? placeOutside(root, folders) : undefined;
  if ((outside ?? root) === read.spaces.user) read.faults.push({ space: 'project', fault: 'same_folder' });
  else if (outside !== undefined && !allows(outside)) read.outside = outside;
  else read.spaces.project = root;
  return read;
}

/** The file relative to the root of its space, `/` between its parts; by their names alone, nothing is looked at. */
export function placeInSpaces(file: string, spaces: NoteSpaces): { space: Space; file: string } | undefined {
  for (const space of ['project', 'user'] as const) {
    const root = spaces[space];
    if (root === undefined) continue;
    const relative = path.relative(root, file);
    if (relative === '' || relative.startsWith('..') || path.isAbsolute(relative)) continue;
    return { space, file: relative.split(path.sep).join('/') };
  }
  return undefined;
}

function rootOf(value: unknown, place: SettingPlace): { root: string } | FolderFault | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.includes('\0')) return 'unusable';
  if (value.trim() === '') return undefined;
  const resolved = resolveRoot(value.trim(), place);
  return typeof resolved === 'object' ? { root: resolved.path } : resolved;
}
