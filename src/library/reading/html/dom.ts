import { parseHTML } from 'linkedom';
import { sentence } from '../../../core/sentence';
import { READING_LIMITS } from '../limits';
import { tooLarge, unreadable } from '../unreadable';

/** As much of the DOM as is used here: the product is compiled without the browser's types. */
export interface DomNode {
  nodeType: number;
  nodeName: string;
  textContent: string;
  parentNode: DomNode | null;
  firstChild: DomNode | null;
  nextSibling: DomNode | null;
  childNodes: ArrayLike<DomNode> & Iterable<DomNode>;
  cloneNode(deep: boolean): DomNode;
  insertBefore(node: DomNode, before: DomNode | null): DomNode;
  remove(): void;
  replaceWith(...nodes: (DomNode | string)[]): void;
}

export interface DomElement extends DomNode {
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  hasAttribute(name: string): boolean;
  removeAttribute(name: string): void;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): ArrayLike<DomElement> & Iterable<DomElement>;
  children: ArrayLike<DomElement> & Iterable<DomElement>;
  normalize(): void;
}

export interface DomDocument {
  documentElement: DomElement;
  body: DomElement;
  title: string;
  createElement(name: string): DomElement;
  createTextNode(text: string): DomNode;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): ArrayLike<DomElement> & Iterable<DomElement>;
}

const ELEMENT = 1;

/** Parses a page within the limits: one with too many tags is refused, what lies too deep becomes plain text. */
export function parsePage(html: string, name: string): DomDocument {
  let tags = 0;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) tags++;
  const { tags: most } = READING_LIMITS.html;
  // Each element has an end tag as well.
  if (tags > 2 * most) {
    throw tooLarge(
      name,
      sentence('it has {0} elements', Math.round(tags / 2).toLocaleString('en')),
      most.toLocaleString('en'),
    );
  }
  if (isTooDeep(html)) {
    throw unreadable(
      name,
      sentence('is nested too deeply'),
      sentence('Open it in a browser, save what it shows as PDF or text, and add that.'),
    );
  }
  // A piece of a page has to be made whole: the parser takes its first element for the root.
  const whole = /<html[\s>]/i.test(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`;
  const document = (parseHTML(whole) as unknown as { document: DomDocument }).document;
  flatten(document.documentElement);
  return document;
}

export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === ELEMENT;
}

/** Elements whose end need not be written, or that have none, count for nothing. */
const UNCOUNTED =
  /^(?:p|li|dt|dd|td|th|tr|thead|tbody|tfoot|option|optgroup|colgroup|rt|rp|area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;

/** Parsers take time by the depth of each element: what no page has is not given to them. */
function isTooDeep(html: string): boolean {
  const tag = /<(\/?)([a-z][a-z\d-]{0,30})([^<>]*)>/gi;
  let depth = 0;
  for (let match = tag.exec(html); match; match = tag.exec(html)) {
    const [, end, name, rest] = match;
    if (end === '' && /^(?:script|style)$/i.test(name!)) {
      // What stands in it is no markup.
      const close = html.indexOf('</', tag.lastIndex);
      if (close === -1) return false;
      tag.lastIndex = close;
    } else if (!UNCOUNTED.test(name!) && !rest!.endsWith('/')) {
      depth = Math.max(0, depth + (end === '' ? 1 : -1));
      if (depth > READING_LIMITS.html.nesting) return true;
    }
  }
  return false;
}

/** Whoever goes through a page after this may do so by recursion. */
function flatten(root: DomElement): void {
  const tooDeep: DomElement[] = [];
  let node: DomNode = root;
  let depth = 0;
  for (;;) {
    const goesDown: boolean = depth < READING_LIMITS.html.depth;
    if (!goesDown && isElement(node)) tooDeep.push(node);
    if (goesDown && node.firstChild) {
      node = node.firstChild;
      depth++;
      continue;
    }
    while (node !== root && !node.nextSibling) {
      node = node.parentNode!;
      depth--;
    }
    if (node === root) break;
    node = node.nextSibling!;
  }
  for (const element of tooDeep) element.textContent = textOf(element);
}

/** Its text without recursion, and without what scripts say. */
function textOf(root: DomElement): string {
  const pieces: string[] = [];
  let node: DomNode = root;
  for (;;) {
    const isHidden = isElement(node) && /^(script|style|template|noscript)$/i.test(node.nodeName);
    if (node.nodeType === 3) pieces.push(node.textContent);
    if (!isHidden && node.firstChild) {
      node = node.firstChild;
      continue;
    }
    while (node !== root && !node.nextSibling) node = node.parentNode!;
    if (node === root) break;
    node = node.nextSibling!;
  }
  return pieces.join(' ');
}
