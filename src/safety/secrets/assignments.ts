import { sentence } from '../../core/sentence';
import type { Found } from '../searching';
import { entropy, isPlaceholder } from './placeholders';
import { PASSWORD } from './rule';

const KEY = sentence('key or token');

/**
 * Names of secrets. They end with the word (`DB_PASSWORD`), so that `password_hash` and `token_type` are none; `_PASS` and
 * `_PAT` are the end of a longer one.
 */
const NAMES =
  'pass(?:word|wd|phrase|wort)|pwd|kennwort|(?<!must|should|can|will|all|tests?|checks?|specs?|cases?|builds?|render|shader|first|second|third|last|next|final|low|high|depth|function)_pass|(?<=_)pat|secret|(?:api|access|secret|auth|encryption|signing|account|private|master|admin|write)[ _-]?key|secret[_-]?key[_-]?base|client[ _-]?secret|app[_-]?key|token|credentials?';
/** Whose password a `pass` behind it is: `dbPass`. Of others it is what a compiler or a renderer does in turn. */
const WHOSE =
  'db|database|smtp|imap|pop3|e?mail|user|usr|admin|root|sudo|become|guest|s?ftp|ssh|vpn|wifi|wlan|proxy|mysql|mariadb|pg|postgres(?:ql)?|oracle|sql|mongo(?:db)?|redis|rabbit(?:mq)?|amqp|mqtt|kafka|ldap|bind|auth|login|account|service|registry|docker|jenkins|ssl|tls|cert|keystore|truststore|zip|my|old|new';
/** `PASS=`, `DBPASS=`, `db-pass:`: what passes by, or passes a check, has no password. */
const PASS = `(?:${WHOSE})[_-]?pass|(?<![A-Za-z0-9_]|[A-Za-z0-9]-|(?:must|should|can|will|all|tests?|checks?|first|second|third|last|next|render|high|low) )pass`;
/** Longer than nearly all. A bar with a backslash before it is how a table's cell has one. */
const VALUE = '(?:\\\\\\||[^\\s"\'`,;<>()[\\]{}|]){8,256}';
const WHOLE_VALUE = new RegExp(`^${VALUE}$`);
/** As Markdown makes a name stand out, with the colon within or behind. */
const EMPHASIS = '[*_]{1,3}';

/**
 * `password = "…"`, `api_key: …`, `**Password:** …`, `Password is: …`: a name that says secret, and a value that nobody
 * makes up as an example. YAML may have the value on the next line.
 */
const ASSIGNMENT = new RegExp(
  `(?<name>${NAMES}|${PASS})(?=(?<sign>.?))["'\`\\]]{0,2}(?:${EMPHASIS})?(?:\\s(?:is|ist|lautet))?\\s{0,8}(?:=>|:=|=|:)(?:${EMPHASIS}(?=\\s))?\\s{0,8}(?:[>|][-+]?[ \\t]{0,4}\\r?\\n[ \\t]{1,20})?(?<quote>["'\`]?)(?<secret>${VALUE})`,
  'gi',
);
/** `| password | … |`: a row of a table. */
const ROW = new RegExp(
  `\\|[ \\t]{0,20}${EMPHASIS.replace('1', '0')}(?:[\\w-]{1,30}[ \\t]){0,2}(?:[\\w-]{0,30}_)??(?<name>${NAMES})[*_]{0,3}[ \\t]{0,20}\\|[ \\t]{0,20}(?<quote>\`?)(?<secret>${VALUE})(?=\`?[ \\t]{0,80}\\|)`,
  'gi',
);
/** `<password>…</password>`, `<db.apiKey>…</db.apiKey>`. */
const ELEMENT = new RegExp(
  `<(?:[\\w.-]{0,60}[._:-])?(?:[a-z]{1,20})??(?<name>${NAMES}|${PASS})>(?<quote>)\\s{0,8}(?<secret>${VALUE})\\s{0,8}</`,
  'gi',
);
/** `<add key="password" value="…"/>`: what holds settings in XML. */
const SETTING = new RegExp(
  `\\b(?:key|name)\\s{0,3}=\\s{0,3}["'][\\w.:-]{0,60}?(?<name>${NAMES}|${PASS})["']\\s{1,8}value\\s{0,3}=\\s{0,3}(?<quote>["'])(?<secret>[^\\s"'<>]{8,256})`,
  'gi',
);

