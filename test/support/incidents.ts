import { readFileSync } from 'node:fs';
import type { Hall } from './hall';

interface Incident {
  id: string;
  field: string;
  title: string;
  description: string;
  symptoms: string[];
  root_cause: string;
  corrective_actions: string[];
}

interface Query {
  query: string;
  symptoms: string[];
  relevant: string[];
}

/** Incidents, and questions for which some of them are wanted (test/fixtures/incidents/README.md). */
export interface IncidentSet {
  incidents: readonly Incident[];
  queries: readonly Query[];
}

const read = <T>(name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/incidents/${name}.json`, import.meta.url), 'utf8')) as T;

export const FIRST_SET: IncidentSet = { incidents: read('incidents'), queries: read('queries') };
export const SECOND_SET: IncidentSet = { incidents: read('second-incidents'), queries: read('second-queries') };

/** Captures all incidents, as RCCA projects with their outcome; answers what each project's id stands for. */
export async function captureIncidents(
  { learning }: Pick<Hall, 'learning'>,
  { incidents }: IncidentSet,
): Promise<Map<string, string>> {
  const BY = { author: 'tester' };
  const ids = new Map<string, string>();
  for (const { id, field, title, description, symptoms, root_cause, corrective_actions } of incidents) {
    const project = {
      name: title,
      description,
      project_type: 'rcca',
      domain: field,
      context_factors: { symptoms, root_cause },
    };
    const { record } = await learning.write({ operation: 'capture_project', project }, BY);
    const outcome = { outcome_summary: root_cause, what_worked: corrective_actions };
    await learning.write({ operation: 'capture_outcome', project_id: record.id, outcome }, BY);
    ids.set(record.id, id);
  }
  return ids;
}

export interface Recall {
  /** Mean share of a question's relevant incidents among the first five answers. */
  recall: number;
  /** Share of questions whose first answer is relevant. */
  first: number;
  /** Mean of one by the rank of the first relevant answer, 0 where none of the answers is. */
  reciprocalRank: number;
  missed: { query: string; relevant: string[]; got: string[] }[];
}

/** Answers a question with ids of projects, best first. */
export type AnswerIncidents = (query: string, symptoms: readonly string[]) => Promise<readonly string[]>;

/** How well a set's questions are answered. */
export async function recallOf(
  { queries }: IncidentSet,
  ids: ReadonlyMap<string, string>,
  answer: AnswerIncidents,
): Promise<Recall> {
  const missed: Recall['missed'] = [];
  let recall = 0;
  let first = 0;
  let reciprocalRank = 0;
  for (const { query, symptoms, relevant } of queries) {
    const answers = (await answer(query, symptoms)).map((id) => ids.get(id) ?? id);
    const got = answers.slice(0, 5);
    const found = relevant.filter((id) => got.includes(id)).length;
    const rank = answers.findIndex((id) => relevant.includes(id)) + 1;
    recall += found / relevant.length;
    if (rank === 1) first += 1;
    if (rank > 0) reciprocalRank += 1 / rank;
    if (found < relevant.length) missed.push({ query, relevant, got });
  }
  const { length } = queries;
  return { recall: recall / length, first: first / length, reciprocalRank: reciprocalRank / length, missed };
}

/** `find_similar` over all questions of a set. */
export function similarFailureRecall(
  { workflows }: Pick<Hall, 'workflows'>,
  set: IncidentSet,
  ids: ReadonlyMap<string, string>,
): Promise<Recall> {
  return recallOf(set, ids, async (problem_description, symptom_keywords) => {
    const request = { operation: 'find_similar', problem_description, symptom_keywords, n_results: 10 } as const;
    return (await workflows.rcca(request)).results.map(({ id }) => id);
  });
}
