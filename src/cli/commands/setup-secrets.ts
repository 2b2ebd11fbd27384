import { findSecrets, withoutSecrets } from '../../safety';

/** What a name of a secret ends with; `PWD` and `OLDPWD` are folders. */
const NAME = String.raw`(?!(?:OLD)?PWD["=])[\w.-]{0,100}(?:PASSWORD|PASSWD|PWD|PASSPHRASE|TOKEN|SECRET|(?:API|ACCESS|PRIVATE|SECRET)[_-]?KEY|_KEY|_PAT)`;
const VALUE = String.raw`((?:[^"\\\n]|\\.)+)(?=")`;
const FLAG = String.raw`--[\w-]*(?:password|passwd|pwd|passphrase|token|key|secret|-pat)`;
/**
 * Values of a configuration that are secret by what they are called, in JSON or a difference of it: of a name such as
 * `DB_PASSWORD`, also as `DB_PASSWORD=…`, and the word behind a flag such as `--api-key`.
 */
const NAMED = [String.raw`"${NAME}"\s*:\s*"`, `"${NAME}=`, String.raw`"${FLAG}",[\s+-]*"`, `"${FLAG}=`].map(
  (before) => new RegExp(`(${before})${VALUE}`, 'gi'),
);

/** A text without the secrets that are found in it, and without what is one by its name. */
export async function withoutNamedSecrets(text: string): Promise<string> {
  const found = withoutSecrets(text, await findSecrets(text));
  // What was found keeps the kind that it is told with; a variable names where the secret is, and is none.
  const redacted = (whole: string, name: string, value: string) =>
    /^(?:\[redacted: |\$\{[^}]+\}$)/.test(value) ? whole : `${name}[redacted: by its name]`;
  return NAMED.reduce((rest, pattern) => rest.replace(pattern, redacted), found);
}
