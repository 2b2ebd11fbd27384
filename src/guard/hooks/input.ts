import { isAbsolute, resolve } from 'node:path';
import { KaizenError } from '../../core/errors';
import type { HookCall, HookClient, HookEvent } from '../model';
import { type Fields, isFields, textIn } from './fields';

/** Bytes on standard input. A tool's arguments and its answer may hold whole files; what is beyond is not looked at. */
export const MAX_INPUT = 32_000_000;
const MAX_SESSION_ID = 500;
/** Characters of what a tool, and a use of it, is called: both are remembered, and are in the log. */
const MAX_TOOL = 200;
const MAX_USE_ID = 500;

/**
 * What a client wrote to a hook's standard input. Read are the formats of Claude Code, of VS Code's agent hooks (which
 * Copilot CLI has too, for events named in PascalCase), of Copilot CLI (camelCase) and of Cursor; of others whatever has
 * the same names. `event` is what the hook was started for, `fallbackCwd` its own folder.
 * Throws KaizenError `invalid_argument` where it is not a JSON object, or larger than 32 MB.
 */
export function readHookInput(event: HookEvent, text: string, fallbackCwd: string): HookCall {
  const fields = parse(text);
  const client = clientOf(fields);
  const cwd = textIn(fields, 'cwd') || rootIn(fields) || fallbackCwd;
  const tool = event === 'pre-tool-use' || event === 'post-tool-use' ? toolIn(fields) : undefined;
  return {
    event,
    client,
    session_id: (textIn(fields, 'session_id', 'sessionId', 'conversation_id') ?? '').slice(0, MAX_SESSION_ID),
    cwd: isAbsolute(cwd) ? cwd : resolve(fallbackCwd, cwd),
    ...(event === 'session-start' ? { source: textIn(fields, 'source') } : {}),
    ...(tool ? { tool } : {}),
    ...(event === 'post-tool-use' ? { succeeded: succeeded(fields) } : {}),
    ...(event === 'stop' ? { stop_hook_active: goesOn(fields) } : {}),
  };
}

function parse(text: string): Fields {
  if (Buffer.byteLength(text) > MAX_INPUT) {
    const hint = 'No rule was looked up for it: look at what the agent is about to do yourself.';
    throw invalid('What came on standard input is larger than 32 MB.', { hint });
  }
  if (text.trim() === '') throw invalid('Nothing came on standard input.');
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw invalid('What came on standard input is not JSON.', { cause: error });
  }
  if (!isFields(value)) throw invalid('What came on standard input is not a JSON object.');
  return value;
}

const WHO_CALLS = 'A hook is started by an agent program, which says on standard input what it is about to do.';

function invalid(sentence: string, { hint = WHO_CALLS, cause }: { hint?: string; cause?: unknown } = {}): KaizenError {
  return new KaizenError('invalid_argument', sentence, hint, { cause });
}

/** By what only one of them sends. */
function clientOf(fields: Fields): HookClient {
  if ('cursor_version' in fields || 'conversation_id' in fields) return 'cursor';
  if ('sessionId' in fields || 'toolName' in fields) return 'copilot-cli';
  if (!('hook_event_name' in fields)) return 'other';
  return 'timestamp' in fields ? 'vscode' : 'claude-code';
}

function rootIn(fields: Fields): string | undefined {
  const roots = fields.workspace_roots;
  return Array.isArray(roots) && typeof roots[0] === 'string' ? roots[0] : undefined;
}

/** Cursor's own events for commands and edits have no tool: `beforeShellExecution` has `command`, `afterFileEdit` `file_path`. */
function toolIn(fields: Fields): HookCall['tool'] {
  const use_id = textIn(fields, 'tool_use_id', 'toolUseId', 'toolCallId')?.slice(0, MAX_USE_ID);
  const name = textIn(fields, 'tool_name', 'toolName')?.slice(0, MAX_TOOL);
  if (name !== undefined) {
    return { name, input: inputIn(fields.tool_input ?? fields.toolArgs ?? fields.toolInput), use_id };
  }
  if (typeof fields.command === 'string') return { name: 'Shell', input: fields, use_id };
  if (typeof fields.file_path === 'string') return { name: 'Edit', input: fields, use_id };
  return undefined;
}

/** Some clients send the arguments as the JSON that the model wrote; apply_patch may have nothing but the patch. */
function inputIn(value: unknown): Fields {
  if (isFields(value)) return value;
  if (typeof value !== 'string') return {};
  try {
    const parsed: unknown = JSON.parse(value);
    if (isFields(parsed)) return parsed;
  } catch {
    // A text that is no JSON is the argument itself.
  }
  return { input: value };
}

/** Undefined where nothing tells. VS Code calls the hook also for a tool that the person skipped. */
function succeeded(fields: Fields): boolean | undefined {
  if (/failure/i.test(textIn(fields, 'hook_event_name', 'hookEventName') ?? '')) return false;
  const response = fields.tool_response ?? fields.tool_result ?? fields.toolResult ?? fields.tool_output;
  if (typeof response === 'string') {
    if (/^\s*(The user chose to skip|The user cancelled|Tool \S+ was denied|ERROR\b)/i.test(response)) return false;
    return response.trim() === '' ? undefined : true;
  }
  // Copilot CLI says nothing else of a tool that failed.
  if (!isFields(response)) return typeof fields.error === 'string' ? false : undefined;
  if (response.success === false || response.is_error === true || response.isError === true) return false;
  const type = textIn(response, 'resultType', 'result_type');
  return type === undefined ? true : type === 'success';
}

function goesOn(fields: Fields): boolean {
  if (fields.stop_hook_active === true || fields.stopHookActive === true) return true;
  return typeof fields.loop_count === 'number' && fields.loop_count > 0;
}
