import type { BasesPart, KnowledgeNode } from '../bases';
import { byScore, type Candidate } from './scoring';

/** A node with all that is below it is taken as one piece up to so many estimated tokens. */
const ONE_PIECE = 2_000;
/** A parent that fits much worse than its best section says little of its own about the task. */
const FITS_AS_WELL = 0.6;
/** Below so many tokens of its own a node is only a heading over its sections. */
const CONTAINER = 40;

/**
 * Seed 002: "De-duplicate overlapping nodes (prefer parent if children are also matched)". What a parent and sections
 * of it have in common depends on how long they are, so:
 *
 * - a parent that is one piece with its sections stands for those that were found, with the best score of them, unless it
 *   fits much worse than they do; its tokens are then those of all that is below it;
 * - else the sections stay, being what is to be loaded, and the parent too if it has a text of its own and fits at least
 *   as well as they do.
 *
 * A heading that has hardly a text of its own is given with all that is below it; one with nothing below it, not at all.
 * Best first again. The same text in two bases, or in two notes, counts once.
 */
export function withoutOverlap(candidates: readonly Candidate[], bases: BasesPart): Candidate[] {
  const result: Candidate[] = [];
  const byFile = new Map<string, Candidate[]>();
  for (const candidate of withoutCopies(candidates)) {
    const { subject } = candidate;
    if (subject.kind !== 'node') {
      result.push(candidate);
      continue;
    }
    const file = JSON.stringify([subject.node.base, subject.node.file]);
    const others = byFile.get(file);
    if (others) others.push(candidate);
    else byFile.set(file, [candidate]);
  }
  for (const found of byFile.values()) {
    const { base, file } = nodeOf(found[0]!);
    const nodes = new Map(bases.file(base, file)?.nodes.map((node) => [node.id, node]));
    const kept = found.length === 1 ? found : withoutOverlapIn(found, nodes);
    result.push(...kept.map((candidate) => withBelow(candidate, nodes)).filter(({ tokens }) => tokens > 0));
  }
  return result.sort(byScore);
}

/** What a mere heading is worth reading for is below it. */
function withBelow(candidate: Candidate, nodes: ReadonlyMap<string, KnowledgeNode>): Candidate {
  const { tokens } = candidate;
  if (tokens >= CONTAINER) return candidate;
  const whole = wholeTokens(nodeOf(candidate), nodes);
  return tokens === 0 || whole <= ONE_PIECE ? { ...candidate, tokens: whole } : candidate;
}

/** Those of one file: from the innermost heading outwards. */
function withoutOverlapIn(found: readonly Candidate[], nodes: ReadonlyMap<string, KnowledgeNode>): Candidate[] {
  const kept = new Map(found.map((candidate) => [nodeOf(candidate).id, candidate]));
  const outermostLast = [...found].sort((a, b) => depthOf(nodeOf(b), nodes) - depthOf(nodeOf(a), nodes));
  for (const candidate of outermostLast) {
    const { id } = nodeOf(candidate);
    const parent = kept.get(id);
    if (!parent) continue;
    const sections = [...kept.values()].filter((other) => other !== parent && isBelow(nodeOf(other), id, nodes));
    if (sections.length === 0) continue;
    const best = Math.max(...sections.map(({ score }) => score));
    const whole = wholeTokens(nodeOf(parent), nodes);
    if (whole <= ONE_PIECE && parent.score >= best * FITS_AS_WELL) {
      for (const section of sections) kept.delete(nodeOf(section).id);
      kept.set(id, {
        ...parent,
        score: Math.max(parent.score, best),
        sections: sections.flatMap((section) => [section, ...section.sections]).sort(byScore),
        tokens: whole,
      });
    } else if (parent.score < best || nodeOf(parent).token_count < CONTAINER) {
      kept.delete(id);
    }
  }
  return [...kept.values()];
}

function withoutCopies(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return [...candidates].sort(byScore).filter(({ subject }) => {
    if (subject.kind === 'entry') return true;
    const { content_hash } = subject.kind === 'node' ? subject.node : subject.note;
    if (seen.has(content_hash)) return false;
    seen.add(content_hash);
    return true;
  });
}

function nodeOf({ subject }: Candidate): KnowledgeNode {
  if (subject.kind === 'node') return subject.node;
  throw new TypeError('Only nodes have sections.');
}

function depthOf(node: KnowledgeNode, nodes: ReadonlyMap<string, KnowledgeNode>): number {
  let depth = 0;
  for (let above = parentOf(node, nodes); above; above = parentOf(above, nodes)) depth++;
  return depth;
}

function isBelow(node: KnowledgeNode, id: string, nodes: ReadonlyMap<string, KnowledgeNode>): boolean {
  for (let above = parentOf(node, nodes); above; above = parentOf(above, nodes)) if (above.id === id) return true;
  return false;
}

function parentOf({ parent_id }: KnowledgeNode, nodes: ReadonlyMap<string, KnowledgeNode>): KnowledgeNode | undefined {
  return parent_id === null ? undefined : nodes.get(parent_id);
}

function wholeTokens(node: KnowledgeNode, nodes: ReadonlyMap<string, KnowledgeNode>): number {
  let tokens = node.token_count;
  for (const id of node.children_ids) {
    const child = nodes.get(id);
    if (child) tokens += wholeTokens(child, nodes);
  }
  return tokens;
}
