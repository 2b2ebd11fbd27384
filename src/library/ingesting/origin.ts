import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { checkText } from '../../core/text';
import { Turns } from '../../core/turns';
import { checkRelativePath, isInside } from '../../files';
import { headingOf } from './heading';
import { documentId, hashOf } from './identity';
import { LIMITS } from './limits';

/** Where a source is read from. */
export type Origin =
  | {
      kind: 'file';
      document_id: string;
      /** Absolute; the real one where there is a file. */
      source_path: string;
      name: string;
      /** The folder that the file must not lead out of, and its path in it. */
      root: string;
      inside: string;
    }
  | { kind: 'web'; document_id: string; source_path: string; name: string; domain: string }
  | { kind: 'content'; document_id: string; source_path: 'content:'; name: string; text: string };

const CONTENT = 'content:';
/** Characters whose line ends are read in one go. */
const PIECE = 64 * 1024;

/** Whose word it is: agents name files of the workspace folder only, people any. */
export interface Asking {
  workspace: string | undefined;
  byAgent: boolean;
}

/** Reads what was given as a source. Throws `invalid_argument`, and `outside_root` for a file that an agent may not name. */
export async function originOf(source: string, asking: Asking): Promise<Origin> {
  if (source.startsWith(CONTENT)) return contentOrigin(source.slice(CONTENT.length));
  const address = checkText(source.trim(), { name: sentence('source'), min: 1, max: LIMITS.address, singleLine: true });
  if (/^https?:\/\//i.test(address)) return webOrigin(address);
  if (/^file:\/\//i.test(address)) return fileOrigin(pathOf(address), asking);
  if (/^[a-z][a-z0-9+.-]+:/i.test(address) && !/^[a-z]:[\\/]/i.test(address)) {
    throw new KaizenError(
      'invalid_argument',
      sentence('"{0}" is no source that can be read.', address.slice(0, 80)),
      sentence('Give a path, an address that begins with https:// or http://, or content: and Markdown.'),
    );
  }
  return fileOrigin(address, asking);
}

async function contentOrigin(given: string): Promise<Origin> {
  const turns = new Turns();
  checkText(given, { name: sentence('content'), max: 2 * LIMITS.content });
  const text = await withLineFeeds(given, turns);
  checkText(text, { name: sentence('content'), max: LIMITS.content });
  if (text.trim() === '') {
    throw new KaizenError(
      'invalid_argument',
      sentence('There is no text behind "content:".'),
      sentence('Put Markdown right behind it.'),
    );
  }
  const name = ((await headingOf(text, turns)) ?? text.trimStart().split('\n', 1)[0]!).slice(0, 120);
  return { kind: 'content', document_id: documentId(name, hashOf(text)), source_path: CONTENT, name, text };
}

async function withLineFeeds(text: string, turns: Turns): Promise<string> {
  if (!text.includes('\r')) return text;
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PIECE, text.length);
    // Both stand for one end.
    if (text[to - 1] === '\r' && text[to] === '\n') to++;
    pieces.push(text.slice(from, to).replace(/\r\n?/g, '\n'));
    from = to;
    await turns.pause();
  }
  return pieces.join('');
}

function webOrigin(address: string): Origin {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new KaizenError('invalid_argument', sentence('"{0}" is no address on the web.', address.slice(0, 80)));
  }
  if (url.username !== '' || url.password !== '') {
    throw new KaizenError(
      'invalid_argument',
      sentence('An address must not hold a name or a password.'),
      sentence('Leave them out.'),
    );
  }
  // What stands behind `#` is a place in the page, not another page.
  url.hash = '';
  const last = url.pathname.split('/').filter(Boolean).at(-1);
  const name = last === undefined ? url.hostname : decoded(last);
  return {
    kind: 'web',
    document_id: documentId(name.replace(/\.\w{1,5}$/, ''), url.href),
    source_path: url.href,
    name,
    domain: url.hostname,
  };
}

async function fileOrigin(path: string, { workspace, byAgent }: Asking): Promise<Origin> {
  if (byAgent && workspace === undefined) {
    throw new KaizenError(
      'outside_root',
      'There is no workspace folder whose files could be read.',
      'Give an address on the web, or content: and Markdown.',
    );
  }
  const absolute = resolve(workspace ?? '.', path);
  const real = await realpath(absolute).catch(() => absolute);
  const name = basename(absolute);
  const origin = {
    kind: 'file' as const,
    document_id: documentId(name.replace(/\.\w{1,8}$/, ''), real),
    source_path: real,
    name,
  };
  if (!byAgent) return { ...origin, root: resolve(real, '..'), inside: basename(real) };
  const root = await realpath(workspace!).catch(() => resolve(workspace!));
  // One sentence for all: an agent must not learn what there is outside of the folder.
  const inside = relative(isInside(root, absolute) ? root : resolve(workspace!), absolute);
  if (inside === '' || isAbsolute(inside) || inside.split(sep)[0] === '..' || !isInside(root, real)) {
    throw new KaizenError(
      'outside_root',
      `"${path.slice(0, 120)}" is not a file in the workspace folder.`,
      'Agents add files of the workspace only; a person can add any file.',
    );
  }
  const parts = inside.split(sep).join('/');
  checkRelativePath(parts);
  return { ...origin, root, inside: parts };
}

function pathOf(address: string): string {
  try {
    return fileURLToPath(address);
  } catch {
    throw new KaizenError('invalid_argument', sentence('"{0}" names no file of this machine.', address.slice(0, 80)));
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
