import { Composer, isMap, isScalar, isSeq, type Node, Parser } from 'yaml';
import { type FrontMatterFault, fault, lineAt } from './faults';
import { scanYaml } from './scan-yaml';

/** A YAML value with the line that it begins on; the first line of a text is 1. Every scalar is text. */
export type YamlTree =
  | { kind: 'text'; line: number; text: string }
  | { kind: 'list'; line: number; items: YamlTree[] }
  | { kind: 'mapping'; line: number; entries: { key: string; line: number; value: YamlTree }[] };

const MAX_LENGTH = 256 * 1024;
const OPTIONS = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

/**
 * Reads a YAML text that people write as configuration. Anchors, aliases and tags are refused. Of a key that stands twice
 * the first counts. Undefined when there is nothing to read, or `faults` say why it cannot be. Never throws.
 */
export function readYamlTree(text: string): {
  tree: YamlTree | undefined;
  faults: { line: number; message: string }[];
} {
  const begin = text.startsWith('\uFEFF') ? 1 : 0;
  const said = ({ message, range }: FrontMatterFault) => ({ line: lineAt(text, range.start), message });
  if (text.length > MAX_LENGTH) return { tree: undefined, faults: [{ line: 1, message: 'The file is too long.' }] };
  const yaml = text.slice(begin);
  const refused = scanYaml(yaml, begin).filter(({ lossy, code, detail }) => !lossy && !isDocumentMark(code, detail));
  if (refused.length > 0) return { tree: undefined, faults: refused.slice(0, 5).map(said) };
  const [document] = [...new Composer(OPTIONS).compose(new Parser().parse(yaml))];
  if (!document || document.errors.length > 0) {
    const faults = (document?.errors ?? []).slice(0, 5).map(({ message, pos: [start, end] }) => {
      return { line: lineAt(text, begin + start), message: `${fault('syntax', start, end, message).message}` };
    });
    return { tree: undefined, faults };
  }
  const building = new Building(text, begin);
  const tree = document.contents === null ? undefined : building.tree(document.contents);
  return { tree, faults: building.faults.map(said) };
}

/** A line of `---` or `...` around the document says nothing. */
function isDocumentMark(code: string, detail: string): boolean {
  return code === 'not_kept' && detail.startsWith('document marks');
}

class Building {
  readonly faults: FrontMatterFault[] = [];

  constructor(
    private readonly text: string,
    private readonly begin: number,
  ) {}

  tree(node: unknown, fallbackLine = 1): YamlTree {
    const start = (node as Node | null)?.range?.[0];
    const line = start === undefined ? fallbackLine : lineAt(this.text, this.begin + start);
    if (isSeq(node)) return { kind: 'list', line, items: node.items.map((item) => this.tree(item, line)) };
    if (!isMap(node)) return { kind: 'text', line, text: isScalar(node) ? String(node.value ?? '') : '' };
    const entries = new Map<string, { key: string; line: number; value: YamlTree }>();
    for (const { key, value } of node.items) {
      const [from, to] = (key as Node | null)?.range ?? [start ?? 0, 0];
      const at: [number, number] = [this.begin + from, this.begin + Math.max(to, from + 1)];
      if (!isScalar(key)) this.faults.push(fault('bad_key', ...at));
      else if (entries.has(String(key.value))) this.faults.push(fault('duplicate_key', ...at, String(key.value)));
      else {
        const name = String(key.value);
        const keyLine = lineAt(this.text, at[0]);
        entries.set(name, { key: name, line: keyLine, value: this.tree(value, keyLine) });
      }
    }
    return { kind: 'mapping', line, entries: [...entries.values()] };
  }
}
