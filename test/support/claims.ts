import { readFileSync } from 'node:fs';
import type { KnowledgePart } from '../../src/knowledge';
import type { WorkflowsPart } from '../../src/learning';

export type Stance = 'contradicts' | 'qualifies' | 'alternatives' | 'none';

interface Claim {
  claim: string;
  passages: { stance: Stance; text: string }[];
}

/** Claims, with passages that stand against them or only near them (test/fixtures/claims/README.md). */
export const CLAIMS = JSON.parse(
  readFileSync(new URL('../fixtures/claims/claims.json', import.meta.url), 'utf8'),
) as readonly Claim[];

/** Stores every passage as an entry of its own, those of all claims in one category. */
export async function storeClaims(knowledge: KnowledgePart): Promise<void> {
  const BY = { author: 'tester' };
  await knowledge.defineScope({ scope_id: 'general', tier: 'GENERAL', name: 'General' }, BY);
  for (const [at, { passages }] of CLAIMS.entries()) {
    for (const [number, { text }] of passages.entries()) {
      const place = { target_scope_id: 'general', category: 'claims', keyword: `${at}-${number}` };
      await knowledge.storeOverwrite({ ...place, content: text }, BY);
    }
  }
}

export interface Opposed {
  /** Of what was answered, the share that stands against the claim that was asked for. */
  precision: number;
  /** Of what stands against the claims, the share that was answered. */
  recall: number;
  /** Of what was rightly answered, the share whose way of standing against it is rightly named. */
  named: number;
  /** What was answered wrongly, and what was not: `claim: passage`. */
  wrong: string[];
  missed: string[];
}

/** How well `counterarguments` answers claims; all of them unless told which. */
export async function counterargumentsOf(
  workflows: WorkflowsPart,
  isAsked: (at: number) => boolean = () => true,
): Promise<Opposed> {
  const counts = { answered: 0, right: 0, opposing: 0, named: 0 };
  const wrong: string[] = [];
  const missed: string[] = [];
  for (const [at, { claim, passages }] of CLAIMS.entries()) {
    if (!isAsked(at)) continue;
    const { results } = await workflows.explore({ operation: 'counterarguments', claim });
    const found = new Set<number>();
    for (const { uri, content, details } of results) {
      const [, of, number] = /(\d+)-(\d+)$/.exec(uri) ?? [];
      const stance = Number(of) === at ? passages[Number(number)]!.stance : 'none';
      counts.answered++;
      if (stance === 'none') wrong.push(`${claim} ${details?.rule}: ${content}`);
      else {
        counts.right++;
        found.add(Number(number));
        if (details?.opposes === stance) counts.named++;
      }
    }
    for (const [number, { stance, text }] of passages.entries()) {
      if (stance === 'none') continue;
      counts.opposing++;
      if (!found.has(number)) missed.push(`${claim} ${stance}: ${text}`);
    }
  }
  const { answered, right, opposing, named } = counts;
  return {
    precision: answered === 0 ? 1 : right / answered,
    recall: (opposing - missed.length) / opposing,
    named: right === 0 ? 1 : named / right,
    wrong,
    missed,
  };
}
