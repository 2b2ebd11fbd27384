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

const read = <T>(name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/incidents/${name}.json`, import.meta.url), 'utf8')) as T;

export const INCIDENTS = read<Incident[]>('incidents');
export const QUERIES = read<Query[]>('queries');

/** Captures all incidents, as RCCA projects with their outcome; answers what each project's id stands for. */
export async function captureIncidents({ learning }: Pick<Hall, 'learning'>): Promise<Map<string, string>> {
  const BY = { author: 'tester' };
  const ids = new Map<string, string>();
  for (const { id, field, title, description, symptoms, root_cause, corrective_actions } of INCIDENTS) {
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
  missed: { query: string; relevant: string[]; got: string[] }[];
}

/** recall@5 of what answers a question with ids of projects, best first. */
export async function recallOf(
  ids: ReadonlyMap<string, string>,
  answer: (query: string, symptoms: readonly string[]) => Promise<readonly string[]>,
): Promise<Recall> {
  const missed: Recall['missed'] = [];
  let sum = 0;
  for (const { query, symptoms, relevant } of QUERIES) {
    const got = (await answer(query, symptoms)).slice(0, 5).map((id) => ids.get(id) ?? id);
    const found = relevant.filter((id) => got.includes(id)).length;
    sum += found / relevant.length;
    if (found < relevant.length) missed.push({ query, relevant, got });
  }
  return { recall: sum / QUERIES.length, missed };
}

/** recall@5 of `find_similar` over all questions of the set. */
export function similarFailureRecall(
  { workflows }: Pick<Hall, 'workflows'>,
  ids: ReadonlyMap<string, string>,
): Promise<Recall> {
  return recallOf(ids, async (problem_description, symptom_keywords) => {
    const request = { operation: 'find_similar', problem_description, symptom_keywords, n_results: 5 } as const;
    return (await workflows.rcca(request)).results.map(({ id }) => id);
  });
}
