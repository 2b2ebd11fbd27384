import { isPlaceholder } from './placeholders';

/** A form that secrets of one kind have. */
export interface Rule {
  /** For a person: `GitLab token`. */
  kind: string;
  id: string;
  /** Global. What is secret is group `secret` where there is one, else all of it. Repetitions are bounded. */
  pattern: RegExp;
  /** Whether what was found is one. Placeholders are told before. */
  isReal?: (secret: string) => boolean;
}

/** One of what was found, in the text that it was found in. */
export interface Found {
  kind: string;
  id: string;
  start: number;
  end: number;
}

/** Not within a longer word: what stands before a token. */
const START = '(?<![A-Za-z0-9_-])';
const END = '(?![A-Za-z0-9_-])';

function token(form: string): RegExp {
  return new RegExp(`${START}(?:${form})${END}`, 'g');
}

const hasDigit = (secret: string) => /\d/.test(secret);

/**
 * Tokens that say by their form what they are: what the preset of secretlint does not have, or has in fewer forms. The
 * forms are those that their issuers document or announce for secret scanning.
 */
export const TOKEN_RULES: readonly Rule[] = [
  { id: 'aws-access-key', kind: 'AWS access key', pattern: token('(?:AKIA|ASIA)[A-Z2-7]{16}') },
  {
    id: 'aws-secret-key',
    kind: 'AWS secret key',
    pattern:
      /(?:aws.{0,20}?(?:secret|sk)|secret_?access_?key|SecretAccessKey)[^\n]{0,20}?[=:]\s{0,4}["'`]?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    isReal: (secret) => /[A-Z]/.test(secret) && /[a-z]/.test(secret) && hasDigit(secret),
  },
  {
    id: 'github-token',
    kind: 'GitHub token',
    pattern: token('gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}'),
  },
  {
    id: 'gitlab-token',
    kind: 'GitLab token',
    pattern: token('gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt|oas)-[A-Za-z0-9_-]{20,64}'),
    isReal: hasDigit,
  },
  {
    id: 'slack-token',
    kind: 'Slack token',
    pattern: token(
      'xox[abeoprs](?:\\.xox[bp])?-(?:\\d-)?[A-Za-z0-9-]{20,200}|xapp-\\d-[A-Z0-9]{8,16}-\\d{8,16}-[a-f0-9]{32,80}',
    ),
    isReal: (secret) => (secret.match(/\d/g)?.length ?? 0) >= 8,
  },
  {
    id: 'slack-webhook',
    kind: 'Slack webhook',
    pattern:
      /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/(?<secret>[TB][A-Z0-9]{6,14}\/[A-Z0-9]{6,24}\/[A-Za-z0-9]{20,40})/g,
  },
  { id: 'npm-token', kind: 'npm token', pattern: token('npm_[A-Za-z0-9]{36}') },
  {
    id: 'npm-token',
    kind: 'npm token',
    pattern: /:_(?:authToken|password|auth)\s{0,4}=\s{0,4}"?(?<secret>[A-Za-z0-9+/=_-]{20,200})/g,
    isReal: hasDigit,
  },
  { id: 'pypi-token', kind: 'PyPI token', pattern: token('pypi-AgE[A-Za-z0-9_-]{50,500}') },
  { id: 'stripe-key', kind: 'Stripe key', pattern: token('[sr]k_(?:live|test)_[A-Za-z0-9]{16,247}'), isReal: hasDigit },
  {
    id: 'stripe-webhook-secret',
    kind: 'Stripe webhook secret',
    pattern: token('whsec_[A-Za-z0-9+/]{24,64}'),
    isReal: hasDigit,
  },
  { id: 'google-api-key', kind: 'Google API key', pattern: token('AIza[A-Za-z0-9_-]{35}') },
  { id: 'google-oauth-secret', kind: 'Google client secret', pattern: token('GOCSPX-[A-Za-z0-9_-]{28}') },
  { id: 'google-oauth-token', kind: 'Google access token', pattern: token('ya29\\.[A-Za-z0-9_-]{40,400}') },
  {
    id: 'azure-storage-key',
    kind: 'Azure storage key',
    pattern: /\bAccountKey\s{0,4}=\s{0,4}(?<secret>[A-Za-z0-9+/]{86}==)/g,
  },
  {
    id: 'azure-shared-access-key',
    kind: 'Azure shared access key',
    pattern: /\bSharedAccessKey\s{0,4}=\s{0,4}(?<secret>[A-Za-z0-9+/]{43}=)/g,
  },
  {
    id: 'azure-sas',
    kind: 'Azure shared access signature',
    pattern: /[?&]sv=\d{4}-[^\s"'<>]{1,400}?[?&]sig=(?<secret>[A-Za-z0-9%/+]{40,120}(?:=|%3D))/gi,
  },
  {
    id: 'azure-client-secret',
    kind: 'Azure client secret',
    pattern: /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/g,
  },
  {
    id: 'openai-key',
    kind: 'OpenAI key',
    pattern: token('sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200}|sk-[A-Za-z0-9]{48}'),
    isReal: hasDigit,
  },
  {
    id: 'anthropic-key',
    kind: 'Anthropic key',
    pattern: token('sk-ant-(?:api|admin|oat|ort|sid)\\d\\d-[A-Za-z0-9_-]{60,140}'),
  },
  { id: 'hugging-face-token', kind: 'Hugging Face token', pattern: token('hf_[A-Za-z]{34}') },
  { id: 'sendgrid-key', kind: 'SendGrid key', pattern: token('SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}') },
  { id: 'twilio-key', kind: 'Twilio key', pattern: token('SK[0-9a-f]{32}') },
  { id: 'digitalocean-token', kind: 'DigitalOcean token', pattern: token('do[opr]_v1_[a-f0-9]{64}') },
  { id: 'docker-token', kind: 'Docker token', pattern: token('dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,40}') },
  { id: 'databricks-token', kind: 'Databricks token', pattern: token('dapi[a-f0-9]{32}(?:-\\d)?') },
  { id: 'vault-token', kind: 'Vault token', pattern: token('hv[sbr]\\.[A-Za-z0-9_-]{24,300}'), isReal: hasDigit },
  { id: 'atlassian-token', kind: 'Atlassian token', pattern: token('ATATT3[A-Za-z0-9_=-]{60,300}') },
  { id: 'telegram-token', kind: 'Telegram bot token', pattern: token('\\d{8,10}:AA[A-Za-z0-9_-]{33}') },
  { id: 'age-key', kind: 'age secret key', pattern: token('AGE-SECRET-KEY-1[A-Z0-9]{58}') },
  {
    // Without its signature a JSON web token opens nothing, and its parts are public by design (RFC 7519, RFC 7515).
    id: 'jwt',
    kind: 'JSON web token',
    pattern: token('eyJ[A-Za-z0-9_-]{8,2000}\\.eyJ[A-Za-z0-9_-]{8,6000}\\.(?<secret>[A-Za-z0-9_-]{20,700})'),
  },
  {
    id: 'bearer-token',
    kind: 'bearer token',
    pattern: /\bBearer\s{1,4}(?<secret>[A-Za-z0-9_~+/.-]{24,600}={0,2})(?![\w-])/g,
    isReal: (secret) => hasDigit(secret) && /[A-Za-z]/.test(secret) && /[A-Za-z0-9_-]{20}/.test(secret),
  },
  {
    id: 'basic-auth',
    kind: 'basic authentication',
    pattern: /\bAuthorization["']?\s{0,4}[:=,]\s{0,4}["'`]?Basic\s{1,4}(?<secret>[A-Za-z0-9+/]{8,400}={0,2})/gi,
    isReal: (secret) => {
      const [, password] = Buffer.from(secret, 'base64').toString('latin1').split(':');
      return password !== undefined && password.length >= 4 && !isPlaceholder(password);
    },
  },
];

/** All that a rule finds in a text. */
export function findByRule({ kind, id, pattern, isReal }: Rule, text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(pattern)) {
    const secret = match.groups?.secret ?? match[0];
    if (isPlaceholder(secret) || isReal?.(secret) === false) continue;
    const start = match.index + match[0].lastIndexOf(secret);
    found.push({ kind, id, start, end: start + secret.length });
  }
  return found;
}
