import { isKaizenError } from '../../core/errors';
import { parseLearningUri } from '../../core/knowledge-uri';
import { sentence } from '../../core/sentence';
import { atOnce, inTurns, Turns } from '../../core/turns';
import { type Reader, type Store, type Transaction, tryOut } from '../../store';
import { MOST_FEEDBACK } from '../feedback/rows';
import type { FeedbackRecord, LearningCounts } from '../feedback-model';
import type { LearningChange, LearningExport, LearningExportOptions, LearningImported } from '../model';
import { taskInputsOf } from '../projects/from-template';
import { refuseCircles, tasksFrom } from '../projects/tasks';
import type { Records } from '../records/captured';
import { uriOf } from '../records/kinds';
import { MOST_RECORDS } from '../records/record-store';
import type { LearnedRecord, ProjectRecord, ProjectTemplate } from '../records-model';
import { LEARNED_KINDS, type LearnedKind } from '../vocabulary';
import { COUNTS_SHAPE } from './counts-shape';
import { FEEDBACK_SHAPE } from './feedback-shape';
import { RECORD_SHAPES } from './record-shapes';
import { list, maybe, object, oneOf, wrong } from './shapes';

/** What one transaction stores: it holds everybody up. */
const RECORDS_AT_ONCE = 20;
const FEEDBACK_AT_ONCE = 250;
/** Transactions that are made while nobody else can write; then others have their turn, and the store's files theirs. */
const IN_A_ROW = 10;

/** What feedback gives and takes. */
export interface FeedbackExchange {
  /** All that counts, oldest first; some at a time. */
  readAll(): Generator<void, FeedbackRecord[]>;
  /** How many of these are not there. */
  countNew(reader: Reader, records: readonly FeedbackRecord[]): number;
  /** Throws `learning_full` where so many more have no room. */
  refuseTooMuch(reader: Reader, more: number): void;
  /** Answers how many were not there. */
  importFeedback(transaction: Transaction, records: readonly FeedbackRecord[]): number;
}

/** What was counted, given and taken. */
export interface CountsExchange {
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
    private readonly counted: CountsExchange,
  ) {}

  /** See `LearningPart.export`. */
  export(options: LearningExportOptions = {}): LearningExport {
    return atOnce(this.exporting(options));
  }

  /** See `LearningPart.exportInTurns`. */
  async exportInTurns(options: LearningExportOptions, turns: Turns): Promise<LearningExport> {
    await this.records.warm();
    return inTurns(this.exporting(options), turns);
  }

  private *exporting({
    personal = false,
    kinds = LEARNED_KINDS,
    feedback = true,
    counts = false,
  }: LearningExportOptions): Generator<void, LearningExport> {
    const isLeftOut = (record: LearnedRecord) =>
      ('is_built_in' in record && record.is_built_in) ||
      (!personal && 'visibility' in record && record.visibility === 'personal');
    const isSecret = (named: string | undefined) =>
      named !== undefined && (personal ? this.records.isHidden(named) : this.isPersonal(named));
    const records: KindAndRecord[] = [];
    for (const kind of LEARNED_KINDS.filter((each) => kinds.includes(each))) {
      for (const record of this.records.list(kind)) if (!isLeftOut(record)) records.push({ kind, record });
      yield;
    }
    const given: FeedbackRecord[] = [];
    for (const each of feedback ? yield* this.feedback.readAll() : []) {
      if (![each.artifact, each.project_id, each.propagated_from].some(isSecret)) given.push(each);
      yield;
    }
    return { records, feedback: given, ...(counts ? { counts: this.counts(personal, isSecret) } : {}) };
  }

  /** Of what was deleted nobody can say any more whether it was. */
  private isPersonal(named: string): boolean {
    const found = this.records.find(named);
    if (found) return 'visibility' in found.record && found.record.visibility === 'personal';
    return parseLearningUri(named) !== undefined || !named.includes('://');
  }

  private counts(personal: boolean, isSecret: (named: string) => boolean): LearningCounts {
    const { uses, queries, days } = this.counted.exportCounts();
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
      if (counts) counted = this.counted.importCounts(transaction, counts);
    };
    const { rehearse: isRehearsal = false, signal } = change;
    await this.refuseWithoutRoom(records, feedback, new Turns(signal));
    const work = [
      ...pieces(records, RECORDS_AT_ONCE).map((some) => (transaction: Transaction) => store(transaction, some)),
      ...pieces(feedback, FEEDBACK_AT_ONCE).map((some) => (transaction: Transaction) => give(transaction, some)),
      ...(counts ? [count] : []),
    ];
    // Once some of it is stored, the rest is as well: whoever gives up is told that nothing was changed.
    for (const [at, some] of pieces(work, IN_A_ROW).entries()) {
      await this.store.holding(
        async (commit) => {
          const turns = new Turns();
          for (const each of some) {
            if (isRehearsal) tryOut(commit, each);
            else commit(each);
            // Else whoever asks next would take over all of it at once.
            this.records.look();
            await turns.pause();
          }
        },
        at === 0 ? signal : undefined,
      );
    }
    return { ...result, feedback: given, counts: counted, ...(revision === undefined ? {} : { revision }) };
  }

  /** Before the first of it is stored. Throws `learning_full`. */
  private async refuseWithoutRoom(
    records: readonly KindAndRecord[],
    feedback: readonly FeedbackRecord[],
    turns: Turns,
  ): Promise<void> {
    let fresh = 0;
    for (const { kind, record } of records) {
      if (!this.records.isStored(kind, record.id)) fresh++;
      await turns.pause();
    }
    this.records.refuseTooMany(fresh);
    let given = 0;
    for (const some of pieces(feedback, FEEDBACK_AT_ONCE)) {
      given += this.feedback.countNew(this.store.read(), some);
      await turns.pause();
    }
    this.feedback.refuseTooMuch(this.store.read(), given);
  }
}

function pieces<T>(items: readonly T[], most: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, at) => items.slice(at * most, (at + 1) * most));
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
    if (seen.has(uri)) throw wrong(`records[${at}]`, sentence('is the second one with the id "{0}"', known.record.id));
    seen.add(uri);
    read.records.push(known);
    await turns.pause();
  }
  const ids = new Set<string>();
  for (const [at, each] of feedback.entries()) {
    const known = FEEDBACK_SHAPE(each, `feedback[${at}]`);
    if (!ids.has(known.id)) read.feedback.push(known);
    ids.add(known.id);
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
  // As a project would be made from it.
  if (kind === 'template') {
    const template = read as ProjectTemplate;
    refusing(`${where}.record.task_template`, () => void tasksFrom(taskInputsOf(template)));
  }
  return { kind, record: read };
}

function checkTasks({ tasks }: ProjectRecord, where: string): void {
  const ids = new Set(tasks.map(({ id }) => id));
  if (ids.size < tasks.length) throw wrong(`${where}.tasks`, sentence('has an id twice'));
  for (const { name, parent_task_id, depends_on } of tasks) {
    const named = [...depends_on, ...(parent_task_id === undefined ? [] : [parent_task_id])];
    const strange = named.find((id) => !ids.has(id));
    if (strange !== undefined)
      throw wrong(`${where}.tasks`, sentence('has no "{0}", which "{1}" names', strange, name));
  }
  refusing(`${where}.tasks`, () => refuseCircles(tasks));
}

/** What does not go together is told with its place in the file. */
function refusing(where: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (isKaizenError(error)) throw wrong(where, sentence('cannot be: {0}', error.message.replace(/\.$/, '')));
    throw error;
  }
}
