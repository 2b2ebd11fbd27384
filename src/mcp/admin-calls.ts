import { KaizenError } from '../core/errors';
import type { KaizenParts } from '../kaizen';
import type { ArtifactScore, ArtifactType } from '../learning';
import { changeBy, writeOrHold } from './agent-writes';
import type { EnvelopedResult } from './envelope';
import { given } from './library-answers';
import { isSaid, type Needs, requireNeeded } from './needed';
import type { Held } from './policy';
import { rounded } from './rounded';
import type { ToolCall } from './tool';

/** The arguments of `knowledge_admin` (seed 003, 5.7.1): each operation takes some of them. */
export interface AdminArguments {
  operation: AdminOperation;
  include_recommendations?: boolean | undefined;
  max_age_days?: number | undefined;
  limit?: number | undefined;
  source_ids?: readonly string[] | undefined;
  artifact_id?: string | undefined;
  artifact_type?: ArtifactType | undefined;
  artifact_ids?: readonly string[] | undefined;
  format?: 'json' | 'parquet' | undefined;
  path?: string | undefined;
  collections?: readonly string[] | undefined;
  include_personal?: boolean | undefined;
  overwrite?: boolean | undefined;
}

/** Those that change nothing, and leave nothing behind. */
export const READING_ADMIN_OPERATIONS = [
  'health_report',
  'usage_analytics',
  'stale_content',
  'scores_view',
  'scores_recalculate',
  'scores_explain',
] as const;

export const ADMIN_OPERATIONS = [
  'health_report',
  'usage_analytics',
  'stale_content',
  'refresh_web',
  'scores_view',
  'scores_recalculate',
  'scores_explain',
  'export',
  'import',
] as const;
export type AdminOperation = (typeof ADMIN_OPERATIONS)[number];

/** Those that look at pages of the web, or at all that was learned, and may go on for minutes. */
const LONG_OPERATIONS: readonly AdminOperation[] = ['refresh_web', 'scores_recalculate', 'export', 'import'];

export function isLongAdmin(operation: AdminOperation): boolean {
  return LONG_OPERATIONS.includes(operation);
}

const NEEDS: Needs<AdminOperation, keyof AdminArguments> = {
  health_report: [],
  usage_analytics: [],
  stale_content: [],
  refresh_web: [],
  scores_view: [],
  scores_recalculate: [],
  scores_explain: ['artifact_id'],
  export: ['path'],
  import: ['path'],
};

type Operation = (parts: KaizenParts, args: AdminArguments, call: ToolCall) => Promise<object>;

const OPERATIONS: Readonly<Record<AdminOperation, Operation>> = {
  health_report,
  usage_analytics,
  stale_content,
  refresh_web,
  scores_view,
  scores_recalculate,
  scores_explain,
  export: exportFile,
  import: importFile,
};

/** Throws `invalid_argument`, naming the operation that needs something, and as the operation itself. */
export async function admin(parts: KaizenParts, args: AdminArguments, call: ToolCall): Promise<EnvelopedResult | Held> {
  requireNeeded(args, NEEDS);
  const answer = await OPERATIONS[args.operation](parts, args, call);
  if ('pending' in answer) return answer as Held;
  return { result: { operation: args.operation, ...answer } };
}

/** As `admin`, of an operation that is never held. */
export async function readingAdmin(
  parts: KaizenParts,
  args: AdminArguments & { operation: (typeof READING_ADMIN_OPERATIONS)[number] },
  call: ToolCall,
): Promise<EnvelopedResult> {
  requireNeeded(args, NEEDS);
  return { result: { operation: args.operation, ...(await OPERATIONS[args.operation](parts, args, call)) } };
}

async function health_report({ administration }: KaizenParts, args: AdminArguments, { signal }: ToolCall) {
  return given(await administration.health({ include_recommendations: args.include_recommendations, signal }));
}

async function usage_analytics({ administration }: KaizenParts, { limit }: AdminArguments) {
  return administration.usage(limit);
}

