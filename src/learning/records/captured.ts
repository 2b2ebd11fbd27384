import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { checkText } from '../../core/text';
import { Turns } from '../../core/turns';
import { rehearse, type Store, type Transaction } from '../../store';
import type {
  FoundRecord,
  LearningChange,
  LearningRevision,
  LearningWrite,
  LearningWritten,
  RecordFilter,
  RecordHit,
  RecordSearch,
} from '../model';
import { planProject, planUpdate } from '../projects/capturing';
import { planOutcome, planTransition } from '../projects/outcomes';
import { planTemplate, planTemplateChange } from '../projects/templates';
import type { LearnedRecord, LearnedRecords } from '../records-model';
import type { CapturedRecords, OutcomeFeedback, UseCounting } from '../surroundings';
import type { LearnedKind } from '../vocabulary';
import { planDecision } from './decisions';
import { idOf, isVisibleTo, KIND_NAMES, namedBy, titleOf, uriOf } from './kinds';
import { planLesson } from './lessons';
import { recordMarkdown } from './markdown';
import { planPattern } from './patterns';
import { passes, RecordIndex } from './record-search';
import { type RecordChange, RecordStore, refuseTooMany } from './record-store';
import { planRemoval } from './removing';
import { madeWith, Revisions, stateAfter, unknownRevision } from './revisions';
import type { BuiltIn } from './stored';
import { type Plan, Writing } from './writing';

export interface RecordsOptions {
  store: Store;
  clock: Clock;
  /** Whose records are captured, and whose personal ones are answered. */
  person: string;
  builtIn: BuiltIn;
}

/** Captured records: reading them from memory, and every change of them with a revision. */
export class Records implements CapturedRecords {
  private readonly store: Store;
  private readonly records: RecordStore;
  private readonly history: Revisions;
  private readonly index: RecordIndex;
  private readonly clock: Clock;
  private readonly person: string;

  constructor({ store, clock, person, builtIn }: RecordsOptions) {
    this.store = store;
    this.clock = clock;
    this.person = person;
    this.records = new RecordStore(store, builtIn);
    this.history = new Revisions(store, builtIn);
    this.index = new RecordIndex(this.records, person);
  }

  get<K extends LearnedKind>(kind: K, artifact: string): LearnedRecords[K] | undefined {
    const record = this.records.all(kind).get(idOf(kind, artifact));
    return record && isVisibleTo(this.person, record) ? record : undefined;
  }

  find(artifact: string): FoundRecord | undefined {
    for (const { kind, id } of namedBy(artifact)) {
      const record = this.get(kind, id);
      if (record) return { kind, id, uri: uriOf(kind, record), record } as FoundRecord;
    }
    return undefined;
  }

  isHidden(artifact: string): boolean {
    return namedBy(artifact).some(({ kind, id }) => {
      const record = this.records.all(kind).get(id);
      return record !== undefined && !isVisibleTo(this.person, record);
    });
  }

  list<K extends LearnedKind>(kind: K, filter: RecordFilter = {}): LearnedRecords[K][] {
    return [...this.records.all(kind).values()].filter(
      (record) => isVisibleTo(this.person, record) && passes(record as LearnedRecord, filter),
    );
  }

  markdown(artifact: string): string | undefined {
    const found = this.find(artifact);
    return found && recordMarkdown(found.kind, found.record);
  }

  search(search: RecordSearch): Promise<RecordHit[]> {
    return this.index.search(search);
  }

  /** Takes over what changed. */
  look(): void {
    this.records.all('project');
  }

  /** Whether there is one in the store; what came with the product is not. */
  isStored(kind: LearnedKind, id: string): boolean {
    return this.records.isStored(this.store.read(), kind, id);
  }

  /** Throws `learning_full` where so many more have no room. */
  refuseTooMany(more: number): void {
    refuseTooMany(this.store.read(), more);
  }

  /** Reads all records in short turns. What cannot be read is told to whoever asks for it. */
  warm(): Promise<void> {
    return this.records.warm(new Turns()).catch(() => undefined);
  }

  revisions(options: { kind?: LearnedKind; id?: string; limit?: number } = {}): LearningRevision[] {
    return this.history.list(options).filter((each) => this.isShown(each));
  }

  async write(
    write: LearningWrite,
    change: LearningChange,
    feedback: OutcomeFeedback,
    counts: UseCounting,
  ): Promise<LearningWritten> {
    checkAuthor(change.author);
    const { plan, given, revision } = await this.change(change, (transaction) => {
      const now = this.clock.now();
      const writing = new Writing(transaction, this.records, this.person, change.author, now);
      const plan = planOf(write, writing);
      // Before anything is written: it looks at records as they are stored.
      const given = plan.feedback
        ? feedback.give(transaction, plan.feedback.input, {
            author: change.author,
            at: now,
            project: plan.feedback.project,
          })
        : [];
      const note = { operation: write.operation, author: change.author, by_agent: change.by_agent ?? false, at: now };
      return {
        plan,
        given,
        revision: this.records.put(transaction, plan.changes, { ...note, feedback: given, feedback_counts: true }),
      };
    });
    if (!change.rehearse && plan.used && plan.used.length > 0) {
      const used = plan.used.map((id) => uriOf('template', { id }));
      counts.noteUse('used', used);
    }
    const [, ...others] = plan.changes;
    return {
      kind: plan.kind,
      // As it is answered from now on: without what is undefined.
      record: JSON.parse(JSON.stringify(plan.record)) as LearnedRecord,
      also: [
        ...others.map(({ kind, id }) => ({ kind, id })),
        ...given.map((id) => ({ kind: 'feedback' as const, id })),
      ],
      revision,
      ...(plan.hint ? { hint: plan.hint } : {}),
    };
  }

