import type { Turns } from '../../core/turns';
import type { Finding, Findings, RccaRequest } from '../workflows-model';
import { type CausalClaim, causalClaims } from './causal-text';
import { counted, rounded } from './confidence';
import { byScore, type Passage } from './evidence';
import { causesOf, type Incidents } from './incidents';
import type { Inquiry } from './inquiry';
import { ofEnd, relationsOf } from './related';
import { cut, named, partsOf, shared, stemSet, stemsOf } from './words';

type TraceCause = Extract<RccaRequest, { operation: 'trace_cause' }>;

const DEFAULT_DEPTH = 5;
const MOST_DEPTH = 10;
const ANCHORS = 8;
/** What fits less is not what was meant. */
const LEAST_FIT = 0.15;
const NEAR_THE_BEST = 0.35;
/** Ends that are looked at, and chains that are answered. */
const MOST_ENDS = 500;
const MOST_CHAINS = 100;
/** What somebody who solved a case says it came from; what a pattern says that it comes from as a rule. */
const SAID_OF_CASE = 0.8;
const SAID_OF_PATTERN = 0.6;
const SAID_IN_TEXT = 0.5;
/** A sign of something is near its cause, and may be no more than another effect. */
const SIGN = 0.5;
/** What remains of the doubt in a chain for each known factor in it. */
const DOUBT_LEFT = 0.6;

/** One step from an effect to what it came from. */
export interface ChainStep {
  from: string;
  to: string;
  /** The address of what the step leads to; of what says so, where the cause is only named. */
  uri: string;
  /** `causes`, `indicates` of a relation; `root_cause` where a record names it; `text`. */
  by: 'causes' | 'indicates' | 'root_cause' | 'text';
  relation_id?: string | undefined;
  evidence?: readonly string[] | undefined;
  /** 0 to 1. */
  confidence: number;
}

export interface CauseChain {
  effect: string;
  effect_uri: string;
  root_cause: string;
  steps: readonly ChainStep[];
  /** How well the effect fits, times the steps' confidences; raised by known factors. */
  confidence: number;
  known_factors: readonly string[];
  from: 'relations' | 'record' | 'text';
}

interface Walk {
  at: Passage;
  steps: ChainStep[];
  seen: ReadonlySet<string>;
  confidence: number;
}

/**
 * From an effect to what it came from (5.4.1): the ends whose text matches it, from there against `causes` and along
 * `indicates` ("A is a symptom of B"), and what records name as root causes; then what texts say. A chain ends where
 * nothing more is known, at the depth, or where it would come back to itself.
 */
export async function traceCause(request: TraceCause, inquiry: Inquiry, incidents: Incidents): Promise<Findings> {
  const { effect_description: effect, known_factors = [] } = request;
  const depth = Math.max(1, Math.min(MOST_DEPTH, Math.trunc(request.max_chain_depth ?? DEFAULT_DEPTH)));
  const { evidence, deep, signal, turns } = inquiry;
  const [passages, cases] = await Promise.all([
    evidence.search({ query: effect, limit: deep, standards: request.standards_filter }),
    incidents.find(effect, [], ['project', 'pattern'], ANCHORS, signal),
  ]);
  const anchors = anchorsOf([
    ...passages,
    ...cases.map(({ found, semantic, matched }) => evidence.ofRecord(found, semantic, { matched })),
  ]);
  const chains: { chain: CauseChain; end: Passage }[] = [];
  for (const anchor of anchors) {
    for (const walk of await chainsFrom(anchor, depth, inquiry)) chains.push(chainOf(anchor, walk, known_factors));
  }
  for (const claim of await claimsOf(effect, passages, inquiry)) {
    chains.push(withFactors(claim, known_factors));
    await turns.pause();
  }
  chains.sort((a, b) => b.chain.confidence - a.chain.confidence || (a.chain.root_cause < b.chain.root_cause ? -1 : 1));
  const findings: Finding[] = [];
  const told = new Set<string>();
  for (const { chain, end } of chains.slice(0, MOST_CHAINS)) {
    const key = `${end.uri}\n${chain.root_cause.toLowerCase()}`;
    if (told.has(key)) continue;
    told.add(key);
    findings.push(
      inquiry.finding(end, {
        semantic: chain.confidence,
        content: chain.root_cause,
        why: whyOf(chain),
        details: { chain, from: chain.from },
      }),
    );
    await turns.pause();
  }
  return inquiry.answer(inquiry.best(findings), {
    operation: request.operation,
    extra: {
      chains: chains.slice(0, MOST_CHAINS).map(({ chain }) => chain),
      anchors: anchors.map(({ uri, title, semantic }) => ({ uri, title, semantic_score: rounded(semantic) })),
      max_chain_depth: depth,
    },
    nothing:
      anchors.length === 0
        ? 'Nothing is known that matches this effect.'
        : 'The effect is known, but nothing says what it came from: add `causes` relations once that is clear.',
  });
}

