import { type Clock, isoDate, parseTime } from '../core/clock';
import type { Nearness } from './current-file';
import type { DiscoverySettings, TaskType } from './model';
import type { Learned } from './options';
import { type Subject, typeOf } from './subject';

/** What a hit that is as near to the file as can be counts more. Seed 002 asks for it and names no number. */
const NEAR_FACTOR = 1.25;
/** All boosts together change the odds by no more than this, either way: a hit below 0.69 never gets to 0.9. */
const LARGEST = 4;
/** What names the current file by its globs is possibly useful, whatever its words (seed 002, "Relevance Thresholds"). */
export const NAMED_SCORE = 0.5;
/** And where it has a risk, important. */
export const NAMED_RISK_SCORE = 0.7;
/** Without a boost no score is above this, so that boosts tell even the best hits apart. */
const CERTAIN = 0.97;
const DAY_MS = 24 * 60 * 60 * 1000;

const DRAFTS = new Set(['draft', 'proposed', 'experimental', 'wip']);
const DEPRECATED = new Set(['deprecated', 'obsolete', 'superseded', 'archived', 'rejected']);

/** One boost that changed the score. */
export interface Boost {
  factor: number;
  /** What it was, for a reason: `a guideline, for implement`. */
  says: string;
}

export interface BoostContext {
  settings: DiscoverySettings;
  taskType: TaskType | undefined;
  clock: Clock;
  /** Undefined without a current file. */
  nearness(subject: Subject): Nearness | undefined;
  /** What was learned by use. */
  learned?: Pick<Learned, 'effectivenessOf' | 'gentleBoost'> | undefined;
}

/** The boosts of seed 002's algorithm that apply, in its order; those of factor 1 are left out. */
export function boostsOf(subject: Subject, { settings, taskType, clock, nearness, learned }: BoostContext): Boost[] {
  const boosts: Boost[] = [];
  const add = (factor: number, says: string) => {
    if (factor !== 1) boosts.push({ factor, says });
  };
  const type = typeOf(subject);
  if (taskType) add(typeFactor(settings.boosts[taskType], type), `${type} for ${taskType}`);
  const checked = lastChecked(subject);
  if (checked !== undefined && isRecent(checked, clock.now(), settings.boost_recent_update_days)) {
    add(settings.boost_recent_update_factor, `${subject.kind === 'note' ? 'updated' : 'checked'} ${isoDate(checked)}`);
  }
  const { factor, says } = statusFactor(subject, settings.boost_active_status);
  add(factor, says);
  const near = nearness(subject);
  if (near?.isNamed) add(NEAR_FACTOR, 'names the current file');
  else if (near) add(1 + (NEAR_FACTOR - 1) * near.share, 'near the current file');
  if (learned) {
    const { factor: helped, says: how } = learnedFactor(subject, learned);
    add(helped, how);
  }
  return boosts;
}

/**
 * The score with its boosts. They multiply the odds, score : (1 - score), and not the score: so it stays between 0 and
 * 1, the order of equally boosted hits stays, and what is only vaguely about the task cannot become directly about it.
 */
export function boostedScore(score: number, boosts: readonly Boost[]): number {
  const product = boosts.reduce((all, { factor }) => all * factor, 1);
  const factor = Math.min(LARGEST, Math.max(1 / LARGEST, product));
  const before = Math.min(CERTAIN, Math.max(0, score));
  const odds = (before / (1 - before)) * factor;
  return odds / (1 + odds);
}

/** When a person last looked whether it still holds, of a note when it was last updated, in milliseconds since the epoch. */
export function lastChecked(subject: Subject): number | undefined {
  const written = whenWritten(subject);
  return written === undefined ? undefined : parseTime(written.trim());
}

function whenWritten(subject: Subject): string | undefined {
  switch (subject.kind) {
    case 'node':
      return subject.node.last_checked;
    case 'note':
      return subject.note.updated_at ?? subject.note.created_at;
    case 'entry':
      return Object.entries(subject.entry.metaknowledge).find(([key]) => /^last[_ -]checked$/i.test(key))?.[1];
  }
}

/** Entries are rules that hold: they count as guidelines do, unless the settings say something of `entry`. */
function typeFactor(factors: Record<string, number>, type: string): number {
  const own = Object.hasOwn(factors, type) ? factors[type] : undefined;
  return own ?? (type === 'entry' ? factors.guideline : undefined) ?? 1;
}

function isRecent(checked: number, now: number, days: number): boolean {
  // Whoever is east of here may have checked it tomorrow.
  return checked <= now + DAY_MS && checked > now - days * DAY_MS;
}

/** How it served before, gently: the less it rests on, the less it counts. A rule with a risk is never lowered by it. */
function learnedFactor(subject: Subject, learned: Pick<Learned, 'effectivenessOf' | 'gentleBoost'>): Boost {
  const effectiveness = learned.effectivenessOf(subject.uri);
  const factor = learned.gentleBoost(effectiveness);
  const { score, ratings } = effectiveness;
  const hasRisk = subject.kind === 'entry' && subject.entry.risks.length > 0;
  const basis = ratings === 0 ? 'its use' : `${ratings} ${ratings === 1 ? 'rating' : 'ratings'}`;
  const how = factor > 1 ? 'helped before' : 'helped little before';
  return { factor: hasRisk ? Math.max(1, factor) : factor, says: `${how}: ${score.toFixed(2)} from ${basis}` };
}

/** Active is what is expected: it keeps its score, and the others lose what it has more than they. */
function statusFactor(subject: Subject, active: number): Boost {
  const status = subject.kind === 'node' ? subject.node.status.toLowerCase() : 'active';
  if (DRAFTS.has(status)) return { factor: 1 / active, says: status };
  if (DEPRECATED.has(status)) return { factor: 1 / active ** 2, says: status };
  return { factor: 1, says: status };
}