async function stale_content({ administration }: KaizenParts, args: AdminArguments, { signal }: ToolCall) {
  return administration.stale({ max_age_days: args.max_age_days, limit: args.limit, signal });
}

async function refresh_web(parts: KaizenParts, { source_ids }: AdminArguments, call: ToolCall) {
  const { administration } = parts;
  const { author, signal, onProgress } = call;
  if (call.agentWrites !== 'review') {
    return administration.refreshWeb(source_ids, { author, by_agent: true, signal, onProgress });
  }
  const found = await administration.webSources(source_ids, signal);
  if (found.length === 0) return { pages: [], checked: 0, updated: 0, failed: 0 };
  const request = { sources: found.map(({ document_id }) => document_id), titles: found.map(({ title }) => title) };
  const proposed = { operation: 'write_library', input: { action: 'refresh', request } } as const;
  return writeOrHold(parts, call, proposed, changeBy(call), async () => ({}));
}

/** A new file of the workspace: nothing that is known changes, so that nobody need be asked. */
async function exportFile({ administration }: KaizenParts, args: AdminArguments, { signal }: ToolCall) {
  const { path, collections, format = 'json', include_personal: personal } = args;
  const { path: file, counts } = await administration.exportTo(path!, { collections, format, personal, signal });
  return { path: file, format, counts, message: personal ? PERSONAL : WITHOUT_PERSONAL };
}

const PERSONAL = 'The file holds what is personal, and what was asked: do not pass it on.';
const WITHOUT_PERSONAL = 'What is personal, and what was asked, is left out.';

async function importFile({ administration }: KaizenParts, args: AdminArguments, call: ToolCall) {
  if (call.agentWrites === 'review') {
    throw new KaizenError(
      'confirmation_required',
      'What agents write waits for the user here, and a whole file cannot wait.',
      'Tell the user: kaizen learn import FILE.',
    );
  }
  const { path, collections, overwrite } = args;
  const change = { author: call.author, by_agent: true, signal: call.signal };
  const imported = await administration.importFrom(path!, { collections, overwrite }, change);
  const { relationships, revision, kept, ...counts } = imported;
  const message =
    kept.length + relationships.kept === 0
      ? 'Everything that the file holds is here.'
      : 'What differs from the file was kept; overwrite takes the file instead.';
  return given({ path, counts, kept: kept.slice(0, MOST_NAMED), relationships, revision, message });
}

const MOST_NAMED = 100;

/** Those that are asked for; without any, of everything that was rated or used, best first. */
async function scores_view(parts: KaizenParts, args: AdminArguments, call: ToolCall) {
  const { artifact_id: one, artifact_ids: several = [] } = args;
  const ids = [...new Set([...(isSaid(one) ? [one] : []), ...several])];
  const scores: ArtifactScore[] = [];
  for (const id of ids) scores.push(parts.learning.scoreOf(await addressOf(parts, id, args, call)));
  if (ids.length === 0) scores.push(...(await parts.learning.scores(args.limit, 'best', call.signal)));
  const results: object[] = [];
  for (const score of scores) results.push(await shown(parts, score, call));
  return { total_results: results.length, results };
}

async function scores_recalculate({ learning }: KaizenParts, _args: AdminArguments, { signal }: ToolCall) {
  const { artifacts, changed } = await learning.recalculate(signal);
  const message =
    changed.length === 0
      ? 'All scores are as they were: they follow from feedback and counts alone.'
      : `${changed.length} scores were different before.`;
  return { artifacts, changed, message };
}

async function scores_explain(parts: KaizenParts, args: AdminArguments, call: ToolCall) {
  const { score, samples, steps } = parts.learning.explain(await addressOf(parts, args.artifact_id!, args, call));
  return { ...(await shown(parts, score, call)), samples: rounded(samples.map(given)), steps };
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
  return { artifact_id: artifact, ...(title === undefined ? {} : { title }), score: rounded(score) };
}
