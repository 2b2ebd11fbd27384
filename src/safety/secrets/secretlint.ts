import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { isPlaceholder } from './placeholders';
import type { Found } from './rules';

/**
 * The rules of secretlint's recommended preset, called one by one. Its core is not used: that brings a file's name, its
 * own messages and locales along, and switches rules off by comments in the text, which whoever writes a text could do.
 */

/** Rules by the end of their id, and what we call what they find. The others read files, or switch rules off. */
const NAMES: Readonly<Record<string, { kind: string; id: string }>> = {
  aws: { kind: 'AWS secret key', id: 'aws-secret-key' },
  npm: { kind: 'npm token', id: 'npm-token' },
  slack: { kind: 'Slack token', id: 'slack-token' },
  sendgrid: { kind: 'SendGrid key', id: 'sendgrid-key' },
  shopify: { kind: 'Shopify key', id: 'shopify-key' },
  github: { kind: 'GitHub token', id: 'github-token' },
  openai: { kind: 'OpenAI key', id: 'openai-key' },
  anthropic: { kind: 'Anthropic key', id: 'anthropic-key' },
  linear: { kind: 'Linear key', id: 'linear-key' },
  '1password': { kind: '1Password token', id: '1password-token' },
};

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
export const PRESET: readonly ((text: string) => Found[])[] = OTHERS.map(({ rule, name }) => (text) => {
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
