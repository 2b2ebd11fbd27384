import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { chmod, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KaizenError } from '../../core/errors';
import { renamePatiently } from '../../core/rename';
import { Turns } from '../../core/turns';
import type { GuardIndex } from '../model';
import { type GuardPlace, guardIndexFile, MAX_INDEX_BYTES } from './index-file';
import { outlineOf } from './outlines';
import { makeOwnFolder } from './own-files';

export { type BuildingClaim, claimBuilding } from './building-claim';

const DAY_MS = 24 * 3600 * 1000;
const LEFT_BEHIND = /\.[0-9a-f]{16}\.tmp$|\.json\.building$/;

/**
 * Puts the index in the place of the former one, whole or not at all; the file is for its owner alone. Made and written
 * in turns. Throws `store_full` when it would be too large to be read, `store_io` where a link is in the folder's place,
 * and what the system says where it cannot be written; what was there then stays.
 */
export async function writeGuardIndex(place: GuardPlace, index: GuardIndex): Promise<void> {
  const parts = await serialised(index);
  const file = guardIndexFile(place);
  makeOwnFolder(place.directory);
  const beside = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    const handle = await open(beside, 'wx', 0o600);
    try {
      for (const part of parts) await handle.writeFile(part);
    } finally {
      await handle.close();
    }
    await chmod(beside, 0o600);
    await renamePatiently(beside, file);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw error;
  }
  removeLeftovers(file);
}

/**
 * The file's bytes in pieces of some 100 kB, so that many rules hold nobody up: JSON, each part on a line of its own, so
 * that `openGuardIndex` need not read them all.
 */
async function serialised(index: GuardIndex): Promise<Buffer[]> {
  const { format, project, shared, stamps, topics, brief, rules } = index;
  const turns = new Turns();
  const parts: Buffer[] = [];
  let size = 0;
  let text = [
    `${JSON.stringify({ format, project, shared, stamps, topics }).slice(0, -1)},`,
    `"outlines":${JSON.stringify(rules.map(outlineOf))},`,
    `"brief":${JSON.stringify(brief)},`,
    '"rules":[',
  ].join('\n');
  const take = () => {
    const part = Buffer.from(text);
    size += part.length;
    if (size > MAX_INDEX_BYTES) {
      throw new KaizenError('store_full', `The ${rules.length} rules are too many for the guard's index.`);
    }
    parts.push(part);
    text = '';
  };
  for (const [at, rule] of rules.entries()) {
    text += `${at === 0 ? '' : ','}\n${JSON.stringify(rule)}`;
    if (text.length < 100_000) continue;
    take();
    await turns.pause();
  }
  text += '\n]}\n';
  take();
  return parts;
}

/** What processes left behind that ended while they wrote, and whatever else is in the place of such a file. Never throws. */
function removeLeftovers(file: string): void {
  try {
    for (const name of readdirSync(dirname(file))) if (LEFT_BEHIND.test(name)) removeOld(join(dirname(file), name));
  } catch {
    // Nothing depends on their being gone.
  }
}

function removeOld(path: string): void {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  } catch {
    // The others may go all the same.
  }
}
