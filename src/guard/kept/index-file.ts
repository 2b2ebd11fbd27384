import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { realPath } from '../../core/locations';
import { sha256 } from '../../core/sha256';
import { isStore } from '../../store/stamps';
import {
  type GuardBrief,
  type GuardIndex,
  type GuardRule,
  INDEX_FORMAT,
  type OpenGuardIndex,
  type RuleOutline,
} from '../model';
import { areOutlines, type IndexHead, isGuardBrief, isGuardRule, isIndexHead } from './checking';

/** Bytes. Some 10,000 rules; a larger file is not ours, or not worth reading in a hook. */
export const MAX_INDEX_BYTES = 16 * 1024 * 1024;

/** The stores that a hook speaks for, and where the guard keeps its files. */
export interface GuardPlace {
  /** `guard`, beside the workspace's store; it need not exist. */
  directory: string;
  /** Directory of the workspace's store. */
  data: string;
  shared: string;
  /** The current project's scope. */
  project: string;
}

/**
 * Where the guard's files are for these stores. Where one of them is not there, the other
 * one is both: what is shared holds for a workspace without a store, too. Undefined where there is no store at all. Throws what the system says where they may not be looked at.
 */
export function guardPlace({ data, shared, project }: Omit<GuardPlace, 'directory'>): GuardPlace | undefined {
  const common = isStore(shared) ? realPath(shared) : undefined;
  const home = isStore(data) ? realPath(data) : common;
  if (home === undefined) return undefined;
  return { directory: join(home, 'guard'), data: home, shared: common ?? home, project };
}

/** The index of one project, seen with one shared store. Another format has another name, so that two builds can go on side by side. */
export function guardIndexFile({ directory, shared, project }: GuardPlace): string {
  const hash = sha256(JSON.stringify([INDEX_FORMAT, project, shared]));
  return join(directory, `${hash.slice(0, 24)}.json`);
}

/** Whether an index was made here before: somebody uses hooks. */
export function holdsGuardIndex(place: GuardPlace): boolean {
  return statSync(guardIndexFile(place), { throwIfNoEntry: false })?.isFile() === true;
}

/** Another after each time that the index was written; empty where there is none. Never throws. */
export function indexVersion(place: GuardPlace): string {
  try {
    const { ino, size, mtimeNs } = statSync(guardIndexFile(place), { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    return '';
  }
}

/** A part of the index that was opened is not what it should be. */
export class DamagedIndex extends Error {}

/** The lines before the rules, and those behind. */
const BEFORE = 4;
const BEHIND = 2;

/**
 * The index without its rules and its brief, which are read when they are asked for. Undefined where there is none, or its
 * frame is damaged, it is too large, of another format, project or shared store. Never throws.
 */
export function openGuardIndex(place: GuardPlace): OpenGuardIndex | undefined {
  try {
    const file = guardIndexFile(place);
    if (statSync(file).size > MAX_INDEX_BYTES) return undefined;
    const lines = readFileSync(file, 'utf8').split('\n');
    const head = partOf(`${unended(lines[0])}}`, isIndexHead);
    const outlines = partOf(unended(lines[1]).slice('"outlines":'.length), areOutlines);
    const isWhole =
      lines[3] === '"rules":[' && lines.length === BEFORE + outlines.length + BEHIND && lines.at(-2) === ']}';
    if (!isWhole || head.project !== place.project || head.shared !== place.shared) return undefined;
    return opened(head, outlines, lines);
  } catch {
    return undefined;
  }
}

function opened(head: IndexHead, outlines: readonly RuleOutline[], lines: readonly string[]): OpenGuardIndex {
  const known: GuardRule[] = [];
  let brief: GuardBrief | undefined;
  const rule = (at: number) => (known[at] ??= partOf(unended(lines[BEFORE + at]), isGuardRule));
  return {
    ...head,
    get rules() {
      return outlines.map((_, at) => rule(at));
    },
    get brief() {
      brief ??= partOf(unended(lines[2]).slice('"brief":'.length), isGuardBrief);
      return brief;
    },
    rulesWhere: (isPossible) => outlines.flatMap((outline, at) => (isPossible(outline) ? [rule(at)] : [])),
  };
}

function partOf<T>(text: string, is: (value: unknown) => value is T): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DamagedIndex();
  }
  if (!is(value)) throw new DamagedIndex();
  return value;
}

function unended(line = ''): string {
  return line.endsWith(',') ? line.slice(0, -1) : line;
}

/** The whole of it. Undefined where there is none, or it is damaged, too large, of another format, project or shared store. Never throws. */
export function readGuardIndex(place: GuardPlace): GuardIndex | undefined {
  try {
    const { rulesWhere: _, ...index } = openGuardIndex(place) ?? {};
    return 'rules' in index ? index : undefined;
  } catch {
    return undefined;
  }
}
