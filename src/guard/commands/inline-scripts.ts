/** What an interpreter is told to do in its own words, `python -c '…'`: read roughly, by the names that languages have for it. */

const INTERPRETER = /^(python[\d.]*|py|node|deno|bun|ruby|perl|php)$/;
/** Behind the interpreter's name: what follows is a script, and no file. */
const SCRIPT_OPTION = /^(?:\S+ (?:-\d{0,4}[a-zA-Z]{0,3}[ceE]|--eval)|(?:node|bun) (?:-p|--print)|php -r|deno eval)$/;
/** What follows belongs to the option. */
const VALUE_OPTION = /^(?:-[CIWXdr]|--(?:require|import|loader|experimental-loader|conditions|env-file))$/;
/**
 * What scripts in these languages call to change files, or to have it done; what only goes to the terminal is none, nor
 * is `replace` or `remove` of a text or a list. Every repetition is bounded: a script is as long as somebody makes it.
 */
const WRITES = new RegExp(
  [
    /(?<!std(?:out|err)\.|re|over|type)write|(?:append|copy|output)File|put_contents|rmtree|\bto_(?:csv|json|parquet)\b/,
    /\b(?:rename|unlink|truncate|rmdir|symlink|shutil|subprocess|child_process|popen|shell_exec|passthru)/,
    /\b(?:dump|touch|system|spawn)\s{0,8}\(|\bsystem\s{1,8}["']|(?<![.\w])(?:exec|remove(?:Sync)?)\s{0,8}\(/,
    /\b(?:rm|cp|mv)(?:Sync)?\(|\b(?:os|fs|fse|File|Deno)\.(?:delete|remove)|\bos\.replace|\bFileUtils\.|\.save\w{0,40}\(/,
    /\bPath\([^()\n]{0,300}\)\.replace\(/,
    /open\w{0,20}\s{0,8}\([^)\n]{0,300}['"][rbt]{0,3}[wax+][rbt+]{0,3}['"]|open\b[^;\n]{0,300}['"]\+?>/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);
/**
 * A text of a script; one that could be a path has a folder or an extension, or is the first thing that a call is given,
 * or stands behind the sign that it is written.
 */
const QUOTED_WORD =
  /((?<!\brequire)\()?["'`](\+?>{1,2} {0,4})?((?:[^"'`\s<>|,;()%]|\([^"'`\s<>|,;()%]{1,80}\)){1,300})["'`]/g;
/** Where none of these is named, `exec` and `run` mean something else than to start a program. */
const STARTS = /\b(?:subprocess|child_process|popen|system|shell_exec|passthru)|(?<![.\w])exec\s{0,8}\(/i;
/** The line that a script gives to a shell. */
const STARTED =
  /(?<!\w)(?:system|popen\d?|shell_exec|passthru|(?:exec|spawn)(?:a|File)?(?:Sync)?|run|call|check_call|check_output|getoutput)(?:\s{0,8}\(\s{0,8}|(?<=system)\s{1,8})[bfru]{0,2}(["'`])((?:\\.|(?!\1)[^\\\n]){1,2000})\1/gi;
const MAX_STARTED = 50;
const PATH = /[/\\]|\.[a-zA-Z]\w*$/;

export function isInterpreter(program: string): boolean {
  return INTERPRETER.test(program);
}

/**
 * The scripts that an interpreter is given in its own words: those before the first that is a file, or that follows the
 * script. `hasFile`: whether there is such a file, so that nothing else is a script.
 */
export function inlineScripts(
  name: string,
  args: readonly string[],
): { scripts: string[]; others: readonly string[]; hasFile: boolean } {
  const scripts: string[] = [];
  const options: string[] = [];
  let isAwaited = false;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at]!;
    if (word === '-' || word === '--') break;
    if (SCRIPT_OPTION.test(`${name} ${word}`)) {
      isAwaited = true;
    } else if (word.startsWith('-')) {
      options.push(word);
      if (VALUE_OPTION.test(word) && args[at + 1]?.startsWith('-') === false) options.push(args[++at]!);
    } else if (isAwaited) {
      scripts.push(word);
      isAwaited = false;
    } else {
      break;
    }
    // Python's own options end with the script.
    if (scripts.length > 0 && name.startsWith('py')) break;
  }
  const left = args.slice(scripts.length > 0 && name.startsWith('py') ? at + 1 : at);
  return { scripts, others: [...options, ...left], hasFile: left.length > 0 && left[0] !== '-' };
}

/** The files that a script writes, as far as it names them, and the lines that it gives to a shell; none of one that only reads. */
export function scriptWrites(script: string): { files: string[]; lines: string[] } {
  if (!WRITES.test(script)) return { files: [], lines: [] };
  const lines: string[] = [];
  let rest = script;
  if (STARTS.test(script)) {
    rest = script.replace(STARTED, (call: string, _, line: string) => {
      if (lines.length >= MAX_STARTED) return call;
      lines.push(line.replace(/\\(["'`\\])/g, '$1'));
      return '';
    });
  }
  const files: string[] = [];
  for (const [, called, writes, word] of rest.matchAll(QUOTED_WORD)) {
    if (called !== undefined || writes !== undefined || PATH.test(word!)) files.push(word!);
  }
  return { files, lines };
}
