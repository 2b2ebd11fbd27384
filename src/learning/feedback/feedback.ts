import type { Clock } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import type { Store } from '../../store';
import { DEFAULT_LEARNING_SETTINGS, type LearningSettings } from '../settings';
import type { CapturedRecords } from '../surroundings';
import { Artifacts, type OtherArtifacts } from './artifacts';
import { Giving } from './giving';
import { ImplicitCounts } from './implicit';
import { Keeping } from './keeping';
import { Scores } from './scores';

export interface FeedbackSurroundings extends OtherArtifacts {
  /** The shared store. */
  store: Store;
  clock: Clock;
  /** Asked for when it is needed first: captured records are opened with feedback and not before it. */
  records: () => CapturedRecords;
  settings?: Partial<LearningSettings> | undefined;
  /** Whether what is given and asked may be counted at all; the setting decides where it may. */
  counts: boolean;
  log?: ((message: string) => void) | undefined;
}

/**
 * What was said of everything that is used, what was counted without anybody saying anything, and the scores that follow
 * from both (seed 003, 4.5 and 6). Scores are made in memory, of the stored feedback and counts: nothing that ranks waits.
 */
export class Feedback {
  readonly artifacts: Artifacts;
  readonly counts: ImplicitCounts;
  readonly scores: Scores;
  readonly giving: Giving;
  readonly keeping: Keeping;
  private current: LearningSettings;

  constructor(around: FeedbackSurroundings) {
    const { store, clock, records, log } = around;
    const settings = () => this.current;
    const artifacts = new Artifacts(records, around);
    const counts = new ImplicitCounts({
      ...{ store, clock },
      mayCount: () => around.counts && this.current.feedback_implicit_tracking,
      isHidden: (artifact) => artifacts.isHidden(artifact),
    });
    const scores = new Scores({ store, clock, records, artifacts, counts, settings, log });
    this.artifacts = artifacts;
    this.counts = counts;
    this.scores = scores;
    this.giving = new Giving({ store, clock, records, artifacts, scores, settings });
    this.keeping = new Keeping({ store, records, artifacts, scores });
    this.current = settingsFrom(around.settings);
  }

  get settings(): LearningSettings {
    return this.current;
  }

  /** Those that are left out have their defaults. */
  useSettings(settings: Partial<LearningSettings>): void {
    this.current = settingsFrom(settings);
  }
}

function settingsFrom(settings: Partial<LearningSettings> = {}): LearningSettings {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const all = { ...DEFAULT_LEARNING_SETTINGS, ...given };
  for (const name of ['score_semantic_weight', 'score_effectiveness_weight'] as const) {
    const weight = all[name];
    if (!(weight >= 0 && weight <= 1)) {
      throw new KaizenError('invalid_argument', sentence('{0} is to be a number from 0 to 1, not {1}.', name, weight));
    }
  }
  return all;
}
