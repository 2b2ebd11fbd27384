import { relevanceOf } from '../assessing/relevance';
import { isSameStandard, standardsIn } from '../assessing/standards';
import type { DocumentMetadata, DocumentRequest, LibraryChange } from '../model';

/** How much of a topic's words, by weight, stand together in a text that answers a request for it, and in its title. */
const TEXT_IS_ABOUT = 0.8;
const TITLE_IS_ABOUT = 0.5;
/** Tokens: a snippet that happens to name all words of the topic is not the document that was asked for. */
const SHORTEST_ANSWER = 150;
/** Letters and digits of a name that may stand anywhere in a title: `Handbook` alone names nothing. */
const SHORTEST_NAME = 12;

/**
 * Whether a document is what was asked for, by the first rule that holds:
 * 1. Text that an agent gave directly never is: it would answer its own question.
 * 2. It is a standard that the request names, in an example or in its topic (the same number and, where told, edition).
 * 3. Its title is the name of an example, or contains it.
 * 4. It is of the type that was asked for, its text is about the topic, and its title names half of it.
 */
export async function doesAnswer(
  document: DocumentMetadata,
  text: string,
  request: DocumentRequest,
  { by_agent: byAgent = false, signal }: Pick<LibraryChange, 'by_agent' | 'signal'>,
): Promise<boolean> {
  // What could not be read answers nobody, whatever it is called.
  if (document.processing_status !== 'complete') return false;
  if (byAgent && document.source_path === 'content:') return false;
  const { topic, example_documents: examples } = request;
  if (
    document.standard_id !== undefined &&
    namesOf(request).some((name) => isSameStandard(name, document.standard_id!))
  ) {
    return true;
  }
  const title = plain(document.title);
  if (examples.some((example) => isNamed(title, plain(example)))) return true;
  if (!fits(document, request) || document.token_count < SHORTEST_ANSWER) return false;
  const inTitle = await relevanceOf(document.title, topic, { signal });
  if (inTitle.score < TITLE_IS_ABOUT) return false;
  return (await relevanceOf(text, topic, { signal })).score >= TEXT_IS_ABOUT;
}

/** Standards that a request names, and its examples as they are: not every scheme of numbers is known. */
function namesOf({ topic, example_documents: examples }: DocumentRequest): string[] {
  const named = [topic, ...examples].flatMap((text) => standardsIn(text).map(({ id }) => id));
  return [...new Set([...named, ...examples])];
}

function isNamed(title: string, example: string): boolean {
  return example !== '' && (title === example || (example.length >= SHORTEST_NAME && title.includes(example)));
}

/** A page on the web is of no other type: it answers who takes any, or asked for a guide or a vendor's document. */
function fits(
  { document_type, standard_id, source_type }: DocumentMetadata,
  { document_type: asked }: DocumentRequest,
): boolean {
  if (asked === 'any' || asked === document_type) return true;
  if (asked === 'standard') return standard_id !== undefined;
  return source_type === 'web' && document_type === 'web' && (asked === 'guide' || asked === 'vendor');
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/\.(pdf|docx|md|html?)$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
