import { type MadeDocument, type MadeSection, madeDocument } from '../test/support/library-documents';
import { seeded } from './corpus';
import { FUNCTION_WORDS, vocabulary, zipf } from './vocabulary';

export const CHUNKS_A_DOCUMENT = 500;
/** Some 200 to 400 tokens. */
const WORDS = { least: 120, more: 120 };
const words = vocabulary(60_000);

/** The same document for the same number, made when it is needed: all of them would be larger than what is measured. */
export function documentAt(number: number, revision = 0): MadeDocument {
  const random = seeded(number + 1);
  const draw = zipf(words.length, random);
  const text = (length: number) => Array.from({ length }, () => words[draw()]!).join(' ');
  const sections = Array.from({ length: CHUNKS_A_DOCUMENT }, (_, at): MadeSection => {
    const [chapter, section] = [Math.floor(at / 50) + 1, Math.floor((at % 50) / 5) + 1];
    const content = text(WORDS.least + Math.floor(random() * WORDS.more));
    return {
      content: at === 7 && revision > 0 ? `${content} revised ${revision}` : content,
      section_hierarchy: [`${chapter}`, `${chapter}.${section}`],
      section_title: text(4),
      clause_number: `${chapter}.${section}.${at % 5}`,
      page_numbers: [at],
      normative: at % 4 === 0,
    };
  });
  const updated_at = new Date(Date.UTC(2026, 0, 1, 0, 0, revision)).toISOString();
  return madeDocument(`document-${number}`, sections, {
    title: text(5),
    document_type: number % 2 === 0 ? 'standard' : 'guide',
    authority_score: number % 5 === 0 ? 1 : 0.5,
    updated_at,
  });
}

/** 3 to 8 words of one chunk each. */
export function queriesOf(count: number, documents: number): string[] {
  const random = seeded(5);
  const chunks = Array.from(
    { length: Math.min(documents, 20) },
    (_, number) => documentAt(number).content.chunks,
  ).flat();
  return Array.from({ length: count }, () => {
    const chunk = chunks[Math.floor(random() * chunks.length)]!;
    const all = `${chunk.section_title} ${chunk.content}`.split(' ').filter((word) => !FUNCTION_WORDS.includes(word));
    return Array.from({ length: 3 + Math.floor(random() * 6) }, () => all[Math.floor(random() * all.length)]!).join(
      ' ',
    );
  });
}
