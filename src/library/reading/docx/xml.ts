// As much of XML as a part of a Word document needs: its tags in order. Nothing is resolved, so nothing can grow.

/** A tag of the main namespace has `w:` in front, whatever the part calls it; others have the prefix that stands there. */
export interface Tag {
  name: string;
  isEnd: boolean;
  /** `<w:tab/>`: begins and ends. */
  isEmpty: boolean;
  /** Of the tag in the part, end exclusive. */
  start: number;
  end: number;
}

/** Transitional and strict (ECMA-376, part 1, annex A; part 4). */
const MAIN =
  /xmlns(?::([\w.-]{1,40}))?\s*=\s*["'](?:http:\/\/schemas\.openxmlformats\.org\/wordprocessingml\/2006\/main|http:\/\/purl\.oclc\.org\/ooxml\/wordprocessingml\/main)["']/;
/** Namespaces are named at the root. */
const ROOT_WITHIN = 50_000;

/** What stands in front of the main namespace's names: `w:`, or nothing. */
export function mainPrefix(xml: string): string {
  const found = MAIN.exec(xml.slice(0, ROOT_WITHIN));
  return found ? (found[1] ? `${found[1]}:` : '') : 'w:';
}

/** All tags in order; comments, CDATA and declarations are left out. Takes time in proportion to the part. */
export function* tagsOf(xml: string): Generator<Tag> {
  const prefix = mainPrefix(xml);
  for (let at = xml.indexOf('<'); at !== -1; ) {
    const skipped = skippedUntil(xml, at);
    if (skipped === -1) return;
    if (skipped > at) {
      at = xml.indexOf('<', skipped);
      continue;
    }
    const close = closeOf(xml, at);
    if (close === -1) return;
    const isEnd = xml[at + 1] === '/';
    const own = /^[^\s/>]{1,100}/.exec(xml.slice(at + (isEnd ? 2 : 1), at + 102))?.[0];
    if (own) {
      const isMain = prefix === '' ? !own.includes(':') : own.startsWith(prefix);
      const name = isMain ? `w:${own.slice(prefix.length)}` : own;
      yield { name, isEnd, isEmpty: xml[close - 1] === '/', start: at, end: close + 1 };
    }
    at = xml.indexOf('<', close);
  }
}

/** Of the main namespace: `val`. As it stands there, with its entities. */
export function attributeOf(xml: string, { start, end }: Tag, name: string): string | undefined {
  const found = new RegExp(`\\s(?:[\\w.-]{1,40}:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(xml.slice(start, end));
  return found?.[1] ?? found?.[2];
}

/** Where what is no tag ends; where it begins where it is one, -1 where it does not end. */
function skippedUntil(xml: string, at: number): number {
  for (const [begin, end] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<!', '>'],
    ['<?', '?>'],
  ] as const) {
    if (!xml.startsWith(begin, at)) continue;
    const close = xml.indexOf(end, at + begin.length);
    return close === -1 ? -1 : close + end.length;
  }
  return at;
}

/** Of the `>` that is in no value. */
function closeOf(xml: string, from: number): number {
  let quote = 0;
  for (let at = from + 1; at < xml.length; at++) {
    const code = xml.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 0x22 || code === 0x27) quote = code;
    else if (code === 0x3e) return at;
  }
  return -1;
}
