import { type Sentence, sentence } from '../../core/sentence';
import { hasDigit, keyOf, type Rule, token, tokenOf } from './rule';

/** Names in code, which may begin as a token does, have digits at the end of their words. */
const hasDigitWithin = (secret: string) => /\d[A-Za-z]/.test(secret);

/**
 * Of each issuer the name, what its tokens begin with, and what follows. What begins as words do has a length of its own
 * and no more.
 */
const ISSUED: readonly (readonly [kind: Sentence, beginning: string, rest: string, isReal?: Rule['isReal']])[] = [
  [tokenOf('Airtable'), 'pat', '[A-Za-z0-9]{14}\\.[a-f0-9]{64}'],
  [tokenOf('Asana'), '[12]/', '\\d{13,19}(?:/\\d{13,19})?:[a-f0-9]{32}'],
  [keyOf('Artifactory'), 'AKCp', '[A-Za-z0-9]{65,72}'],
  [tokenOf('Braintree'), 'access_token\\$(?:production|sandbox)\\$', '[a-z0-9]{16}\\$[a-f0-9]{32}'],
  [tokenOf('Clojars'), 'CLOJARS_', '[a-f0-9]{60}'],
  [tokenOf('Contentful'), 'CFPAT-', '[A-Za-z0-9_-]{43}'],
  [tokenOf('crates.io'), 'cio', '[A-Za-z0-9]{32}'],
  [tokenOf('Doppler'), 'dp\\.', '(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}'],
  [keyOf('ElevenLabs'), 'sk_', '[a-f0-9]{48}'],
  [tokenOf('Figma'), 'fig[dour]_', '[A-Za-z0-9_-]{36,60}'],
  [tokenOf('Fly'), 'fm2_', '[A-Za-z0-9+/=]{80,2000}'],
  [tokenOf('Grafana'), 'gl(?:sa|c)_', '[A-Za-z0-9+/]{32,400}(?:_[a-f0-9]{8}|={0,2})'],
  [keyOf('Groq'), 'gsk_', '[A-Za-z0-9]{48,56}'],
  [keyOf('Heroku'), 'HRKU-', '(?:AA[A-Za-z0-9_-]{58}|[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12})'],
  [keyOf('LangSmith'), 'lsv2_(?:pt|sk)_', '[a-f0-9]{32}_[a-f0-9]{10}'],
  [keyOf('Mailchimp'), '[a-f0-9]{32}-us', '\\d{1,2}'],
  [tokenOf('Mapbox'), 'sk\\.eyJ', '[A-Za-z0-9_-]{40,200}\\.[A-Za-z0-9_-]{22}'],
  [keyOf('Neon'), 'napi_', '[a-z0-9]{64}'],
  [tokenOf('Netlify'), 'nf[bcopu]_', '[A-Za-z0-9]{36,40}'],
  [sentence('New Relic key'), 'NRAK-', '[A-Z0-9]{27}'],
  [tokenOf('Notion'), 'ntn_', '[A-Za-z0-9]{43,49}'],
  [tokenOf('Notion'), 'secret_', '[A-Za-z0-9]{43}'],
  [keyOf('NuGet'), 'oy2', '[a-z0-9]{43}'],
  [keyOf('OpenRouter'), 'sk-or-v1-', '[a-f0-9]{64}'],
  [keyOf('Perplexity'), 'pplx-', '[A-Za-z0-9]{40,56}'],
  [keyOf('Pinecone'), 'pcsk_', '[A-Za-z0-9]{5,6}_[A-Za-z0-9]{63}'],
  [tokenOf('PlanetScale'), 'pscale_(?:tkn|pw|oauth)_', '[A-Za-z0-9=._-]{32,64}'],
  [keyOf('PostHog'), 'ph[xs]_', '[A-Za-z0-9]{40,56}'],
  [keyOf('Postman'), 'PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'],
  [tokenOf('Pulumi'), 'pul-', '[a-f0-9]{40}'],
  [tokenOf('Replicate'), 'r8_', '[A-Za-z0-9]{37}'],
  [keyOf('Resend'), 're_', '[A-Za-z0-9]{8}_[A-Za-z0-9]{24}', hasDigitWithin],
  [keyOf('RubyGems'), 'rubygems_', '[a-f0-9]{48}'],
  [tokenOf('Sentry'), 'sntr(?:ys|yu)_', '[A-Za-z0-9+/=_]{60,400}'],
  [tokenOf('Square'), 'sq0[a-z]{3}-', '[A-Za-z0-9_-]{22,43}'],
  [tokenOf('Supabase'), 'sbp_', '[a-f0-9]{40}'],
  [keyOf('Supabase'), 'sb_secret_', '[A-Za-z0-9_-]{31}'],
  [keyOf('Tailscale'), 'tskey-(?:auth|api|client|scim|webhook)-', '[A-Za-z0-9]{6,24}-[A-Za-z0-9]{16,64}'],
  [tokenOf('Terraform'), '[A-Za-z0-9]{14}\\.atlasv1\\.', '[A-Za-z0-9_-]{60,70}'],
  [keyOf('xAI'), 'xai-', '[A-Za-z0-9]{80}'],
];

/** One rule for each of them. */
export const ISSUED_TOKENS: readonly Rule[] = ISSUED.map(([kind, beginning, rest, isReal = hasDigit]) => ({
  kind,
  id: String(kind).toLowerCase().replace(/[ .]/g, '-'),
  hint: beginning,
  pattern: token(`(?:${beginning})(?<random>${rest})`),
  isReal,
}));
