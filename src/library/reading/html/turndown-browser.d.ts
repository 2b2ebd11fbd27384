/** Turndown's build for browsers: as much of it as is used here, over a DOM that is not the browser's. */
declare module 'turndown/lib/turndown.browser.cjs.js' {
  type Element = import('./dom').DomElement;

  interface Rule {
    filter: string | readonly string[] | ((node: Element) => boolean);
    replacement(content: string, node: Element): string;
  }

  export default class TurndownService {
    constructor(options: Readonly<Record<string, string>>);
    escape: (text: string) => string;
    addRule(name: string, rule: Rule): this;
    remove(filter: readonly string[]): this;
    turndown(root: Element): string;
  }
}
