import { sentence } from '../../core/sentence';
import type { Found } from '../searching';
import { entropy, isPlaceholder } from './placeholders';
import { PASSWORD } from './rules';

const KEY = sentence('key or token');

/**
 * `password = "…"`, `api_key: …`: a name that says secret, and a value that nobody makes up as an example. Names end
 * with the word (`DB_PASSWORD`), so that `password_hash` and `token_type` are none.
 */
const ASSIGNMENT =
  /(?<name>pass(?:word|wd|phrase|wort)|pwd|kennwort|secret|api[_-]?key|access[_-]?key|secret[_-]?key(?:[_-]?base)?|auth[_-]?key|encryption[_-]?key|signing[_-]?key|account[_-]?key|private[_-]?key|client[_-]?secret|token|credentials?)["'`\]]{0,2}\s{0,8}(?:=>|:=|=|:)\s{0,8}(?<quote>["'`]?)(?<secret>[^\s"'`,;<>()[\]{}|]{8,256})/gi;

/** Code in place of a value: `config.token`, `user.password2`. */
const MEMBER = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** An address; a password in it is found as such. */
const ADDRESS = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
/** A path, an address without a password, or a name in words: `./keys/dev.pem`, `https://…`, `my-app-secret-2`. */
const NAMED = /^(?:[.~]{0,2}\/|[a-z]+:\/\/|@)|^[A-Za-z]+(?:[-_./:][A-Za-z]+\d{0,3}|[-_./:]\d{1,4})*\d{0,4}$/;
/** What hashes begin with; a hash is not what it is of. */
const HASHED = /^(?:\$(?:2[aby]?|argon2\w*|5|6|y|scrypt)\$|sha(?:1|256|384|512)[-:=]|pbkdf2|md5[:=])/i;

/** Bits for each character that a password has at least, and a key. */
const PASSWORD_ENTROPY = 2.7;
const KEY_ENTROPY = 3.2;
const SHORTEST_KEY = 16;

export function findAssignments(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(ASSIGNMENT)) {
    const { name = '', quote = '' } = match.groups ?? {};
    const secret = (match.groups?.secret ?? '').replace(/[.:!?]+$/, quote ? '$&' : '');
    if (quote && text[match.index + match[0].length] !== quote) continue;
    const isPassword = /^(?:pass|pwd|kennwort)/i.test(name);
    if (isPlaceholder(secret) || HASHED.test(secret) || MEMBER.test(secret)) continue;
    if (!(isPassword ? isPassword_(secret, quote !== '') : isKey(secret, name))) continue;
    const start = match.index + match[0].length - (match.groups?.secret ?? '').length;
    found.push({
      ...(isPassword ? { kind: PASSWORD, id: 'password' } : { kind: KEY, id: 'assigned-secret' }),
      start,
      end: start + secret.length,
    });
  }
  return found;
}

/** Three kinds of characters, a digit among them; of what is not quoted more, because prose is not quoted either. */
function isPassword_(value: string, isQuoted: boolean): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  if (ADDRESS.test(value) || (NAMED.test(value) && value.length < 20)) return false;
  if (!/\d/.test(value)) return isQuoted && kinds >= 3 && value.length >= 12 && entropy(value) >= 3.2;
  return kinds >= (value.length >= 16 ? 2 : 3) && entropy(value) >= PASSWORD_ENTROPY;
}

function isKey(value: string, name: string): boolean {
  if (value.length < SHORTEST_KEY || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  // Under the name of a token it is an identifier as often as not.
  if (UUID.test(value)) return !/token|credential/i.test(name);
  if (NAMED.test(value)) return false;
  return entropy(value) >= (/^[0-9a-f]+$/i.test(value) ? 2.8 : KEY_ENTROPY);
}
