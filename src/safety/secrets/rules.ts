import { type Sentence, sentence } from '../../core/sentence';
import type { Found } from '../searching';
import { entropy, isPlaceholder } from './placeholders';

/** A form that secrets of one kind have. */
export interface Rule {
  /** For a person: `GitLab token`. */
  kind: Sentence;
  id: string;
  /** What every text has in which there is one: without it the pattern is not tried. Upper and lower case are one. */
  hint: string;
  /**
   * Global. What is secret is group `secret` where there is one, else all of it; what of it chance writes is group
   * `random` where the rest is the same each time. Repetitions are bounded.
   */
  pattern: RegExp;
  /** Whether what was found is one. Placeholders are told before. */
  isReal?: (secret: string) => boolean;
}

/** What its issuer gives out; told apart by who that is. */
export const tokenOf = (issuer: string) => sentence('{0} token', issuer);
export const keyOf = (issuer: string) => sentence('{0} key', issuer);
export const PASSWORD = sentence('password');

/** Not within a longer word: what stands before a token. */
const START = '(?<![A-Za-z0-9_-])';
const END = '(?![A-Za-z0-9_-])';

function token(form: string): RegExp {
  return new RegExp(`${START}(?:${form})${END}`, 'g');
}

const hasDigit = (secret: string) => /\d/.test(secret);
/** A password that stands in a command: letters and a digit, as examples seldom have. */
const isMixed = (secret: string) => hasDigit(secret) && /[A-Za-z]/.test(secret) && entropy(secret) >= 2.5;
/** `user:password` in base64. */
const isLogIn = (secret: string) => {
  const [, password] = Buffer.from(secret, 'base64').toString('latin1').split(':');
  return password !== undefined && password.length >= 4 && !isPlaceholder(password);
};

