import { Turns } from '../../core/turns';
import { type Commit, rehearse, type Store, type Transaction } from '../../store';
import type { FeedbackRecord, LearningCounts } from '../feedback-model';
import type { LearningChange, LearningExport, LearningExportOptions, LearningImported } from '../model';
import type { Records } from '../records/captured';
import { uriOf } from '../records/kinds';
import type { LearnedRecord, ProjectRecord } from '../records-model';
import { LEARNED_KINDS, type LearnedKind } from '../vocabulary';
import { COUNTS_SHAPE } from './counts-shape';
import { FEEDBACK_SHAPE } from './feedback-shape';
import { RECORD_SHAPES } from './record-shapes';
import { list, maybe, object, oneOf, wrong } from './shapes';

const MOST_RECORDS = 10_000;
const MOST_FEEDBACK = 200_000;
/** What one transaction stores: it holds everybody up. */
const RECORDS_AT_ONCE = 50;
const FEEDBACK_AT_ONCE = 250;

/** What feedback gives and takes. */
export interface FeedbackExchange {
  exportFeedback(): FeedbackRecord[];
  /** Answers how many were not there. */
  importFeedback(transaction: Transaction, records: readonly FeedbackRecord[]): number;
  exportCounts(): LearningCounts;
  /** Answers how many changed. */
  importCounts(transaction: Transaction, counts: LearningCounts): number;
}

type KindAndRecord = LearningExport['records'][number];

/** Captured records and feedback, to and from what a file can hold. */
export class Exchange {
  constructor(
    private readonly store: Store,
    private readonly records: Records,
    private readonly feedback: FeedbackExchange,
  ) {}

  /** See `LearningPart.export`. */
  export({
    personal = false,
    kinds = LEARNED_KINDS,
    feedback = true,
    counts = false,
  }: LearningExportOptions = {}): LearningExport {
    const all = LEARNED_KINDS.flatMap((kind) =>
      this.records.list(kind).map((record): KindAndRecord => ({ kind, record })),
    ).filter(({ record }) => !('is_built_in' in record && record.is_built_in));
    const isLeftOut = ({ record }: KindAndRecord) =>
      !personal && 'visibility' in record && record.visibility === 'personal';
    const secret = new Set(all.filter(isLeftOut).flatMap(({ kind, record }) => [uriOf(kind, record), record.id]));
    const isSecret = (named: string | undefined) => named !== undefined && secret.has(named);
    return {
      records: all.filter((each) => !isLeftOut(each) && kinds.includes(each.kind)),
      feedback: feedback
        ? this.feedback
            .exportFeedback()
            .filter((each) => ![each.artifact, each.project_id, each.propagated_from].some(isSecret))
        : [],
      ...(counts ? { counts: this.counts(personal, isSecret) } : {}),
    };
  }

  private counts(personal: boolean, isSecret: (named: string) => boolean): LearningCounts {
    const { uses, queries, days } = this.feedback.exportCounts();
    // What somebody asked may tell what they work on.
    return { uses: uses.filter(({ artifact }) => !isSecret(artifact)), queries: personal ? queries : [], days };
  }

  /** See `LearningPart.import`. */
  async import(
    file: unknown,
    { overwrite = false }: { overwrite?: boolean | undefined },
    change: LearningChange,
  ): Promise<LearningImported> {
    const { records, feedback, counts } = await checked(file, new Turns(change.signal));
    const result = {
      added: 0,
      updated: 0,
      unchanged: 0,
      kept: [] as { kind: LearnedKind; id: string; title: string }[],
    };
    let revision: number | undefined;
    let given = 0;
    let counted = 0;
    const store = (transaction: Transaction, some: readonly KindAndRecord[]) => {
      revision = this.records.import(transaction, some, { change, overwrite, result, madeWith: revision });
    };
    const give = (transaction: Transaction, some: readonly FeedbackRecord[]) => {
      given += this.feedback.importFeedback(transaction, some);
    };
    const count = (transaction: Transaction) => {
      if (counts) counted = this.feedback.importCounts(transaction, counts);
    };
    if (change.rehearse) {
      await rehearse(
        this.store,
        (transaction) => {
          store(transaction, records);
          give(transaction, feedback);
          count(transaction);
        },
        change.signal,
      );
    } else {
      await this.store.holding(async (commit) => {
        const turns = new Turns();
        await inPieces(commit, turns, records, RECORDS_AT_ONCE, store);
        await inPieces(commit, turns, feedback, FEEDBACK_AT_ONCE, give);
        if (counts) commit(count);
      }, change.signal);
    }
    return { ...result, feedback: given, counts: counted, ...(revision === undefined ? {} : { revision }) };
  }
}

async function inPieces<T>(
  commit: Commit,
  turns: Turns,
  items: readonly T[],
  atOnce: number,
  store: (transaction: Transaction, some: readonly T[]) => void,
): Promise<void> {
  for (let from = 0; from < items.length; from += atOnce) {
    commit((transaction) => store(transaction, items.slice(from, from + atOnce)));
    await turns.pause();
  }
}

const FILE = object<{ records: unknown[]; feedback: unknown[]; counts: LearningCounts | undefined }>({
  records: (value, where) => list((item) => item, MOST_RECORDS)(value ?? [], where),
  feedback: (value, where) => list((item) => item, MOST_FEEDBACK)(value ?? [], where),
  counts: maybe(COUNTS_SHAPE),
});

async function checked(file: unknown, turns: Turns): Promise<LearningExport> {
  const { records, feedback, counts } = FILE(file, 'The file');
  const read: { records: KindAndRecord[]; feedback: FeedbackRecord[] } = { records: [], feedback: [] };
  const seen = new Set<string>();
  for (const [at, each] of records.entries()) {
    const known = checkedRecord(each, `records[${at}]`);
    const uri = uriOf(known.kind, known.record);
    if (seen.has(uri)) throw wrong(`records[${at}]`, `is the second one with the id "${known.record.id}"`);
    seen.add(uri);
    read.records.push(known);
    await turns.pause();
  }
  for (const [at, each] of feedback.entries()) {
    read.feedback.push(FEEDBACK_SHAPE(each, `feedback[${at}]`));
    await turns.pause();
  }
  return { ...read, counts };
}

function checkedRecord(value: unknown, where: string): KindAndRecord {
  const { kind, record } = object<{ kind: LearnedKind; record: unknown }>({
    kind: oneOf(LEARNED_KINDS),
    record: (given) => given,
  })(value, where);
  const read: LearnedRecord = RECORD_SHAPES[kind](record, `${where}.record`);
  if (kind === 'project') checkTasks(read as ProjectRecord, `${where}.record`);
  return { kind, record: read };
}

function checkTasks({ tasks }: ProjectRecord, where: string): void {
  const ids = new Set(tasks.map(({ id }) => id));
  if (ids.size < tasks.length) throw wrong(`${where}.tasks`, 'has an id twice');
  for (const { name, parent_task_id, depends_on } of tasks) {
    const named = [...depends_on, ...(parent_task_id === undefined ? [] : [parent_task_id])];
    const strange = named.find((id) => !ids.has(id));
    if (strange !== undefined) throw wrong(`${where}.tasks`, `has no "${strange}", which "${name}" names`);
  }
}
