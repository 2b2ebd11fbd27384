import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { type Sentence, sentence } from '../../core/sentence';
import type { Found, Search } from '../searching';
import { isPlaceholder } from './placeholders';
import { keyOf, tokenOf } from './rule';

/**
 * The rules of secretlint's recommended preset, called one by one. Its core is not used: that brings a file's name, its
 * own messages and locales along, and switches rules off by comments in the text, which whoever writes a text could do.
 */

/** Rules by the end of their id, and what we call what they find. The others read files, or switch rules off. */
const NAMES: Readonly<Record<string, { kind: Sentence; id: string }>> = {
  aws: { kind: sentence('{0} secret key', 'AWS'), id: 'aws-secret-key' },
  npm: { kind: tokenOf('npm'), id: 'npm-token' },
  slack: { kind: tokenOf('Slack'), id: 'slack-token' },
  sendgrid: { kind: keyOf('SendGrid'), id: 'sendgrid-key' },
  shopify: { kind: keyOf('Shopify'), id: 'shopify-key' },
  github: { kind: tokenOf('GitHub'), id: 'github-token' },
  openai: { kind: keyOf('OpenAI'), id: 'openai-key' },
  anthropic: { kind: keyOf('Anthropic'), id: 'anthropic-key' },
  linear: { kind: keyOf('Linear'), id: 'linear-key' },
  '1password': { kind: tokenOf('1Password'), id: '1password-token' },
};

/** As `hint` of a rule of our own: what a text has in which one of those above finds anything. */
export const PRESET_HINTS =
  'aws.{0,20}sk|secret|_auth|xox|hooks\\.slack|SG\\.|shp(?:at|ca|pa|ss)_|gh[pousr]_|github_pat_|x-oauth|sk-|lin_api|ops_ey';

/** What a rule of secretlint is given and says, as far as those above use it. */
interface Listener {
  file(source: { content: string; filePath: undefined; ext: string; contentType: 'text' }): void | Promise<void>;
}
interface Preset {
  meta: { id: string };
  create(context: object, options: object): Listener;
}

const OTHERS = (rules as unknown as readonly Preset[]).flatMap((rule) => {
  const name = NAMES[rule.meta.id.slice(rule.meta.id.lastIndexOf('-rule-') + '-rule-'.length)];
  return name ? [{ rule, name }] : [];
});

/** One function a rule, each of which finds what its rule finds in a text. */
export const PRESET: readonly Search[] = OTHERS.map(({ rule, name }) => (text) => {
  const found: Found[] = [];
  const context = {
    sharedOptions: {},
    createTranslator: () => () => ({ message: '', messageId: '' }),
    report: ({ range: [start, end] }: { range: [number, number] }) => {
      const secret = text.slice(start, end);
      const isShort = name.id === 'slack-token' && (secret.match(/\d/g)?.length ?? 0) < 8;
      // Its rule for Slack finds webhooks as well, whole; our own finds them by what is secret of them.
      const isAddress = secret.startsWith('https:');
      if (!isShort && !isAddress && !isPlaceholder(secret)) found.push({ ...name, start, end });
    },
  };
  // Of these rules all look at once; none returns a promise.
  void rule.create(context, {}).file({ content: text, filePath: undefined, ext: '', contentType: 'text' });
  return found;
});
