import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { checkText } from '../core/text';
import { ENTRY_TYPES, SOURCES } from '../notes';
import {
  type DiscoverRequest,
  type KnowledgeSearchRequest,
  type NoteSearchRequest,
  SEARCH_TYPES,
  TASK_TYPES,
} from './model';
import { MAX_RESULTS } from './settings';

const MAX_TASK = 20_000;
const MAX_PATH = 4_096;
const MAX_FOUND = 100;
const MAX_QUERY = 4_096;
const MAX_SCOPES = 50;

/** Throws `invalid_argument`. */
export function checkDiscoverRequest(request: DiscoverRequest): void {
  checkText(request.task_description.trim(), { name: 'task_description', min: 1, max: MAX_TASK });
  checkText(request.current_file ?? '', { name: 'current_file', max: MAX_PATH });
  if (request.task_type !== undefined && !TASK_TYPES.includes(request.task_type)) {
    const hint = `Use ${TASK_TYPES.join(', ')}.`;
    throw new KaizenError('invalid_argument', `"${String(request.task_type)}" is not a task type.`, hint);
  }
  checkWhole('max_results', request.max_results, 1, MAX_RESULTS);
  checkWhole('token_budget', request.token_budget, 1, Number.MAX_SAFE_INTEGER);
}

/** Throws `invalid_argument`. */
export function checkSearchRequest({ query, search_type, scope, max_results }: KnowledgeSearchRequest): void {
  checkText(query.trim(), { name: sentence('query'), min: 1, max: MAX_QUERY });
  checkWhole('max_results', max_results, 1, MAX_FOUND);
  if (search_type !== undefined && !SEARCH_TYPES.includes(search_type)) {
    const hint = `Use ${SEARCH_TYPES.join(', ')}.`;
    throw new KaizenError('invalid_argument', `"${String(search_type)}" is not a search type.`, hint);
  }
  if ((scope?.length ?? 0) <= MAX_SCOPES) return;
  throw new KaizenError('invalid_argument', `scope has ${scope?.length} ids; the limit is ${MAX_SCOPES}.`);
}

/** Throws `invalid_argument`. */
export function checkNoteSearch({ query, sources, entry_type, limit }: NoteSearchRequest): void {
  checkText(query.trim(), { name: sentence('query'), min: 1, max: MAX_QUERY });
  checkWhole('limit', limit, 1, MAX_FOUND);
  if (sources.length === 0 || sources.some((source) => !SOURCES.includes(source))) {
    const hint = 'Say "local" for the notes on this machine, "registry" for those that the team shares, or both.';
    throw new KaizenError('invalid_argument', 'It is not said where to look for notes.', hint);
  }
  if (entry_type === undefined || ENTRY_TYPES.includes(entry_type)) return;
  const hint = `Use ${ENTRY_TYPES.join(', ')}.`;
  throw new KaizenError('invalid_argument', `"${String(entry_type)}" is not a type of notes.`, hint);
}

function checkWhole(name: string, value: number | undefined, min: number, max: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return;
  throw new KaizenError('invalid_argument', `${name} is ${value}.`, `Use a whole number from ${min} to ${max}.`);
}
