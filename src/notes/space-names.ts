import { type Sentence, sentence } from '../core/sentence';
import type { Space } from './vocabulary';

/** A space within a sentence, as in `the project space`. */
export function spaceName(space: Space): Sentence {
  return space === 'project' ? sentence('project') : sentence('user');
}
