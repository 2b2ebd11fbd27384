import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { checkText } from '../../core/text';
import { Turns } from '../../core/turns';
import { findHeadings, firstText } from '../../markdown';
import type { KnowledgeNode } from '../model';
import { readHead } from './head';
import { type Head, type Layout, layoutOf, type Section } from './layout';
import { contentOf, NodeMaker, type Place } from './nodes';
import { MAX_NODES } from './parse';

/** Of what an agent may propose for one node, in characters. */
const MAX_CONTENT = 200_000;

export interface NodeEdit {
  /** As it is now. */
  node: KnowledgeNode;
  /** The file's text now, and with the new content. The same where it has it already. */
  before: string;
  after: string;
  /** The new content as `contentOf` will read it. */
  content: string;
}

/**
 * Puts new content below the heading and the metadata of one node. Children, front matter, the byte order mark and
 * everything else stay byte for byte; the content gets the file's line ends. Undefined when `isNode` finds none. Throws
 * `invalid_argument` for content that is empty, too long, or would make other nodes than those that are there: with
 * headings of its own, as metadata, or with code or a comment that is left open and would swallow what follows.
 */
export async function editNode(
  before: string,
  place: Place,
  isNode: (node: KnowledgeNode) => boolean,
  written: string,
): Promise<NodeEdit | undefined> {
  const turns = new Turns();
  const head = await readHead(before);
  const { sections, folded } = await layoutOf(before, head, { limit: MAX_NODES, turns });
  const found = await findNode(before, place, { head, sections, turns }, isNode);
  if (!found) return undefined;
  const { index, node } = found;
  if (folded && index === sections.length - 1) {
    throw new KaizenError(
      'invalid_argument',
      `"${node.title}" is the last of the ${MAX_NODES} nodes of "${place.file}" and holds all that follows, so it cannot be changed.`,
      'Ask the user to divide the file.',
    );
  }
  const content = checkedContent(written);
  const whole = await layoutOf(before, head, { limit: Number.POSITIVE_INFINITY, turns });
  for (const region of regionsFor(before, sections[index]!, content)) {
    const { contentStart, end } = sections[index]!;
    const after = before.slice(0, contentStart) + region + before.slice(end);
    if (await isSame(before, whole, after, { edited: index, content, turns })) return { node, before, after, content };
  }
  throw await refusal(content, turns);
}

async function findNode(
  text: string,
  place: Place,
  parts: { head: Head | undefined; sections: readonly Section[]; turns: Turns },
  isNode: (node: KnowledgeNode) => boolean,
): Promise<{ index: number; node: KnowledgeNode } | undefined> {
  const maker = await NodeMaker.of(text, place, parts);
  for (const index of parts.sections.keys()) {
    const { node } = maker.make(index);
    if (isNode(node)) return { index, node };
    await parts.turns.pause();
  }
  return undefined;
}

/** With line feeds, without blank lines around it. */
function checkedContent(written: string): string {
  const text = written.replace(/\r\n?/g, '\n');
  return checkText(text.slice(firstText(text)).trimEnd(), { name: sentence('content'), min: 1, max: MAX_CONTENT });
}

/** The new text of a section's own part, with as little changed around it as can be: what is tried, in this order. */
function regionsFor(text: string, { contentStart, end }: Section, content: string): string[] {
  const eol = lineEndOf(text);
  const body = content.replaceAll('\n', eol);
  const old = text.slice(contentStart, end);
  const isLast = end === text.length;
  const needsBreak = contentStart > 0 && !/[\n\r\uFEFF]$/.test(text.slice(contentStart - 1, contentStart));
  if (old.trim() === '') {
    const lead = (needsBreak ? eol : '') + (/^[ \t]*[\r\n]/.test(old) ? eol : '');
    return [lead + body + (isLast ? eol : eol + eol)];
  }
  const lead = old.slice(0, firstText(old));
  const trail = old.slice(old.trimEnd().length);
  return isLast ? [lead + body + trail] : [lead + body + trail, lead + body + eol + eol];
}

/** Whether the edited file has the same nodes, and all of them but the edited one's content as they were. */
async function isSame(
  before: string,
  was: Layout,
  after: string,
  { edited, content, turns }: { edited: number; content: string; turns: Turns },
): Promise<boolean> {
  const limit = Number.POSITIVE_INFINITY;
  const { sections } = await layoutOf(after, await readHead(after), { limit, turns });
  if (sections.length !== was.sections.length) return false;
  for (const [index, section] of sections.entries()) {
    const old = was.sections[index]!;
    // The last line of a file may have got its break.
    const above = after.slice(section.start, section.contentStart).trimEnd();
    if (above !== before.slice(old.start, old.contentStart).trimEnd()) return false;
    if (section.level !== old.level || section.parent !== old.parent) return false;
    const isKept =
      index === edited
        ? contentOf(after, section) === content
        : after.slice(section.contentStart, section.end) === before.slice(old.contentStart, old.end);
    if (!isKept) return false;
    await turns.pause();
  }
  return true;
}

async function refusal(content: string, turns: Turns): Promise<KaizenError> {
  const [heading] = await findHeadings(content, 0, 0, turns);
  if (heading) {
    return new KaizenError(
      'invalid_argument',
      `Line ${heading.line + 1} of the content is a heading, which would be a node of its own.`,
      'Write bold text instead, or propose an update to the node that the heading belongs to.',
    );
  }
  if ((await findHeadings(`${content}\n\n# x\n`, 0, 0, turns)).length === 0) {
    return new KaizenError(
      'invalid_argument',
      'The content leaves a block of code or a comment open, which would swallow what follows in the file.',
      'Close it at its end.',
    );
  }
  return new KaizenError(
    'invalid_argument',
    'The content would be read as something else where it stands: as metadata, front matter or part of a heading.',
    'Leave out metadata lists and <!-- content -->, and begin with a paragraph.',
  );
}

/** The one that most lines have. */
function lineEndOf(text: string): string {
  const pairs = countOf('\r\n', text);
  const feeds = countOf('\n', text) - pairs;
  if (pairs > feeds) return '\r\n';
  return feeds === 0 && pairs === 0 && text.includes('\r') ? '\r' : '\n';
}

function countOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++;
  return count;
}
