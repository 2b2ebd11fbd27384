import { KaizenError } from '../../core/errors';
import type { EmbeddingOptions } from '../../search';
import { type Arguments, type Command, expectWords, UsageError } from '../command';
import { readKnowledgeOptions } from '../knowledge-options';
import { BASES_OPTIONS, COMMON_OPTIONS, locate } from '../session';
import { onTermination } from '../signals';
import { type Terminal, table } from '../terminal';

/** Progress is told each time that so much of a hundred was done. */
const STEP = 10;

interface Model {
  name: string;
  installed: boolean;
  directory: string;
  bytes: number;
  /** Hosts, each once. */
  sources: string[];
}

export const embeddings: Command = {
  name: 'embeddings',
  usage: ['embeddings', 'embeddings --install [--yes]'],
  summary: 'Search by meaning: what is set up, and the local model',
  details: [
    'Without options: by what the other commands search when they are called with the same options, and whether the local',
    'model is installed. --install downloads that once for all workspaces, after you agreed; Ctrl+C ends it and leaves',
    'nothing behind. It is used where the file of --config names it as embedding_model, and in the editor.',
  ].join('\n'),
  options: {
    install: { type: 'boolean', help: 'download the local model' },
    yes: { type: 'boolean', short: 'y', help: 'agree to the download, where nobody can be asked' },
    ...BASES_OPTIONS,
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, [], 0);
    if (args.flag('install')) return install(args, terminal);
    if (args.flag('yes')) throw new UsageError('--yes only goes with --install.');
    return show(args, terminal);
  },
};

async function show(args: Arguments, terminal: Terminal): Promise<number> {
  const model = await localModelIn(locate(args).shared);
  const used = await usedBy(args, terminal);
  if (terminal.isJson) {
    terminal.json({ ...used, local: model });
    return 0;
  }
  const local = model.installed
    ? `${model.name}, in ${model.directory}`
    : `${model.name} is not installed; --install downloads ${megabytes(model.bytes)} MB from ${model.sources.join(', ')}`;
  terminal.out(
    table([
      ['by meaning', describe(used, model)],
      ['local model', local],
    ]),
  );
  return 0;
}

type Used =
  | { provider: 'none' }
  | { provider: 'local' }
  | { provider: 'endpoint'; url: string; model: string; key: boolean };

/** Without secrets: the key, and what the address may hold behind its path. Throws when the address cannot be used. */
async function usedBy(args: Arguments, terminal: Terminal): Promise<Used> {
  const { shared } = locate(args);
  const { options } = await readKnowledgeOptions(args, shared, terminal);
  const chosen: EmbeddingOptions = options.embeddings ?? { provider: 'none' };
  if (chosen.provider !== 'endpoint') return { provider: chosen.provider };
  const { createEmbedder, modelsIn } = await import('../../kaizen');
  createEmbedder(chosen, { modelsDirectory: modelsIn(shared) })?.dispose();
  const { origin, pathname } = new URL(chosen.url);
  return { provider: 'endpoint', url: `${origin}${pathname}`, model: chosen.model, key: chosen.key !== undefined };
}

function describe(used: Used, model: Model): string {
  switch (used.provider) {
    case 'none':
      return 'off: words alone are searched';
    case 'local':
      return `by ${model.name} on this machine`;
    case 'endpoint':
      return `by ${used.model} at ${used.url}, ${used.key ? 'with' : 'without'} a key`;
  }
}

async function install(args: Arguments, terminal: Terminal): Promise<number> {
  const { installLocalModel, isLocalModelSound } = await import('../../kaizen');
  const { shared } = locate(args);
  const model = await localModelIn(shared);
  const isThere = model.installed && (await isLocalModelSound(model.directory));
  if (!isThere) {
    if (!(await isAgreedTo(model, args, terminal))) {
      terminal.say('Nothing was downloaded.');
      return 1;
    }
    await cancellable((signal) => installLocalModel(model.directory, { signal, onProgress: progressTo(terminal) }));
  }
  if (terminal.isJson) terminal.json({ local: await localModelIn(shared) });
  else terminal.out(`${model.name} is installed${isThere ? ' already' : ''}, in ${model.directory}.`);
  return 0;
}

/** Says what would be downloaded first, also to those who agreed before. */
async function isAgreedTo(model: Model, args: Arguments, terminal: Terminal): Promise<boolean> {
  const { name, bytes, sources, directory } = model;
  terminal.say(`${name}, with what it runs on: ${megabytes(bytes)} MB from ${sources.join(', ')}`);
  terminal.say(`into ${directory}, once for all workspaces. No text is sent anywhere.`);
  if (args.flag('yes')) return true;
  const answer = await terminal.confirm('Download it?');
  if (answer === undefined) throw new UsageError('Nobody can be asked here: --yes agrees to the download.');
  return answer;
}

async function cancellable(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const release = onTermination(() =>
    stop.abort(new KaizenError('cancelled', 'The download was cancelled. Nothing was installed.')),
  );
  try {
    await work(stop.signal);
  } finally {
    release();
  }
}

function progressTo(terminal: Terminal): (done: number, total: number) => void {
  let told = -STEP;
  return (done, total) => {
    const percent = Math.floor((done / total) * 100);
    if (percent < told + STEP) return;
    told = percent - (percent % STEP);
    terminal.say(`kaizen: ${megabytes(done)} of ${megabytes(total)} MB`);
  };
}

async function localModelIn(shared: string): Promise<Model> {
  const { isLocalModelInstalled, localModel, modelsIn } = await import('../../kaizen');
  const { name, bytes, sources } = localModel();
  const directory = modelsIn(shared);
  return { name, installed: isLocalModelInstalled(directory), directory, bytes, sources: [...new Set(sources)] };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}
