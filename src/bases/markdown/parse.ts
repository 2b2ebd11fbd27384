import { Turns } from '../../core/turns';
import { countLines } from '../../markdown';
import type { BaseProblem, NodeWithContent } from '../model';
import { readHead } from './head';
import { layoutOf } from './layout';
import { NodeMaker, type Place } from './nodes';

/** Nodes of one file. What follows is part of the last of them. */
export const MAX_NODES = 500;
/** Told of one file. */
const MAX_PROBLEMS = 20;

export interface ParsedFile {
  /** In the order of the file, root first; their ids are unique in the file. */
  nodes: NodeWithContent[];
  problems: BaseProblem[];
}

/**
 * Reads a Markdown file (docs/knowledge-bases.md says how). Never throws for what stands in it, and loses nothing: what
 * cannot be read as metadata is content, and said. Takes time in proportion to the text, in short turns.
 */
export async function parseFile(text: string, place: Place): Promise<ParsedFile> {
  const turns = new Turns();
  const problems: BaseProblem[] = [];
  const head = await readHead(text);
  for (const { message, range } of head?.faults ?? []) {
    problems.push({ ...place, line: countLines(text, range.start + 1) - 1, code: 'front_matter', message });
  }
  const { sections, faults, folded } = await layoutOf(text, head, { limit: MAX_NODES, turns });
  for (const { line, message } of faults) problems.push({ ...place, line, code: 'metadata', message });
  const maker = await NodeMaker.of(text, place, { head, sections, turns });
  const nodes: NodeWithContent[] = [];
  for (const index of sections.keys()) {
    nodes.push(maker.make(index));
    await turns.pause();
  }
  for (const { line, code, message } of maker.faults) problems.push({ ...place, line, code, message });
  const told = problems.sort((one, other) => (one.line ?? 0) - (other.line ?? 0)).slice(0, MAX_PROBLEMS);
  if (folded) {
    const message = `A file has at most ${MAX_NODES} nodes. The ${folded.count} headings from here on are part of the last one.`;
    told.push({ ...place, line: folded.line, code: 'too_many_nodes', message });
  }
  return { nodes, problems: told };
}