function anchorsOf(passages: readonly Passage[]): Passage[] {
  const best = new Map<string, Passage>();
  for (const passage of passages) {
    const known = best.get(passage.uri);
    if (passage.semantic >= LEAST_FIT && (!known || known.semantic < passage.semantic)) best.set(passage.uri, passage);
  }
  const sorted = [...best.values()].sort(byScore);
  const least = (sorted[0]?.semantic ?? 0) * NEAR_THE_BEST;
  return sorted.filter(({ semantic }) => semantic >= least).slice(0, ANCHORS);
}

/** Longest ones only: what is a part of another chain is not told twice. */
async function chainsFrom(anchor: Passage, depth: number, inquiry: Inquiry): Promise<Walk[]> {
  const done: Walk[] = [];
  let level: Walk[] = [{ at: anchor, steps: [], seen: new Set([anchor.uri]), confidence: 1 }];
  let ends = 0;
  while (level.length > 0 && done.length < MOST_CHAINS) {
    const next: Walk[] = [];
    for (const walk of level) {
      const further = walk.steps.length < depth && ends < MOST_ENDS ? await stepsFrom(walk, inquiry) : [];
      ends += further.length;
      for (const each of further) (each.isLast ? done : next).push(each.walk);
      if (further.length === 0 && walk.steps.length > 0) done.push(walk);
    }
    level = next;
  }
  return done;
}

async function stepsFrom(walk: Walk, inquiry: Inquiry): Promise<{ walk: Walk; isLast: boolean }[]> {
  const { at } = walk;
  const found: { walk: Walk; isLast: boolean }[] = [];
  for (const relation of await relationsOf(inquiry, at.uri, { types: ['causes', 'indicates'], direction: 'both' })) {
    const isSource = relation.source === at.uri;
    const other = isSource ? relation.target : relation.source;
    const leadsOn = !isSource || relation.type === 'indicates' || relation.bidirectional;
    if (!leadsOn || walk.seen.has(other)) continue;
    const end = await inquiry.world.relations.resolve(other, inquiry.signal);
    if (!end) continue;
    const isSign = relation.type === 'indicates' && !isSource && !relation.bidirectional;
    const confidence = relation.confidence * (isSign ? SIGN : 1);
    const to = ofEnd(inquiry, end, at.semantic * confidence);
    const step: ChainStep = {
      from: at.title,
      to: to.title,
      uri: other,
      by: relation.type === 'causes' ? 'causes' : 'indicates',
      relation_id: relation.id,
      evidence: relation.evidence,
      confidence,
    };
    found.push({
      isLast: false,
      walk: {
        at: to,
        steps: [...walk.steps, step],
        seen: new Set([...walk.seen, other]),
        confidence: walk.confidence * confidence,
      },
    });
  }
  for (const { cause, confidence } of namedCauses(at)) {
    const step: ChainStep = { from: at.title, to: cause, uri: at.uri, by: 'root_cause', confidence };
    found.push({
      isLast: true,
      walk: { at, steps: [...walk.steps, step], seen: walk.seen, confidence: walk.confidence * confidence },
    });
  }
  return found;
}

