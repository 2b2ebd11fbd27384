import { readCommand, readPatch } from '../commands';
import type { ToolIntent } from '../model';
import { type Fields, isFields, recordsIn, textIn, textsIn } from './fields';

/** Tools of Claude Code, VS Code, Copilot CLI, Cursor and Codex; compared in lower case, without `_` and `-`. */
const READS = names(
  'Read Grep Glob LS NotebookRead WebFetch WebSearch TodoWrite TodoRead Task Agent BashOutput KillShell KillBash ExitPlanMode ' +
    'AskUserQuestion Skill ToolSearch read_file list_dir file_search grep_search semantic_search get_errors ' +
    'get_changed_files test_search test_failure read_project_structure view_image fetch_webpage manage_todo_list ' +
    'get_terminal_output get_search_view_results copilot_getNotebookSummary read_notebook_cell_output list_code_usages ' +
    'github_repo github_text_search get_vscode_api terminal_last_command terminal_selection runSubagent search_subagent ' +
    'explore_subagent switch_agent view show codebase_search search read_bash stop_bash report_intent update_todo fetch ' +
    'web_search think',
);
const COMMANDS = names(
  'Bash PowerShell Shell shell local_shell run_in_terminal runInTerminal run_terminal_cmd run_terminal_command ' +
    'send_to_terminal execute_command exec_command write_bash terminal run_command',
);
/** They write a file as a whole. */
const WRITES = names('Write create_file createFile write_file writeFile write create write_to_file save_file');
/** They take a file away as a whole, or give it another name. */
const REMOVALS = names('delete_file deleteFile Delete remove_file move_file moveFile rename_file delete move');
/** They say what they write and what that replaces. */
const EDITS = names(
  'Edit MultiEdit replace_string_in_file multi_replace_string_in_file replaceString multiReplaceString str_replace ' +
    'str_replace_editor str_replace_based_edit_tool search_replace create_directory createDirectory edit insert ' +
    'replace_in_file StrReplace',
);
/** They write, and what is replaced is not said. */
const VAGUE_EDITS = names(
  'NotebookEdit edit_notebook_file editNotebook EditNotebook insert_edit_into_file insertEdit edit_files editFiles edit_file ' +
    'vscode_renameSymbol rename_symbol create_new_jupyter_notebook create_new_workspace',
);
const PATCHES = names('apply_patch applyPatch ApplyPatch apply_diff');

const PATH_FIELDS = (
  'file_path filePath path notebook_path notebookPath dirPath dir_path target_file targetFile target_notebook files ' +
  'filePaths file_paths paths filename fileName file uri old_path new_path oldPath newPath source destination ' +
  'target_directory relative_workspace_path absolute_path absolutePath relative_path TargetFile pathInProject'
).split(' ');
const TEXT_FIELDS = (
  'content contents file_text fileText text code newString oldString new_string old_string new_str old_str newCode new_source ' +
  'insert_text insertText code_edit replacement replace search new_content newContent diff oldText newText body CodeContent ' +
  'ReplacementContent'
).split(' ');
const LIST_FIELDS = ['edits', 'replacements', 'operations', 'changes', 'files'];
const PATCH_FIELDS = ['input', 'patch', 'diff', 'patchText', 'command'];
const COMMAND_FIELDS = ['command', 'cmd', 'script', 'commandLine', 'command_line', 'text'];

/** Where a command starts: Codex, Cursor, Gemini CLI, Windsurf. */
const FOLDER_FIELDS = 'workdir cwd Cwd working_directory directory dir_path'.split(' ');

const MAX_PATHS = 500;

/**
 * What a tool is about to do. Tools that are not known are told by the verb in their name, else they are `other`.
 * Kaizen's own never touch files. Never throws.
 */
export function intentOf(
  tool: { name: string; input: Readonly<Record<string, unknown>> },
  platform: NodeJS.Platform = process.platform,
): ToolIntent {
  const { input } = tool;
  const name = plainName(tool.name);
  if (isKaizen(tool.name)) return intent('other', [], []);
  if (name === 'createandruntask') return commandOf(taskLine(input), tool.name, platform, '');
  if (COMMANDS.has(name)) return commandOf(lineOf(input), tool.name, platform, folderIn(input));
  if (PATCHES.has(name)) return patchOf(input);
  if (REMOVALS.has(name)) return removalOf(input);
  if (name === 'strreplaceeditor' || name === 'strreplacebasededittool' || name === 'memory') return editorOf(input);
  if (EDITS.has(name)) return editOf(input, []);
  if (WRITES.has(name) || VAGUE_EDITS.has(name)) return editOf(input, pathsOf(input));
  if (READS.has(name)) return intent('read', pathsOf(input), []);
  return unknown(tool.name, input, platform);
}

