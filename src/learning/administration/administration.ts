import { KaizenError } from '../../core/errors';
import { learningUri } from '../../core/knowledge-uri';
import { compareText } from '../../core/text';
import { Turns } from '../../core/turns';
import type { LibraryChange, SourceListing } from '../../library';
import type { Relation } from '../../relations';
import type { LearningChange, LearningExport } from '../model';
import { LEARNED_KINDS } from '../vocabulary';
import { collectionsOf, kindsOf } from './collections';
import { healthReport } from './health';
import { parseLearned, readLearned, writeLearned } from './learned-file';
import type {
  AdministrationPart,
  Collection,
  Exported,
  ExportOptions,
  HealthOptions,
  HealthReport,
  Imported,
  ImportOptions,
  RefreshReport,
  StaleContent,
  StaleOptions,
  UsageAnalytics,
} from './model';
import { fromParquet, toParquet } from './parquet';
import { isParquet } from './parquet-reading';
import { refreshWeb, webSources } from './refreshing';
import { staleContent } from './stale';
import type { Surroundings } from './surroundings';
import { usageAnalytics } from './usage';
import { checkInWorkspace, readInWorkspace, writeInWorkspace } from './workspace-file';

const DEFAULT_LISTED = 20;
const MOST_LISTED = 1_000;

/** See `AdministrationPart`. Asks the other parts; keeps nothing. */
export class Administration implements AdministrationPart {
  constructor(private readonly around: Surroundings) {}

  health(options: HealthOptions = {}): Promise<HealthReport> {
    return healthReport(this.around, options);
  }

  async usage(limit = DEFAULT_LISTED): Promise<UsageAnalytics> {
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LISTED) {
      throw new KaizenError('invalid_argument', 'The limit must be 1 to 1,000.');
    }
    return usageAnalytics(this.around, limit);
  }

  stale(options: StaleOptions = {}): Promise<StaleContent> {
    return staleContent(this.around, options);
  }

  refreshWeb(sources: readonly string[] | undefined, change: LibraryChange): Promise<RefreshReport> {
    return refreshWeb(this.around, sources, change);
  }

  webSources(sources: readonly string[] | undefined, signal?: AbortSignal): Promise<SourceListing[]> {
    return webSources(this.around.library, sources, signal);
  }

  async export({ collections: named, format, personal = false, signal }: ExportOptions = {}): Promise<Exported> {
    const collections = collectionsOf(named);
    const { learning } = this.around;
    const turns = new Turns(signal);
    if (collections.has('scores')) await learning.flush();
    const kinds = kindsOf(collections);
    const learned = await learning.exportInTurns(
      { personal, kinds, feedback: collections.has('feedback'), counts: collections.has('scores') },
      signal,
    );
    const relations = collections.has('relationships') ? await this.relations(personal, turns, signal) : undefined;
    const counts: Partial<Record<Collection, number>> = {};
    for (const kind of kinds) counts[`${kind}s`] = learned.records.filter((each) => each.kind === kind).length;
    if (collections.has('feedback')) counts.feedback = learned.feedback.length;
    if (learned.counts) counts.scores = learned.counts.uses.length;
    if (relations) counts.relationships = relations.length;
    const records = [...learned.records].sort((a, b) => compareText(a.kind, b.kind) || byTime(a.record, b.record));
    const feedback = [...learned.feedback].sort(byTime);
    const file = { ...learned, records, feedback, relations };
    const write = format === 'parquet' ? toParquet : writeLearned;
    return { content: await write(file, turns), counts };
  }

  async exportTo(path: string, options: ExportOptions = {}): Promise<{ path: string; counts: Exported['counts'] }> {
    const { workspace } = this.around;
    await checkInWorkspace(workspace, path);
    const { content, counts } = await this.export(options);
    return { path: await writeInWorkspace(workspace, path, content), counts };
  }

  async import(content: string | Buffer, options: ImportOptions, change: LearningChange): Promise<Imported> {
    const collections = collectionsOf(options.collections);
    const { overwrite } = options;
    const turns = new Turns(change.signal);
    const file = await read(content, turns);
    const { learned, relations } = await readLearned(file, collections, turns);
    const { learning } = this.around;
    // Relations lead to records of the same file, which must be there first.
    const imported = await learning.import(learned, { overwrite }, change);
    const { author, rehearse } = change;
    const arriving = rehearse ? recordUris(learned.records) : undefined;
    // Without the signal: something is stored by now.
    const relationships = await this.around.relations.import(relations, { overwrite, arriving }, { author, rehearse });
    return { ...imported, relationships };
  }

  async importFrom(path: string, options: ImportOptions, change: LearningChange): Promise<Imported> {
    return this.import(await readInWorkspace(this.around.workspace, path), options, change);
  }

  /** In an order that is always the same; without those that name what is personal, unless that is asked for. */
  private async relations(personal: boolean, turns: Turns, signal: AbortSignal | undefined): Promise<Relation[]> {
    const { learning, relations } = this.around;
    const secret = new Set(
      personal
        ? []
        : LEARNED_KINDS.flatMap((kind) =>
            learning
              .list(kind)
              .filter((record) => 'visibility' in record && record.visibility === 'personal')
              .map(({ id }) => learningUri(kind, id)),
          ),
    );
    const found: Relation[] = [];
    for await (const relation of relations.stored(signal)) {
      if (secret.has(relation.source) || secret.has(relation.target)) continue;
      const evidence = relation.evidence.filter((uri) => !secret.has(uri));
      found.push({ ...relation, evidence });
      await turns.pause();
    }
    return found.sort(byTime);
  }
}

async function read(content: string | Buffer, turns: Turns): Promise<unknown> {
  if (typeof content === 'string') return parseLearned(content, turns);
  return isParquet(content) ? fromParquet(content, turns) : parseLearned(content.toString('utf8'), turns);
}

/** Oldest first: an order that does not depend on the store that they lie in. */
function byTime(a: { created_at: string; id: string }, b: { created_at: string; id: string }): number {
  return compareText(a.created_at, b.created_at) || compareText(a.id, b.id);
}

/** Of records that were checked. */
function recordUris(records: unknown): ReadonlySet<string> {
  const checked = (records ?? []) as LearningExport['records'];
  return new Set(checked.map(({ kind, record }) => learningUri(kind, record.id)));
}
