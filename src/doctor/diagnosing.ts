import { isKaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { checkClients } from './clients';
import { Area } from './findings';
import { checkHooks } from './hooks';
import { checkIndex } from './indexes';
import { checkLocks } from './locks';
import { DOCTOR_AREAS, type DoctorArea, type DoctorFinding } from './model';
import { checkRegistry } from './registry';
import { checkStores } from './stores';
import type { DoctorSurroundings } from './surroundings';
import { withToldFlags } from './told-flags';
import { checkVersions } from './versions';

type Check = (around: DoctorSurroundings) => AsyncIterable<DoctorFinding> | Iterable<DoctorFinding>;

const CHECKS: Record<DoctorArea, Check> = {
  versions: checkVersions,
  stores: checkStores,
  locks: checkLocks,
  index: checkIndex,
  clients: checkClients,
  hooks: checkHooks,
  registry: checkRegistry,
};

/**
 * Looks at one area after the other, in the order of `DOCTOR_AREAS`, and tells each finding as it comes. Opens no store
 * for writing, mends nothing, and works on stores that cannot be opened. What could not be looked at is a finding of its
 * own. Throws nothing but the signal's reason.
 */
export async function* diagnose(around: DoctorSurroundings): AsyncGenerator<DoctorFinding> {
  for (const area of DOCTOR_AREAS) {
    around.signal?.throwIfAborted();
    try {
      for await (const finding of CHECKS[area](around)) yield withToldFlags(finding, around);
    } catch (error) {
      around.signal?.throwIfAborted();
      const code = codeOf(error);
      const message = sentence('This could not be looked at to the end ({0}).', code);
      // What is closed to this account is a problem that is told where the stores are.
      const finding = REFUSALS.has(code)
        ? new Area(area).note('check_refused', message, {
            sentence: sentence('Mend what is said of the stores, then look again.'),
          })
        : new Area(area).problem('check_failed', message, {
            sentence: sentence('Please open an issue with the report.'),
            command: 'kaizen doctor --report',
          });
      yield withToldFlags(finding, around);
    }
  }
}

const REFUSALS = new Set(['EACCES', 'EPERM', 'ENOTDIR']);

/** A word for an error, without what its sentence may name. */
function codeOf(error: unknown): string {
  if (isKaizenError(error)) return error.code;
  if (!(error instanceof Error)) return typeof error;
  return (error as NodeJS.ErrnoException).code ?? error.name;
}
