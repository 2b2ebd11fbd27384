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
  'pass(?:word|wd|phrase|wort)|pwd|kennwort|(?<=_)pass|(?<=_)pat|secret|(?:api|access|secret|auth|encryption|signing|account|private|master|admin|write)[ _-]?key|secret[_-]?key[_-]?base|client[ _-]?secret|app[_-]?key|token|credentials?';
/** Longer than nearly all. */
const VALUE = '[^\\s"\'`,;<>()[\\]{}|]{8,256}';
/** As Markdown makes a name stand out, with the colon within or behind. */
const EMPHASIS = '[*_]{1,3}';

/**
 * `password = "…"`, `api_key: …`, `**Password:** …`, `Password is: …`: a name that says secret, and a value that nobody
 * makes up as an example. YAML may have the value on the next line.
 */
const ASSIGNMENT = new RegExp(
  `(?<name>${NAMES})(?:["'\`\\]]{1,2}|${EMPHASIS})?(?:\\s(?:is|ist|lautet))?\\s{0,8}(?:=>|:=|=|:)(?:${EMPHASIS}(?=\\s))?\\s{0,8}(?:[>|][-+]?[ \\t]{0,4}\\r?\\n[ \\t]{1,20})?(?<quote>["'\`]?)(?<secret>${VALUE})`,
  'gi',
);
/** `| password | … |`: a row of a table. */
const ROW = new RegExp(
  `\\|[ \\t]{0,20}${EMPHASIS.replace('1', '0')}(?:[\\w-]{1,30}[ \\t]){0,2}(?:[\\w-]{0,30}_)?(?<name>${NAMES})[*_]{0,3}[ \\t]{0,20}\\|[ \\t]{0,20}(?<quote>\`?)(?<secret>${VALUE})(?=\`?[ \\t]{0,80}\\|)`,
  'gi',
);
/** `<password>…</password>`, `<db.apiKey>…</db.apiKey>`. */
const ELEMENT = new RegExp(
  `<(?:[\\w.-]{0,60}[._:-])?(?:[a-z]{1,20})??(?<name>${NAMES})>(?<quote>)\\s{0,8}(?<secret>${VALUE})\\s{0,8}</`,
  'gi',
);

/** Code in place of a value: `config.token`, `user.password2`. */
const MEMBER = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** An address; a password in it is found as such. */
const ADDRESS = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
/** A path, an address without a password, or a name in words: `./keys/dev.pem`, `https://…`, `my-app-secret-2`. */
const NAMED = /^(?:[.~]{0,2}\/|[a-z]+:\/\/|@)|^-{0,2}[A-Za-z]+(?:[-_./:+][A-Za-z]+\d{0,3}|[-_./:]\d{1,4})*\d{0,4}$/;
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
export const ASSIGNMENT_FORMS: readonly RegExp[] = [ASSIGNMENT, ROW, ELEMENT];

export function findAssignments(text: string): Found[] {
  const found = ASSIGNMENT_FORMS.flatMap((form) =>
    Array.from(text.matchAll(form), (match) => {
      const { name = '', quote = '', secret = '' } = match.groups ?? {};
      const start = match.index + match[0].lastIndexOf(secret);
      if (quote && text[start + secret.length] !== quote) return undefined;
      // With the sign behind it, which tells the environment's from others.
      return secretOf(`${name}${match[0][name.length] ?? ''}`, secret, start, quote !== '');
    }),
  );
  return found.filter((each) => each !== undefined);
}

/**
 * What a name says of a value that stands beside it; undefined where that is no secret.
 * @param name with the sign behind it where there is one: `TOKEN=`
 */
export function secretOf(name: string, value: string, start: number, isQuoted: boolean): Found | undefined {
  const isPassword = /^(?:pass|pwd|kennwort)/i.test(name);
  // What ends a sentence is none of it; a password may well end with an exclamation mark.
  const secret = isQuoted ? value : value.replace(isPassword ? /[.:?*]+$/ : /[.:!?*]+$/, '');
  const bare = secret.replace(/^base64:/, '');
  if (secret.length < SHORTEST || isPlaceholder(bare) || HASHED.test(secret) || MEMBER.test(secret)) return undefined;
  if (!(isPassword ? isPassword_(secret, isQuoted) : isKey(bare, name, bare !== secret))) return undefined;
  return { ...(isPassword ? PASSWORD_FOUND : KEY_FOUND), start, end: start + secret.length };
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
