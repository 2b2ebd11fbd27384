import type { KaizenParts } from '../kaizen';
import type { ArtifactScore, ArtifactType } from '../learning';
import type { EnvelopedResult } from './envelope';
import { given } from './library-answers';
import { type Needs, requireNeeded } from './needed';
import type { ToolCall } from './tool';

/** The arguments of `knowledge_admin` (seed 003, 5.7.1): each operation takes some of them. */
export interface AdminArguments {
  operation: AdminOperation;
  artifact_id?: string | undefined;
  artifact_type?: ArtifactType | undefined;
  artifact_ids?: readonly string[] | undefined;
}

export const ADMIN_OPERATIONS = ['scores_view', 'scores_recalculate', 'scores_explain'] as const;
export type AdminOperation = (typeof ADMIN_OPERATIONS)[number];

const NEEDS: Needs<AdminOperation, keyof AdminArguments> = {
  scores_view: [],
  scores_recalculate: [],
  scores_explain: ['artifact_id'],
};

type Operation = (parts: KaizenParts, args: AdminArguments, call: ToolCall) => Promise<object>;

const OPERATIONS: Readonly<Record<AdminOperation, Operation>> = { scores_view, scores_recalculate, scores_explain };

/** Throws `invalid_argument`, naming the operation that needs something, and as the operation itself. */
export async function admin(parts: KaizenParts, args: AdminArguments, call: ToolCall): Promise<EnvelopedResult> {
  requireNeeded(args, NEEDS);
  return { result: { operation: args.operation, ...(await OPERATIONS[args.operation](parts, args, call)) } };
}

/** Those that are asked for; without any, of everything that was rated or used, best first. */
async function scores_view(parts: KaizenParts, args: AdminArguments, call: ToolCall) {
  const { artifact_id: one, artifact_ids: several = [] } = args;
  const ids = [...new Set([...(one === undefined ? [] : [one]), ...several])];
  const scores: ArtifactScore[] = [];
  for (const id of ids) scores.push(parts.learning.scoreOf(await addressOf(parts, id, args, call)));
  if (ids.length === 0) scores.push(...parts.learning.scores());
  const results: object[] = [];
  for (const score of scores) results.push(await shown(parts, score, call));
  return { total_results: results.length, results };
}

async function scores_recalculate({ learning }: KaizenParts) {
  const { artifacts, changed } = learning.recalculate();
  const message =
    changed.length === 0
      ? 'All scores are as they were: they follow from feedback and counts alone.'
      : `${changed.length} scores were different before.`;
  return { artifacts, changed, message };
}

async function scores_explain(parts: KaizenParts, args: AdminArguments, call: ToolCall) {
  const { score, samples, steps } = parts.learning.explain(await addressOf(parts, args.artifact_id!, args, call));
  return { ...(await shown(parts, score, call)), samples: samples.map(given), steps };
}

async function addressOf(
  { learning }: KaizenParts,
  id: string,
  { artifact_type: type }: AdminArguments,
  call: ToolCall,
) {
  return (await learning.resolve(id, type, call.signal)).artifact;
}

async function shown({ relations }: KaizenParts, { artifact, ...score }: ArtifactScore, { signal }: ToolCall) {
  const title = (await relations.resolve(artifact, signal))?.title;
  return { artifact_id: artifact, ...(title === undefined ? {} : { title }), score };
}
