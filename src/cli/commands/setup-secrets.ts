import { findSecrets, withoutSecrets } from '../../safety';

/**
 * Values of a configuration that are secret by what they are called, in JSON or a difference of it: of a name such as
 * `DB_PASSWORD`, and the word behind a flag such as `--api-key`.
 */
const NAMED = [
  /("(?:\w*_(?:PASSWORD|PASSWD|TOKEN|KEY|SECRET)|PASSWORD|TOKEN|SECRET)"\s*:\s*")((?:[^"\\\n]|\\.)+)(?=")/gi,
  /("--[\w-]*(?:password|token|key|secret)",[\s+-]*")((?:[^"\\\n]|\\.)+)(?=")/gi,
  /("--[\w-]*(?:password|token|key|secret)=)((?:[^"\\\n]|\\.)+)(?=")/gi,
];

/** A text without the secrets that are found in it, and without what is one by its name. */
export async function withoutNamedSecrets(text: string): Promise<string> {
  const found = withoutSecrets(text, await findSecrets(text));
  // What was found keeps the kind that it is told with; a variable names where the secret is, and is none.
  const redacted = (whole: string, name: string, value: string) =>
    /^(?:\[redacted: |\$\{[^}]+\}$)/.test(value) ? whole : `${name}[redacted: by its name]`;
  return NAMED.reduce((rest, pattern) => rest.replace(pattern, redacted), found);
}
