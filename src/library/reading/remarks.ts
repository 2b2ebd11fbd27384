import { Sentence, sentence } from '../../core/sentence';
import type { SourceFormat } from '../model';

export const FORMAT_NAMES: Readonly<Record<SourceFormat, Sentence>> = {
  pdf: sentence('a PDF'),
  docx: sentence('a Word document (.docx)'),
  web: sentence('a web page'),
  markdown: sentence('text'),
};

export const isOtherThanSaid = (said: SourceFormat, is: SourceFormat) =>
  sentence('It was taken for {0}, and is {1}.', FORMAT_NAMES[said], FORMAT_NAMES[is]);
export const hasNoArticle = () => sentence('No article was found in the page: its whole text was taken.');
export const hasFaultyHead = () => sentence('Its front matter cannot be read and stays in the text.');
export const hasPictures = (count: number) =>
  count === 1 ? sentence('One picture was left out.') : sentence('{0} pictures were left out.', count);
export const hasUntoldCharacters = () =>
  sentence('Some of its characters cannot be told: a font does not say which they are.');
export const lacksEastAsianText = (fonts: string) =>
  sentence(
    'Text in Chinese, Japanese or Korean is missing: its fonts do not say which characters they show ({0}). Text recognition (OCR) would add it.',
    fonts,
  );
/** @param pages their numbers, in order, as ranges */
export const hasEmptyPages = (pages: string, count: number) =>
  count === 1
    ? sentence('Page {0} has no text: it is empty, or a picture.', pages)
    : sentence('Pages {0} have no text: they are empty, or pictures.', pages);

const KNOWN = [
  isOtherThanSaid('pdf', 'web'),
  hasNoArticle(),
  hasFaultyHead(),
  hasPictures(1),
  hasPictures(2),
  hasUntoldCharacters(),
  lacksEastAsianText(''),
  hasEmptyPages('', 1),
  hasEmptyPages('', 2),
].map(({ text }) => ({ text, pattern: patternOf(text) }));

/**
 * The sentence of a remark. A document keeps its remarks in English, whatever build read it, and on a server for people of
 * all languages; one that is not known is given as it is.
 */
export function remarkSaid(remark: string): Sentence | string {
  for (const { text, pattern } of KNOWN) {
    const values = pattern.exec(remark)?.slice(1);
    if (values) return new Sentence(text, values.map(formatSaid));
  }
  return remark;
}

function formatSaid(name: string): Sentence | string {
  return Object.values(FORMAT_NAMES).find((each) => String(each) === name) ?? name;
}

function patternOf(text: string): RegExp {
  const parts = text.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.+?)')}$`, 's');
}
