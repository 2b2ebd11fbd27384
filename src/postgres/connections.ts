import { Socket } from 'node:net';
import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient } from 'pg';
import { isKaizenError, KaizenError } from '../core/errors';
import type { Address } from './address';
import { databaseError, newer, notInitialised, Overdue } from './failures';
import type { DatabaseUse } from './model';

/** The longest that a call takes unless told, with what is needed to end it: five seconds are promised. */
const CALL_MS = 4_600;
/** A kept connection that does not answer by then is taken for dead. */
const ALIVE_MS = 1_500;
/** By so much the server gives up before the client does, so that nothing runs on there. */
const AHEAD_MS = 600;
const LOCK_MS = 3_000;
/** What is kept open for the next call. */
const IDLE_MS = 30_000;
const MAX_CONNECTIONS = 3;
/** So long a server that hears a goodbye has for it. */
const GOODBYE_MS = 500;

/** Thrown inside a call for its caller alone: what it says is no failure of the server. */
export class AskAgain extends Error {
  override readonly name = 'AskAgain';
}

/** What a call does with a connection, inside its transaction. */
export interface Session {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Rows that a statement changed. */
  change(text: string, values?: readonly unknown[]): Promise<number>;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Nothing is changed. */
  reads?: boolean;
  /** Works without the tables, or with those of another version. */
  anySchema?: boolean;
  /** Milliseconds that it may take: 4,600 unless told. */
  patience?: number | undefined;
}

/** A client whose socket can be cut: one that hangs says no goodbye. */
class CuttableClient extends Client {
  private readonly socket: Socket;
  hasServed = false;

  constructor(config: ClientConfig) {
    const socket = new Socket();
    // The pool hides the password from those who list its options.
    super({ ...config, password: config.password, stream: () => socket });
    this.socket = socket;
  }

  cut(): void {
    this.socket.destroy();
  }
}

type PooledClient = PoolClient & CuttableClient;

/**
 * Up to three connections, made when they are needed; idle ones keep no process alive. A call is one transaction and
 * sets nothing beyond it, so that poolers between here and the server may hand each to another connection (pgbouncer
 * and Supavisor in transaction mode).
 */
export class Connections {
  readonly #address: Address;
  readonly #clients = new Set<CuttableClient>();
  #pool: Promise<Pool> | undefined;
  #closed = false;

  readonly use: DatabaseUse;

  constructor(address: Address, use: DatabaseUse) {
    this.#address = address;
    this.use = use;
  }

  get label(): string {
    return this.#address.label;
  }

  /** Performs `work` in one transaction. Throws `registry_*`, worded for what is kept there, in at most five seconds unless told. */
  async call<T>(work: (session: Session) => Promise<T>, options: CallOptions = {}): Promise<T> {
    const { signal, patience = CALL_MS } = options;
    const call = new Call(signal, patience);
    try {
      if (this.#closed) throw new KaizenError('store_closed', `The connection to the ${this.use.noun} was closed.`);
      return await call.race(this.#attempt(call, work, options));
    } catch (error) {
      if (signal?.aborted) throw cancelled(signal, this.use);
      throw error instanceof AskAgain ? error : databaseError(error, this.label, this.use);
    } finally {
      call.end();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const pool = await this.#pool?.catch(() => undefined);
    const cutting = setTimeout(() => {
      for (const client of this.#clients) client.cut();
    }, GOODBYE_MS);
    if (pool && !pool.ending) await pool.end();
    clearTimeout(cutting);
  }

  async #attempt<T>(call: Call, work: (session: Session) => Promise<T>, options: CallOptions): Promise<T> {
    for (;;) {
      const client = await this.#client(call);
      call.onGivenUp(() => client.cut());
      try {
        await begin(client, options, this.label, this.use);
      } catch (error) {
        const wasKept = client.hasServed;
        finish(client, error);
        // A kept connection may have died since: a new one shows whether the server has.
        if (wasKept && !call.isOver && isLoss(error)) continue;
        throw error;
      }
      return perform(client, work, options);
    }
  }

  async #client(call: Call): Promise<PooledClient> {
    this.#pool ??= openPool(this.#address, this.#clients).catch((error) => {
      this.#pool = undefined;
      throw error;
    });
    const pool = await this.#pool;
    const client = (await pool.connect()) as PooledClient;
    // Whoever asked has gone by now.
    if (!call.isOver) return client;
    client.release();
    throw new Overdue();
  }
}

/** The time of one call, and its end before time when somebody cancels it. */
class Call {
  isOver = false;
  private giveUp: () => void = () => {};
  private reject: (error: unknown) => void = () => {};
  private readonly timer: NodeJS.Timeout;
  private readonly onAbort = () => this.over(new Overdue());

  constructor(
    private readonly signal: AbortSignal | undefined,
    patience: number,
  ) {
    this.timer = setTimeout(() => this.over(new Overdue()), patience);
    signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  onGivenUp(giveUp: () => void): void {
    this.giveUp = giveUp;
  }

  race<T>(work: Promise<T>): Promise<T> {
    const ended = new Promise<never>((_, reject) => {
      this.reject = reject;
    });
    if (this.signal?.aborted) this.over(new Overdue());
    return Promise.race([work, ended]);
  }

  end(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.onAbort);
  }

