import { KaizenError } from '../../core/errors';
import { parseLibraryUri } from '../../core/knowledge-uri';
import type { LibraryChange, SourceListing } from '../../library';
import type { RefreshReport } from './model';
import type { Surroundings } from './surroundings';

const READY_MS = 20_000;

/** See `AdministrationPart.refreshWeb`. */
export async function refreshWeb(
  { library }: Surroundings,
  sources: readonly string[] | undefined,
  change: LibraryChange,
): Promise<RefreshReport> {
  const ids = (await webSources(library, sources, change.signal)).map(({ document_id }) => document_id);
  const pages = ids.length === 0 ? [] : await library.refresh(ids, change);
  return {
    pages,
    checked: pages.length,
    updated: pages.filter(({ status }) => status === 'updated').length,
    failed: pages.filter(({ status }) => status === 'failed' || status === 'refused').length,
  };
}

/** See `AdministrationPart.webSources`. */
export async function webSources(
  library: Surroundings['library'],
  sources: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<SourceListing[]> {
  await library.ready(READY_MS, signal);
  if (sources === undefined || sources.length === 0) {
    return library.sources({ source_type: 'web', limit: Number.MAX_SAFE_INTEGER });
  }
  const found = new Map<string, SourceListing>();
  for (const named of sources) {
    const source = await library.source(parseLibraryUri(named)?.document_id ?? named);
    if (source.source_type !== 'web') {
      throw new KaizenError(
        'invalid_argument',
        `"${source.document_id}" is not from the web.`,
        'knowledge_sources with source_type "web" lists what can be looked at again.',
      );
    }
    found.set(source.document_id, source);
  }
  return [...found.values()];
}
