import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Extensions } from '@electric-sql/pglite';
import { Client } from 'pg';
import { findPostgres } from '../../tools/postgres/setup.mjs';

/** A role with a login and a password, none of them a superuser. */
export interface Account {
  user: string;
  password: string;
}

export interface ServerOptions {
  /** Speaks TLS with a certificate that it made itself, for `localhost`. */
  tls?: boolean;
  /** What was committed is on the disk; otherwise the tests are quicker. */
  durable?: boolean;
  /** Has pgvector, which Debian packages for some versions of PostgreSQL; PGlite has it where PostgreSQL does not. */
  vector?: boolean;
}

/** Owns the databases that `createDatabase` makes. */
export const OWNER: Account = { user: 'team', password: 'open sesame/%@' };
const SUPERUSER: Account = { user: 'super', password: 'for-tests' };
const START_MS = 30_000;

/**
 * A database server for one test file, on a free port of this machine: PostgreSQL where there is one, otherwise PGlite,
 * which is PostgreSQL in WebAssembly for one connection at a time, without passwords, rights and processes.
 */
export interface DatabaseServer {
  readonly kind: 'postgres' | 'pglite';
  readonly port: number;
  /** PEM file of the certificate, with `tls`. */
  readonly certificate?: string;
  /** A new and empty database of `OWNER`; answers its connection string. */
  createDatabase(): Promise<string>;
  /** Performs statements as superuser in the database of a connection string. */
  administer(url: string, ...statements: string[]): Promise<unknown[]>;
  /** Ends at once like a machine that loses power, and starts anew when told. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server, and says in the run's output which. */
export async function startDatabaseServer(options: ServerOptions = {}): Promise<DatabaseServer> {
  const programs = process.env.KAIZEN_TEST_PGLITE ? undefined : findPostgres();
  if (programs === undefined) return startPglite(options);
  const server = new PostgresServer(programs, options);
  await server.initialise();
  await server.start();
  if (!options.vector || (await server.hasVector())) return server;
  await server.stop();
  console.log('      (it has no pgvector)');
  return startPglite(options);
}

/** A connection string for somebody else. */
export function urlFor(url: string, { user, password }: Account): string {
  const other = new URL(url);
  other.username = encodeURIComponent(user);
  other.password = encodeURIComponent(password);
  return other.href;
}

/** The same with another query. */
export function withQuery(url: string, query: Record<string, string>): string {
  const other = new URL(url);
  other.search = new URLSearchParams(query).toString();
  return other.href;
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

class PostgresServer implements DatabaseServer {
  readonly kind = 'postgres';
  port = 0;
  certificate?: string;
  private readonly directory = mkdtempSync(path.join(tmpdir(), 'kaizen-postgres-'));
  private readonly data = path.join(this.directory, 'data');
  private readonly account = accountForServer();
  private process: ChildProcess | undefined;
  private databases = 0;
  private said = '';
  private readonly onExit = () => this.remove();

  constructor(
    private readonly programs: string,
    private readonly options: ServerOptions,
  ) {
    process.once('exit', this.onExit);
  }

  async initialise(): Promise<void> {
    const passwordFile = path.join(this.directory, 'password');
    writeFileSync(passwordFile, SUPERUSER.password);
    if (this.options.tls) this.makeCertificate();
    this.handOver(this.directory, passwordFile);
    execFileSync(
      path.join(this.programs, 'initdb'),
      [
        ...['-D', this.data, '-U', SUPERUSER.user, '--pwfile', passwordFile, '--auth=scram-sha-256'],
        ...['-E', 'UTF8', '--no-locale', '--no-sync', '--no-instructions'],
      ],
      { ...this.account, cwd: this.directory, stdio: ['ignore', 'ignore', 'pipe'], env: serverEnvironment() },
    );
    if (this.options.tls) {
      for (const name of ['server.crt', 'server.key']) {
        const file = path.join(this.data, name);
        cpSync(path.join(this.directory, name), file);
        chmodSync(file, 0o600);
        this.handOver(file);
      }
    }
    this.port = await freePort();
  }

  async start(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '30',
      shared_buffers: '64MB',
      password_encryption: 'scram-sha-256',
      fsync: this.options.durable ? 'on' : 'off',
      full_page_writes: this.options.durable ? 'on' : 'off',
      ssl: this.options.tls ? 'on' : 'off',
      // Whatever language this machine speaks.
      lc_messages: 'C',
    };
    const server = spawn(
      path.join(this.programs, 'postgres'),
      [
        ...['-D', this.data, '-p', String(this.port)],
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { ...this.account, cwd: this.directory, stdio: ['ignore', 'ignore', 'pipe'], env: serverEnvironment() },
    );
    this.process = server;
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.said = (this.said + text).slice(-4_000);
    });
    const deadline = Date.now() + START_MS;
    while (!(await this.isReady())) {
      if (server.exitCode !== null || Date.now() > deadline) throw new Error(`PostgreSQL does not start: ${this.said}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    if (this.databases > 0) return;
    await this.administer(
      this.url('postgres', SUPERUSER),
      `CREATE ROLE ${OWNER.user} LOGIN NOSUPERUSER PASSWORD '${OWNER.password}'`,
    );
    const [{ server_version }] = (await this.administer(this.url('postgres', SUPERUSER), 'SHOW server_version')) as [
      { server_version: string },
    ];
    console.log(`      (on PostgreSQL ${server_version})`);
  }

  async hasVector(): Promise<boolean> {
    const question = "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'";
    return (await this.administer(this.url('postgres', SUPERUSER), question)).length > 0;
  }

  async createDatabase(): Promise<string> {
    const name = `registry_${++this.databases}`;
    await this.administer(this.url('postgres', SUPERUSER), `CREATE DATABASE ${name} OWNER ${OWNER.user}`);
    return this.url(name, OWNER);
  }

  async administer(url: string, ...statements: string[]): Promise<unknown[]> {
    const client = new Client({ connectionString: urlFor(url.split('?')[0]!, SUPERUSER), ssl: false });
    // The server may be told to end.
    client.on('error', () => {});
    await client.connect();
    try {
      let rows: unknown[] = [];
      for (const statement of statements) rows = (await client.query(statement)).rows;
      return rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  async crash(): Promise<void> {
    await this.end('SIGQUIT');
  }

  async stop(): Promise<void> {
    await this.end('SIGINT');
    process.removeListener('exit', this.onExit);
    this.remove();
  }

  /** SIGINT is its fast shutdown; by SIGQUIT it and its children end without a word. */
  private async end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const server = this.process;
    this.process = undefined;
    if (!server || server.exitCode !== null) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  }

  private remove(): void {
    this.process?.kill('SIGQUIT');
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  private url(database: string, account: Account): string {
    return urlFor(`postgres://127.0.0.1:${this.port}/${database}`, account);
  }

  private async isReady(): Promise<boolean> {
    const client = new Client({ connectionString: this.url('postgres', SUPERUSER), ssl: false });
    client.on('error', () => {});
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  }

  private makeCertificate(): void {
    const [certificate, key] = ['server.crt', 'server.key'].map((name) => path.join(this.directory, name));
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
        ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key!, '-out', certificate!],
      ],
      { stdio: 'ignore' },
    );
    this.certificate = path.join(this.directory, 'certificate.pem');
    writeFileSync(this.certificate, readFileSync(certificate!));
  }

  private handOver(...files: string[]): void {
    const { uid, gid } = this.account;
    if (uid === undefined || gid === undefined) return;
    for (const file of files) chownSync(file, uid, gid);
  }
}

