/** Any library's YAML 1.2 reads these as text without quotes, when it reads every scalar as text. */
const PLAIN = /^[\p{L}\p{N}_/.(][^\p{C}\p{Z}:#]*(?:(?: |:(?=[^\s\p{Z}]))[^\p{C}\p{Z}:#]+)*$/u;
/** Lines of text that a block shows as they are: nothing invisible in them and no space at their end. */
const BLOCK_LINE = /^(?: *[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}])?)?$/u;
/** What JSON leaves as it is and YAML, or an editor, would not. */
const INVISIBLE = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;
/** YAML looks no further for the colon behind a key. */
const LONGEST_KEY = 1_000;

/** One `KEY: value` for each pair, each line ended. Every value comes back as it was (`readYaml`). */
export function writeYaml(metaknowledge: Readonly<Record<string, string>>): string {
  return Object.entries(metaknowledge)
    .map(([key, value]) => {
      const name = scalar(key);
      return name.length > LONGEST_KEY
        ? `? ${name}\n: ${quoted(value)}\n`
        : `${name}: ${block(value) ?? scalar(value)}\n`;
    })
    .join('');
}

function scalar(text: string): string {
  return PLAIN.test(text) && !text.startsWith('...') ? text : quoted(text);
}

/** JSON is YAML, but for a few characters. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(INVISIBLE, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Several lines are easier to read and to edit as lines. Undefined where a block could not hold the text exactly. */
function block(text: string): string | undefined {
  const lines = text.split('\n');
  const ended = lines.at(-1) === '';
  if (ended) lines.pop();
  if (lines.length + Number(ended) < 2 || /^[ \n]/.test(text) || lines.at(-1) === '') return undefined;
  if (!lines.every((line) => BLOCK_LINE.test(line))) return undefined;
  return `|${ended ? '' : '-'}\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}`;
}
