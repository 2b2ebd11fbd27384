import type { DiscoveryPart } from '../discovery';
import { HELP_TOPICS, type HelpTopic } from './notes-help-topics';

export interface HelpAnswer {
  topic: string;
  workflow: string[];
  examples: { description: string; code: string }[];
  /** Titles of what else there is to ask about. */
  other_topics: string[];
}

/**
 * `help` of seed 004: the topic that the question is about by the product's own search, its context counting where the
 * question says nothing of its own; what to begin with where nothing fits.
 */
export function helpWith(
  discovery: Pick<DiscoveryPart, 'rank'>,
  { query, context = '' }: { query: string; context?: string | undefined },
): HelpAnswer {
  const texts = HELP_TOPICS.map(textOf);
  const [best] = [query, context].flatMap((asked) => (asked.trim() === '' ? [] : discovery.rank(asked, texts)));
  const chosen = HELP_TOPICS.find(({ topic }) => topic === best) ?? HELP_TOPICS[0]!;
  return {
    topic: chosen.topic,
    workflow: chosen.workflow.map((step, at) => `${at + 1}. ${step}`),
    examples: chosen.examples.map((each) => ({ ...each })),
    other_topics: HELP_TOPICS.flatMap(({ topic }) => (topic === chosen.topic ? [] : [topic])),
  };
}

function textOf({ topic, words, workflow, examples }: HelpTopic) {
  const body = [...workflow, ...examples.map(({ description }) => description)].join('\n');
  return { id: topic, title: topic, keywords: words, body };
}
