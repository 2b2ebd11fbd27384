import { isUtf8 } from 'node:buffer';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { readBytes, replaceFile } from '../files';
import { LIMITS } from './limits';
import { editNode, type NodeEdit, type Place } from './markdown';
import type { KnowledgeNode, NodeUpdate } from './model';

const MOST = `${LIMITS.fileSize / 1_048_576} MB`;

/** Where the node of an update stands. */
export interface UpdateTarget extends Place {
  /** The base's root as a real path. */
  realRoot: string;
  /** Tells the node among those that the file has now, under the ids that the file gives them. */
  isNode: (node: KnowledgeNode) => boolean;
}

/**
 * The file now, and with new content of one node. Undefined when the node or the file is gone. Throws `invalid_argument`
 * for content that cannot stand there (see `editNode`), for a file that is not UTF-8 or would get too large,
 * `outside_root`, and the system's error when the file cannot be read.
 */
export async function readEdit(target: UpdateTarget, content: string): Promise<NodeEdit | undefined> {
  const bytes = await bytesOf(target);
  return bytes && editOf(target, bytes, content);
}

/**
 * Writes new content of a node into its file, whole or not at all: what was there stays until all of the new text is on
 * the disk. Answers whether something was written: a file that has the content already is left alone. Throws `conflict`
 * when the node's hash is another one, unless `confirmed`, and in any case when the file changes while it is written;
 * `unknown_node` when it is gone; `read_only` when it may not be written.
 */
export async function writeUpdate(
  target: UpdateTarget,
  { content, content_hash }: Pick<NodeUpdate, 'content' | 'content_hash'>,
  { confirmed }: { confirmed: boolean },
): Promise<boolean> {
  const bytes = await bytesOf(target);
  const edit = bytes && (await editOf(target, bytes, content));
  if (!bytes || !edit) throw gone(target.file);
  const { node, before, after } = edit;
  if (before === after) return false;
  if (node.content_hash !== content_hash && !confirmed) {
    throw new KaizenError(
      'conflict',
      sentence('"{0}" in "{1}" was changed since.', node.title, target.file),
      sentence('Compare the two, and decide again.'),
    );
  }
  await replaceFile(target.realRoot, target.file, bytes, after);
  return true;
}

async function editOf(target: UpdateTarget, bytes: Buffer, content: string): Promise<NodeEdit | undefined> {
  if (!isUtf8(bytes)) {
    throw new KaizenError(
      'invalid_argument',
      sentence('"{0}" is not UTF-8, and writing it could spoil its letters.', target.file),
      sentence('Ask the user to save the file as UTF-8.'),
    );
  }
  const edit = await editNode(bytes.toString('utf8'), target, target.isNode, content);
  if (edit && Buffer.byteLength(edit.after) > LIMITS.fileSize) {
    throw new KaizenError(
      'invalid_argument',
      sentence('With this content "{0}" would have more than {1}, and not be indexed any more.', target.file, MOST),
      sentence('Propose less.'),
    );
  }
  return edit;
}

/** Undefined when the file is gone. Throws `invalid_argument` when it has become too large to be indexed. */
async function bytesOf({ realRoot, file }: UpdateTarget): Promise<Buffer | undefined> {
  const bytes = await readBytes(realRoot, file, LIMITS.fileSize);
  if (bytes !== 'too_large') return bytes;
  throw new KaizenError(
    'invalid_argument',
    sentence('"{0}" has more than {1} and is not indexed any more.', file, MOST),
    sentence('Ask the user to divide it.'),
  );
}

function gone(file: string): KaizenError {
  return new KaizenError(
    'unknown_node',
    sentence('The node is not in "{0}" any more.', file),
    sentence('It was deleted, renamed or moved: look for it with search_knowledge.'),
  );
}
