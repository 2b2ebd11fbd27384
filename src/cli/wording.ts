import type { EntryKey, EntryOrigin, Revision } from '../knowledge';
import type { Terminal } from './terminal';

/** `retries (http, checkout-api)` */
export function placeOf({ scope_id, category, keyword }: EntryKey): string {
  return `${keyword} (${category}, ${scope_id})`;
}

/** `Ada`, `claude-code (agent)` */
export function authorOf({ author, by_agent }: Pick<Revision, 'author' | 'by_agent'>): string {
  return by_agent ? `${author} (agent)` : author;
}

/** Behind the place of a text: `, by claude-code (agent)`; nothing for what a person wrote. */
export function byAgent({ origin }: { origin?: EntryOrigin }): string {
  return origin ? `, by ${authorOf({ author: origin.author, by_agent: true })}` : '';
}

const COMMANDS: Readonly<Record<string, string>> = {
  search_knowledge: 'kaizen search',
  discover_context: 'kaizen discover',
  retrieve_knowledge: 'kaizen retrieve',
  list_knowledge_bases: 'kaizen bases',
  knowledge_search: 'kaizen library search',
  knowledge_stats: 'kaizen library stats',
  knowledge_ingest: 'kaizen library add',
  knowledge_sources: 'kaizen library list',
  knowledge_assess_coverage: 'kaizen library assess',
  knowledge_preflight: 'kaizen library preflight',
  knowledge_acquire: 'kaizen library acquire',
  knowledge_request_document: 'kaizen library requests add',
};
/** As a word of its own: ids and titles in quotes may hold the same. */
const TOOL = new RegExp(`(?<![\\w.:/#"-])(?:${Object.keys(COMMANDS).join('|')})(?![\\w:/#"-]|\\.\\w)`, 'g');

/** What is said of scopes, and of notes in the words of tools' arguments; whole, so that no id or title is taken for it. */
const PHRASES: readonly (readonly [said: string, typed: string])[] = [
  ['With source ["local", "registry"] the', 'With --source local --source registry the'],
  ['Name the source "registry".', 'Name it: --source registry.'],
  [
    'No scope is defined yet: define it first.',
    'No scope is defined yet: define it first, with "kaizen scopes define ID --tier PROJECT".',
  ],
  ['search finds notes by what they say.', '"kaizen notes search" finds notes by what they say.'],
  [
    'It was deleted, renamed or moved: search finds where it is.',
    'It was deleted, renamed or moved: "kaizen notes search" finds where it is.',
  ],
];

/** What is said to agents in the words of their tools, for somebody at a terminal. */
export function inCommands(message: string): string {
  const said = PHRASES.reduce((text, [before, after]) => text.replace(before, after), message);
  return said.replace(TOOL, (tool) => COMMANDS[tool] ?? tool);
}

/** `2026-01-31 09:30 UTC` */
export function timeOf(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}

/** The lines that a change took out and put in, `-` and `+` before them; what is the same at both ends is left out. */
export function difference(before: string, after: string, terminal: Terminal): string {
  const removed = lines(before);
  const added = lines(after);
  while (removed.length > 0 && removed[0] === added[0]) {
    removed.shift();
    added.shift();
  }
  while (removed.length > 0 && removed.at(-1) === added.at(-1)) {
    removed.pop();
    added.pop();
  }
  return [
    ...removed.map((line) => terminal.paint('red', `- ${line}`)),
    ...added.map((line) => terminal.paint('green', `+ ${line}`)),
  ].join('\n');
}

/** None for an empty text. */
function lines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