  /** See `LearningPart.undo`. */
  async undo(revision: number, change: LearningChange, feedback: OutcomeFeedback): Promise<void> {
    checkAuthor(change.author);
    await this.change(change, (transaction) => {
      const rows = madeWith(transaction, revision);
      if (!rows.every((row) => this.isShown(this.history.shown(transaction, row)))) throw unknownRevision(revision);
      for (const row of rows) {
        const { kind, id, title } = row;
        if (this.records.stateOf(transaction, kind, id) === stateAfter(transaction, row)) continue;
        throw new KaizenError(
          'conflict',
          sentence('The {0} "{1}" was changed since.', KIND_NAMES[kind], title),
          sentence('Undo the later change first, or change it by hand.'),
        );
      }
      const ids = rows.flatMap(({ feedback }) => JSON.parse(feedback) as string[]);
      // To undo an undo is to do it again.
      const counted = rows[0]!.feedback_counts === 1;
      feedback.withdraw(transaction, ids, counted);
      this.records.putStates(
        transaction,
        rows.map(({ kind, id, before }) => ({ kind, id, after: before })),
        {
          operation: 'undo',
          author: change.author,
          by_agent: change.by_agent ?? false,
          at: this.clock.now(),
          feedback: ids,
          feedback_counts: !counted,
        },
      );
    });
  }

  /**
   * Within one of the transactions of an import. Tells the result of each; answers the number by which all of them are
   * undone, `madeWith` where there was one before.
   */
  import(
    transaction: Transaction,
    records: readonly { kind: LearnedKind; record: LearnedRecord }[],
    { change, overwrite, result, madeWith }: RecordImport,
  ): number | undefined {
    checkAuthor(change.author);
    const changes: RecordChange[] = [];
    for (const { kind, record } of records) {
      const imported = { ...record, ...this.ownedBy(record) };
      // What came with the product is nobody's decision: a pattern of one's own takes its place.
      const isStored = this.records.stateOf(transaction, kind, record.id) !== null;
      const before = isStored ? this.records.within(transaction, kind, record.id) : undefined;
      if (before && isDeepStrictEqual(withoutOrigin(before), withoutOrigin(imported))) result.unchanged++;
      else if (before && !(overwrite && isVisibleTo(this.person, before))) {
        result.kept.push({ kind, id: record.id, title: titleOf(record) });
      } else {
        changes.push({ kind, id: record.id, record: imported as LearnedRecord });
        if (before) result.updated++;
        else result.added++;
      }
    }
    if (changes.length === 0) return madeWith;
    const { author, by_agent = false } = change;
    const note = { operation: 'import' as const, author, by_agent, at: this.clock.now(), feedback: [] };
    return this.records.put(transaction, changes, { ...note, feedback_counts: true }, madeWith);
  }

  /** What is personal is the importing person's. */
  private ownedBy(record: LearnedRecord): { owner?: string } {
    return 'visibility' in record && record.visibility === 'personal' ? { owner: this.person } : {};
  }

  private isShown({ before, after }: LearningRevision): boolean {
    return [before, after].every((record) => record === null || isVisibleTo(this.person, record));
  }

  private change<T>({ rehearse: tries, signal }: LearningChange, action: (transaction: Transaction) => T): Promise<T> {
    return tries ? rehearse(this.store, action, signal) : this.store.write(action, signal);
  }
}

export interface RecordImport {
  change: LearningChange;
  overwrite: boolean;
  /** Added to. */
  result: {
    added: number;
    updated: number;
    unchanged: number;
    kept: { kind: LearnedKind; id: string; title: string }[];
  };
  madeWith: number | undefined;
}

/** As a file has it: it does not tell what came with the product. */
function withoutOrigin(record: LearnedRecord): object {
  const { is_built_in: _, ...rest } = record as LearnedRecords['pattern'];
  return JSON.parse(JSON.stringify(rest)) as object;
}

function planOf(write: LearningWrite, writing: Writing): Plan {
  switch (write.operation) {
    case 'capture_project':
      return planProject(write.project, writing);
    case 'update_project':
      return planUpdate(write.project_id, write.project, writing);
    case 'transition_project':
      return planTransition(write.project_id, write.transition, write.reason, writing);
    case 'capture_outcome':
      return planOutcome(write.project_id, write.outcome, writing);
    case 'capture_template':
      return planTemplate(write, writing);
    case 'update_template':
      return planTemplateChange(write.template_id, write.template, writing);
    case 'capture_lesson':
      return planLesson(write.lesson, writing);
    case 'capture_decision':
      return planDecision(write.decision, writing);
    case 'capture_pattern':
      return planPattern(write.pattern, writing);
    case 'delete':
      return planRemoval(write.kind, write.id, writing);
  }
}

function checkAuthor(author: string): void {
  checkText(author, { name: sentence('author'), max: 200, singleLine: true });
}
