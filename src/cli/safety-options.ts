import type { KaizenOptions } from '../kaizen';
import { described, SECRET_POLICIES, type SecretPolicy } from '../safety';
import { type Arguments, type Options, UsageError } from './command';
import type { Terminal } from './terminal';

/** What becomes of secrets in what is written: for whoever serves agents, too. */
export const SECRETS_OPTION: Options = {
  secrets: {
    type: 'string',
    value: 'refuse|redact',
    help: 'what becomes of a text with a secret (KAIZEN_SECRETS); refused unless told',
  },
};

export const SAFETY_OPTIONS: Options = {
  ...SECRETS_OPTION,
  'allow-secret': { type: 'boolean', help: 'store it all the same: what looks like a secret is none' },
};

/**
 * The flag wins over KAIZEN_SECRETS, which counts as unset where it is empty. `--allow-secret` holds for what this
 * command writes. Throws a UsageError for a word that is no policy.
 */
export function safetyOptionsOf(
  args: Arguments,
  terminal: Pick<Terminal, 'say'>,
  environment: NodeJS.ProcessEnv = process.env,
): Required<Pick<KaizenOptions, 'safety'>> {
  const flag = args.knows('secrets') ? args.string('secrets') : undefined;
  const wanted = flag ?? (environment.KAIZEN_SECRETS || undefined);
  const policy = SECRET_POLICIES.find((each) => each === wanted) satisfies SecretPolicy | undefined;
  if (wanted !== undefined && policy === undefined) {
    const source = flag === undefined ? 'KAIZEN_SECRETS' : '--secrets';
    throw new UsageError(`${source} takes ${SECRET_POLICIES.join(' or ')}, not "${wanted}".`);
  }
  const mayStore = args.knows('allow-secret') && args.flag('allow-secret');
  return {
    safety: {
      // Whoever says that it is none wants it as it is.
      policy: mayStore ? 'refuse' : policy,
      onFound: (places) => {
        if (mayStore) terminal.say(`kaizen: stored although it looks as if it held a secret: ${described(places)}.`);
        return mayStore;
      },
      onRedacted: (places) => terminal.say(`kaizen: stored without what looks like a secret: ${described(places)}.`),
    },
  };
}
