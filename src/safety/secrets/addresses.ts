import { type Sentence, sentence } from '../../core/sentence';
import type { Found } from '../searching';
import { isPlaceholder } from './placeholders';

/** Passwords in addresses: `postgres://user:password@host`, `https://user:token@host`, `Server=…;Password=…`. */

/** `scheme://user:password@host`; the user may be missing, as Redis has it. The password is what is secret. */
const URL_PASSWORD =
  /(?<![A-Za-z0-9])(?<scheme>[a-z][a-z0-9+.-]{1,24}):\/\/[^\s:/@"'`<>{}$]{0,100}:(?<secret>[^\s/@"'`]{3,200})@(?<host>[A-Za-z0-9[][A-Za-z0-9.:_[\]-]{0,200})/gi;

/** `;Password=…;` as ADO.NET, ODBC and JDBC write it; after a server or a data source, on the same line. */
const KEYED_PASSWORD =
  /\b(?:Server|Data Source|Host|AccountEndpoint|Driver|jdbc:[a-z]{2,20}):?[^\n"'`]{1,300}?[;?&,]\s{0,3}(?:Password|Pwd)\s{0,3}=\s{0,3}(?<secret>[^;&"'`\s]{3,200})/gi;

const WEB = /^(?:https?|ftps?|sftp|ssh|git|svn|wss?)(?:\+\w+)?$/i;

/** What stands for a password in examples, and in the databases that only a developer's machine has. */
const NO_PASSWORD = new Set(
  'password passwd pass pwd secret postgres mysql root admin user username guest test mongo mongodb redis rabbitmq example changeme dev development local docker minio sa token pw passwort geheim kennwort'.split(
    ' ',
  ),
);

const CONNECTION_STRING = { kind: sentence('password in a connection string'), id: 'connection-string' };

export function findInAddresses(text: string): Found[] {
  const found: Found[] = [];
  const add = (match: RegExpMatchArray, name: { kind: Sentence; id: string }) => {
    const secret = match.groups?.secret ?? '';
    if (NO_PASSWORD.has(secret.toLowerCase()) || isPlaceholder(secret) || new Set(secret).size < 3) return;
    // What stands for its host only: `user:pass@example.com` shows a form.
    if (/(?:^|\.)example(?:\.(?:com|org|net|invalid))?(?::\d+)?$/i.test(match.groups?.host ?? '')) return;
    const start = (match.index ?? 0) + match[0].indexOf(secret, match[0].search(/[:=]/) + 1);
    found.push({ ...name, start, end: start + secret.length });
  };
  for (const match of text.matchAll(URL_PASSWORD)) {
    const isWeb = WEB.test(match.groups?.scheme ?? '');
    add(match, isWeb ? { kind: sentence('password in an address'), id: 'url-password' } : CONNECTION_STRING);
  }
  for (const match of text.matchAll(KEYED_PASSWORD)) {
    add(match, CONNECTION_STRING);
  }
  return found;
}