  private over(error: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.giveUp();
    this.reject(error);
  }
}

/** `clients` always has those that there are. */
async function openPool(address: Address, clients: Set<CuttableClient>): Promise<Pool> {
  const ssl = await address.tlsOptions();
  class ListedClient extends CuttableClient {
    constructor(config: ClientConfig) {
      super(config);
      clients.add(this);
      this.once('end', () => clients.delete(this));
    }
  }
  const pool = new Pool({
    host: address.host,
    port: address.port,
    user: address.user,
    database: address.database,
    // A function, so that node-postgres looks for no password of its own (PGPASSWORD, ~/.pgpass).
    password: () => address.password() ?? '',
    options: address.parameters,
    // Said always, so that no variable of the environment decides (PGSSLMODE, PGSSLNEGOTIATION).
    ssl,
    sslnegotiation: 'postgres',
    application_name: 'kaizen',
    keepAlive: true,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CALL_MS - 200,
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
    Client: ListedClient as unknown as new () => PoolClient,
  });
  // Kept connections that break are replaced when the next call needs one.
  pool.on('error', () => {});
  return pool;
}

/**
 * One round trip, which shows whether the connection lives and what version the tables have. Publishing locks a row and
 * then reads what is committed by then, whatever isolation is the server's default; a server that is read-only by
 * default, as Supabase's are when their disk is full, stays so.
 */
async function begin(
  client: PooledClient,
  { reads, anySchema, patience = CALL_MS }: CallOptions,
  label: string,
  use: DatabaseUse,
): Promise<void> {
  // A client that breaks while it is in use tells twice: by this, and by failing its query.
  client.on('error', ignore);
  const alive = client.hasServed ? setTimeout(() => client.cut(), ALIVE_MS) : undefined;
  try {
    const results = (await client.query(
      [
        `BEGIN ISOLATION LEVEL READ COMMITTED${reads ? ' READ ONLY' : ''}`,
        // Nobody else's functions and operators, which in other schemas may fit better than those that are meant.
        'SET LOCAL search_path = pg_catalog, pg_temp',
        `SET LOCAL statement_timeout = ${patience - AHEAD_MS}`,
        // Who has long work waits for others at theirs.
        `SET LOCAL lock_timeout = ${Math.max(LOCK_MS, Math.round(patience / 20))}`,
        ...(anySchema ? [] : [`SELECT max(version) AS version FROM ${use.versionTable}`]),
      ].join('; '),
    )) as unknown as { rows: { version: number | null }[] }[];
    if (!anySchema) requireSchema(results.at(-1)?.rows[0]?.version ?? 0, label, use);
  } finally {
    clearTimeout(alive);
  }
  client.hasServed = true;
}

function requireSchema(version: number, label: string, use: DatabaseUse): void {
  if (version > use.version) throw newer(label, version, use);
  if (version < use.version) throw notInitialised(label, version, use);
}

async function perform<T>(
  client: PooledClient,
  work: (session: Session) => Promise<T>,
  { reads }: CallOptions,
): Promise<T> {
  try {
    const result = await work({
      query: async (text, values) => (await client.query(text, values as unknown[])).rows,
      change: async (text, values) => (await client.query(text, values as unknown[])).rowCount ?? 0,
    });
    if (!reads) await client.query('COMMIT');
    finish(client);
    return result;
  } catch (error) {
    finish(client, error);
    throw error;
  }
}

/** Gives the connection back once its transaction has ended, for which nobody waits. */
function finish(client: PooledClient, error?: unknown): void {
  const giveBack = (isBroken: boolean) => {
    client.removeListener('error', ignore);
    if (isBroken) client.cut();
    client.release(isBroken);
  };
  if (error !== undefined && isLoss(error)) {
    giveBack(true);
    return;
  }
  const hung = setTimeout(() => client.cut(), ALIVE_MS);
  hung.unref();
  // After an error the status is that of before it, until the server has said that it is ready.
  const isDone = error === undefined && client.getTransactionStatus() === 'I';
  const end = isDone ? Promise.resolve() : client.query('ROLLBACK');
  void end
    .then(
      () => giveBack(false),
      () => giveBack(true),
    )
    .finally(() => clearTimeout(hung));
}

/** Whatever the server did not answer itself, or answered as its last word. */
function isLoss(error: unknown): boolean {
  // By whatever bundle it was thrown.
  if (isKaizenError(error) || error instanceof AskAgain) return false;
  return !(error instanceof DatabaseError) || /^(57P0[1235]|08)/.test(error.code ?? '');
}

function cancelled(signal: AbortSignal, { noun }: DatabaseUse): KaizenError {
  const { reason } = signal;
  return reason instanceof KaizenError ? reason : new KaizenError('cancelled', `Asking the ${noun} was cancelled.`);
}

function ignore(): void {}
