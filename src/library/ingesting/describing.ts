import { isoTime } from '../../core/clock';
import { Turns } from '../../core/turns';
import type { DocumentMetadata, IngestResult, MetadataOverrides } from '../model';
import { headingOf } from './heading';
import { readable } from './kept';
import { checkedOverrides, later, told, whereFrom } from './metadata';
import type { Origin } from './origin';
import type { Task, Work } from './work';

/** What was learned by a look at a source that says what it said. */
export type Versions = Pick<DocumentMetadata, 'etag' | 'last_modified' | 'crawled_at' | 'last_verified_at'>;

/** It says what it said; it was looked at now, and may be called something else. */
export async function unchanged(
  work: Work,
  before: DocumentMetadata,
  task: Task,
  versions: Partial<Versions>,
): Promise<IngestResult> {
  const overrides = checkedOverrides(task.overrides, before.overrides);
  const last_verified_at = isoTime(work.surroundings.clock.now());
  const looked = { ...versions, last_verified_at, processing_error: undefined };
  const document = await describe(work, before, overrides, looked, task.seen);
  return {
    status: 'unchanged',
    document,
    chunks: { total: document.chunk_count, added: 0, kept: document.chunk_count, removed: 0 },
    requests_closed: [],
    message: 'It has not changed since it was read.',
  };
}

/** Keeps a document with what is said of it, and more that is known by now; its text stays. Throws `conflict`. */
export async function describe(
  work: Work,
  before: DocumentMetadata,
  overrides: MetadataOverrides,
  more: Partial<DocumentMetadata>,
  seen?: Task['seen'],
): Promise<DocumentMetadata> {
  const { keeper, surroundings, change } = work;
  const now = later(surroundings.clock.now(), before);
  if (JSON.stringify(overrides) === JSON.stringify(before.overrides)) {
    const document = withoutUndefined({ ...before, ...more, updated_at: now });
    if (seen) seen.add(document, before.updated_at);
    else await keeper.put(document, undefined, before.updated_at);
    return document;
  }
  const content = await readable(keeper, before.document_id);
  const origin = { kind: kindOf(before), name: nameOf(before), source_path: before.source_path };
  const heading = content && (await headingOf(content.text, new Turns(change.signal), 1));
  const title = heading ?? (before.overrides.title === undefined ? before.title : undefined);
  const byAgent = before.authority_level === 'unverified';
  const particulars = { ...whereFrom(origin, surroundings, byAgent), title, chunks: content?.chunks ?? [] };
  const document = withoutUndefined({
    ...before,
    version: before.overrides.version === undefined ? before.version : undefined,
    standard_id: undefined,
    ...told(particulars, overrides, before.source_domain),
    ...more,
    updated_at: now,
  });
  change.signal?.throwIfAborted();
  // What chunks say of their document, the keeper takes from the document.
  await keeper.put(document, undefined, before.updated_at);
  return document;
}

function kindOf({ source_path, source_type }: DocumentMetadata): Origin['kind'] {
  return source_type === 'web' ? 'web' : source_path === 'content:' ? 'content' : 'file';
}

function nameOf({ source_path, document_id }: DocumentMetadata): string {
  return source_path.split(/[\\/]/).filter(Boolean).at(-1) ?? document_id;
}

/** Keepers give it back so. */
function withoutUndefined(document: DocumentMetadata): DocumentMetadata {
  // What is left out is optional in the type.
  return Object.fromEntries(
    Object.entries(document).filter(([, value]) => value !== undefined),
  ) as unknown as DocumentMetadata;
}
