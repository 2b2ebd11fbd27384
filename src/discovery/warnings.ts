import { gravity, type Risk } from '../knowledge';
import { byScore, type Candidate } from './scoring';

const MAX_WARNINGS = 10;

export interface Warned {
  candidate: Candidate;
  risks: Pick<Risk, 'level' | 'text'>[];
}

export interface Warnings {
  warned: Warned[];
  /** How many there are beyond those. */
  unmentioned: number;
  others: Candidate[];
}

/** Parts candidates into entries with a risk, the gravest ten and gravest first, and all others. */
export function warningsOf(candidates: readonly Candidate[]): Warnings {
  const warned: Warned[] = [];
  const others: Candidate[] = [];
  for (const candidate of candidates) {
    const { subject } = candidate;
    if (subject.kind !== 'entry' || subject.entry.risks.length === 0) others.push(candidate);
    else warned.push({ candidate, risks: subject.entry.risks.map(({ level, text }) => ({ level, text })) });
  }
  warned.sort((a, b) => gravity(a.risks) - gravity(b.risks) || byScore(a.candidate, b.candidate));
  const unmentioned = Math.max(0, warned.length - MAX_WARNINGS);
  return { warned: warned.slice(0, MAX_WARNINGS), unmentioned, others };
}
