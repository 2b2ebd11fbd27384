import type { ExtractionInput } from '../extraction/model';
import type { NormalisedDocument } from '../model';

/** Reads a source's bytes as what they are. Throws `unreadable_source`. A bundle of its own: the parsers are large. */
export async function readSource(
  input: ExtractionInput,
  onPage: (page: number, pages: number) => void,
): Promise<NormalisedDocument> {
  throw new Error(`${input.name} ${onPage.length}`);
}
