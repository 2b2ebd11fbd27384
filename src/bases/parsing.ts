import { describeError } from '../core/errors';
import type { ReadFile } from '../files';
import type { KnownFile } from './catalogue';
import { LIMITS } from './limits';
import { parseFile } from './markdown';
import type { BaseProblem, ProblemCode } from './model';

export interface ParsedRead {
  known: KnownFile;
  /** The own texts of its nodes, in their order. */
  texts: string[];
}

/** What a file that was read holds. Never throws: what is wrong is among its problems. */
export async function parseRead(base: string, file: string, read: ReadFile): Promise<ParsedRead> {
  const { size, stamp, hash, fault } = read;
  const problems: BaseProblem[] = [];
  const report = (code: ProblemCode, message: string) => problems.push({ base, file, code, message });
  if (fault === 'too_large') {
    const limit = LIMITS.fileSize / 1_048_576;
    report('too_large', `The file has ${(size / 1_048_576).toFixed(1)} MB; files of up to ${limit} MB are indexed.`);
    return { known: { file, size, stamp, hash, nodes: [], problems }, texts: [] };
  }
  if (fault === 'not_utf8') report('not_utf8', 'The file is not UTF-8; some letters may be read wrongly.');
  try {
    const parsed = await parseFile(read.text, { base, file });
    const known = { file, size, stamp, hash, nodes: parsed.nodes.map(({ node }) => node) };
    return {
      known: { ...known, problems: [...problems, ...parsed.problems] },
      texts: parsed.nodes.map(({ content }) => content),
    };
  } catch (error) {
    report('unreadable', `The file could not be parsed: ${describeError(error)}`);
    return { known: { file, size, stamp, hash, nodes: [], problems }, texts: [] };
  }
}

/** A file that is there and cannot be read. It is tried again whenever the base is looked through. */
export function unreadable(base: string, file: string, size: number, error: unknown): KnownFile {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  const problem: BaseProblem =
    code === 'outside_root'
      ? { base, file, code, message: 'The file lies outside of the knowledge base and is not read.' }
      : { base, file, code: 'unreadable', message: `The file cannot be read (${code}).` };
  return { file, size, stamp: '', hash: '', nodes: [], problems: [problem] };
}

/** A file whose nodes are too many for the base. */
export function leftOut(base: string, known: KnownFile, limit: number): KnownFile {
  const { file } = known;
  const message = `A knowledge base holds at most ${limit} nodes; those of this file are left out.`;
  return { ...known, nodes: [], problems: [{ base, file, code: 'too_many_nodes', message }], isLeftOut: true };
}
