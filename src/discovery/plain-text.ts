const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const TABLE_RULE = /^[\s|:-]*-[\s|:-]*$/;

/** Markdown as a text without marks; what stands in fenced code stays as it is. Takes time in proportion to the text. */
export function plainText(markdown: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of withoutComments(markdown).split(/\r?\n/)) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      const closes = mark?.startsWith(fence) && line.trim() === mark;
      if (closes) fence = undefined;
      else lines.push(line);
    } else if (mark !== undefined) {
      fence = mark;
    } else if (!TABLE_RULE.test(line)) {
      lines.push(plainLine(line));
    }
  }
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function withoutComments(text: string): string {
  let result = '';
  let at = 0;
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start);
    if (end < 0) break;
    result += text.slice(at, start);
    at = end + 3;
  }
  return result + text.slice(at);
}

/** No expression here looks at a character more than a few times. */
function plainLine(line: string): string {
  return line
    .replace(/^\s*(?:>\s?)+/, '')
    .replace(/^\s{0,3}#{1,6}\s/, '')
    .replace(/!?\[([^\][]*)\]\([^()\s]*(?: "[^"]*")?\)/g, '$1')
    .replace(/!?\[([^\][]*)\]\[[^\][]*\]/g, '$1')
    .replace(/<(https?:[^<>\s]*)>/g, '$1')
    .replace(/<\/?[A-Za-z][^<>]*>/g, '')
    .replace(/`+([^`]+)`+/g, '$1')
    .replace(/\*{1,3}([^\s*][^*]*)\*{1,3}/g, '$1')
    .replace(/(?<![\p{L}\p{N}])_{1,3}([^\s_][^_]*)_{1,3}(?![\p{L}\p{N}])/gu, '$1')
    .replace(/~~([^~]+)~~/g, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/^\|(.*)\|\s*$/, '$1')
    .trimEnd();
}
