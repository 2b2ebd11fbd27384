import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { baseNameFault, freeBaseName } from '../core/base-names';
import { type ConfigProblem, ConfigReading, type Entry, shortened } from './config-reading';
import type { BaseDefinition } from './model';

export type { ConfigProblem } from './config-reading';

/** What a configuration file says (seed 002, "Configuration Schema"); what it does not say is left out. */
export interface BasesConfig {
  bases: BaseDefinition[];
  /** `index.storage_path`: where what is known is kept between runs. */
  cacheDirectory?: string;
  discovery: {
    default_max_results?: number;
    min_relevance_threshold?: number;
    boost_active_status?: number;
    boost_recent_update_days?: number;
    boost_recent_update_factor?: number;
    /** Factor of each node type for each task type. */
    boosts?: Record<string, Record<string, number>>;
  };
  embeddings: {
    model?: string;
    dimensions?: number;
    /** Whether the model is the one that runs here, without an endpoint. */
    isLocal?: boolean;
  };
  server: {
    transport?: 'stdio' | 'http';
    host?: string;
    port?: number;
    log_level?: string;
  };
  /** In the order of the file. */
  problems: ConfigProblem[];
}

export interface ConfigPlace {
  /** The file's absolute path: relative paths in it are those of its folder. */
  file: string;
  /** Where `${NAME}` and `~` in paths come from. */
  environment: Readonly<Record<string, string | undefined>>;
}

const TASK_TYPES = ['implement', 'debug', 'refactor', 'document', 'review', 'design', 'test'];
/** Only whoever sits at the machine is served. */
const HOSTS = ['127.0.0.1', 'localhost'];
const LOG_LEVELS = ['debug', 'info', 'warning', 'error'];
const LOCAL_MODEL = /^(?:[\w-]+\/)?all-MiniLM-L6-v2$/i;
const LOCAL_DIMENSIONS = 384;

/**
 * Reads a configuration file (docs/knowledge-bases.md has its keys). What cannot be read is left out and told with its
 * line; the rest counts. Never throws.
 */
export async function readBasesConfig(text: string, place: ConfigPlace): Promise<BasesConfig> {
  const { readYamlTree } = await import('../frontmatter');
  const { tree, faults } = readYamlTree(text);
  const reading = new ConfigReading(faults);
  const config = { bases: [], discovery: {}, embeddings: {}, server: {}, problems: [] } satisfies BasesConfig;
  const result = new Sections(config, reading, place).read(tree ? reading.mapping(tree, 'the file') : []);
  result.problems = reading.sorted();
  return result;
}

class Sections {
  constructor(
    private readonly config: BasesConfig,
    private readonly reading: ConfigReading,
    private readonly place: ConfigPlace,
  ) {}

  read(entries: readonly Entry[]): BasesConfig {
    this.reading.each(entries, '', {
      knowledge_base: (entry) => this.base(entry, undefined),
      knowledge_bases: (entry) => {
        for (const each of this.reading.mapping(entry.value, entry.path)) this.base(each, each.key);
      },
      index: (entry) => this.index(entry),
      discovery: (entry) => this.discovery(entry),
      server: (entry) => this.server(entry),
      boost_matrix: (entry) => this.matrix(this.reading.mapping(entry.value, entry.path)),
      // The seed keeps the matrix in a file of its own, where the task types stand on top.
      ...Object.fromEntries(TASK_TYPES.map((type) => [type, (entry: Entry) => this.matrix([entry])])),
    });
    this.checkDimensions(entries);
    return this.config;
  }

  private base(entry: Entry, givenName: string | undefined): void {
    const { reading, config } = this;
    let name = givenName;
    let root: string | undefined;
    let include: string[] | undefined;
    let exclude: string[] | undefined;
    if (entry.value.kind === 'text' && givenName !== undefined) {
      root = this.path(entry);
    } else {
      reading.each(reading.mapping(entry.value, entry.path), entry.path, {
        ...(givenName === undefined ? { name: (each) => (name = reading.text(each)) } : {}),
        root_path: (each) => (root = this.path(each)),
        file_patterns: (each) => (include = reading.texts(each)),
        exclude_patterns: (each) => (exclude = reading.texts(each, { mayBeEmpty: true })),
      });
      if (root === undefined && !reading.hasProblemIn(entry)) {
        reading.error(entry.line, `${entry.path} has no root_path: the folder with the Markdown files.`);
      }
    }
    if (root === undefined) return;
    const taken = new Set(config.bases.map((base) => base.name.toLowerCase()));
    const final = name ?? freeBaseName(basename(root), taken);
    const fault = baseNameFault(final);
    if (fault === 'bad_name') {
      reading.error(
        entry.line,
        `"${shortened(final)}" is not a name for a knowledge base: use up to 100 letters, digits, ".", "_" and "-".`,
      );
    } else if (fault === 'reserved_name') {
      reading.error(entry.line, `A knowledge base cannot be called "${final}": the word has a meaning in addresses.`);
    } else if (taken.has(final.toLowerCase())) {
      reading.error(entry.line, `There is a knowledge base "${final}" already. Give each a name of its own.`);
    } else {
      config.bases.push({ name: final, root, ...(include ? { include } : {}), ...(exclude ? { exclude } : {}) });
    }
  }

