import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { HookFlag } from '../agents';
import { dataDirectories, isSamePlace, proposeProjectId, realPath } from '../core/locations';
import { shellWord } from '../core/shell-words';
import type { DoctorSurroundings } from './surroundings';

/**
 * Whether hooks with these flags speak of anything else than the doctor was asked about, however that was said. `wanted`
 * are the flags that setting them up would write.
 */
export function areForOthers(
  flags: readonly HookFlag[],
  wanted: readonly HookFlag[],
  around: DoctorSurroundings,
): boolean {
  const isMissing = ([name]: HookFlag) => !flags.some(([each]) => each === name);
  return wanted.some(isMissing) || flags.some((flag) => !isAskedAbout(flag, around));
}

function isAskedAbout([name, value = '']: HookFlag, around: DoctorSurroundings): boolean {
  const { workspace, project, isProjectGuessed } = around;
  // A name that nobody gave is no reason to find another one wrong.
  if (name === '--project') return project === undefined || isProjectGuessed === true || value === project;
  const place = name === '--workspace' ? workspace : placeOf(name, around);
  return place === undefined || isThatPlace(resolve(workspace, value), place, around);
}

/** Whether a store that is not the one in use lies in the folder itself, so that its files may have brought it. */
export function areStrangers(flags: readonly HookFlag[], around: DoctorSurroundings): boolean {
  const { workspace } = around;
  return flags.some(([name, value = '']) => {
    const inUse = placeOf(name, around);
    const store = resolve(workspace, value);
    if (inUse === undefined || isThatPlace(store, inUse, around)) return false;
    if (isWithin(workspace, store)) return true;
    return !isRemote(store, around) && isWithin(realPath(workspace), realPath(store));
  });
}

/** The command that sets a piece up for what the doctor was asked about; what `told` has is put to it with every command. */
export function setUpCommand(id: string, around: DoctorSurroundings): string | undefined {
  const { workspace, data, shared, project, isProjectGuessed, platform, told = [] } = around;
  const standard = dataDirectories(workspace, platform);
  const isStandard = isThatPlace(data, standard.data, around) && isThatPlace(shared, standard.shared, around);
  const isNamed = project !== undefined && !isProjectGuessed && project !== proposeProjectId(workspace);
  const flags: readonly HookFlag[] = [
    ...(isStandard ? [] : [['--data', data] as const, ['--shared', shared] as const]),
    ...(isNamed ? [['--project', project] as const] : []),
  ].filter(([name]) => !told.some(([each]) => each === name));
  const words = flags.flatMap(([name, value = '']) => [name, shellWord(value, platform.platform)]);
  return words.includes(undefined) ? undefined : ['kaizen setup --install', id, ...words].join(' ');
}

/** On another computer: a file of the repository names it, and to look there would tell that computer who asks. */
export function isRemote(file: string, { platform }: Pick<DoctorSurroundings, 'platform'>): boolean {
  return platform.platform === 'win32' && /^[\\/]{2}/.test(file);
}

function placeOf(name: string, { data, shared }: DoctorSurroundings): string | undefined {
  const used: Readonly<Record<string, string>> = { '--data': data, '--shared': shared };
  return used[name];
}

function isThatPlace(named: string, place: string, around: DoctorSurroundings): boolean {
  return named === place || (!isRemote(named, around) && isSamePlace(named, place, around.platform));
}

function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
