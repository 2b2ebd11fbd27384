import { KaizenError } from '../../core/errors';
import type { Registry, RegistryOptions } from './model';

/** Connects to nothing yet. Throws `invalid_argument` for what is no connection string. */
export function openRegistry(_options: RegistryOptions): Registry {
  throw new KaizenError('registry_not_configured', 'There is no registry yet.');
}
