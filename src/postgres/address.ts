import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { KaizenError } from '../core/errors';
import { type Sentence, sentence } from '../core/sentence';
import type { DatabaseOptions, DatabaseUse } from './model';

/** Where a database is and how it is spoken to. The password stays inside. */
export interface Address {
  /** A name, an IP address, or the folder of a unix socket, which begins with `/`. */
  host: string;
  port: number;
  user: string | undefined;
  database: string | undefined;
  /** libpq's `options`, which some poolers take their routing from. */
  parameters: string | undefined;
  tls: 'verified' | 'unverified' | 'none';
  /** `host:port/database as user`. */
  readonly label: string;
  password(): string | undefined;
  /** Reads the certificates that the connection string names. Throws `registry_refused`. */
  tlsOptions(): Promise<ConnectionOptions | false>;
}

const EXAMPLE = 'postgres://user:password@host:5432/database';
const FORM = sentence('It looks like this: {0}', EXAMPLE);
/** What libpq knows; whatever else a provider's string says (`pgbouncer=true`) is passed over. */
const TLS_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/**
 * Reads a connection string without node-postgres's own reading of it, by which `sslmode` in the string wins over what
 * the program asks for and a wrong string ends up in the error. TLS is verified unless the host is this machine;
 * `sslmode=require` and its like do not weaken that, only the person's word does. Throws `invalid_argument`, which
 * never holds any part of the string.
 */
export function readAddress({ url, allowUnverifiedTls = false }: DatabaseOptions, use: DatabaseUse): Address {
  const { host, port, user, password, database, query } = partsOf(url, use);
  const mode = query.get('sslmode') ?? undefined;
  if (mode !== undefined && !TLS_MODES.includes(mode)) {
    throw wrong(use, sentence('there is no such sslmode.'), sentence('One of {0}.', TLS_MODES.join(', ')));
  }
  const name = `${host.startsWith('/') || !host.includes(':') ? host : `[${host}]`}:${port}`;
  return {
    host,
    port,
    user,
    database,
    parameters: query.get('options') ?? undefined,
    tls: tlsOf(host, mode, allowUnverifiedTls, use),
    label: `${name}/${database ?? ''}${user === undefined ? '' : ` as ${user}`}`,
    password: () => password,
    async tlsOptions() {
      if (this.tls === 'none') return false;
      const file = async (parameter: string) => {
        const path = query.get(parameter);
        return path && path !== 'system' ? readCertificate(parameter, path, use) : undefined;
      };
      const [ca, cert, key] = [await file('sslrootcert'), await file('sslcert'), await file('sslkey')];
      return {
        rejectUnauthorized: this.tls === 'verified',
        ...(ca ? { ca } : {}),
        ...(cert ? { cert } : {}),
        ...(key ? { key } : {}),
      };
    },
  };
}

function wrong({ noun }: DatabaseUse, why: Sentence, hint: Sentence): KaizenError {
  const message = sentence('The connection string of the {0} cannot be used: {1}', noun, why);
  return new KaizenError('invalid_argument', message, hint);
}

function partsOf(url: string, use: DatabaseUse) {
  if (!/^postgres(ql)?:\/\//i.test(url)) {
    throw wrong(use, sentence('it does not begin with postgres://.'), FORM);
  }
  let parsed: URL;
  let unwritten: (part: string) => string | undefined;
  try {
    // An empty host is libpq's way to a unix socket; the URL standard knows none.
    parsed = new URL(url.trim().replace(/^(\w+:\/\/(?:[^/?#]*@)?)(?=[/?#]|$)/, '$1_none_'));
    unwritten = (part) => (part === '' ? undefined : decodeURIComponent(part));
    for (const part of [parsed.username, parsed.password, parsed.hostname, parsed.pathname]) decodeURIComponent(part);
    if (isCutShort(parsed)) throw new Error('The password goes on behind the host.');
  } catch {
    // The error of `new URL` and of decoding hold the string.
    const hint = sentence(
      'It looks like this: {0}. Signs like @ : / ? # % in the password are written %40 %3A %2F %3F %23 %25.',
      EXAMPLE,
    );
    throw wrong(use, sentence('it cannot be read.'), hint);
  }
  const query = parsed.searchParams;
  const named = parsed.hostname === '_none_' ? undefined : unwritten(parsed.hostname)?.replace(/^\[(.*)\]$/, '$1');
  const host = query.get('host') ?? named ?? '/var/run/postgresql';
  const port = Number(query.get('port') || parsed.port || 5432);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw wrong(use, sentence('the port is no number from 1 to 65535.'), FORM);
  }
  if (host.includes(',')) {
    throw wrong(use, sentence('it names several hosts.'), sentence('Name the one that is written to.'));
  }
  return {
    host,
    port,
    user: query.get('user') ?? unwritten(parsed.username),
    password: query.get('password') ?? unwritten(parsed.password),
    database: unwritten(parsed.pathname.slice(1)),
    query,
  };
}

/**
 * A `/`, `?` or `#` that stands in a password as it is ends the address there: the beginning of the password would be
 * taken for the host, and be shown with it, and the rest for the database, the query or a fragment.
 */
function isCutShort({ pathname, searchParams, hash }: URL): boolean {
  return /[/@]/.test(pathname.slice(1)) || hash !== '' || [...searchParams.keys()].some((name) => name.includes('@'));
}

function tlsOf(host: string, mode: string | undefined, allowUnverified: boolean, use: DatabaseUse): Address['tls'] {
  if (isThisMachine(host)) {
    if (mode === 'verify-full' || mode === 'verify-ca') return allowUnverified ? 'unverified' : 'verified';
    return mode === 'require' || mode === 'no-verify' ? 'unverified' : 'none';
  }
  if (mode !== 'disable') return allowUnverified ? 'unverified' : 'verified';
  if (allowUnverified) return 'none';
  throw wrong(
    use,
    sentence('it asks for a connection to another machine without TLS.'),
    sentence('Take sslmode=disable away. Where the network itself is trusted, say so: {0}=1.', use.unverifiedTls),
  );
}

function isThisMachine(host: string): boolean {
  return (
    host.startsWith('/') ||
    host.toLowerCase() === 'localhost' ||
    host === '::1' ||
    (isIPv4(host) && host.startsWith('127.'))
  );
}

async function readCertificate(parameter: string, path: string, { noun }: DatabaseUse): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new KaizenError(
      'registry_refused',
      sentence("The file that {0} names in the {1}'s connection string cannot be read: {2}.", parameter, noun, path),
      sentence('Name a file in PEM format by its absolute path.'),
      { cause: error },
    );
  }
}
