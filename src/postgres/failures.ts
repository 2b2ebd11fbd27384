import { isKaizenError, KaizenError } from '../core/errors';
import { type Sentence, sentence } from '../core/sentence';
import type { DatabaseUse } from './model';

const CUT = sentence('the connection was cut');

/** No connection, or one that is no more; asking again later may help. */
const UNREACHABLE = new Map([
  ['ECONNREFUSED', sentence('nothing listens there')],
  ['ECONNRESET', CUT],
  ['EPIPE', CUT],
  ['ENOTFOUND', sentence('there is no host of this name')],
  ['EAI_AGAIN', sentence('the name of the host cannot be looked up')],
  ['EHOSTUNREACH', sentence('there is no way to the host')],
  ['ENETUNREACH', sentence('there is no way to the host')],
  ['ETIMEDOUT', sentence('it did not answer')],
  ['ENOENT', sentence('there is no such socket')],
  ['EACCES', sentence('its socket may not be opened')],
  ['53300', sentence('it has too many connections already')],
  ['57014', sentence('it took too long')],
  ['55P03', sentence('somebody else is writing the same and did not come to an end')],
]);

/** Node's codes for a certificate that does not prove whose server it is. */
const CERTIFICATE =
  /^(CERT_|ERR_TLS_CERT|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(GET|VERIFY|DECRYPT)_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/;

/** What node-postgres says when it gives up itself; the cause is then only that it has cut the connection. */
const GIVEN_UP = /^(Connection terminated due to connection timeout|timeout exceeded|timeout expired)/;

const LONGEST_MESSAGE = 500;

/** The time of a call is over. */
export class Overdue extends Error {
  override readonly name = 'Overdue';
}

/**
 * What went wrong, as an error for a person. The causes of node-postgres are left out: they may hold rows, and what it
 * connects with. `label` names the server without its secret. Codes begin with `registry_`, whatever is kept there: they
 * were first the registry's, and codes never change.
 */
export function databaseError(error: unknown, label: string, use: DatabaseUse): KaizenError {
  if (isKaizenError(error)) return error;
  const { code = '', message: said = '' } = rootOf(error);
  const message = plain(said);
  const server = sentence('The {0} at {1}', use.noun, label);
  const unreachable = (why: Sentence) =>
    new KaizenError(
      'registry_unreachable',
      sentence('{0} cannot be reached: {1}.', server, why),
      sentence('What lies in files works on. Look at host, port and network, and try again.'),
    );
  if (isOverdue(error)) return unreachable(sentence('it did not answer in time'));
  const why = UNREACHABLE.get(code);
  if (why !== undefined) return unreachable(why);
  // 57P04 is a database that was dropped; the others of 57P are a server that stops or starts.
  if (/^(08|57P0[1235])/.test(code)) return unreachable(sentence('the server is stopping, starting or gone'));
  if (code === '28P01' || /password must be|Tenant or user not found/.test(message)) {
    return refused(
      sentence('{0} refused user and password.', server),
      sentence('Check both in the connection string.'),
    );
  }
  if (code.startsWith('28')) return refused(`${server} refused to connect: ${message}.`, 'Ask who runs the server.');
  if (code === '3D000' || code === '57P04') {
    return refused(sentence('{0} has no such database.', server), sentence('Check its name in the connection string.'));
  }
  if (code === '42501') {
    return refused(
      `${server} refused: ${message}.`,
      `The role lacks this right; "${use.roles}" prints what readers and writers are granted.`,
    );
  }
  if (code === '25006') return refused(`${server} is read-only.`, 'Connect to the server that is written to.');
  if (CERTIFICATE.test(code)) return badCertificate(server, message, use);
  if (/does not support SSL|establishing an SSL/.test(message)) {
    return refused(
      `${server} does not speak TLS.`,
      `Switch TLS on in the server. Where the network itself is trusted, say so: sslmode=disable in the connection string and ${use.unverifiedTls}=1.`,
    );
  }
  if (code === '42P01' || code === '3F000') {
    return new KaizenError(
      'registry_not_initialised',
      sentence('{0} has no tables of Kaizen yet.', server),
      initHint(use),
    );
  }
  if (code === '54000') {
    return new KaizenError(
      'invalid_argument',
      sentence('{0} cannot index so many different words: {1}.', server, message),
      use.tooManyWords,
    );
  }
  if (/^(Connection terminated|Client )/.test(message)) return unreachable(CUT);
  return new KaizenError(
    'registry_failed',
    code
      ? sentence('{0} failed: {1} ({2}).', server, message || sentence('no reason was given'), code)
      : sentence('{0} failed: {1}.', server, message || sentence('no reason was given')),
    sentence('Nothing was changed. "{0}" says more about the server.', use.status),
  );
}

export function notInitialised(label: string, schema: number, use: DatabaseUse): KaizenError {
  return new KaizenError(
    'registry_not_initialised',
    sentence('The {0} at {1} has tables of an older version of Kaizen (schema {2}).', use.noun, label, schema),
    initHint(use),
  );
}

export function newer(label: string, schema: number, { noun }: DatabaseUse): KaizenError {
  return new KaizenError(
    'registry_newer',
    sentence('The {0} at {1} was set up by a newer version of Kaizen (schema {2}).', noun, label, schema),
    sentence('Update Kaizen.'),
  );
}

function initHint({ init }: DatabaseUse): Sentence {
  return sentence('Somebody who may create tables runs "{0}" once.', init);
}

function isOverdue(error: unknown): boolean {
  return error instanceof Overdue || (error instanceof Error && GIVEN_UP.test(error.message));
}

function refused(message: Sentence | string, hint: Sentence | string): KaizenError {
  return new KaizenError('registry_refused', message, hint);
}

/** What Node says behind a semicolon is for who starts Node. */
function badCertificate(server: Sentence, message: string, { unverifiedTls }: DatabaseUse): KaizenError {
  return new KaizenError(
    'registry_unverified',
    sentence(
      '{0} shows a certificate that does not prove whose server it is: {1}.',
      server,
      message.split(';')[0] ?? '',
    ),
    sentence(
      'Add sslrootcert=/path/to/ca.pem to the connection string, or say that it need not be proven: by {0}=1, or when you connect in the editor.',
      unverifiedTls,
    ),
  );
}

/** A server may say anything, and people read it at a terminal: one line of it. */
function plain(message: string): string {
  const line = message
    .slice(0, LONGEST_MESSAGE)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return message.length > LONGEST_MESSAGE ? `${line}…` : line;
}

/** Several addresses of one host fail together: the first of them says why. */
function rootOf(error: unknown): { code?: string; message?: string } {
  const root = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  if (!(root instanceof Error)) return { message: String(root) };
  const { code } = root as { code?: unknown };
  const cause = root.cause instanceof Error && typeof code !== 'string' ? rootOf(root.cause) : {};
  return { message: root.message, ...cause, ...(typeof code === 'string' ? { code } : {}) };
}
