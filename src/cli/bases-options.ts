import { basename, delimiter, resolve } from 'node:path';
import type { BaseDefinition } from '../bases';
import { freeBaseName } from '../core/base-names';
import type { EmbeddingOptions } from '../search';
import { type Arguments, type Options, UsageError } from './command';

/** The options that say how to search by meaning. */
export const EMBEDDINGS_OPTIONS: Options = {
  'embeddings-url': {
    type: 'string',
    value: 'URL',
    help: 'search by meaning too, by an OpenAI-compatible API (KAIZEN_EMBEDDINGS_URL, its key in _KEY)',
  },
  'embeddings-model': { type: 'string', value: 'MODEL', help: 'the model there (KAIZEN_EMBEDDINGS_MODEL)' },
};

/** The options that say which knowledge bases are meant and how they are searched. */
export const BASES_OPTIONS: Options = {
  base: {
    type: 'string',
    multiple: true,
    value: 'NAME=DIR',
    help: 'a folder with Markdown as a knowledge base; may be repeated (KNOWLEDGE_BASE_PATH)',
  },
  config: { type: 'string', value: 'FILE', help: 'knowledge bases and discovery as a YAML file says' },
  ...EMBEDDINGS_OPTIONS,
};

/**
 * The bases of `--base`; undefined when there is none. `NAME=DIR`, or a folder alone, whose name it then has. Relative
 * folders count from the current one.
 */
export function basesOfFlags(args: Arguments): BaseDefinition[] | undefined {
  const flags = args.strings('base');
  if (flags.length === 0) return undefined;
  const bases: BaseDefinition[] = [];
  for (const text of flags) {
    const [, name, folder = text] = /^([A-Za-z0-9._-]{1,100})=(.*)$/s.exec(text) ?? [];
    if (folder === '') throw new UsageError(`--base takes NAME=DIR, not "${text}".`);
    const root = resolve(folder);
    bases.push({ name: name ?? nameOf(root, bases), root });
  }
  return bases;
}

/** The bases of KNOWLEDGE_BASE_PATH (seed 002): one folder, or several as in PATH. */
export function basesOfEnvironment(value: string | undefined): BaseDefinition[] {
  const bases: BaseDefinition[] = [];
  for (const folder of (value ?? '').split(delimiter)) {
    const root = resolve(folder.trim());
    if (folder.trim() !== '' && !bases.some((base) => base.root === root))
      bases.push({ name: nameOf(root, bases), root });
  }
  return bases;
}

/** The folder's name, as far as a base may be called so, and no other base is. */
function nameOf(root: string, others: readonly BaseDefinition[]): string {
  return freeBaseName(basename(root), new Set(others.map(({ name }) => name.toLowerCase())));
}

/**
 * The endpoint that flags or variables name, with the model of the configuration file where they name none. The key is
 * never a flag: others can read those.
 */
export function endpointOf(
  args: Arguments,
  environment: NodeJS.ProcessEnv,
  configured: { model?: string; dimensions?: number; isLocal?: boolean } = {},
): EmbeddingOptions | undefined {
  const url = args.string('embeddings-url') ?? (environment.KAIZEN_EMBEDDINGS_URL || undefined);
  const named = args.string('embeddings-model') ?? (environment.KAIZEN_EMBEDDINGS_MODEL || undefined);
  if (url === undefined) {
    if (args.string('embeddings-model') === undefined) return undefined;
    throw new UsageError('--embeddings-model needs --embeddings-url, the address of the API.');
  }
  const model = named ?? (configured.isLocal ? undefined : configured.model);
  if (!model)
    throw new UsageError('The API for embeddings needs a model: --embeddings-model, or KAIZEN_EMBEDDINGS_MODEL.');
  const { KAIZEN_EMBEDDINGS_KEY: key } = environment;
  const dimensions = model === configured.model ? configured.dimensions : undefined;
  return { provider: 'endpoint', url, model, key: key || undefined, dimensions };
}