/** Code in place of a value: `config.token`, `user.password2`. */
const MEMBER = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** An address; a password in it is found as such. */
const ADDRESS = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
/** A path, an address without a password, or a name in words: `./keys/dev.pem`, `https://…`, `my-app-secret-2`. */
const NAMED =
  /^(?:[.~]{0,2}\/|[a-z]+:\/\/|@)|^-{0,2}[A-Za-z]+(?:[-_./:][A-Za-z]+\d{0,3}|[-_./:]\d{1,4})*\d{0,4}(?:\+v?\d{1,3})?$/;
const MODIFIER =
  '(?:ctrl|control|strg|alt|altgr|option|opt|shift|umschalt|cmd|command|meta|super|win|windows|fn|f(?:1\\d|2[0-4]|[1-9]))';
const ONE_KEY =
  '(?:[a-z0-9]|[^\\s\\w]|tab|enter|return|eingabe|esc(?:ape)?|space(?:bar)?|leertaste|backspace|del(?:ete)?|entf|ins(?:ert)?|einfg|home|pos1|end|ende|(?:page|pg)(?:up|down|dn)|(?:arrow)?(?:up|down|left|right)|plus|minus|comma|period|slash|backquote|print(?:screen)?|prtsc|pause|break|menu|caps(?:lock)?|numlock|numpad\\d|click)';
