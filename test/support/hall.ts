import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BasesPart } from '../../src/bases';
import type { ContinuityPart } from '../../src/continuity';
import type { Clock } from '../../src/core/clock';
import { type ErrorCode, isKaizenError } from '../../src/core/errors';
import type { DiscoveryPart } from '../../src/discovery';
import { Kaizen, type KaizenOptions } from '../../src/kaizen';
import type { EntryInput, KnowledgePart, Metaknowledge, Tier } from '../../src/knowledge';
import type { AdministrationPart, LearningPart, WorkflowsPart } from '../../src/learning';
import type { LibraryPart } from '../../src/library';
import type { NotesPart } from '../../src/notes';
import type { RelationsPart } from '../../src/relations';
import type { ReviewPart } from '../../src/review';

/** Time that stands still until it is told to go on. */
export class TestClock implements Clock {
  constructor(public time = Date.parse('2026-05-04T09:00:00.000Z')) {}

  now(): number {
    return this.time;
  }

  advanceMinutes(minutes: number): void {
    this.time += minutes * 60_000;
  }
}

/** An open Kaizen with its parts at hand, and short words for what tests do all the time. */
export interface Hall {
  kaizen: Kaizen;
  knowledge: KnowledgePart;
  continuity: ContinuityPart;
  review: ReviewPart;
  bases: BasesPart;
  notes: NotesPart;
  library: LibraryPart;
  relations: RelationsPart;
  learning: LearningPart;
  workflows: WorkflowsPart;
  administration: AdministrationPart;
  discovery: DiscoveryPart;
  clock: TestClock;
  data: string;
  shared: string;
  /** Defines a scope; its name is its id unless told. */
  define(scope_id: string, tier: Tier, parents?: string[], name?: string): Promise<unknown>;
  /** Stores an entry, whatever was there. */
  put(
    scope: string,
    category: string,
    keyword: string,
    content?: string,
    metaknowledge?: Metaknowledge,
  ): Promise<unknown>;
}

export interface HallOptions extends Partial<Omit<KaizenOptions, 'clock'>> {
  clock?: TestClock;
}

export const BY_TESTER = { author: 'tester' };

/**
 * To be called in a `describe`: gives a function that opens halls, each in new temporary directories unless told.
 * After each test they are closed and their directories removed.
 */
export function useHalls(): (options?: HallOptions) => Promise<Hall> {
  const opened: Kaizen[] = [];
  const directories: string[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((kaizen) => kaizen.close()));
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
  });
  return async ({ clock = new TestClock(), data, shared, ...options } = {}) => {
    const root = mkdtempSync(path.join(tmpdir(), 'kaizen-hall-'));
    directories.push(root);
    const places = { data: data ?? path.join(root, 'data'), shared: shared ?? path.join(root, 'shared') };
    const kaizen = new Kaizen({ ...places, ...options, clock });
    opened.push(kaizen);
    const parts = await kaizen.parts();
    return {
      ...parts,
      // The hall's parts are all that it is known to have: what else there is, goes by other names here.
      ...places,
      kaizen,
      clock,
      ...shortcuts(kaizen),
    };
  };
}

function shortcuts(kaizen: Kaizen): Pick<Hall, 'define' | 'put'> {
  return {
    define: async (scope_id, tier, parents, name) => {
      const { knowledge } = await kaizen.parts();
      return knowledge.defineScope({ scope_id, tier, parents, name }, BY_TESTER);
    },
    put: async (target_scope_id, category, keyword, content = `${keyword} of ${target_scope_id}`, metaknowledge) => {
      const { knowledge } = await kaizen.parts();
      const entry: EntryInput = { target_scope_id, category, keyword, content, metaknowledge };
      return knowledge.storeOverwrite(entry, BY_TESTER);
    },
  };
}

/** Numbers from 0 up to, but not including, 1 that follow from the seed alone (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** For `assert.rejects` and `assert.throws`: the error's code, and what its message and hint must say. */
export function error(code: ErrorCode, ...says: (string | RegExp)[]): (thrown: unknown) => true {
  return (thrown) => {
    assert.ok(isKaizenError(thrown), `not a KaizenError: ${String(thrown)}`);
    const text = `${thrown.message} ${thrown.hint ?? ''}`;
    assert.equal(thrown.code, code, text);
    for (const each of says) assert.match(text, each instanceof RegExp ? each : new RegExp(each));
    return true;
  };
}
