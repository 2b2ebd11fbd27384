import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isSamePlace } from '../core/locations';
import { type Sentence, sentence } from '../core/sentence';
import { copilotPlace } from './copilot-place';
import { areSameFlags, distinctFlags, type HookFlag, hookFlagsAmong, readHookFlags, storeFlags } from './hook-flags';
import {
  HOOK_TIMEOUT,
  type HookCall,
  type HookName,
  hookLine,
  isHookLine,
  ownHookCall,
  powershellHookLine,
  sharedHookCall,
  wordsBehindHooks,
  wordsOfLine,
} from './hook-line';
import { hookNotes } from './hook-notes';
import { type JsonPath, jsonAt, readJson, withJson, withoutJson } from './json-edit';
import type { AgentClient, AgentSurroundings } from './model';
import type { PieceNote, PiecePlace, PieceReading, PieceWriter } from './piece';
import { claudeCodeTraces, cursorTraces } from './traces';

interface ClientEvent {
  /** As the client calls it. */
  name: string;
  hook: HookName;
  /** The tools that it is about; all where none is said. */
  matcher?: string;
}

/** A client that is told its hooks in a JSON file, `{"hooks": {EVENT: [...]}}`. */
interface HookFile {
  id: string;
  client: AgentClient;
  title: string | Sentence;
  place(around: AgentSurroundings): PiecePlace | undefined;
  /** The client's events, in the order in which they are written, and what is called for each. */
  events: readonly ClientEvent[];
  /** What stands in the list of an event: a hook, or a group of them for some tools; `line` is for a POSIX shell. */
  item(event: ClientEvent, line: string, around: AgentSurroundings): Readonly<Record<string, unknown>>;
  /** The version that the client wants to be told in a file that Kaizen makes. */
  version?: number;
  /** A team shares the file. */
  isShared?: boolean;
  note?: PieceNote;
}

/**
 * Claude Code's tools that write or run something, and other servers' tools, which may: reading asks for nothing, and
 * each hook is a process. (PowerShell is what it has in the place of Bash on some Windows machines.)
 */
const CLAUDE_TOOLS = 'Edit|Write|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*';

/** https://code.claude.com/docs/en/hooks, "Configuration": groups with a matcher, seconds. */
const CLAUDE: Pick<HookFile, 'client' | 'events' | 'item'> = {
  client: 'claude-code',
  events: [
    { name: 'SessionStart', hook: 'session-start' },
    { name: 'PreToolUse', hook: 'pre-tool-use', matcher: CLAUDE_TOOLS },
    { name: 'PostToolUse', hook: 'post-tool-use', matcher: CLAUDE_TOOLS },
    { name: 'PreCompact', hook: 'pre-compact' },
    { name: 'Stop', hook: 'stop' },
  ],
  item: ({ matcher }, command) => ({
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ type: 'command', command, timeout: HOOK_TIMEOUT }],
  }),
};

/** Cursor's tools that write files. Commands and other servers' tools have events of their own, in which it asks. */
const CURSOR_TOOLS = 'Write|Edit|MultiEdit|NotebookEdit|StrReplace|ApplyPatch|Delete';

const FILES: readonly HookFile[] = [
  {
    ...CLAUDE,
    id: 'hooks:claude-code',
    title: sentence('Claude Code, in this folder'),
    place: (around) => ({
      file: join(around.workspace, '.claude', 'settings.local.json'),
      place: 'workspace',
      traces: claudeCodeTraces(around),
    }),
  },
  {
    ...CLAUDE,
    id: 'hooks:claude-code-shared',
    title: sentence('Claude Code, for everybody who works in this folder'),
    // In the home directory it is the person's own file.
    place: ({ workspace, platform }) =>
      isSamePlace(workspace, platform.home, platform)
        ? undefined
        : { file: join(workspace, '.claude', 'settings.json'), place: 'workspace', traces: [] },
    isShared: true,
    note: {
      sentence: sentence('A team shares this file: where Kaizen is not installed, its hooks do nothing.'),
      isCovered: true,
    },
  },
  {
    ...CLAUDE,
    id: 'hooks:claude-code-user',
    title: sentence('Claude Code, in all my folders'),
    place: ({ platform: { home } }) => ({ file: join(home, '.claude', 'settings.json'), place: 'user', traces: [] }),
    note: {
      sentence: sentence('In a folder for which Kaizen knows nothing its hooks say nothing.'),
      isCovered: true,
    },
  },
  {
    // https://cursor.com/docs/hooks: `.cursor/hooks.json`, names in camelCase, which a team shares.
    id: 'hooks:cursor',
    client: 'cursor',
    title: 'Cursor',
    version: 1,
    isShared: true,
    events: [
      { name: 'sessionStart', hook: 'session-start' },
      { name: 'preToolUse', hook: 'pre-tool-use', matcher: CURSOR_TOOLS },
      { name: 'beforeShellExecution', hook: 'pre-tool-use' },
      { name: 'beforeMCPExecution', hook: 'pre-tool-use' },
      { name: 'postToolUse', hook: 'post-tool-use' },
      { name: 'preCompact', hook: 'pre-compact' },
      { name: 'stop', hook: 'stop' },
    ],
    place: (around) => ({
      file: join(around.workspace, '.cursor', 'hooks.json'),
      place: 'workspace',
      traces: cursorTraces(around),
    }),
    item: ({ matcher }, command) => ({
      command,
      timeout: HOOK_TIMEOUT,
      ...(matcher === undefined ? {} : { matcher }),
    }),
  },
  {
    // https://docs.github.com/copilot/reference/hooks-reference: a file of one's own in the person's `hooks` folder.
    id: 'hooks:copilot-cli',
    client: 'copilot-cli',
    title: 'GitHub Copilot CLI',
    version: 1,
    events: [
      { name: 'sessionStart', hook: 'session-start' },
      { name: 'preToolUse', hook: 'pre-tool-use' },
      { name: 'postToolUse', hook: 'post-tool-use' },
      { name: 'preCompact', hook: 'pre-compact' },
      { name: 'agentStop', hook: 'stop' },
    ],
    place: (around) => copilotPlace(around, 'hooks', 'kaizen.json'),
    item: ({ hook }, bash, around) => ({
      type: 'command',
      bash,
      powershell: powershellHookLine(hook, around),
      timeoutSec: HOOK_TIMEOUT,
    }),
    note: {
      sentence: sentence("Said twice in VS Code, which reads this file beside the extension's own hooks."),
      isCovered: false,
    },
  },
];