/** PostgreSQL refuses to run as root. */
function accountForServer(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((option) => Number(execFileSync('id', [option, name], { stdio: 'pipe' })));
      return { uid: uid!, gid: gid! };
    } catch {
      // The next one.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no account "postgres" or "nobody" to run it under.');
}

/** Nothing of PG… reaches the server or its tools. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG')));
}

async function startPglite({ vector }: ServerOptions): Promise<DatabaseServer> {
  const { PGlite } = await import('@electric-sql/pglite');
  const extensions: Extensions = vector ? { vector: (await import('@electric-sql/pglite-pgvector')).vector } : {};
  const { PGLiteSocketServer } = await import('@electric-sql/pglite-socket');
  const port = await freePort();
  const url = `postgres://postgres:any@127.0.0.1:${port}/postgres`;
  let database = await PGlite.create({ extensions });
  let server = new PGLiteSocketServer({ db: database, host: '127.0.0.1', port, maxConnections: 10 });
  const start = async () => {
    await server.start();
  };
  const stop = async () => {
    await server.stop();
    await database.close();
  };
  await start();
  console.log(
    '      (on PGlite, without PostgreSQL: what takes a second connection, passwords or a server to kill is skipped)',
  );
  return {
    kind: 'pglite',
    port,
    start,
    stop,
    // There is but one database: a new one is a new PGlite.
    createDatabase: async () => {
      await stop();
      database = await PGlite.create({ extensions });
      server = new PGLiteSocketServer({ db: database, host: '127.0.0.1', port, maxConnections: 10 });
      await start();
      return url;
    },
    administer: async (_url, ...statements) => {
      let rows: unknown[] = [];
      for (const statement of statements) rows = (await database.query(statement)).rows;
      return rows;
    },
    crash: () => server.stop(),
  };
}
