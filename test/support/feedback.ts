import { learningUri, parseLearningUri } from '../../src/core/knowledge-uri';
import { Feedback, type FeedbackSurroundings } from '../../src/learning/feedback';
import type { FoundRecord, LearnedKind, LearnedRecord, LearnedRecords } from '../../src/learning/model';
import { learningSchema } from '../../src/learning/schema';
import type { CapturedRecords } from '../../src/learning/surroundings';
import { Bench } from './stores';

export const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 1);

/** Captured records in memory. */
export class KnownRecords implements CapturedRecords {
  private readonly all = new Map<string, LearnedRecord>();

  add<K extends LearnedKind>(kind: K, record: Partial<LearnedRecords[K]> & { id: string }): string {
    const created = { created_at: new Date(START).toISOString(), template_modifications: [] };
    const uri = learningUri(kind, record.id);
    this.all.set(uri, { ...created, ...record } as unknown as LearnedRecord);
    return uri;
  }

  get<K extends LearnedKind>(kind: K, id: string): LearnedRecords[K] | undefined {
    return this.all.get(learningUri(kind, id)) as LearnedRecords[K] | undefined;
  }

  isHidden(): boolean {
    return false;
  }

  find(artifact: string): FoundRecord | undefined {
    for (const [uri, record] of this.all) {
      const { kind, id } = parseLearningUri(uri)!;
      if (artifact === uri || artifact === id) return { kind, id, uri, record } as FoundRecord;
    }
    return undefined;
  }
}

/** Feedback on stores of one directory, with a clock that stands still until it is set. */
export class FeedbackBench {
  readonly records = new KnownRecords();
  now = START;
  private readonly bench = new Bench();
  private directory: string | undefined;

  async open(options: Partial<FeedbackSurroundings> = {}): Promise<Feedback> {
    this.directory ??= this.bench.directory();
    const store = await this.bench.open(this.directory, { schemas: [learningSchema] });
    const clock = { now: () => this.now };
    return new Feedback({ store, clock, records: () => this.records, counts: true, ...options });
  }

  /** A store beside those that `open` opens. */
  async store() {
    this.directory ??= this.bench.directory();
    return this.bench.open(this.directory, { schemas: [learningSchema] });
  }

  cleanUp(): Promise<void> {
    return this.bench.cleanUp();
  }
}
