import { sentence } from '../../core/sentence';
import { hasDigit, isLogIn, isMixed, PASSWORD, type Rule, tokenOf } from './rule';

/** What somebody logs in with, told by the header, the command, or the line that it stands in. */
export const LOG_INS: readonly Rule[] = [
  {
    id: 'bearer-token',
    hint: 'Bearer',
    kind: sentence('bearer token'),
    pattern: /\bBearer\s{1,4}(?<secret>[A-Za-z0-9_~+/.-]{24,600}={0,2})(?![\w-])/g,
    isReal: (secret) => hasDigit(secret) && /[A-Za-z]/.test(secret) && /[A-Za-z0-9_-]{20}/.test(secret),
  },
  {
    id: 'basic-auth',
    hint: 'Basic',
    kind: sentence('basic authentication'),
    pattern: /\bAuthorization["']?\s{0,4}[:=,]\s{0,4}["'`]?Basic\s{1,4}(?<secret>[A-Za-z0-9+/]{8,400}={0,2})/gi,
    isReal: isLogIn,
  },
  {
    id: 'basic-auth',
    hint: '"auth"',
    kind: sentence('log-in of a container registry'),
    pattern: /"auth"\s{0,4}:\s{0,4}"(?<secret>[A-Za-z0-9+/]{8,400}={0,2})"/g,
    isReal: isLogIn,
  },
  {
    id: 'password',
    hint: 'machine',
    kind: PASSWORD,
    pattern: /\bmachine\s{1,4}\S{1,200}\s{1,8}login\s{1,4}\S{1,200}\s{1,8}password\s{1,4}(?<secret>\S{6,200})/g,
    isReal: isMixed,
  },
  {
    id: 'password',
    hint: 'sshpass',
    kind: PASSWORD,
    pattern: /\bsshpass\s{1,4}-p\s{0,4}["']?(?<secret>[^\s"']{6,200})/g,
    isReal: isMixed,
  },
  {
    id: 'password',
    hint: 'curl',
    kind: PASSWORD,
    pattern: /\bcurl[^\n]{0,300}?\s(?:-u\s{0,4}|--user[\s=]{1,4})["']?[^\s:"']{1,100}:(?<secret>[^\s"']{6,200})/g,
    isReal: isMixed,
  },
  {
    id: 'password',
    hint: '(?:mysql|mariadb)\\w{0,9}\\s',
    kind: PASSWORD,
    pattern:
      /\b(?:mysql|mariadb)(?:dump|admin|show|import|-\w{1,12})?\s[^\n]{0,200}?(?<=\s)-p(?<quote>["']?)(?<secret>[^\s"'-][^\s"']{5,100})/g,
    isReal: isMixed,
  },
  {
    // Of a registry that needs no name: an old form of what npm keeps.
    id: 'npm-token',
    hint: '_auth\\s{0,4}=',
    kind: tokenOf('npm'),
    pattern: /(?<=^|\n)_auth\s{0,4}=\s{0,4}"?(?<secret>[A-Za-z0-9+/]{16,400}={0,2})/g,
    isReal: (secret) => hasDigit(secret) || isLogIn(secret),
  },
  {
    // What a password is guessed with: a line of `/etc/shadow` or of `.htpasswd`.
    id: 'password-hash',
    hint: ':\\$(?:1|5|6|y|apr1|2[aby])\\$',
    kind: sentence('hash of a password'),
    pattern:
      /(?<=^|[\s"'`])[A-Za-z_][\w.@-]{0,60}:(?<secret>\$(?:1|5|6|apr1)\$(?:rounds=\d{1,9}\$)?[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{22,86}|\$y\$[A-Za-z0-9./$]{50,120}|\$2[aby]\$\d\d\$[A-Za-z0-9./]{53})/g,
  },
];