/** Kaizen's hooks in the files of each client; only entries whose command starts a hook of Kaizen's are ever touched. */
export const HOOK_WRITERS: readonly PieceWriter[] = FILES.map(hookWriter);

function hookWriter(file: HookFile): PieceWriter {
  function write(text: string | undefined, around: AgentSurroundings): string {
    let written = text ?? (file.version === undefined ? undefined : withJson(undefined, ['version'], file.version));
    for (const event of file.events) {
      const { name } = event;
      const isSecond = (hook: OwnHook, index: number, all: readonly OwnHook[]) =>
        hook.name === name && all.findIndex((each) => each.name === name) < index;
      if (written !== undefined) written = withoutHooks(written, around, isSecond);
      const own: OwnHook | undefined = ownHooks(written, around).find((hook) => hook.name === name);
      const wanted = itemOf(file, event, around);
      if (own?.isAlone) {
        written = withJson(written, itemPath(own), wanted);
        continue;
      }
      // What shares its group with somebody's hook gets a group of its own.
      if (written !== undefined) written = withoutHooks(written, around, (hook) => hook.name === name);
      written = withJson(written, ['hooks', name, -1], wanted);
    }
    const isCalled = (hook: OwnHook) => file.events.some(({ name }) => name === hook.name);
    return withoutHooks(written ?? '', around, (hook) => !isCalled(hook)) ?? '';
  }

  return {
    id: file.id,
    kind: 'hooks',
    client: file.client,
    title: file.title,
    place: (around) => file.place(around),
    read: (text, around) => readingOf(file, text, around),
    write,
    remove(text, around) {
      const rest = withoutHooks(text, around, () => true);
      const isOnlyVersion = file.version !== undefined && rest === withJson(undefined, ['version'], file.version);
      return isOnlyVersion ? undefined : rest;
    },
    otherFlags(text, around) {
      const flags = flagsOf(file, text, around) ?? namedFlags(text, around);
      return isWanted(flags, around) ? undefined : flags;
    },
    notes: (_text, around) => [...hookNotes(around, file.isShared === true), ...(file.note ? [file.note] : [])],
  };
}

function readingOf(file: HookFile, text: string | undefined, around: AgentSurroundings): PieceReading {
  if (text === undefined) return 'absent';
  const document = readJson(text);
  if ('unreadable' in document) return document;
  if (document.root === undefined) return 'absent';
  const hooks = jsonAt(text, ['hooks']);
  if (hooks === undefined) return 'absent';
  if (!isObject(hooks)) {
    return { unreadable: sentence('"{0}" in it is not an object. Mend it first.', 'hooks'), holdsNothing: true };
  }
  const wrong = Object.keys(hooks).find((name) => !Array.isArray(hooks[name]));
  if (wrong !== undefined)
    return {
      unreadable: sentence('"hooks" in it has {0}, which is no list. Mend it first.', JSON.stringify(wrong)),
    };
  if (ownHooks(text, around).length === 0) return 'absent';
  return flagsOf(file, text, around) ? 'current' : 'outdated';
}

function callOf({ isShared }: HookFile, { hook }: ClientEvent, around: AgentSurroundings): HookCall {
  return isShared ? sharedHookCall(hook, around) : ownHookCall(hook, around);
}

