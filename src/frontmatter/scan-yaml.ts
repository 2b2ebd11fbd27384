import { CST, Lexer } from 'yaml';
import { type FrontMatterFault, fault } from './faults';

/** Many times what 64 pairs need. The library works for some milliseconds on as many. */
const MAX_TOKENS = 5_000;
/** Metaknowledge has none at all; notes from elsewhere have lists, and lists of tables. */
const MAX_DEPTH = 8;
const MAX_FAULTS = 20;

const NOT_KEPT: Partial<Record<string, string>> = {
  anchor: 'anchors (&)',
  tag: 'tags (!)',
  'directive-line': 'directives (%)',
  'doc-start': 'document marks (---)',
  'doc-end': 'document marks (...)',
};

/**
 * Looks at the words of the YAML before the library makes sense of them: it must not be given what is nested without
 * end (it would take the process down) or has very many parts, and it forgets where comments stood.
 */
export function scanYaml(text: string, offset: number): FrontMatterFault[] {
  const faults: FrontMatterFault[] = [];
  let tokens = 0;
  let at = 0;
  let flow = 0;
  /** What stands before the first value of a line and nests by itself: `- - ? - `. */
  let marks = 0;
  let isText = false;
  for (const token of new Lexer().lex(text)) {
    const start = offset + at;
    // A mark before text, which may look like anything.
    const isMark = token === CST.SCALAR || token === CST.DOCUMENT || token === CST.FLOW_END;
    if (!isMark) at += token.length;
    const type = isText || isMark ? 'scalar' : CST.tokenType(token);
    isText = token === CST.SCALAR;
    if (type === 'newline') marks = 0;
    if (type === 'flow-map-start' || type === 'flow-seq-start') flow++;
    if (type === 'flow-map-end' || type === 'flow-seq-end') flow--;
    if (type === 'explicit-key-ind' || type === 'seq-item-ind') marks++;
    if (++tokens > MAX_TOKENS || flow > MAX_DEPTH || marks > MAX_DEPTH) {
      return [...faults, fault('too_complex', start, offset + text.length)];
    }
    if (faults.length >= MAX_FAULTS) continue;
    if (type === 'comment') faults.push(fault('comment', start, start + token.length));
    else if (type === 'alias') faults.push(aliasFault(text, start - offset, offset));
    else if (NOT_KEPT[type ?? '']) faults.push(fault('not_kept', start, start + token.length, NOT_KEPT[type ?? '']));
  }
  return faults;
}

/** Nearly always a glob: all of the line is meant. */
function aliasFault(text: string, start: number, offset: number): FrontMatterFault {
  const rest = /^[^\r\n]*/.exec(text.slice(start, start + 1_000))![0].trimEnd();
  return fault('alias', offset + start, offset + start + rest.length, rest);
}
