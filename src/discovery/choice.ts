import { byScore, type Candidate } from './scoring';

/** What a candidate counts for each one that was chosen from the same file, category or folder before it. */
const SAME_PLACE = 0.92;

export interface Choice {
  /** Best first. */
  chosen: Candidate[];
  /** How many were left out because they did not fit the budget. */
  unfitting: number;
}

/**
 * The best `limit`. Where several are about as good, those from other places come first, so that a task that could mean
 * several things gets something of each; what is clearly better is taken all the same. With a budget of tokens, whatever
 * does not fit is left out and smaller ones behind it may still be taken.
 */
export function choose(candidates: readonly Candidate[], limit: number, budget?: number): Choice {
  const left = [...candidates].sort(byScore);
  const chosen: Candidate[] = [];
  const fromPlace = new Map<string, number>();
  let tokens = 0;
  let unfitting = 0;
  while (chosen.length < limit && left.length > 0) {
    const next = takeBest(left, fromPlace);
    if (budget !== undefined && tokens + next.tokens > budget) {
      unfitting++;
      continue;
    }
    tokens += next.tokens;
    chosen.push(next);
    fromPlace.set(placeOf(next), (fromPlace.get(placeOf(next)) ?? 0) + 1);
  }
  return { chosen: chosen.sort(byScore), unfitting };
}

function takeBest(left: Candidate[], fromPlace: ReadonlyMap<string, number>): Candidate {
  let best = 0;
  let bestWorth = -1;
  for (const [index, candidate] of left.entries()) {
    // Nobody behind can be worth more: they are sorted.
    if (candidate.score <= bestWorth) break;
    const worth = candidate.score * SAME_PLACE ** (fromPlace.get(placeOf(candidate)) ?? 0);
    if (worth <= bestWorth) continue;
    best = index;
    bestWorth = worth;
  }
  return left.splice(best, 1)[0]!;
}

function placeOf({ subject }: Candidate): string {
  switch (subject.kind) {
    case 'entry':
      return `entries/${subject.entry.source_scope}/${subject.entry.category}`;
    case 'node':
      return `${subject.node.base}/${subject.node.file}`;
    case 'note':
      return `notes/${subject.note.space}/${subject.note.category}`;
  }
}
