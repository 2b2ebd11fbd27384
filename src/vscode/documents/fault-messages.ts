import type { FrontMatterFault } from '../../frontmatter';
import { faultSentence } from '../../frontmatter/faults';
import { inWords } from '../in-words';

/** What is wrong with an entry's front matter and what to do, in the person's language. */
export function faultMessage(fault: Pick<FrontMatterFault, 'code' | 'detail'>): string {
  return inWords(faultSentence(fault));
}
