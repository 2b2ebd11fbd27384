import { isKaizenError } from '../core/errors';
import { Area } from './findings';
import type { DoctorFinding } from './model';
import type { DoctorSurroundings } from './surroundings';

const area = new Area('registry');

/** Nobody should wait longer for a report. */
const PATIENCE_MS = 5_000;

/** Whether the registry that is configured answers, and with which tables. Says neither where it is nor who asks. */
export async function* checkRegistry({ registry: options, signal }: DoctorSurroundings): AsyncGenerator<DoctorFinding> {
  if (!options) {
    yield area.ok('registry_none', 'No registry is configured; none is needed.');
    return;
  }
  const { openRegistry } = await import('../notes/registry');
  const patience = AbortSignal.timeout(PATIENCE_MS);
  let registry: ReturnType<typeof openRegistry> | undefined;
  try {
    registry = openRegistry(options);
    const { postgres, schema, state, tls } = await registry.status(
      signal ? AbortSignal.any([signal, patience]) : patience,
    );
    const about = `PostgreSQL ${postgres.split(' ')[0]}`;
    if (state === 'ready')
      yield area.ok('registry_ready', `The registry answers (${about}, tables of version ${schema}).`);
    else if (state === 'newer') {
      yield area.problem('registry_newer', 'The registry was set up by a newer Kaizen.', {
        sentence: 'Update Kaizen.',
      });
    } else {
      const what = state === 'missing' ? 'has no tables yet' : 'has tables of an older version';
      yield area.problem(`registry_${state}`, `The registry answers (${about}), but ${what}.`, {
        sentence: 'Whoever owns it sets it up.',
        command: 'kaizen registry init',
      });
    }
    if (tls !== 'verified') {
      const how = tls === 'none' ? 'is not encrypted' : 'is encrypted, to whoever answers';
      yield area.note('registry_tls', `The connection to the registry ${how}.`);
    }
  } catch (error) {
    signal?.throwIfAborted();
    // The sentence may name the server and the account: its code says as much as a report needs.
    const code = isKaizenError(error) ? error.code : 'registry_failed';
    const what = patience.aborted ? `did not answer within ${PATIENCE_MS / 1_000} s` : `could not be asked (${code})`;
    yield area.problem('registry_unreachable', `The registry ${what}.`, {
      sentence: 'This says why, and what the address is.',
      command: 'kaizen registry status',
    });
  } finally {
    await registry?.close().catch(() => {});
  }
}