  private index(entry: Entry): void {
    const { reading, config } = this;
    const { embeddings } = config;
    reading.each(reading.mapping(entry.value, entry.path), entry.path, {
      storage_path: (each) => assign(config, 'cacheDirectory', this.path(each)),
      embedding_model: (each) => {
        const model = reading.text(each);
        assign(embeddings, 'model', model);
        if (model !== undefined && LOCAL_MODEL.test(model)) embeddings.isLocal = true;
      },
      embedding_dimensions: (each) => assign(embeddings, 'dimensions', reading.number(each, 1, 16_384, true)),
      similarity_metric: (each) => reading.choice(each, ['cosine']),
    });
  }

  private discovery(entry: Entry): void {
    const { reading } = this;
    const { discovery } = this.config;
    reading.each(reading.mapping(entry.value, entry.path), entry.path, {
      default_max_results: (each) => assign(discovery, 'default_max_results', reading.number(each, 1, 50, true)),
      min_relevance_threshold: (each) => assign(discovery, 'min_relevance_threshold', reading.number(each, 0, 1)),
      boost_active_status: (each) => assign(discovery, 'boost_active_status', reading.number(each, 0.1, 10)),
      boost_recent_update_days: (each) =>
        assign(discovery, 'boost_recent_update_days', reading.number(each, 0, 36_500, true)),
      boost_recent_update_factor: (each) =>
        assign(discovery, 'boost_recent_update_factor', reading.number(each, 0.1, 10)),
      boost_matrix: (each) => this.matrix(reading.mapping(each.value, each.path)),
    });
  }

  /** Task type → node type → factor. */
  private matrix(tasks: readonly Entry[]): void {
    const { reading } = this;
    const { discovery } = this.config;
    for (const task of tasks) {
      if (!TASK_TYPES.includes(task.key)) {
        reading.error(task.line, `"${task.key}" is not a task type: ${TASK_TYPES.join(', ')}.`);
        continue;
      }
      const factors = reading.mapping(task.value, task.path).flatMap((type) => {
        const factor = reading.number(type, 0.1, 10);
        return factor === undefined ? [] : [[type.key, factor] as const];
      });
      const others = Object.entries(discovery.boosts ?? {});
      discovery.boosts = Object.fromEntries([...others, [task.key, Object.fromEntries(factors)]]);
    }
  }

  private server(entry: Entry): void {
    const { reading } = this;
    const { server } = this.config;
    reading.each(reading.mapping(entry.value, entry.path), entry.path, {
      transport: (each) => assign(server, 'transport', reading.choice(each, ['stdio', 'http'])),
      host: (each) => assign(server, 'host', reading.choice(each, HOSTS)),
      port: (each) => assign(server, 'port', reading.number(each, 0, 65_535, true)),
      log_level: (each) => assign(server, 'log_level', reading.choice(each, LOG_LEVELS)),
    });
  }

  private checkDimensions(entries: readonly Entry[]): void {
    const { embeddings } = this.config;
    if (!embeddings.isLocal || embeddings.dimensions === undefined || embeddings.dimensions === LOCAL_DIMENSIONS)
      return;
    const { line } = entries.find(({ key }) => key === 'index')!;
    this.reading.error(line, `${embeddings.model} has ${LOCAL_DIMENSIONS} dimensions, not ${embeddings.dimensions}.`);
    delete embeddings.dimensions;
  }

  /** An absolute path. `~` is the home directory, `${NAME}` an environment variable. */
  private path(entry: Entry): string | undefined {
    const { reading, place } = this;
    const written = reading.text(entry);
    if (written === undefined) return undefined;
    const { HOME, USERPROFILE } = place.environment;
    const home = HOME ?? USERPROFILE;
    const unknown: string[] = [];
    const text = written
      .replace(/^~(?=[\\/]|$)/, (tilde) => home ?? tilde)
      .replace(/\$\{(\w+)\}/g, (all, name: string) => {
        const value = place.environment[name];
        if (value === undefined) unknown.push(name);
        return value ?? all;
      });
    if (unknown.length > 0) {
      reading.error(entry.line, `${entry.path}: the environment variable ${unknown[0]} is not set.`);
      return undefined;
    }
    return isAbsolute(text) ? resolve(text) : resolve(folderOf(place.file), text);
  }
}

/** Paths in `config/default.yaml`, as seed 002 has it, are the project's; in any other file those of its own folder. */
function folderOf(file: string): string {
  const folder = dirname(file);
  return basename(folder).toLowerCase() === 'config' ? dirname(folder) : folder;
}

function assign<T, Key extends keyof T>(target: T, key: Key, value: T[Key] | undefined): void {
  if (value !== undefined) target[key] = value;
}
