import {
  type CompleteRequest,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { BasesPart } from '../bases';
import { isKaizenError } from '../core/errors';
import { compareText } from '../core/text';
import type { KaizenParts } from '../kaizen';
import { LEARNED_KINDS } from '../learning';
import { SPACES } from '../notes';
import type { ArgumentKind, Prompt } from './prompt';
import {
  DOCUMENT_TEMPLATE,
  ENTRY_TEMPLATE,
  FILE_TEMPLATE,
  NODE_TEMPLATE,
  NOTE_TEMPLATE,
  PASSAGE_TEMPLATE,
  RECORD_TEMPLATE,
} from './resources/read';

/** What one answer may hold (MCP, "Completion"). */
const MAX_VALUES = 100;
/** So many ids of nodes, or keywords, are weighed against each other. */
const MAX_LOOKED_AT = 5_000;

type Given = Readonly<Record<string, string>>;

/**
 * Proposes values for an argument of a template or a prompt: those that begin with what was typed, then those that
 * contain it. Throws `InvalidParams` for a template, a prompt or an argument that there is not.
 */
export async function complete(
  parts: KaizenParts,
  project: string | undefined,
  prompts: readonly Prompt[],
  { ref, argument, context }: CompleteRequest['params'],
): Promise<CompleteResult> {
  const given = context?.arguments ?? {};
  if (ref.type === 'ref/resource') {
    const sources = SOURCES.get(ref.uri);
    if (sources === undefined) throw unknown(`template ${ref.uri}`);
    const source = Object.hasOwn(sources, argument.name) ? sources[argument.name] : undefined;
    if (source === undefined) throw unknown(`argument ${argument.name}`);
    return pick(await known(() => source(parts, project, given, argument.value)), argument.value);
  }
  const asked = prompts.find(({ name }) => name === ref.name)?.arguments;
  if (asked === undefined) throw unknown(`prompt ${ref.name}`);
  const row = asked.find(({ name }) => name === argument.name);
  if (row === undefined) throw unknown(`argument ${argument.name}`);
  return row.completes === undefined ? pick([], '') : completeText(parts, row.completes, argument.value);
}

type Source = (
  parts: KaizenParts,
  project: string | undefined,
  given: Given,
  typed: string,
) => string[] | Promise<string[]>;

/** Where the values of a template's arguments come from, with what was filled in before. */
const SOURCES: ReadonlyMap<string, Readonly<Record<string, Source>>> = new Map([
  [ENTRY_TEMPLATE, { scope_id: scopeIds, category: categories, keyword: keywords }],
  [NOTE_TEMPLATE, { space: spaceNames, zettel_id: noteIds }],
  [DOCUMENT_TEMPLATE, { document_id: documentIds }],
  [PASSAGE_TEMPLATE, { document_id: documentIds, chunk: chunkIds }],
  [RECORD_TEMPLATE, { kind: () => [...LEARNED_KINDS], id: recordIds }],
  [FILE_TEMPLATE, { base: baseNames, file: fileNames }],
  [NODE_TEMPLATE, { base: baseNames, file: fileNames, node: nodeNames }],
] as [string, Record<string, Source>][]);

function scopeIds({ knowledge }: KaizenParts): string[] {
  return knowledge.listScopes().map(({ scope_id }) => scope_id);
}

function categories({ knowledge }: KaizenParts, project: string | undefined, { scope_id = project }: Given): string[] {
  return scope_id === undefined ? [] : knowledge.ownCategories(scope_id).map(({ category }) => category);
}

function keywords({ knowledge }: KaizenParts, project: string | undefined, given: Given, typed: string): string[] {
  const { scope_id = project, category } = given;
  if (scope_id === undefined) return [];
  const after = category ? { category, keyword: '' } : undefined;
  // What begins with the text comes from an index, however many there are; what contains it is looked for among the first.
  return [...knowledge.keywordsFrom(typed, MAX_LOOKED_AT), ...knowledge.entryTexts(scope_id, after, MAX_LOOKED_AT)]
    .filter((entry) => entry.scope_id === scope_id && (!category || entry.category === category))
    .map(({ keyword }) => keyword);
}

function spaceNames({ notes }: KaizenParts): string[] {
  return notes.spaces().map(({ space }) => space);
}

function noteIds(
  { notes }: KaizenParts,
  _project: string | undefined,
  { space: given }: Given,
  typed: string,
): string[] {
  const space = SPACES.find((each) => each === given);
  const wanted = typed.toLowerCase();
  const fitting = notes.notes(space).filter(({ zettel_id }) => zettel_id.toLowerCase().includes(wanted));
  return fitting.slice(0, MAX_LOOKED_AT).map(({ zettel_id }) => zettel_id);
}

async function documentIds({ library }: KaizenParts): Promise<string[]> {
  return (await library.sources({ limit: MAX_LOOKED_AT })).map(({ document_id }) => document_id);
}

async function chunkIds({ library }: KaizenParts, _project: string | undefined, given: Given): Promise<string[]> {
  const { document_id } = given;
  if (document_id === undefined) return [];
  return (await library.chunks(document_id)).slice(0, MAX_LOOKED_AT).map(({ id }) => id);
}

function recordIds({ learning }: KaizenParts, _project: string | undefined, { kind: given }: Given): string[] {
  const kinds = LEARNED_KINDS.filter((kind) => given === undefined || kind === given);
  return kinds.flatMap((kind) => learning.list(kind).map(({ id }) => id)).slice(0, MAX_LOOKED_AT);
}

function nodeNames({ bases }: KaizenParts, _project: string | undefined, { base, file }: Given): string[] {
  if (base === undefined || file === undefined) return [];
  const nodes = bases.file(base, file)?.nodes ?? [];
  return nodes.flatMap(({ anchor, id }) => (anchor === '' ? [id] : [anchor, id]));
}

function baseNames({ bases }: KaizenParts): string[] {
  return bases.statuses().map(({ definition }) => definition.name);
}

function fileNames({ bases }: KaizenParts, _project: string | undefined, { base }: Given): string[] {
  return bases.files(base).map(({ file }) => file);
}

function completeText({ knowledge, bases }: KaizenParts, kind: ArgumentKind, typed: string): CompleteResult {
  if (kind === 'project') {
    const projects = knowledge.listScopes().filter(({ tier }) => tier === 'PROJECT');
    return pick(
      projects.map(({ scope_id }) => scope_id),
      typed,
    );
  }
  // A list: what is being typed is its last item, and what stands before stays.
  const start = typed.search(/[^,\s]*$/);
  const before = typed.slice(0, start);
  const last = typed.slice(start);
  const { completion } = pick(idsWith(bases, last), last);
  return { completion: { ...completion, values: completion.values.map((id) => before + id) } };
}

/** Not all of the nodes: there may be very many, and this is asked for with each letter. */
function idsWith(bases: BasesPart, typed: string): string[] {
  // The name of a base may stand before the id.
  const wanted = typed.slice(typed.indexOf(':') + 1).toLowerCase();
  const ids: string[] = [];
  for (const node of bases.nodes()) {
    if (node.id.toLowerCase().includes(wanted)) ids.push(bases.publicId(node));
    if (ids.length >= MAX_LOOKED_AT) break;
  }
  return ids;
}

/** A scope or a base that does not exist (yet) has nothing to propose; that is no error while somebody types. */
async function known(source: () => string[] | Promise<string[]>): Promise<string[]> {
  try {
    return await source();
  } catch (error) {
    if (isKaizenError(error)) return [];
    throw error;
  }
}

function pick(proposed: Iterable<string>, typed: string): CompleteResult {
  const wanted = typed.toLowerCase();
  const beginning: string[] = [];
  const holding: string[] = [];
  for (const value of new Set(proposed)) {
    const at = value.toLowerCase().indexOf(wanted);
    if (at >= 0) (at === 0 ? beginning : holding).push(value);
  }
  const fitting = [...beginning.sort(compareText), ...holding.sort(compareText)];
  const total = fitting.length;
  const values = fitting.slice(0, MAX_VALUES);
  // Where not all were looked at, nobody knows how many there are.
  return { completion: { values, ...(total < MAX_LOOKED_AT ? { total } : {}), hasMore: total > MAX_VALUES } };
}

function unknown(what: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${what}.`);
}
