import type { SessionSummary } from '../../continuity';

/** A sentence or point of a session that may have taught something. */
export interface SessionLine {
  text: string;
  /** It says itself that something was a problem, was decided or was learned. */
  isLikely: boolean;
}

const SHORTEST = 12;
const MOST = 50;

/** `Learned:`, `- **Decision** –`: what a point is called by whoever wrote it. */
const LABEL =
  /^(?:[*_]*)(lessons?(?: learned)?|learned|learnt|learnings?|problems?|issues?|causes?|root cause|decisions?|decided|fix(?:ed)?|gelernt|erkenntnis(?:se)?|lehren?|probleme?|ursachen?|entscheidung(?:en)?|entschieden)(?:[*_]*)\s*(?::|–|—|-)\s*(?:[*_]*)\s*/i;

const TELLING =
  /\b(learn(?:ed|t)|turned out|because|instead of|never|always|must(?: not)?|should(?: not|n't)?|decided|decision|problem|failed|failure|broke|root cause|caused by|mistake|regression|workaround|gelernt|weil|stattdessen|niemals?|immer|muss|darf|sollte|entschieden|entscheidung|fehlgeschlagen|fehler|ursache|herausgestellt)\b/iu;

/** What a session says, point by point and sentence by sentence, each once; what was completed comes last. */
export function linesOf({
  summary,
  tasks_completed,
}: Pick<SessionSummary, 'summary' | 'tasks_completed'>): SessionLine[] {
  const found = new Map<string, SessionLine>();
  const take = (text: string, isLikely: boolean) => {
    const key = text.toLowerCase();
    if (text.length >= SHORTEST && !found.has(key)) found.set(key, { text, isLikely });
  };
  let isBelowLabel = false;
  for (const raw of summary.split('\n')) {
    const line = raw.replace(/^\s*(?:[-*+]\s+|\d+[.)]\s+|#{1,6}\s+|>\s*)/, '').trim();
    const [label = ''] = LABEL.exec(`${line}:`) ?? [];
    // `## Learned` and `Problems:` are about the points that follow.
    if (label.length >= line.length && line !== '') {
      isBelowLabel = true;
      continue;
    }
    if (/^\s*#{1,6}\s/.test(raw)) {
      isBelowLabel = false;
      continue;
    }
    const own = LABEL.exec(line)?.[0] ?? '';
    for (const sentence of sentencesOf(line.slice(own.length))) {
      take(sentence, isBelowLabel || own !== '' || TELLING.test(sentence));
    }
  }
  for (const task of tasks_completed) take(task.replace(/\s+/g, ' ').trim(), false);
  return [...found.values()].slice(0, MOST);
}

function sentencesOf(line: string): string[] {
  // No look-behind for abbreviations: a sentence too short to be one goes on with the next.
  const parts = line.split(/(?<=[.!?。！？])\s+(?=[\p{Lu}\p{N}"“„(`])/u);
  const sentences: string[] = [];
  for (const part of parts.map((each) => each.replace(/\s+/g, ' ').trim())) {
    const last = sentences.at(-1);
    if (last !== undefined && last.length < SHORTEST) sentences[sentences.length - 1] = `${last} ${part}`;
    else if (part !== '') sentences.push(part);
  }
  return sentences;
}
