export type Use = 'query' | 'passage';

/**
 * What models were trained to see before a question and before a passage, from their model cards; the others take text
 * as it is. Names come as `nomic-embed-text`, `nomic-ai/nomic-embed-text-v1.5`, `intfloat/e5-base-v2`, `model:latest`.
 */
const PREFIXES: readonly { model: RegExp; query: string; passage: string }[] = [
  { model: /(^|[/_-])(multilingual-)?e5-(small|base|large)(?!.*instruct)/i, query: 'query: ', passage: 'passage: ' },
  { model: /(^|[/_-])nomic-embed-text/i, query: 'search_query: ', passage: 'search_document: ' },
  {
    model: /(^|[/_-])(mxbai-embed-large|bge-(small|base|large)-en|snowflake-arctic-embed(?!.*2))/i,
    query: 'Represent this sentence for searching relevant passages: ',
    passage: '',
  },
];

export function prefixOf(model: string, use: Use): string {
  return PREFIXES.find((each) => each.model.test(model))?.[use] ?? '';
}
