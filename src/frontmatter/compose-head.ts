import { Composer, isMap, Parser, type YAMLMap } from 'yaml';
import { type FrontMatterFault, fault } from './faults';
import { quoteLoose } from './loose-yaml';
import { scanYaml } from './scan-yaml';

/** The mapping that a front matter is, with what leads from its nodes' ranges back to the text that it was read from. */
export interface ComposedHead {
  map: YAMLMap;
  /** Offset of the YAML as it is written → offset where the nodes have it from. */
  toSource: (offset: number) => number;
  /** Why it is no YAML as it is written, where it had to be read otherwise. */
  loose?: FrontMatterFault;
}

const OPTIONS = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

/**
 * Reads YAML as strictly as it is written, else with what everybody writes put in quotes (`title: Use when: …`). Every
 * scalar is text. Answers why where neither gives a mapping; the fault is the one of the strict reading.
 */
export function composeHead(yaml: string): ComposedHead | { fault: FrontMatterFault } {
  const strict = compose(yaml);
  if ('map' in strict) return { map: strict.map, toSource: (offset) => offset };
  const quoted = quoteLoose(yaml);
  const loose = compose(quoted);
  return 'map' in loose ? { map: loose.map, toSource: wayBack(yaml, quoted), loose: strict.fault } : strict;
}

function compose(yaml: string): { map: YAMLMap } | { fault: FrontMatterFault } {
  // Comments and lists are nothing to complain of here; what nests without end, or refers to itself, is not read.
  const refused = scanYaml(yaml, 0).find(({ lossy }) => !lossy);
  if (refused) return { fault: refused };
  const [document] = [...new Composer(OPTIONS).compose(new Parser().parse(yaml))];
  const [error] = document?.errors ?? [];
  if (error) return { fault: fault('syntax', error.pos[0], Math.max(error.pos[1], error.pos[0] + 1), error.message) };
  if (!document || !isMap(document.contents)) return { fault: fault('not_a_mapping', 0, yaml.length) };
  return { map: document.contents as YAMLMap };
}

/** Quoting changes lines behind the place where the value begins, and leaves lines what they are. */
function wayBack(yaml: string, quoted: string): (offset: number) => number {
  const sources = yaml.split('\n');
  const starts: { quoted: number; source: number; kept: number; end: number }[] = [];
  let source = 0;
  let at = 0;
  for (const [index, line] of quoted.split('\n').entries()) {
    const from = sources[index] ?? '';
    const end = from.trimEnd().length;
    let kept = from.length;
    if (from !== line) for (kept = 0; kept < end && from[kept] === line[kept]; ) kept++;
    starts.push({ quoted: at, source, kept, end });
    at += line.length + 1;
    source += from.length + 1;
  }
  return (offset) => {
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (starts[middle]!.quoted <= offset) low = middle;
      else high = middle;
    }
    const line = starts[low]!;
    const column = offset - line.quoted;
    return line.source + (column <= line.kept ? column : line.end);
  };
}
