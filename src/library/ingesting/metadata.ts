import { isoTime } from '../../core/clock';
import { realPath } from '../../core/locations';
import { sentence } from '../../core/sentence';
import { checkTrimmed } from '../../core/text';
import { isInside } from '../../files';
import { authorityOf } from '../assessing/authority';
import { standardsIn } from '../assessing/standards';
import type { ChunkDraft, DocumentMetadata, MetadataOverrides, SourceFormat } from '../model';
import type { Surroundings } from '../surroundings';
import { LIMITS } from './limits';
import type { Origin } from './origin';

/** What is known of a document apart from what was said of it. */
export interface Particulars {
  origin: Pick<Origin, 'kind' | 'name'>;
  /** As its source tells it. */
  title?: string | undefined;
  version?: string | undefined;
  /** For telling whether it requires anything. */
  chunks: readonly Pick<ChunkDraft, 'normative'>[];
  /** Whether it lies in the workspace folder. */
  isOurs: boolean;
  byAgent: boolean;
}

type Told = Pick<
  DocumentMetadata,
  'title' | 'document_type' | 'version' | 'standard_id' | 'authority_level' | 'authority_score' | 'overrides'
>;

/** What its origin alone tells of a document. */
export function whereFrom(
  origin: Pick<Origin, 'kind' | 'name' | 'source_path'>,
  { workspace }: Pick<Surroundings, 'workspace'>,
  byAgent = false,
): Pick<Particulars, 'origin' | 'isOurs' | 'byAgent'> {
  const isOurs = origin.kind === 'file' && workspace !== undefined && isInside(realPath(workspace), origin.source_path);
  return { origin, isOurs, byAgent };
}

/** Title, type, standard and authority: as they were said, else as the source tells them. */
export function told(particulars: Particulars, overrides: MetadataOverrides, domain: string | undefined): Told {
  const { origin, chunks, isOurs, byAgent } = particulars;
  const title = overrides.title ?? cut(particulars.title ?? readable(origin.name), LIMITS.title);
  const isWeb = origin.kind === 'web';
  // A page's title names the standards that it is about; a file's, the one that it is.
  const named = isWeb ? undefined : (standardAtStart(title) ?? standardAtStart(readable(origin.name)));
  const standard_id = overrides.standard_id ?? named?.id;
  const document_type =
    overrides.document_type ??
    (isWeb ? 'web' : (named?.kind ?? typeByTitle(title) ?? (isOurs ? 'internal' : 'report')));
  const authority = authorityOf({
    given: overrides.authority_level,
    title,
    document_type,
    standard_id,
    source_type: isWeb ? 'web' : 'document',
    source_domain: domain,
    unsourced: origin.kind === 'content' && byAgent,
    normativeChunks: chunks.filter(({ normative }) => normative === true).length,
    chunks: chunks.length,
  });
  return {
    title,
    document_type,
    ...optional('version', overrides.version ?? particulars.version),
    ...optional('standard_id', standard_id),
    authority_level: authority.level,
    authority_score: authority.score,
    overrides,
  };
}

/** `Guide to ISO 26262` is no standard, `ISO 26262-6:2018 Road vehicles` is. */
function standardAtStart(title: string) {
  const [first] = standardsIn(title.slice(0, 80), 1);
  return first && title.indexOf(first.id) <= 4 ? first : undefined;
}

function typeByTitle(title: string): string | undefined {
  if (/\bhandbook\b/i.test(title)) return 'handbook';
  if (/\b(guide|guidelines?|manual|tutorial)\b/i.test(title)) return 'guide';
  if (/\breport\b/i.test(title)) return 'report';
  return undefined;
}

/** A file's name without its ending and with spaces. */
function readable(name: string): string {
  const words = name
    .replace(/\.(pdf|docx|md|markdown|html?|txt)$/i, '')
    .replace(/[_\s]+/g, ' ')
    .trim();
  return words === '' ? 'Untitled' : words;
}

function cut(text: string, most: number): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return [...line].slice(0, most).join('') || 'Untitled';
}

export function optional<Key extends string, Value>(key: Key, value: Value | undefined): { [name in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [name in Key]?: Value };
}

/** What they are called in a sentence: a word, or the parameter that it is given in. */
const NAMES = {
  title: sentence('title'),
  document_type: 'document_type',
  standard_id: 'standard_id',
  version: sentence('version'),
};

/** As they may be kept; one that is empty says nothing any more. Throws `invalid_argument`. */
export function checkedOverrides(overrides: MetadataOverrides, before: MetadataOverrides = {}): MetadataOverrides {
  const checked: MetadataOverrides = { ...before };
  for (const key of ['title', 'document_type', 'standard_id', 'version'] as const) {
    const given = overrides[key];
    if (given === undefined) continue;
    const text = checkTrimmed(given, { name: NAMES[key], max: LIMITS[key], singleLine: true });
    if (text === '') delete checked[key];
    else checked[key] = text;
  }
  if (overrides.authority_level !== undefined) checked.authority_level = overrides.authority_level;
  return checked;
}

/** Later than what stands there: whoever replaces it tells by this time whether it is still the same. */
export function later(now: number, before: { updated_at: string } | undefined): string {
  return isoTime(before ? Math.max(now, Date.parse(before.updated_at) + 1) : now);
}

/** A document of which nothing was read. */
export function unreadDocument(
  origin: Origin,
  particulars: Particulars,
  { overrides, format }: { overrides: MetadataOverrides; format: SourceFormat | undefined },
): Omit<DocumentMetadata, 'added_by' | 'created_at' | 'updated_at'> {
  const isWeb = origin.kind === 'web';
  return {
    document_id: origin.document_id,
    ...told(particulars, overrides, isWeb ? origin.domain : undefined),
    source_path: origin.source_path,
    format: format ?? likelyFormat(origin),
    source_type: isWeb ? 'web' : 'document',
    ...(isWeb ? { source_url: origin.source_path, source_domain: origin.domain } : {}),
    size: 0,
    chunk_count: 0,
    token_count: 0,
    processing_status: 'failed',
    remarks: [],
  };
}

/** By the name alone. */
function likelyFormat({ kind, name }: Origin): SourceFormat {
  if (kind === 'web') return 'web';
  if (/\.pdf$/i.test(name)) return 'pdf';
  if (/\.docx$/i.test(name)) return 'docx';
  return /\.(html?|xhtml)$/i.test(name) ? 'web' : 'markdown';
}
