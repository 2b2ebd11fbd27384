import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { within } from '../../core/within';
import type { Registry, RegistryOptions } from '../registry/model';

/** Five seconds are promised. */
const TOGETHER_MS = 4_600;

type RegistryRoom = typeof import('../registry');

/**
 * The registry that notes are published to, if there is one. Its room, with the client of PostgreSQL, is loaded when
 * somebody first asks for it. The connection string is in none of the fields that printing an object shows.
 */
export class SharedRegistry {
  #options: RegistryOptions | undefined;
  #opened: Promise<Registry> | undefined;

  constructor(options: RegistryOptions | undefined) {
    this.#options = options;
  }

  /** Whether one is configured. */
  get isConfigured(): boolean {
    return this.#options !== undefined;
  }

  /** Another one from now on, or none. What is under way with the old one comes to its end. */
  use(options: RegistryOptions | undefined): void {
    const { url, allowUnverifiedTls = false } = this.#options ?? {};
    if (options?.url === url && (options?.allowUnverifiedTls ?? false) === allowUnverifiedTls) return;
    this.#options = options;
    const opened = this.#opened;
    this.#opened = undefined;
    void opened?.then((registry) => registry.close()).catch(() => {});
  }

  /** Throws `registry_not_configured`, and `invalid_argument` for what is no connection string. Connects to nothing. */
  async open(): Promise<Registry> {
    const options = this.#options;
    if (!options) {
      throw new KaizenError(
        'registry_not_configured',
        sentence('No registry is configured.'),
        sentence('Set KAIZEN_REGISTRY_URL, or connect to one in the editor with "Kaizen: Connect to Registry".'),
      );
    }
    this.#opened ??= this.room()
      .then(({ openRegistry }) => openRegistry(options))
      .catch((error) => {
        this.#opened = undefined;
        throw error;
      });
    return this.#opened;
  }

  /**
   * Asks several times, which together take no longer than one call may: with a time for each a slow server would have
   * several. Throws `registry_unreachable` when the time is over.
   */
  async inTime<T>(
    signal: AbortSignal | undefined,
    work: (registry: Registry, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const registry = await this.open();
    const late = () =>
      new KaizenError(
        'registry_unreachable',
        sentence('The registry did not answer in time.'),
        sentence('What lies in files works on. Try again later.'),
      );
    return within({ milliseconds: TOGETHER_MS, late, signals: [signal] }, (until) => work(registry, until));
  }

  /** What the registry's room can do without a connection. */
  room(): Promise<RegistryRoom> {
    return import('../registry');
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.close();
  }
}