/** A tool that Kaizen's own server offers; clients put the server's name before it. */
export function isKaizen(name: string): boolean {
  return /^mcp_+kaizen/i.test(name) || /^MCP:\s*kaizen/i.test(name) || /^kaizen[-_/.:]/i.test(name);
}

function unknown(written: string, input: Fields, platform: NodeJS.Platform): ToolIntent {
  // Of `mcp__server__write_file` the tool's name counts.
  const words = written
    .replace(/^mcp__.*__|^MCP:/, '')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  const has = (verbs: string) => words.some((word) => verbs.split(' ').includes(word));
  const paths = pathsOf(input);
  if (paths.length === 0) {
    const line = textIn(input, 'command', 'cmd', 'commandLine');
    return line === undefined ? intent('other', [], []) : commandOf(line, written, platform, folderIn(input));
  }
  if (has('delete remove move rename unlink trash')) return removalOf(input);
  if (has('write create edit replace insert update append patch modify save set put overwrite')) {
    return editOf(input, paths);
  }
  if (has('read get list search find view fetch grep open show query describe stat tree info')) {
    return intent('read', paths, []);
  }
  return intent('other', paths, []);
}

function intent(kind: ToolIntent['kind'], paths: string[], texts: string[], replaced: string[] = []): ToolIntent {
  return {
    kind,
    paths: [...new Set(paths)].slice(0, MAX_PATHS),
    texts: texts.filter((text) => text !== ''),
    replaced: [...new Set(replaced)].slice(0, MAX_PATHS),
  };
}

function commandOf(line: string, tool: string, platform: NodeJS.Platform, folder: string): ToolIntent {
  // Claude Code's Bash is a POSIX shell on Windows as well.
  const isPosixThere = /^bash$/i.test(tool);
  const isPowerShell =
    /powershell|pwsh/i.test(tool) ||
    (platform === 'win32' && !isPosixThere) ||
    /\b(Remove|Set|Add|Clear|New|Move|Copy|Rename)-(Item|Content)\b/.test(line);
  const { onlyReads, paths, guessed } = readCommand(line, isPowerShell ? 'powershell' : 'posix', folder);
  if (onlyReads) return intent('read', paths, []);
  const all = guessed ? [...paths, ...guessed] : paths;
  return { ...intent('command', all, [line], all), ...(guessed && { guessed }) };
}

function folderIn(input: Fields): string {
  return textIn(input, ...FOLDER_FIELDS) ?? '';
}

function lineOf(input: Fields): string {
  const words = input.command;
  // Codex hands over the words; the line is what a shell would have read.
  if (Array.isArray(words))
    return words
      .filter((word) => typeof word === 'string')
      .map(shellQuoted)
      .join(' ');
  return textIn(input, ...COMMAND_FIELDS) ?? '';
}

function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** VS Code's task: a command and its arguments. */
function taskLine(input: Fields): string {
  const task = isFields(input.task) ? input.task : input;
  return [textIn(task, 'command') ?? '', ...textsIn(task, ['args'])].join(' ');
}

function patchOf(input: Fields): ToolIntent {
  const patches = textsIn(input, PATCH_FIELDS).map(readPatch);
  const paths = [...pathsOf(input), ...patches.flatMap((patch) => patch.paths)];
  return intent(
    'edit',
    paths,
    patches.flatMap((patch) => patch.texts),
    patches.flatMap((patch) => patch.replaced),
  );
}

function removalOf(input: Fields): ToolIntent {
  const paths = pathsOf(input);
  return intent('edit', paths, [], paths);
}

/** Anthropic's text editor tool: one name for reading and writing, `command` says which. */
function editorOf(input: Fields): ToolIntent {
  const command = textIn(input, 'command');
  if (command === 'view') return intent('read', pathsOf(input), []);
  if (command === 'delete' || command === 'rename') return removalOf(input);
  return editOf(input, command === 'create' ? pathsOf(input) : []);
}

function editOf(input: Fields, replaced: string[]): ToolIntent {
  return intent('edit', pathsOf(input), textsOf(input), replaced);
}

function pathsOf(input: Fields): string[] {
  const inner = recordsIn(input, LIST_FIELDS).flatMap((each) => textsIn(each, PATH_FIELDS));
  return [...textsIn(input, PATH_FIELDS), ...inner].filter((path) => path !== '' && path.length <= 4_096);
}

function textsOf(input: Fields): string[] {
  return [
    ...textsIn(input, TEXT_FIELDS),
    ...recordsIn(input, LIST_FIELDS).flatMap((each) => textsIn(each, TEXT_FIELDS)),
  ];
}

function names(list: string): Set<string> {
  return new Set(list.split(' ').map(plainName));
}

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[_-]/g, '')
    .replace(/^copilot/, '');
}
