import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BaseDefinition, BasesConfig } from '../bases';
import type { DiscoverySettings } from '../discovery';
import type { KaizenOptions } from '../kaizen';
import type { EmbeddingOptions } from '../search';
import { basesOfEnvironment, basesOfFlags, endpointOf } from './bases-options';
import type { Arguments } from './command';
import type { Terminal } from './terminal';

export type KnowledgeOptions = Pick<KaizenOptions, 'bases' | 'indexDirectory' | 'discovery' | 'embeddings'>;

export interface Configured {
  options: KnowledgeOptions;
  /** How `kaizen mcp` is to serve, where the file of `--config` says it. */
  server: BasesConfig['server'];
}

const NOTHING: BasesConfig = { bases: [], discovery: {}, embeddings: {}, server: {}, problems: [] };

/**
 * Which knowledge bases there are and how they are searched. Bases of flags come before those of the `--config` file;
 * KNOWLEDGE_BASE_PATH counts where neither says any. What is wrong in the file is told with its line.
 */
export async function readKnowledgeOptions(args: Arguments, shared: string, terminal: Terminal): Promise<Configured> {
  // What is wrong with a variable is no concern of commands that do without knowledge bases.
  if (!args.knows('embeddings-url')) return { options: {}, server: {} };
  const file = args.string('config');
  const config = file === undefined ? NOTHING : await readConfig(resolve(file), terminal);
  const { cacheDirectory: indexDirectory, discovery, server } = config;
  return {
    options: {
      bases: args.knows('base') ? basesOf(args, config) : [],
      indexDirectory,
      discovery: discovery as Partial<DiscoverySettings>,
      embeddings: await embeddingsOf(args, config, shared, terminal),
    },
    server,
  };
}

async function readConfig(file: string, terminal: Terminal): Promise<BasesConfig> {
  const [text, { readBasesConfig }] = await Promise.all([readFile(file, 'utf8'), import('../kaizen')]);
  const config = await readBasesConfig(text, { file, environment: process.env });
  for (const { line, message } of config.problems) terminal.say(`kaizen: ${file}:${line}: ${message}`);
  return config;
}

function basesOf(args: Arguments, { bases: configured }: BasesConfig): BaseDefinition[] {
  const named = basesOfFlags(args) ?? [];
  const names = new Set(named.map(({ name }) => name.toLowerCase()));
  const bases = [...named, ...configured.filter(({ name }) => !names.has(name.toLowerCase()))];
  return bases.length > 0 ? bases : basesOfEnvironment(process.env.KNOWLEDGE_BASE_PATH);
}

/** Nobody is made to wait for a download: a model that is not there is named, and words are searched. */
async function embeddingsOf(
  args: Arguments,
  { embeddings: configured }: BasesConfig,
  shared: string,
  terminal: Terminal,
): Promise<EmbeddingOptions | undefined> {
  const endpoint = endpointOf(args, process.env, configured);
  if (endpoint !== undefined || configured.model === undefined) return endpoint;
  if (!configured.isLocal) {
    terminal.say(`kaizen: ${configured.model} needs an API (--embeddings-url); until then words alone are searched.`);
    return undefined;
  }
  const { isLocalModelInstalled, modelsIn } = await import('../kaizen');
  if (isLocalModelInstalled(modelsIn(shared))) return { provider: 'local' };
  terminal.say(
    `kaizen: ${configured.model} is not installed here ("kaizen embeddings --install"); until then words alone are searched.`,
  );
  return undefined;
}
