import type { Turns } from '../core/turns';
import type { FileKeeper, FileReader, ReadFile } from '../files';
import type { Catalogue, KnownFile } from './catalogue';
import type { ContentCache } from './content-cache';
import { LIMITS, type Limits } from './limits';
import { leftOut, parseRead, unreadable } from './parsing';

export interface BaseReaderOptions {
  base: string;
  catalogue: Catalogue;
  contents: ContentCache;
  limits?: Limits;
}

/** Reads the files of a base into its catalogue, as far as there is room for their nodes. */
export class BaseReader implements FileKeeper<KnownFile>, FileReader<KnownFile> {
  private readonly limits: Limits;

  constructor(private readonly options: BaseReaderOptions) {
    this.limits = options.limits ?? LIMITS;
  }

  get fileCount(): number {
    return this.options.catalogue.fileCount;
  }

  get problemRevision(): number {
    return this.options.catalogue.problemRevision;
  }

  read(file: string): KnownFile | undefined {
    return this.options.catalogue.read(file);
  }

  reads(): Iterable<KnownFile> {
    return this.options.catalogue.reads();
  }

  /** What was left out is not kept for another run, where there may be room. */
  *kept(): Iterable<KnownFile> {
    for (const known of this.reads()) if (!known.isLeftOut) yield known;
  }

  set(known: KnownFile): void {
    const { base, catalogue } = this.options;
    const isRoom = catalogue.nodesBeside(known.file) + known.nodes.length <= this.limits.nodes;
    catalogue.set(isRoom ? known : leftOut(base, known, this.limits.nodes));
  }

  restamp(file: string, stamp: string): void {
    this.options.catalogue.restamp(file, stamp);
  }

  remove(file: string): void {
    this.options.catalogue.remove(file);
  }

  settle(turns: Turns): Promise<string[]> {
    return this.options.catalogue.settle(turns);
  }

  async parse(file: string, read: ReadFile): Promise<KnownFile> {
    const { base, contents } = this.options;
    const { known, texts } = await parseRead(base, file, read);
    contents.put(base, file, read.hash, texts);
    return known;
  }

  unreadable(file: string, size: number, error: unknown): KnownFile {
    return unreadable(this.options.base, file, size, error);
  }

  weightOf({ nodes }: KnownFile): number {
    return 1 + nodes.length;
  }
}
