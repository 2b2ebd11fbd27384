import type { BaseFile, BasesPart, KnowledgeNode } from '../bases';
import { isKaizenError } from '../core/errors';
import { indexed } from './first-indexing';

export interface BaseListFilter {
  filter_type?: string | undefined;
  filter_status?: string | undefined;
}

export interface BaseListRow {
  id: string;
  path: string;
  title: string;
  type: string;
  status: string;
  description: string;
  last_checked?: string;
  node_count: number;
}

export interface BaseList {
  knowledge_bases: BaseListRow[];
  /** Why there is nothing, or not all. */
  message?: string;
}

const MAX_ROWS = 200;
const MAX_DESCRIPTION = 200;
/** So much of a text is looked at for its first sentence. */
const MAX_LOOK = 2_000;

/**
 * The files of the knowledge bases, sorted by base and path (seed 002, "list_knowledge_bases"): each with its root node,
 * or, when that is not what is asked for, with its first node that is; so every row is of the type and the status that
 * were asked for. At most 200 rows.
 */
export async function listBases(bases: BasesPart, filter: BaseListFilter, signal: AbortSignal): Promise<BaseList> {
  const isComplete = await indexed(bases, signal);
  const found = bases.files().flatMap((file) => {
    const node = file.nodes.find((each) => matches(each, filter));
    return node === undefined ? [] : [{ file, node }];
  });
  const shown = found.slice(0, MAX_ROWS);
  const hasSeveral = bases.statuses().length > 1;
  const rows = await Promise.all(shown.map(({ file, node }) => row(bases, file, node, hasSeveral)));
  const message = describe(bases, found.length, isComplete);
  return { knowledge_bases: rows, ...(message === undefined ? {} : { message }) };
}

function matches({ type, status }: KnowledgeNode, { filter_type, filter_status }: BaseListFilter): boolean {
  return (
    (filter_type === undefined || type === filter_type) && (filter_status === undefined || status === filter_status)
  );
}

async function row(bases: BasesPart, file: BaseFile, node: KnowledgeNode, hasSeveral: boolean): Promise<BaseListRow> {
  const { path, title, type, status, last_checked } = node;
  return {
    id: bases.publicId(node),
    path: hasSeveral ? `${file.base}/${path}` : path,
    title,
    type,
    status,
    description: await descriptionOf(bases, node),
    ...(last_checked === undefined ? {} : { last_checked }),
    node_count: file.nodes.length,
  };
}

/** What the metadata says, else the first sentence of the text; empty when there is neither. */
async function descriptionOf(bases: BasesPart, node: KnowledgeNode): Promise<string> {
  const said = node.metadata.description;
  if (typeof said === 'string' && said.trim() !== '') return shorten(said);
  try {
    return firstSentence(await bases.content(node));
  } catch (error) {
    // A file that has just gone is only not described any more.
    if (isKaizenError(error)) return '';
    throw error;
  }
}

/** Of the first paragraph that is prose: no fence, quote, list, table, picture or comment. */
export function firstSentence(markdown: string): string {
  const paragraph = markdown
    .slice(0, MAX_LOOK)
    .replace(/<!--[\s\S]*?-->|^(```|~~~)[\s\S]*?^\1/gm, '')
    .split(/\r?\n[ \t]*\r?\n/)
    .map((block) => block.replace(/\s+/g, ' ').trim())
    .find((block) => /^[\p{L}\p{N}*_`[("“]/u.test(block) && !/^(\* |\d+[.)] )/.test(block));
  if (paragraph === undefined) return '';
  const plain = paragraph.replace(/!?\[([^\][]*)\]\([^()]*\)/g, '$1').replace(/\*\*|__|`/g, '');
  return shorten(/^.{3,}?[.!?…。](?=\s|$)/u.exec(plain)?.[0] ?? plain);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_DESCRIPTION ? line : `${line.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…`;
}

function describe(bases: BasesPart, found: number, isComplete: boolean): string | undefined {
  if (bases.statuses().length === 0) {
    return 'No knowledge base is configured: the user names folders with Markdown files in Kaizen (kaizen mcp --base NAME=DIR).';
  }
  const missing = bases.statuses().filter(({ state }) => state === 'missing');
  const parts = [
    ...missing.map(({ definition: { name, root } }) => `The folder of ${name} is not there: ${root}.`),
    ...(isComplete ? [] : ['Still indexing: more may come in a few seconds.']),
    ...(found > MAX_ROWS ? [`${MAX_ROWS} of ${found} are shown: filter, or use search_knowledge.`] : []),
    ...(found === 0 && isComplete
      ? [
          bases.size === 0
            ? 'The knowledge bases hold no documents.'
            : 'No document has a node of that type and status.',
        ]
      : []),
  ];
  return parts.length > 0 ? parts.join(' ') : undefined;
}
