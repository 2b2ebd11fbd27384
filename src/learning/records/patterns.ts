import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import type { Pattern } from '../records-model';
import { PATTERN_DOMAINS, PATTERN_TYPES, SEVERITIES } from '../vocabulary';
import type { PatternInput } from '../workflows-model';
import { checkAddresses, checkGiven, checkLine, checkName, checkOneOf, checkTags, checkTexts } from './checks';
import { given, type Plan, putting, type Writing } from './writing';

/** One of the product becomes one's own when it is changed. Throws `unknown_pattern`. */
export function planPattern(input: PatternInput, writing: Writing): Plan {
  const existing = input.id === undefined ? undefined : writing.require('pattern', input.id);
  const name = checkName(input.name, sentence('name'));
  const indicators = checkTexts(input.indicators, sentence('indicators'));
  if (indicators.length === 0) {
    throw new KaizenError(
      'invalid_argument',
      sentence('The pattern has no indicators.'),
      sentence('Say by which signs one sees that it is there: it is recognised by them.'),
    );
  }
  const texts = (items: readonly string[] | undefined, what: Sentence) => items && checkTexts(items, what);
  const said = given({
    consequences: texts(input.consequences, sentence('consequences')),
    root_causes: texts(input.root_causes, sentence('root causes')),
    mitigations: texts(input.mitigations, sentence('mitigations')),
    benefits: texts(input.benefits, sentence('benefits')),
    prerequisites: texts(input.prerequisites, sentence('prerequisites')),
    keywords: input.keywords && checkTags(input.keywords),
    examples: input.examples && checkAddresses(input.examples, sentence('examples')),
    source_standard: checkLine(input.source_standard, sentence('source standard')),
    source_clause: checkLine(input.source_clause, sentence('source clause')),
    severity: input.severity && checkOneOf(input.severity, SEVERITIES, sentence('severity')),
  });
  return putting('pattern', {
    ...(existing ?? emptyPattern(name, writing)),
    // From now on it is one's own, and ages as what is captured does.
    ...(existing?.is_built_in ? { created_at: writing.at } : {}),
    ...said,
    name,
    pattern_type: checkOneOf(input.pattern_type, PATTERN_TYPES, sentence('type of pattern')),
    domain: checkOneOf(input.domain, PATTERN_DOMAINS, sentence('domain of patterns')),
    description: checkGiven(input.description, sentence('description')),
    indicators,
    is_built_in: false,
    author: writing.author,
    updated_at: writing.at,
  });
}

function emptyPattern(name: string, writing: Writing): Omit<Pattern, 'pattern_type' | 'domain' | 'description'> {
  return {
    ...writing.begun('pattern', name),
    name,
    indicators: [],
    consequences: [],
    root_causes: [],
    mitigations: [],
    benefits: [],
    prerequisites: [],
    keywords: [],
    examples: [],
    severity: 'medium',
    is_built_in: false,
  };
}
