import { isKaizenError, KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { checkRelativePath, type ReadFile, readInside, resolveInside } from '../files';
import type { Catalogue } from './catalogue';
import type { ContentCache } from './content-cache';
import { LIMITS } from './limits';
import type { NodeWithContent } from './model';
import { type ParsedRead, parseRead } from './parsing';
import type { UpdateTarget } from './update';

export interface FileAccessOptions {
  base: string;
  catalogue: Catalogue;
  contents: ContentCache;
  /** Undefined as long as the folder was not found. */
  realRoot(): string | undefined;
  /** Has the file indexed as it is now. */
  reindex(file: string): Promise<void>;
}

/** How often a file is read again that somebody keeps writing. */
const ATTEMPTS = 3;

/** Opens the files of one base, by their paths in it. Only what is part of the base is ever opened. */
export class FileAccess {
  constructor(private readonly options: FileAccessOptions) {}

  /** The real path. Throws `outside_root` and `unknown_node`. */
  async locate(file: string): Promise<string> {
    const realRoot = this.rootOf(file);
    try {
      return await resolveInside(realRoot, file);
    } catch (error) {
      throw this.toldOf(error, file);
    }
  }

  /** Throws as `locate`, and `invalid_argument` for a file that is too large. */
  async text(file: string): Promise<string> {
    const { text, fault } = await this.read(file);
    if (fault === 'too_large') {
      const limit = `${LIMITS.fileSize / 1_048_576} MB`;
      throw new KaizenError(
        'invalid_argument',
        sentence('"{0}" is larger than {1}.', file, limit),
        sentence('Split it.'),
      );
    }
    return text;
  }

  /** Empty when the file is no longer there. A file that has changed is indexed first. Throws `outside_root`. */
  async nodes(file: string): Promise<NodeWithContent[]> {
    const { catalogue } = this.options;
    for (let attempt = 1; ; attempt++) {
      const read = await this.readIfThere(file);
      if (!read) return [];
      const texts = await this.textsOf(file, read);
      if (catalogue.hashOf(file) === read.hash) {
        const nodes = catalogue.file(file)?.nodes ?? [];
        return nodes.map((node, at) => ({ node, content: texts[at] ?? '' }));
      }
      if (attempt === ATTEMPTS) {
        const { known } = await this.parse(file, read);
        return known.nodes.map((node, at) => ({ node, content: texts[at] ?? '' }));
      }
      await this.options.reindex(file);
    }
  }

  /** For the functions of update.ts. Throws as `locate`. */
  async updateTarget(file: string, id: string): Promise<UpdateTarget> {
    const realRoot = this.rootOf(file);
    await this.locate(file);
    const own = this.options.catalogue.ownId(file, id);
    return { base: this.options.base, file, realRoot, isNode: (node) => node.id === own };
  }

  /** Throws unless the path is that of a file of the base. */
  private rootOf(file: string): string {
    checkRelativePath(file);
    const realRoot = this.options.realRoot();
    if (realRoot === undefined || !this.options.catalogue.file(file)) throw this.unknown(file);
    return realRoot;
  }

  private async read(file: string): Promise<ReadFile> {
    const realRoot = this.rootOf(file);
    try {
      return await readInside(realRoot, file, LIMITS.fileSize);
    } catch (error) {
      throw this.toldOf(error, file);
    }
  }

  private async readIfThere(file: string): Promise<ReadFile | undefined> {
    return this.read(file).catch((error) => {
      if (!isKaizenError(error) || error.code !== 'unknown_node') throw error;
      // That it is gone is known to everybody then.
      if (this.options.catalogue.file(file)) void this.options.reindex(file);
      return undefined;
    });
  }

  private async textsOf(file: string, read: ReadFile): Promise<readonly string[]> {
    const { base, contents } = this.options;
    return contents.get(base, file, read.hash) ?? (await this.parse(file, read)).texts;
  }

  private async parse(file: string, read: ReadFile): Promise<ParsedRead> {
    const { base, contents } = this.options;
    const parsed = await parseRead(base, file, read);
    contents.put(base, file, read.hash, parsed.texts);
    return parsed;
  }

  /** The system's errors as words for a person. */
  private toldOf(error: unknown, file: string): unknown {
    if (isKaizenError(error)) return error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return this.unknown(file);
    const message = sentence(
      '"{0}" of the knowledge base "{1}" cannot be read ({2}).',
      file,
      this.options.base,
      String(code),
    );
    return new KaizenError('unknown_node', message, sentence('Allow reading it, and try again.'));
  }

  private unknown(file: string): KaizenError {
    const message = sentence('The knowledge base "{0}" has no file "{1}".', this.options.base, file);
    return new KaizenError('unknown_node', message, sentence('list_knowledge_bases lists the files.'));
  }
}
