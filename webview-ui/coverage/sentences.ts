import type {
  AcquisitionRecommendation,
  CoverageAssessment,
  KnowledgeGap,
  Preflight,
} from '../../src/library/coverage-model';
import { DEPTH_THRESHOLDS, type Depth, type GapType, type Recommendation } from '../../src/library/vocabulary';

export interface Sentence {
  text: string;
  /** BCP 47, where it is not the page's. */
  lang?: 'en';
}

/** What sentences are made of. */
export interface Assessed {
  topics: readonly CoverageAssessment[];
  standards: Preflight['standards'];
  gaps: readonly KnowledgeGap[];
  depth: Depth;
}

/** The page's language: its texts and its numbers. */
export interface Language {
  t(text: string, ...values: (string | number)[]): string;
  formatNumber(value: number): string;
}

const LONGEST_TOPIC = 120;
const MOST_WORDS = 5;

/** What a gap is about: a topic, or a standard that was asked for. */
export type Subject =
  | { kind: 'topic'; name: string; assessment: CoverageAssessment; gap: KnowledgeGap }
  | { kind: 'standard'; name: string; referring: number };

/**
 * What an assessment says, in the person's language. The domain says it in English, for agents; here the same is made of
 * its fields. Where that cannot be done, its own sentence is shown, and marked as English.
 */
export class Sentences {
  constructor(
    private readonly assessed: Assessed,
    private readonly language: Language,
  ) {}

  get gaps(): readonly KnowledgeGap[] {
    return this.assessed.gaps;
  }

  /** What a gap is about; undefined where it cannot be told. */
  subjectOf({ gap_type, description }: KnowledgeGap): Subject | undefined {
    const { topics, standards } = this.assessed;
    for (const assessment of topics) {
      // In a workflow it may weigh less than in the topic's own assessment.
      const gap = assessment.gaps.find((each) => each.description === description);
      if (gap) return { kind: 'topic', name: assessment.topic, assessment, gap };
    }
    if (gap_type !== 'no_authority') return undefined;
    const missing = standards.find(({ standard, found }) => !found && description.includes(` ${standard} `));
    return missing && { kind: 'standard', name: missing.standard, referring: missing.documents.length };
  }

  /** The gap that a sentence of the domain begins with. */
  gapIn(sentence: string): KnowledgeGap | undefined {
    return this.gaps.find(({ description }) => sentence.startsWith(description));
  }

  ofGap(gap: KnowledgeGap): Sentence {
    const subject = this.subjectOf(gap);
    if (!subject) return { text: gap.description, lang: 'en' };
    const sentences =
      subject.kind === 'standard'
        ? aboutStandard(subject, this.language)
        : this.aboutTopic(subject.gap, subject.assessment);
    return { text: sentences.filter(Boolean).join(' ') };
  }

  /** Why it is recommended. */
  ofVerdict(recommendation: Recommendation, rationale: string): Sentence {
    const { t } = this.language;
    const gap = this.gapIn(rationale);
    if (gap) return this.ofGap(gap);
    switch (recommendation) {
      case 'proceed':
        return { text: t('What there is covers it well enough.') };
      case 'caveat':
        return { text: t('What there is covers it in part.') };
      default:
        return { text: t('What there is does not carry far.') };
    }
  }

  /** @param canSearch whether anything can be had from the web */
  ofStep({ action, rationale }: AcquisitionRecommendation, canSearch: boolean): Sentence {
    const { t } = this.language;
    const gap = this.gapIn(rationale);
    if (!gap) return { text: rationale, lang: 'en' };
    const why = this.ofGap(gap);
    if (action !== 'request_document' || why.lang) return why;
    const further = canSearch ? t('Such documents are rarely to be had on the web.') : t('The web is switched off.');
    return { text: `${why.text} ${further}` };
  }

  ofCaveat(caveat: string): Sentence {
    const { t } = this.language;
    const gap = this.gapIn(caveat);
    const why = gap && this.ofGap(gap);
    if (gap && why && !why.lang) return { text: `${why.text} ${advice(gap.gap_type, this.language)}` };
    const { standards } = this.assessed;
    const standard = standards.find((each) => !each.found && caveat.startsWith(`${each.standard} is not in`));
    if (standard) return { text: t('{0} is not in the library: do not cite it from memory.', standard.standard) };
    if (caveat.startsWith('What there is rests on few passages')) {
      return { text: t('What there is rests on few passages: check what matters against its source.') };
    }
    return { text: caveat, lang: 'en' };
  }

  /** What to look for: names of standards stay as they are. */
  ofSource(source: string): string {
    const { t } = this.language;
    switch (source) {
      case 'The standard that applies, from the body that publishes it':
        return t('The standard that applies, from the body that publishes it');
      case 'An official handbook, or the documentation of whoever makes it':
        return t('An official handbook, or the documentation of whoever makes it');
      case 'Peer-reviewed papers, and pages of universities and public bodies':
        return t('Peer-reviewed papers, and pages of universities and public bodies');
      case 'Technical guides and reference pages':
        return t('Technical guides and reference pages');
      default:
        return source;
    }
  }

  private aboutTopic({ gap_type, importance }: KnowledgeGap, assessment: CoverageAssessment): string[] {
    const { t, formatNumber } = this.language;
    const { chunks_found, missing_words } = assessment;
    const topic = assessment.topic.slice(0, LONGEST_TOPIC);
    const found = t('Passages that have to do with it: {0}.', formatNumber(chunks_found));
    const words = missing_words.slice(0, MOST_WORDS).join(', ');
    const missing = words === '' ? '' : t('Words that occur nowhere: {0}.', words);
    switch (gap_type) {
      case 'missing_topic':
        return [t('The library says as good as nothing about “{0}”.', topic), found, missing];
      case 'insufficient_depth':
        return [
          t('There is too little about “{0}”.', topic),
          found,
          needed(this.assessed.depth, this.language),
          missing,
        ];
      case 'no_authority':
        return [t('No source about “{0}” has the authority that is asked for.', topic)];
      case 'stale':
        return [
          importance === 'nice_to_have'
            ? t('All sources about “{0}” are old.', topic)
            : t('No source about “{0}” is known to be as new as asked for.', topic),
        ];
    }
  }
}

function aboutStandard(
  { name, referring }: Extract<Subject, { kind: 'standard' }>,
  { t, formatNumber }: Language,
): string[] {
  return [
    t('The required standard {0} is not in the library.', name),
    referring === 0 ? '' : t('Documents of the library that refer to it: {0}.', formatNumber(referring)),
  ];
}

function needed(depth: Depth, { t, formatNumber }: Language): string {
  const count = formatNumber(DEPTH_THRESHOLDS[depth]);
  switch (depth) {
    case 'surface':
      return t('An overview needs about {0} that are wholly about it.', count);
    case 'working':
      return t('Working with it needs about {0} that are wholly about it.', count);
    case 'expert':
      return t('An expert needs about {0} that are wholly about it.', count);
  }
}

function advice(type: GapType, { t }: Language): string {
  switch (type) {
    case 'missing_topic':
      return t('Say that statements about it rest on nothing in the library.');
    case 'insufficient_depth':
      return t('Mark what goes beyond the passages as an assumption.');
    case 'no_authority':
      return t('Treat what the sources say as unconfirmed.');
    case 'stale':
      return t('Check whether it still holds.');
  }
}