/** Keys that are pressed together, `Ctrl+Shift+F12`; a kind of Kubernetes, `Secret/v1beta1`. */
const NO_VALUE = new RegExp(
  `^(?:${MODIFIER}\\+){1,6}(?:${MODIFIER}|${ONE_KEY})$|^[A-Za-z][A-Za-z.-]{0,100}\\/v\\d{1,2}(?:(?:alpha|beta)\\d{1,2})?$`,
  'i',
);
/** Where to look, `see#Vault-2`, `cf.Vault`: in words, and not in quotes. */
const REFERRED =
  /^(?:(?:[Ss]ee|SEE|[Ss]iehe|[Vv]gl|[Vv]oir)[#:/.-]|[Cc]f\.(?=[A-Za-z]))(?:(?:[A-Z]?[a-z]{1,30}|[A-Z]{1,10})\d{0,4}|\d{1,4})(?:[-_./:#](?:(?:[A-Z]?[a-z]{1,30}|[A-Z]{1,10})\d{0,4}|\d{1,4}))*$/;
/** What hashes begin with; a hash is not what it is of. */
const HASHED = /^(?:\$(?:2[aby]?|argon2\w*|5|6|y|scrypt)\$|sha(?:1|256|384|512)[-:=]|pbkdf2|md5[:=])/i;

/** Bits for each character that a password has at least, and a key. */
const PASSWORD_ENTROPY = 2.7;
const KEY_ENTROPY = 3.2;
const SHORTEST_KEY = 16;
const SHORTEST = 8;

const PASSWORD_FOUND = { kind: PASSWORD, id: 'password' };
const KEY_FOUND = { kind: KEY, id: 'assigned-secret' };

/** All ways in which a name stands beside a value. */
export const ASSIGNMENT_FORMS: readonly RegExp[] = [ASSIGNMENT, ROW, ELEMENT, SETTING];

export function findAssignments(text: string): Found[] {
  const found = ASSIGNMENT_FORMS.flatMap((form) =>
    Array.from(text.matchAll(form), (match) => {
      const { name = '', sign = '', quote = '', secret = '' } = match.groups ?? {};
      const start = match.index + match[0].lastIndexOf(secret);
      if (quote && text[start + secret.length] !== quote) return undefined;
      // With the sign behind it, which tells the environment's from others.
      return secretOf(`${name}${sign}`, secret, start, quote !== '');
    }),
  );
  return found.filter((each) => each !== undefined);
}

/** Whether all of a text has the signs that values have: prose, code and links do not. */
export function isValue(text: string): boolean {
  return WHOLE_VALUE.test(text);
}

/**
 * What a name says of a value that stands beside it; undefined where that is no secret.
 * @param name with the sign behind it where there is one: `TOKEN=`
 */
export function secretOf(name: string, value: string, start: number, isQuoted: boolean): Found | undefined {
  const isPassword = /pass|pwd|kennw/i.test(name);
  const { secret, from, to } = isQuoted
    ? { secret: value, from: 0, to: value.length }
    : withoutMarks(value, isPassword);
  const bare = secret.replace(/^base64:/, '');
  if (secret.length < SHORTEST || isPlaceholder(bare) || HASHED.test(secret) || MEMBER.test(secret)) return undefined;
  if (NO_VALUE.test(secret) || (!isQuoted && REFERRED.test(secret))) return undefined;
  if (isPassed(name, secret, isQuoted)) return undefined;
  if (!(isPassword ? isPassword_(secret, isQuoted) : isKey(bare, name, bare !== secret))) return undefined;
  return { ...(isPassword ? PASSWORD_FOUND : KEY_FOUND), start: start + from, end: start + to };
}

/**
 * What is not quoted, without what ends its sentence or makes it bold, and the place of all that may be of it: where stars
 * stand behind it only, the last one may well be its own.
 */
function withoutMarks(value: string, isPassword: boolean): { secret: string; from: number; to: number } {
  const from = /^\*{1,3}(?=\S*\*[.:!?]*$)/.exec(value)?.[0].length ?? 0;
  // A password may well end with an exclamation mark.
  const secret = value.slice(from).replace(isPassword ? /[.:?*]+$/ : /[.:!?*]+$/, '');
  const end = from + secret.length;
  return { secret, from, to: from > 0 ? end : end + value.slice(end).lastIndexOf('*') + 1 };
}

/** Names of what passes as well as of passwords; in the environment it is a password. */
const MAY_PASS = /^(?:_pass|(?:my|old|new)?[_-]?[Pp]ass|PASS(?!=))\W?$/;
const PATH = /^(?:\.{1,2}|~|[A-Za-z]:)?[/\\][\w.@/\\-]*$|^[\w.@-]+(?:[/\\][\w.@-]+)+\.[A-Za-z]{1,5}$/;

/** What passes may be a file, a count or a step: `./Test1.json`, `Step2Done`. */
function isPassed(name: string, value: string, isQuoted: boolean): boolean {
  if (/^pass\W?$/i.test(name) && (isQuoted ? PATH.test(value) : /[/=+]/.test(value))) return true;
  // Words with one number among them; what chance writes has no long ones.
  if (!MAY_PASS.test(name) || !/^[A-Za-z_./-]+\d+[A-Za-z_./-]*$/.test(value)) return false;
  const words = value.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return words.join('').length >= 3 * words.length;
}

/** Three kinds of characters, a digit among them; of what is not quoted more, because prose is not quoted either. */
function isPassword_(value: string, isQuoted: boolean): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  if (ADDRESS.test(value) || (NAMED.test(value) && value.length < 20)) return false;
  if (!/\d/.test(value)) return isQuoted && kinds >= 3 && value.length >= 12 && entropy(value) >= 3.2;
  return kinds >= (value.length >= 16 ? 2 : 3) && entropy(value) >= PASSWORD_ENTROPY;
}

function isKey(value: string, name: string, isBase64: boolean): boolean {
  if (value.length < SHORTEST_KEY || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  // In lower case it is a pattern.
  if (/^pat/i.test(name) && !name.startsWith('PAT')) return false;
  // Of an application it is its name, unless it says how it is written.
  if (/^app/i.test(name) && !isBase64) return false;
  // Under the name of a token it is an identifier as often as not, but in the environment.
  if (UUID.test(value)) return !/token|credential/i.test(name) || /^(?:TOKEN|CREDENTIALS?)=/.test(name);
  if (NAMED.test(value)) return false;
  return entropy(value) >= (/^[0-9a-f]+$/i.test(value) ? 2.8 : KEY_ENTROPY);
}
