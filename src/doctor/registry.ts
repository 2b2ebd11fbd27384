import { isKaizenError, type KaizenError } from '../core/errors';
import { isSentence, sentence } from '../core/sentence';
import { Area } from './findings';
import type { DoctorFinding } from './model';
import type { DoctorSurroundings } from './surroundings';

const area = new Area('registry');

/** Nobody should wait longer for a report. */
const PATIENCE_MS = 5_000;

/** Whether the registry that is configured answers, and with which tables. Says neither where it is nor who asks. */
export async function* checkRegistry({ registry: options, signal }: DoctorSurroundings): AsyncGenerator<DoctorFinding> {
  if (!options) {
    yield area.ok('registry_none', sentence('No registry is configured; none is needed.'));
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
      yield area.ok('registry_ready', sentence('The registry answers ({0}, tables of version {1}).', about, schema));
    else if (state === 'newer') {
      yield area.problem('registry_newer', sentence('The registry was set up by a newer Kaizen.'), {
        sentence: sentence('Update Kaizen.'),
      });
    } else {
      const message =
        state === 'missing'
          ? sentence('The registry answers ({0}), but has no tables yet.', about)
          : sentence('The registry answers ({0}), but has tables of an older version.', about);
      yield area.problem(`registry_${state}`, message, {
        sentence: sentence('Whoever owns it sets it up.'),
        command: 'kaizen registry init',
      });
    }
    if (tls !== 'verified') {
      yield area.note(
        'registry_tls',
        tls === 'none'
          ? sentence('The connection to the registry is not encrypted.')
          : sentence('The connection to the registry is encrypted, to whoever answers.'),
      );
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (isKaizenError(error) && error.code === 'invalid_argument') {
      yield malformed(error);
      return;
    }
    // The sentence may name the server and the account: its code says as much as a report needs.
    const code = isKaizenError(error) ? error.code : 'registry_failed';
    const message = patience.aborted
      ? sentence('The registry did not answer within {0} s.', PATIENCE_MS / 1_000)
      : sentence('The registry could not be asked ({0}).', code);
    yield area.problem('registry_unreachable', message, {
      sentence: sentence('Its state says why, and what the address is.'),
      command: 'kaizen registry status',
    });
  } finally {
    await registry?.close().catch(() => {});
  }
}

/** What is wrong with an address is said without any part of it. */
function malformed({ said: [why, hint] }: KaizenError): DoctorFinding {
  const wrong = isSentence(why) ? why : sentence('it cannot be read.');
  const message = sentence('The address of the registry is malformed, so that nobody was asked. {0}', wrong);
  return area.problem('registry_address', message, {
    sentence: isSentence(hint) ? hint : sentence('Correct the address of the registry.'),
  });
}
