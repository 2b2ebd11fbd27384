import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { sentence } from '../core/sentence';
import { launcherPath } from './launcher';
import type { AgentSurroundings } from './model';
import { isOnPath } from './own-command';
import { ownPaths } from './own-paths';
import type { PieceNote } from './piece';

/** What a person should know of hooks before ticking them. `isShared`: in a file of a team. */
export function hookNotes(around: AgentSurroundings, isShared: boolean): PieceNote[] {
  const notes = slowness(around, isShared);
  return isShared ? [...notes, ...silence(around), ...ownPaths(around.kaizen.flags)] : notes;
}

function slowness({ kaizen }: AgentSurroundings, isShared: boolean): PieceNote[] {
  if (kaizen.command !== 'npx' && !(isShared && kaizen.ofProject)) return [];
  const slow = sentence('Started by npx each hook takes a second or so: install Kaizen, or let VS Code do this.');
  return [{ sentence: slow, isCovered: false }];
}

/** The hooks of a team's file look for what is installed, and do nothing where they do not find it. */
function silence({ kaizen, platform }: AgentSurroundings): PieceNote[] {
  const isLookedFor = kaizen.args.length === 0 && kaizen.command !== launcherPath(platform);
  if (!isLookedFor || isOnPath(platform) || existsSync(launcherPath(platform))) return [];
  const unfound = sentence(
    'Its hooks look for "kaizen" on the PATH, where it is not: until {0} is on it, they do nothing here.',
    dirname(kaizen.command),
  );
  return [{ sentence: unfound, isCovered: false, isWarning: true }];
}
