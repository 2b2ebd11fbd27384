import { sentence } from '../../core/sentence';
import { entropy } from './placeholders';
import { hasDigit, keyOf, type Rule, token, tokenOf } from './rule';

/** LaunchDarkly, and what its SDKs are begun with. */
const LAUNCH_DARKLY = '[Ll]aunch.?[Dd]arkly|LAUNCH.?DARKLY|(?:LD|Ld|\\bld)Client|\\bldclient|(?:LD|Ld|\\bld)Config';
/** What a key of its is called; `ld` alone is a linker, with variables of its own. */
const LAUNCH_DARKLY_KEY =
  '[Ss][Dd][Kk].?[Kk][Ee][Yy]|\\b(?:LD|ld)_(?!LIBRARY|FLAGS|PRELOAD|RUN)|(?:LD|Ld|\\bld)(?:[Ss]dk|SDK|[Kk]ey|KEY)|\\b(?:LD|ld)[.-](?:sdk|SDK|key|KEY|client|server|init|[A-Z][A-Za-z]{1,20}Client)';

/** Tokens that begin in several ways, or are told by what stands before them. */
export const TOKENS: readonly Rule[] = [
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
    pattern: token(
      'gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt|oas)-[A-Za-z0-9_-]{20,300}(?:\\.[a-z0-9]{2}\\.?[a-z0-9]{7,9})?',
    ),
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
    id: 'google-refresh-token',
    hint: '1//0',
    kind: sentence('{0} refresh token', 'Google'),
    pattern: /(?<![A-Za-z0-9_/:.-])1\/\/0[A-Za-z0-9_-]{40,120}(?![A-Za-z0-9_/-])/g,
    isReal: hasDigit,
  },
  {
    // Firebase Cloud Messaging's, as they were before 2024.
    id: 'firebase-key',
    hint: 'AAAA[\\w-]{7}:',
    kind: keyOf('Firebase'),
    pattern: token('AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{140}'),
  },
  {
    // A line of base64 may begin so, too: that has lines like it around.
    id: 'square-token',
    hint: 'EAAA',
    kind: tokenOf('Square'),
    pattern:
      /(?<![A-Za-z0-9_+/=-]|[A-Za-z0-9+/]{60}\s{1,8})EAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9_+/=-]|\s{1,8}[A-Za-z0-9+/]{40})/g,
    isReal: (secret) => hasDigit(secret) && entropy(secret) >= 4.5,
  },
  {
    id: 'okta-token',
    hint: 'SSWS',
    kind: tokenOf('Okta'),
    pattern: /\bSSWS\s{1,4}(?<secret>00[A-Za-z0-9_=-]{40})(?![A-Za-z0-9_=-])/g,
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
    pattern: /[?&]s[pv]=[^\s"'<>]{1,400}?[?&]sig=(?<secret>[A-Za-z0-9%/+]{40,120}(?:=|%3D)?)(?![A-Za-z0-9%/+])/gi,
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
    id: 'teams-webhook',
    hint: '\\.office\\.com/webhook',
    kind: sentence('{0} webhook', 'Teams'),
    pattern:
      /https:\/\/(?:[\w-]{1,60}\.webhook|outlook)\.office\.com\/webhook(?:b2)?\/(?<secret>[a-f0-9-]{36}@[a-f0-9-]{36}\/IncomingWebhook\/[a-f0-9]{32}\/[a-f0-9-]{36}(?:\/[\w-]{1,80})?)/gi,
  },
  {
    id: 'signed-address',
    hint: 'X-(?:Amz|Goog)-Signature',
    kind: sentence('signature of an address'),
    pattern: /[?&]X-(?:Amz|Goog)-Signature=(?<secret>[a-f0-9]{64,1024})(?![a-f0-9])/gi,
  },
  {
    // On its own it is any name with an identifier behind it. What its SDKs are given stands in quotes, lines below.
    id: 'launchdarkly-key',
    hint: 'sdk-[a-f0-9]{8}-',
    kind: keyOf('LaunchDarkly'),
    pattern: new RegExp(
      `(?<![\\w-])sdk-[a-fA-F0-9]{8}(?:-[a-fA-F0-9]{4}){3}-[a-fA-F0-9]{12}(?![\\w-])(?:(?<=(?:${LAUNCH_DARKLY}|${LAUNCH_DARKLY_KEY})[^\\n]{1,140})|(?<=(?:${LAUNCH_DARKLY})[^]{1,400}["'\`]sdk-[\\w-]{36})|(?=[^\\n]{0,60}(?:${LAUNCH_DARKLY})))`,
      'g',
    ),
  },
  {
    // On its own it is any key of a cache.
    id: 'mailgun-key',
    hint: 'mailgun',
    kind: keyOf('Mailgun'),
    pattern: /(?<![\w-])key-[a-f0-9]{32}(?![\w-])(?:(?<=mailgun[^\n]{1,100})|(?=[^\n]{0,60}mailgun))/gi,
  },
];