function itemOf(file: HookFile, event: ClientEvent, around: AgentSurroundings): Readonly<Record<string, unknown>> {
  return file.item(event, hookLine(callOf(file, event, around), around.kaizen.flags), around);
}

/**
 * The flags of hooks that are otherwise what would be written now; undefined where one is another or is missing, or where
 * they speak of several stores. The budget and the reminder are each the matter of one event.
 */
function flagsOf(file: HookFile, text: string, around: AgentSurroundings): HookFlag[] | undefined {
  const own = ownHooks(text, around);
  if (own.length !== file.events.length) return undefined;
  const all = file.events.map((event) => {
    const hook = own.find(({ name }) => name === event.name);
    return hook && flagsOfHook(hook, file, event, around);
  });
  const [first] = all;
  const isSame = first && all.every((flags) => flags && areSameFlags(storeFlags(flags), storeFlags(first)));
  return isSame ? distinctFlags(all.flatMap((flags) => flags ?? [])) : undefined;
}

/** The flags that any of the hooks has, whatever else there is to its line: somebody may have meant them. */
function namedFlags(text: string, around: AgentSurroundings): HookFlag[] {
  const lines = ownHooks(text, around).flatMap(({ hook }) => linesOf(hook, around).slice(0, 1));
  return distinctFlags(lines.flatMap((line) => hookFlagsAmong(wordsBehindHooks(line))));
}

function flagsOfHook(
  { isAlone, item, hook: { command, bash = command } }: OwnHook,
  file: HookFile,
  event: ClientEvent,
  around: AgentSurroundings,
): HookFlag[] | undefined {
  const words = typeof bash === 'string' ? wordsOfLine(bash, callOf(file, event, around)) : undefined;
  if (!isAlone || words === undefined) return undefined;
  const there = { ...around, kaizen: { ...around.kaizen, flags: words } };
  return isDeepStrictEqual(item, itemOf(file, event, there)) ? readHookFlags(words) : undefined;
}

function isWanted(flags: readonly HookFlag[], { kaizen }: AgentSurroundings): boolean {
  const wanted = readHookFlags(kaizen.flags);
  return wanted !== undefined && areSameFlags(flags, wanted);
}

/** Where a hook of Kaizen's is in a file. */
interface OwnHook {
  /** The client's name of the event. */
  name: string;
  /** Of the item in the event's list. */
  at: number;
  /** Of the hook in its group; undefined where the item is the hook. */
  inGroup: number | undefined;
  item: Record<string, unknown>;
  /** What says what is called: the item, or one of its group. */
  hook: Record<string, unknown>;
  /** Whether the item holds nothing else. */
  isAlone: boolean;
}

/** The text without those hooks of Kaizen's; undefined where nothing is left of a file that was made for them. */
function withoutHooks(
  text: string,
  around: AgentSurroundings,
  goes: (hook: OwnHook, index: number, all: readonly OwnHook[]) => boolean,
): string | undefined {
  for (let rest: string | undefined = text; ; ) {
    if (rest === undefined) return undefined;
    // One at a time: what stands where, and what is alone in its group, is another afterwards.
    const last = ownHooks(rest, around).filter(goes).at(-1);
    if (last === undefined) return rest;
    rest = withoutJson(rest, hookPath(last));
  }
}

/** In the order of the file. Of a text that is JSON. */
function ownHooks(text: string | undefined, around: AgentSurroundings): OwnHook[] {
  if (text === undefined) return [];
  const hooks = jsonAt(text, ['hooks']);
  if (!isObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([name, items]) =>
    (Array.isArray(items) ? items : []).flatMap((item: unknown, at): OwnHook[] => {
      if (!isObject(item)) return [];
      if (isOwn(item, around)) return [{ name, at, inGroup: undefined, item, hook: item, isAlone: true }];
      const group: unknown[] = Array.isArray(item.hooks) ? item.hooks : [];
      return group.flatMap((hook, inGroup) =>
        isObject(hook) && isOwn(hook, around) ? [{ name, at, inGroup, item, hook, isAlone: group.length === 1 }] : [],
      );
    }),
  );
}

function isOwn(hook: Record<string, unknown>, around: AgentSurroundings): boolean {
  return linesOf(hook, around).length > 0;
}

/** Those that start a hook of Kaizen's, for whichever shell. */
function linesOf(
  { command, bash, powershell, windows, linux, osx }: Record<string, unknown>,
  around: AgentSurroundings,
): string[] {
  return [command, bash, powershell, windows, linux, osx].filter(
    (line) => typeof line === 'string' && isHookLine(line, around),
  ) as string[];
}

function itemPath({ name, at }: OwnHook): JsonPath {
  return ['hooks', name, at];
}

/** What goes when the hook goes: a group that is empty without it as a whole. */
function hookPath(hook: OwnHook): JsonPath {
  return hook.isAlone || hook.inGroup === undefined ? itemPath(hook) : [...itemPath(hook), 'hooks', hook.inGroup];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