/** What begins in several ways, or is told by what stands before it. */
const OTHERS: readonly Rule[] = [
  {
    id: 'aws-access-key',
    hint: 'AKIA|ASIA',
    kind: sentence('{0} access key', 'AWS'),
    pattern: token('(?:AKIA|ASIA)[A-Z2-7]{16}'),
  },
  {
    id: 'aws-secret-key',
    hint: 'aws|secret_?access',
    kind: sentence('{0} secret key', 'AWS'),
    pattern:
      /(?:aws.{0,20}?(?:secret|sk)|secret_?access_?key|SecretAccessKey)[^\n]{0,20}?[=:]\s{0,4}["'`]?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    isReal: (secret) => /[A-Z]/.test(secret) && /[a-z]/.test(secret) && hasDigit(secret),
  },
  {
    id: 'github-token',
    hint: 'gh[pousr]_|github_pat_',
    kind: tokenOf('GitHub'),
    pattern: token('gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}'),
  },
  {
    id: 'gitlab-token',
    hint: 'gl[a-z]{2,5}-',
    kind: tokenOf('GitLab'),
    pattern: token('gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt|oas)-[A-Za-z0-9_-]{20,64}'),
    isReal: hasDigit,
  },
  {
    id: 'slack-token',
    hint: 'xox|xapp-',
    kind: tokenOf('Slack'),
    pattern: token(
      'xox[abeoprs](?:\\.xox[bp])?-(?:\\d-)?[A-Za-z0-9-]{20,200}|xapp-\\d-[A-Z0-9]{8,16}-\\d{8,16}-[a-f0-9]{32,80}',
    ),
    isReal: (secret) => (secret.match(/\d/g)?.length ?? 0) >= 8,
  },
  {
    id: 'slack-webhook',
    hint: 'hooks\\.slack',
    kind: sentence('{0} webhook', 'Slack'),
    pattern:
      /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/(?<secret>[TB][A-Z0-9]{6,14}\/[A-Z0-9]{6,24}\/[A-Za-z0-9]{20,40})/g,
  },
  { id: 'npm-token', hint: 'npm_', kind: tokenOf('npm'), pattern: token('npm_[A-Za-z0-9]{36}') },
  {
    id: 'npm-token',
    hint: ':_(?:auth|password)',
    kind: tokenOf('npm'),
    pattern: /:_(?:authToken|password|auth)\s{0,4}=\s{0,4}"?(?<secret>[A-Za-z0-9+/=_-]{20,200})/g,
    isReal: hasDigit,
  },
  { id: 'pypi-token', hint: 'pypi-', kind: tokenOf('PyPI'), pattern: token('pypi-AgE[A-Za-z0-9_-]{50,500}') },
  {
    id: 'stripe-key',
    hint: '[sr]k_(?:live|test)',
    kind: keyOf('Stripe'),
    pattern: token('[sr]k_(?:live|test)_(?<random>[A-Za-z0-9]{16,247})'),
    isReal: hasDigit,
  },
  {
    id: 'stripe-webhook-secret',
    hint: 'whsec_',
    kind: sentence('{0} webhook secret', 'Stripe'),
    pattern: token('whsec_[A-Za-z0-9+/]{24,64}'),
    isReal: hasDigit,
  },
  {
    id: 'google-api-key',
    hint: 'AIza',
    kind: sentence('{0} API key', 'Google'),
    pattern: token('AIza[A-Za-z0-9_-]{35}'),
  },
  {
    id: 'google-oauth-secret',
    hint: 'GOCSPX',
    kind: sentence('{0} client secret', 'Google'),
    pattern: token('GOCSPX-[A-Za-z0-9_-]{28}'),
  },
  {
    id: 'google-oauth-token',
    hint: 'ya29\\.',
    kind: sentence('{0} access token', 'Google'),
    pattern: token('ya29\\.[A-Za-z0-9_-]{40,400}'),
  },
  {
    id: 'azure-storage-key',
    hint: 'AccountKey',
    kind: sentence('{0} storage key', 'Azure'),
    pattern: /\bAccountKey\s{0,4}=\s{0,4}(?<secret>[A-Za-z0-9+/]{86}==)/g,
  },
  {
    id: 'azure-shared-access-key',
    hint: 'SharedAccessKey',
    kind: sentence('{0} shared access key', 'Azure'),
    pattern: /\bSharedAccessKey\s{0,4}=\s{0,4}(?<secret>[A-Za-z0-9+/]{43}=)/g,
  },
  {
    id: 'azure-sas',
    hint: 'sig=',
    kind: sentence('{0} shared access signature', 'Azure'),
    pattern: /[?&]sv=\d{4}-[^\s"'<>]{1,400}?[?&]sig=(?<secret>[A-Za-z0-9%/+]{40,120}(?:=|%3D))/gi,
  },
  {
    id: 'azure-client-secret',
    hint: '\\dQ~',
    kind: sentence('{0} client secret', 'Azure'),
    pattern: /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/g,
  },
  {
    id: 'openai-key',
    hint: 'sk-',
    kind: keyOf('OpenAI'),
    pattern: token('sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200}|sk-[A-Za-z0-9]{48}'),
    isReal: hasDigit,
  },
  {
    id: 'anthropic-key',
    hint: 'sk-ant-',
    kind: keyOf('Anthropic'),
    pattern: token('sk-ant-(?:api|admin|oat|ort|sid)\\d\\d-[A-Za-z0-9_-]{60,140}'),
  },
  { id: 'hugging-face-token', hint: 'hf_', kind: sentence('Hugging Face token'), pattern: token('hf_[A-Za-z]{34}') },
  {
    id: 'sendgrid-key',
    hint: 'SG\\.',
    kind: keyOf('SendGrid'),
    pattern: token('SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'),
  },
  { id: 'twilio-key', hint: 'SK[0-9a-f]{8}', kind: keyOf('Twilio'), pattern: token('SK[0-9a-f]{32}') },
  {
    id: 'digitalocean-token',
    hint: 'do[opr]_v1_',
    kind: tokenOf('DigitalOcean'),
    pattern: token('do[opr]_v1_[a-f0-9]{64}'),
  },
  {
    id: 'docker-token',
    hint: 'dckr_',
    kind: tokenOf('Docker'),
    pattern: token('dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,40}'),
  },
  { id: 'databricks-token', hint: 'dapi', kind: tokenOf('Databricks'), pattern: token('dapi[a-f0-9]{32}(?:-\\d)?') },
  {
    id: 'vault-token',
    hint: 'hv[sbr]\\.',
    kind: tokenOf('Vault'),
    pattern: token('hv[sbr]\\.[A-Za-z0-9_-]{24,300}'),
    isReal: hasDigit,
  },
  { id: 'atlassian-token', hint: 'ATATT3', kind: tokenOf('Atlassian'), pattern: token('ATATT3[A-Za-z0-9_=-]{60,300}') },
  {
    id: 'telegram-token',
    hint: ':AA',
    kind: sentence('{0} bot token', 'Telegram'),
    pattern: token('\\d{8,10}:AA[A-Za-z0-9_-]{33}'),
  },
  {
    id: 'age-key',
    hint: 'AGE-SECRET',
    kind: sentence('{0} secret key', 'age'),
    pattern: token('AGE-SECRET-KEY-1(?<random>[A-Z0-9]{58})'),
  },
  {
    // Without its signature a JSON web token opens nothing, and its parts are public by design (RFC 7519, RFC 7515).
    id: 'jwt',
    hint: 'eyJ',
    kind: sentence('JSON web token'),
    pattern: token('eyJ[A-Za-z0-9_-]{8,2000}\\.eyJ[A-Za-z0-9_-]{8,6000}\\.(?<secret>[A-Za-z0-9_-]{20,700})'),
  },
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
    id: 'discord-token',
    hint: '[MNO][A-Za-z\\d]{23,27}\\.',
    kind: sentence('{0} bot token', 'Discord'),
    pattern: token('[MNO][A-Za-z\\d]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}'),
    isReal: hasDigit,
  },
  {
    id: 'discord-webhook',
    hint: '/api/webhooks/',
    kind: sentence('{0} webhook', 'Discord'),
    pattern: /https:\/\/(?:\w{2,8}\.)?discord(?:app)?\.com\/api\/webhooks\/\d{16,20}\/(?<secret>[\w-]{60,80})/g,
  },
  {
    // On its own it is any key of a cache.
    id: 'mailgun-key',
    hint: 'mailgun',
    kind: keyOf('Mailgun'),
    pattern: /(?<![\w-])key-[a-f0-9]{32}(?![\w-])(?:(?<=mailgun[^\n]{1,100})|(?=[^\n]{0,60}mailgun))/gi,
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
];

/** Of each issuer the name, what its tokens begin with, and what follows. */
const ISSUED: readonly (readonly [kind: Sentence, beginning: string, rest: string])[] = [
  [tokenOf('Airtable'), 'pat', '[A-Za-z0-9]{14}\\.[a-f0-9]{64}'],
  [keyOf('Artifactory'), 'AKCp', '[A-Za-z0-9]{65,72}'],
  [tokenOf('Doppler'), 'dp\\.', '(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}'],
  [tokenOf('Figma'), 'fig[dour]_', '[A-Za-z0-9_-]{36,60}'],
  [tokenOf('Fly'), 'fm2_', '[A-Za-z0-9+/=]{80,2000}'],
  [tokenOf('Grafana'), 'gl(?:sa|c)_', '[A-Za-z0-9+/]{32,400}(?:_[a-f0-9]{8}|={0,2})'],
  [keyOf('Groq'), 'gsk_', '[A-Za-z0-9]{48,56}'],
  [keyOf('Mailchimp'), '[a-f0-9]{32}-us', '\\d{1,2}'],
  [sentence('New Relic key'), 'NRAK-', '[A-Z0-9]{27}'],
  [tokenOf('Notion'), 'ntn_', '\\d{11}[A-Za-z0-9]{32,38}'],
  [keyOf('Perplexity'), 'pplx-', '[A-Za-z0-9]{40,56}'],
  [tokenOf('PlanetScale'), 'pscale_(?:tkn|pw|oauth)_', '[A-Za-z0-9=._-]{32,64}'],
  [keyOf('PostHog'), 'ph[xs]_', '[A-Za-z0-9]{40,56}'],
  [keyOf('Postman'), 'PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'],
  [tokenOf('Pulumi'), 'pul-', '[a-f0-9]{40}'],
  [tokenOf('Replicate'), 'r8_', '[A-Za-z0-9]{37}'],
  [keyOf('RubyGems'), 'rubygems_', '[a-f0-9]{48}'],
  [tokenOf('Sentry'), 'sntr(?:ys|yu)_', '[A-Za-z0-9+/=_]{60,400}'],
  [tokenOf('Square'), 'sq0[a-z]{3}-', '[A-Za-z0-9_-]{22,43}'],
  [tokenOf('Supabase'), 'sbp_', '[a-f0-9]{40}'],
  [tokenOf('Terraform'), '[A-Za-z0-9]{14}\\.atlasv1\\.', '[A-Za-z0-9_-]{60,70}'],
];

/**
 * Tokens that say by their form what they are: what the preset of secretlint does not have, or has in fewer forms. The
 * forms are those that their issuers document or announce for secret scanning.
 */
export const TOKEN_RULES: readonly Rule[] = [
  ...ISSUED.map(([kind, beginning, rest]) => ({
    kind,
    id: String(kind).toLowerCase().replaceAll(' ', '-'),
    hint: beginning,
    pattern: token(`(?:${beginning})(?<random>${rest})`),
    isReal: hasDigit,
  })),
  ...OTHERS,
];

/** All that a rule finds in a text. */
export function findByRule({ kind, id, pattern, isReal }: Rule, text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(pattern)) {
    const secret = match.groups?.secret ?? match[0];
    if (isPlaceholder(match.groups?.random ?? secret) || isReal?.(secret) === false) continue;
    const start = match.index + match[0].lastIndexOf(secret);
    found.push({ kind, id, start, end: start + secret.length });
  }
  return found;
}
