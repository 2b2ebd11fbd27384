import type { KaizenParts } from '../kaizen';
import type { ExploreRequest, Findings, PlanningRequest, RccaRequest, TradeRequest } from '../learning';
import type { EnvelopedResult } from './envelope';
import { QUOTED } from './library-answers';
import { type Needs, requireNeeded } from './needed';
import type { ToolCall } from './tool';

/** The arguments of all operations of a tool; which of them one needs is said by its table. */
export type Arguments<Request extends { operation: string }> = { operation: Request['operation'] } & {
  [Name in Exclude<KeysOfAny<Request>, 'operation'>]?: ValueOf<Request, Name> | undefined;
};

type KeysOfAny<Request> = Request extends unknown ? keyof Request & string : never;
type ValueOf<Request, Name extends string> = Request extends { [Key in Name]?: infer Value } ? Value : never;

const RCCA: Needs<RccaRequest['operation'], KeysOfAny<RccaRequest>> = {
  find_similar: ['problem_description'],
  trace_cause: ['effect_description'],
  find_corrective: ['root_cause'],
  check_compliance: ['situation_description'],
};

export async function rcca({ workflows }: KaizenParts, args: Arguments<RccaRequest>, { signal }: ToolCall) {
  requireNeeded(args, RCCA);
  // What an operation needs is there, and the schema has checked the rest.
  return findingsResult(await workflows.rcca(args as RccaRequest, signal));
}

const TRADE: Needs<TradeRequest['operation'], KeysOfAny<TradeRequest>> = {
  extract_criteria: ['decision_context'],
  find_alternatives: ['need_statement'],
  find_precedents: ['decision_description'],
  assess_risks: ['alternative_description'],
};

export async function trade({ workflows }: KaizenParts, args: Arguments<TradeRequest>, { signal }: ToolCall) {
  requireNeeded(args, TRADE);
  return findingsResult(await workflows.trade(args as TradeRequest, signal));
}

const EXPLORE: Needs<ExploreRequest['operation'], KeysOfAny<ExploreRequest>> = {
  match_antipatterns: ['content'],
  gap_analysis: ['content'],
  counterarguments: ['claim'],
  synthesize: ['question'],
};

export async function explore({ workflows }: KaizenParts, args: Arguments<ExploreRequest>, { signal }: ToolCall) {
  requireNeeded(args, EXPLORE);
  return findingsResult(await workflows.explore(args as ExploreRequest, signal));
}

const WHAT_FOR = [['project_type', 'project_description']] as const;
const PLAN: Needs<PlanningRequest['operation'], KeysOfAny<PlanningRequest>> = {
  find_templates: WHAT_FOR,
  find_precedents: WHAT_FOR,
  identify_risks: WHAT_FOR,
  identify_dependencies: WHAT_FOR,
  find_constraints: WHAT_FOR,
  find_checkpoints: WHAT_FOR,
  estimate_scope: WHAT_FOR,
};

export async function plan({ workflows }: KaizenParts, args: Arguments<PlanningRequest>, { signal }: ToolCall) {
  requireNeeded(args, PLAN);
  return findingsResult(await workflows.plan(args as PlanningRequest, signal));
}

function findingsResult({ operation, results, confidence, confidence_rationale, ...rest }: Findings): EnvelopedResult {
  const { extra, message } = rest;
  return {
    result: {
      ...extra,
      operation,
      total_results: results.length,
      results,
      confidence,
      confidence_rationale,
      ...(results.length > 0 ? { note: QUOTED } : {}),
      ...(message === undefined ? {} : { message }),
    },
  };
}
