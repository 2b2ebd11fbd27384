import { KaizenError } from '../../core/errors';
import { checkTrimmed } from '../../core/text';
import { type IngestRequest, type MetadataOverrides, SOURCE_FORMATS, type SourceFormat } from '../model';
import { LIMITS, RELEVANCE_THRESHOLD } from './limits';

/** What was asked, as it may be carried out. */
export interface Asked {
  /** Undefined: as the source itself tells. */
  format: SourceFormat | undefined;
  overrides: MetadataOverrides;
  relevance: { topic: string; threshold: number } | undefined;
  force: boolean;
}

/** Throws `invalid_argument`. */
export function checkedRequest(request: IngestRequest): Asked {
  const {
    source_type,
    assess_relevance,
    relevance_context,
    relevance_threshold: threshold = RELEVANCE_THRESHOLD,
  } = request;
  const format = source_type === undefined || source_type === 'auto' ? undefined : source_type;
  if (format !== undefined && !SOURCE_FORMATS.includes(format)) {
    const hint = `Use auto or one of ${SOURCE_FORMATS.join(', ')}.`;
    throw new KaizenError('invalid_argument', `"${String(format).slice(0, 80)}" is no source_type.`, hint);
  }
  if (!(threshold >= 0 && threshold <= 1)) {
    throw new KaizenError('invalid_argument', 'The relevance_threshold is not between 0 and 1.');
  }
  const topic = checkTrimmed(relevance_context ?? '', { name: 'relevance_context', max: LIMITS.relevanceContext });
  if (assess_relevance && topic === '') {
    throw new KaizenError(
      'invalid_argument',
      'There is no relevance_context to assess relevance by.',
      'Say in relevance_context what the source is to be about.',
    );
  }
  return {
    format,
    overrides: request.metadata_overrides ?? {},
    relevance: assess_relevance ? { topic, threshold } : undefined,
    force: request.force ?? false,
  };
}