function namedCauses({ record: found }: Passage): { cause: string; confidence: number }[] {
  if (found?.kind === 'pattern') {
    return found.record.root_causes.map((cause) => ({ cause, confidence: SAID_OF_PATTERN }));
  }
  if (found?.kind !== 'project') return [];
  return causesOf(found.record).map((cause) => ({ cause, confidence: SAID_OF_CASE }));
}

function chainOf(anchor: Passage, walk: Walk, factors: readonly string[]): { chain: CauseChain; end: Passage } {
  const last = walk.steps.at(-1)!;
  const chain: CauseChain = {
    effect: anchor.title,
    effect_uri: anchor.uri,
    root_cause: last.to,
    steps: walk.steps,
    confidence: anchor.semantic * walk.confidence,
    known_factors: [],
    from: walk.steps.some(({ relation_id }) => relation_id !== undefined) ? 'relations' : 'record',
  };
  return withFactors({ chain, end: walk.at }, factors);
}

function withFactors(found: { chain: CauseChain; end: Passage }, factors: readonly string[]) {
  const { chain } = found;
  const said = stemSet(chain.steps.map(({ from, to }) => `${from} ${to}`).join(' '));
  const known = factors.filter((factor) => {
    const stems = stemsOf(factor);
    return stems.length > 0 && shared(stems, said).length * 2 >= new Set(stems).size;
  });
  const confidence = 1 - (1 - chain.confidence) * DOUBT_LEFT ** known.length;
  return { ...found, chain: { ...chain, known_factors: known, confidence: rounded(confidence) } };
}

async function claimsIn(text: string, turns: Turns): Promise<CausalClaim[]> {
  const claims: CausalClaim[] = [];
  for (const part of partsOf(text)) {
    claims.push(...causalClaims(part));
    await turns.pause();
  }
  return claims;
}

/** What texts say that the effect came from; nothing that only stands near it. */
async function claimsOf(
  effect: string,
  passages: readonly Passage[],
  { turns }: Inquiry,
): Promise<{ chain: CauseChain; end: Passage }[]> {
  const asked = stemSet(effect);
  const claims: { chain: CauseChain; end: Passage }[] = [];
  for (const passage of passages) {
    for (const claim of await claimsIn(passage.text, turns)) {
      await turns.pause();
      const both = shared(stemsOf(claim.effect), asked);
      const share = both.length / Math.max(1, asked.size);
      if (both.length === 0 || (both.length < 2 && share < 0.5)) continue;
      const step: ChainStep = {
        from: claim.effect,
        to: claim.cause,
        uri: passage.uri,
        by: 'text',
        confidence: SAID_IN_TEXT,
      };
      const chain: CauseChain = {
        effect: claim.sentence.text,
        effect_uri: passage.uri,
        root_cause: claim.cause,
        steps: [step],
        confidence: SAID_IN_TEXT * Math.max(passage.semantic, Math.min(1, share)),
        known_factors: [],
        from: 'text',
      };
      claims.push({ chain, end: passage });
    }
  }
  return claims;
}

function whyOf({ steps, known_factors, from, effect }: CauseChain): string {
  const known = known_factors.length > 0 ? `; it holds what is known already: ${named(known_factors, 3)}` : '';
  if (from === 'text') return `A text says so: ${named([effect], 1)}${known}.`;
  const way = [steps[0]!.from, ...steps.map(({ to }) => to)];
  return `${counted(steps.length, 'step')} from what matches the effect: ${way.map((each) => cut(each.replace(/\.+$/, ''), 80)).join(' ← ')}${known}.`;
}
