import type { ExploreRequest, Findings, PlanningRequest, RccaRequest, TradeRequest, WorkflowsPart } from '../model';
import { matchAntipatterns } from './antipatterns';
import { traceCause } from './causes';
import { checkCompliance } from './compliance';
import { findCorrective } from './corrective';
import { counterarguments } from './counterarguments';
import { gapAnalysis } from './gaps';
import { Incidents } from './incidents';
import { Inquiry } from './inquiry';
import {
  findCheckpoints,
  findConstraints,
  findProjectPrecedents,
  findTemplates,
  identifyDependencies,
  identifyRisks,
} from './planning';
import { estimateScope } from './scope';
import { findSimilar } from './similar';
import { planned } from './similar-projects';
import { synthesize } from './synthesis';
import { assessRisks, extractCriteria, findAlternatives, findPrecedents } from './trade';
import type { World } from './world';

/** What of a question is noted of those that are asked. */
const NOTED = 200;

/** See `WorkflowsPart`. Asks the other parts; keeps nothing but an index of cases. */
export class Workflows implements WorkflowsPart {
  private readonly incidents: Incidents;

  constructor(private readonly world: World) {
    this.incidents = new Incidents(world.learning);
  }

  rcca(request: RccaRequest, signal?: AbortSignal): Promise<Findings> {
    const { domain, n_results } = request;
    const ask = (text: string) => new Inquiry(this.world, { text, domain, n_results }, signal);
    return this.noted('knowledge_rcca_support', () => {
      switch (request.operation) {
        case 'find_similar': {
          const text = [request.problem_description, ...(request.symptom_keywords ?? [])].join(' ');
          return [text, findSimilar(request, ask(text), this.incidents)];
        }
        case 'trace_cause':
          return [request.effect_description, traceCause(request, ask(request.effect_description), this.incidents)];
        case 'find_corrective':
          return [request.root_cause, findCorrective(request, ask(request.root_cause))];
        case 'check_compliance':
          return [request.situation_description, checkCompliance(request, ask(request.situation_description))];
      }
    });
  }

  trade(request: TradeRequest, signal?: AbortSignal): Promise<Findings> {
    const { domain, n_results } = request;
    const ask = (text: string) => new Inquiry(this.world, { text, domain, n_results }, signal);
    return this.noted('knowledge_trade_support', () => {
      switch (request.operation) {
        case 'extract_criteria':
          return [request.decision_context, extractCriteria(request, ask(request.decision_context))];
        case 'find_alternatives':
          return [request.need_statement, findAlternatives(request, ask(request.need_statement))];
        case 'find_precedents':
          return [request.decision_description, findPrecedents(request, ask(request.decision_description))];
        case 'assess_risks':
          return [request.alternative_description, assessRisks(request, ask(request.alternative_description))];
      }
    });
  }

  explore(request: ExploreRequest, signal?: AbortSignal): Promise<Findings> {
    const ask = (text: string) => new Inquiry(this.world, { text, n_results: request.n_results }, signal);
    return this.noted('knowledge_explore', () => {
      switch (request.operation) {
        // A content is no question: what it lacks or shows is none that was asked and not answered.
        case 'match_antipatterns':
          return ['', matchAntipatterns(request, ask(request.content))];
        case 'gap_analysis':
          return ['', gapAnalysis(request, ask(request.content))];
        case 'counterarguments':
          // Against which nothing speaks, is a good one: nobody need write down what was not found.
          return ['', counterarguments(request, ask(request.claim))];
        case 'synthesize':
          return [request.question, synthesize(request, ask(request.question))];
      }
    });
  }

  plan(request: PlanningRequest, signal?: AbortSignal): Promise<Findings> {
    const { domain, n_results } = request;
    const text = planned(request);
    return this.noted('knowledge_planning_support', () => {
      const inquiry = new Inquiry(this.world, { text, domain, n_results }, signal);
      switch (request.operation) {
        case 'find_templates':
          return [text, findTemplates(request, inquiry)];
        case 'find_precedents':
          return [text, findProjectPrecedents(request, inquiry)];
        case 'identify_risks':
          return [text, identifyRisks(request, inquiry)];
        case 'identify_dependencies':
          return [text, identifyDependencies(request, inquiry)];
        case 'find_constraints':
          return [text, findConstraints(request, inquiry)];
        case 'find_checkpoints':
          return [text, findCheckpoints(request, inquiry)];
        case 'estimate_scope':
          return [text, estimateScope(request, inquiry)];
      }
    });
  }

  /** Counts what was asked and given; that costs an answer nothing. */
  private async noted(tool: string, answer: () => [query: string, Promise<Findings>]): Promise<Findings> {
    // What is asked first would read all that was learned in one piece.
    await this.world.learning.warm();
    const [query, promise] = answer();
    const findings = await promise;
    const { results } = findings;
    const best = results.reduce((most, { semantic_score }) => Math.max(most, semantic_score), 0);
    const asked = query.trim().slice(0, NOTED);
    const { learning } = this.world;
    if (asked !== '') learning.noteQuery({ tool, query: asked, results: results.length, best });
    learning.noteUse('retrieved', new Set(results.flatMap(({ uri }) => (uri === '' ? [] : [uri]))));
    return findings;
  }
}
