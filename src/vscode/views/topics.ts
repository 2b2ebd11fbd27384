import { continuityTopic } from '../../continuity';
import { entriesTopic, SCOPES_TOPIC } from '../../knowledge';
import { REVIEW_TOPIC } from '../../review';

/** What the topics of a change mean for a view. */
export interface Touched {
  /** Whether scopes came, went or changed, or everything may have. */
  scopes: boolean;
  /** Scopes of which entries or categories changed. */
  entriesOf: Set<string>;
  /** Projects of which the overview, sessions or progress changed. */
  continuityOf: Set<string>;
  proposals: boolean;
}

const ENTRIES = entriesTopic('');
const CONTINUITY = continuityTopic('');

export function touchedBy(topics: ReadonlySet<string>): Touched {
  const everything = topics.has('*');
  const after = (prefix: string) =>
    new Set([...topics].flatMap((topic) => (topic.startsWith(prefix) ? [topic.slice(prefix.length)] : [])));
  return {
    scopes: everything || topics.has(SCOPES_TOPIC),
    entriesOf: after(ENTRIES),
    continuityOf: after(CONTINUITY),
    proposals: everything || topics.has(REVIEW_TOPIC),
  };
}
