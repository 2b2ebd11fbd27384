import { type Sentence, sentence } from '../core/sentence';

/** What is wrong, as a word, so that the editor can say it in the person's language. */
export type FaultCode =
  | 'unclosed'
  | 'language'
  | 'too_long'
  | 'too_complex'
  | 'syntax'
  | 'alias'
  | 'not_kept'
  | 'not_a_mapping'
  | 'bad_key'
  | 'duplicate_key'
  | 'comment'
  | 'list'
  | 'nested';

/** Something in the front matter that cannot be read, or not kept. Offsets are UTF-16 code units of the whole text, `end` exclusive. */
export interface FrontMatterFault {
  code: FaultCode;
  /** One or two sentences: what it is, and what to do. */
  message: string;
  /** What the message names: a key, a language, YAML's own words. */
  detail: string;
  range: { start: number; end: number };
  /**
   * The metaknowledge was read, but something that stands there would be lost by keeping it: a comment, or a list made
   * text. An import says so and goes on; saving a document refuses.
   */
  lossy: boolean;
}

const LOSSY: ReadonlySet<FaultCode> = new Set(['comment', 'list', 'nested']);

const SENTENCES: Record<FaultCode, (detail: string) => Sentence> = {
  unclosed: () =>
    sentence(
      'The front matter has no end. Close it with a line of --- alone, or begin the document with an empty one (--- and --- on two lines) if this is content.',
    ),
  language: (name) => sentence('Front matter in "{0}" is not read. Write it in YAML, after a line of --- alone.', name),
  too_long: () => sentence('The front matter is too long to be metaknowledge. Move text from it to the content.'),
  too_complex: () => sentence('The front matter has too many parts. Write one line for each key: KEY: value.'),
  syntax: (why) =>
    sentence(
      'The front matter is not YAML: {0} A value with : or # in it stands in quotes, KEY: "value".',
      why.replace(/\.?$/, '.'),
    ),
  alias: (value) => sentence('A value that begins with * stands in quotes: "{0}".', value),
  not_kept: (what) => sentence("YAML's {0} cannot be kept. Put the value in quotes if it is text.", what),
  not_a_mapping: () => sentence('Front matter is made of lines KEY: value, with a space after the colon.'),
  bad_key: () => sentence('A key is text, not a list or a mapping.'),
  duplicate_key: (key) => sentence('The key "{0}" stands here twice. Keep one of them.', key),
  comment: () => sentence('A comment in the front matter would be lost. Make it a value, as in NOTE: …, or remove it.'),
  list: (key) => sentence('The value of "{0}" is a list. Write it as text, with commas: "a, b".', key),
  nested: (key) =>
    sentence('The value of "{0}" has keys of its own. Write each on a line of its own, KEY: value.', key),
};

/** A fault's message, for who says it in another language. */
export function faultSentence({ code, detail }: Pick<FrontMatterFault, 'code' | 'detail'>): Sentence {
  return SENTENCES[code](detail);
}

export function fault(code: FaultCode, start: number, end: number, detail = ''): FrontMatterFault {
  const shown = detail.length > 200 ? `${detail.slice(0, 199)}…` : detail;
  const message = String(SENTENCES[code](shown));
  return { code, message, detail: shown, range: { start, end }, lossy: LOSSY.has(code) };
}

/** The first line of a text is 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
