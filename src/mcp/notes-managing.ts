import { KaizenError } from '../core/errors';
import type { KaizenParts } from '../kaizen';
import type { EntryType, Location, NotePatch, NoteWrite, SourceType, Space, WriteResult } from '../notes';
import { changeBy, writeOrHold } from './agent-writes';
import { amongNotes } from './first-indexing';
import { type ActionRule, checkAction } from './notes-arguments';
import type { ToolCall } from './tool';

export interface ManageArguments {
  action: 'create' | 'update' | 'delete' | 'publish' | 'rename';
  zettel_id: string;
  title?: string | undefined;
  content?: string | undefined;
  entry_type?: EntryType | undefined;
  tags?: string[] | undefined;
  source_type?: SourceType | undefined;
  source_url?: string | undefined;
  category?: string | undefined;
  location?: Location | undefined;
  version?: string | undefined;
  confirm?: boolean | undefined;
  content_hash?: string | undefined;
  new_zettel_id?: string | undefined;
}

const FIELDS = ['title', 'content', 'entry_type', 'tags', 'source_type', 'source_url', 'category'] as const;

const RULES: Readonly<Record<ManageArguments['action'], ActionRule>> = {
  create: {
    needs: ['zettel_id', 'title', 'content', 'entry_type'],
    may: ['tags', 'source_type', 'source_url', 'category', 'location'],
    example:
      'manage({"action": "create", "zettel_id": "042-email-deliverability", "title": "Email Deliverability", "content": "# Email Deliverability\\n\\n…", "entry_type": "pattern"})',
  },
  update: {
    needs: ['zettel_id'],
    may: [...FIELDS, 'location', 'content_hash'],
    example: 'manage({"action": "update", "zettel_id": "042-email-deliverability", "title": "Updated Title"})',
  },
  delete: {
    needs: ['zettel_id'],
    may: ['confirm', 'location', 'content_hash'],
    example: 'manage({"action": "delete", "zettel_id": "042-email-deliverability", "confirm": true})',
  },
  publish: {
    needs: ['zettel_id'],
    may: ['version', 'location', 'confirm'],
    example: 'manage({"action": "publish", "zettel_id": "042-email-deliverability"})',
  },
  rename: {
    needs: ['zettel_id', 'new_zettel_id'],
    may: ['location'],
    example:
      'manage({"action": "rename", "zettel_id": "042-email-deliverability", "new_zettel_id": "042-email-reputation"})',
  },
};

/** `manage` of seed 004. A publishing that the registry refuses is a result with the difference, not an error. */
export async function manageNote(parts: KaizenParts, args: ManageArguments, call: ToolCall) {
  checkAction('manage', { ...args }, RULES);
  const input = writeOf(args);
  const change = changeBy(call);
  const { action, zettel_id } = args;
  return amongNotes(parts.notes, call.signal, async () => {
    const write = () => parts.notes.write(input, change);
    const result = await writeOrHold(parts, call, { operation: 'write_note', input }, change, write);
    if ('pending' in result) return { status: 'pending' as const, action, zettel_id, pending: result.pending };
    return answerTo(action, result);
  });
}

function writeOf(args: ManageArguments): NoteWrite {
  const { action, zettel_id, location, content_hash } = args;
  const where = location === undefined ? {} : { location };
  const hash = content_hash === undefined ? {} : { content_hash };
  switch (action) {
    case 'create': {
      const { title = '', content = '', entry_type = 'concept', tags, source_type, source_url, category } = args;
      const input = { zettel_id, title, content, entry_type, tags, source_type, source_url: source_url || undefined };
      return { action, location: location ?? 'project', input: { ...input, category } };
    }
    case 'update':
      return { action, ...where, zettel_id, patch: patchOf(args), ...hash };
    case 'delete':
      requireConfirmation(args);
      return { action, ...where, zettel_id, ...hash };
    case 'publish': {
      const { version, confirm } = args;
      const more = { ...(version === undefined ? {} : { version }), ...(confirm ? { confirmed: true } : {}) };
      return { action, ...inSpace(args), zettel_id, ...more };
    }
    case 'rename':
      return { action, ...inSpace(args), zettel_id, new_zettel_id: args.new_zettel_id ?? '' };
  }
}

/** An empty `source_url` takes it away, as an empty list does with tags: `null` means left out. */
function patchOf(args: ManageArguments): NotePatch {
  const given = Object.fromEntries(FIELDS.flatMap((key) => (args[key] === undefined ? [] : [[key, args[key]]])));
  if (Object.keys(given).length === 0) {
    const hint = `Name at least one of ${FIELDS.join(', ')}. Example: ${RULES.update.example}`;
    throw new KaizenError('invalid_argument', 'manage with action "update" has nothing to change.', hint);
  }
  const patch: NotePatch = given;
  return patch.source_url === '' ? { ...patch, source_url: null } : patch;
}

function requireConfirmation({ zettel_id, confirm }: ManageArguments): void {
  if (confirm === true) return;
  throw new KaizenError(
    'confirmation_required',
    `"${zettel_id}" was not deleted: manage with action "delete" needs confirm: true.`,
    'Ask the user first, then call again with it.',
  );
}

function inSpace({ action, location }: ManageArguments): { location?: Space } {
  if (location === undefined) return {};
  if (location !== 'registry') return { location };
  throw new KaizenError(
    'invalid_argument',
    `manage with action "${action}" takes a note of the project or the user.`,
    `Say location "project" or "user", or leave it out. Example: ${RULES[action].example}`,
  );
}

function answerTo(action: ManageArguments['action'], result: WriteResult) {
  switch (result.action) {
    case 'publish': {
      const { zettel_id, location } = result;
      if (result.status === 'conflict') {
        const { reason, latest, difference, message } = result.conflict;
        const { version, published_by, published_at } = latest;
        const inRegistry = { version, published_by, published_at };
        return {
          status: 'conflict' as const,
          action,
          zettel_id,
          location,
          reason,
          latest: inRegistry,
          difference,
          message: String(message),
        };
      }
      const { version } = result;
      const message = `The registry has this text already, as version ${version}.`;
      return {
        status: 'success' as const,
        action,
        zettel_id,
        location,
        version,
        ...(result.status === 'unchanged' ? { message } : {}),
      };
    }
    case 'create':
    case 'update':
    case 'delete':
    case 'rename': {
      const { zettel_id, location, path, version, content_hash, also, message } = result;
      const more = { ...(also && also.length > 0 ? { also: [...also] } : {}), ...(message ? { message } : {}) };
      return { status: 'success' as const, action, zettel_id, location, path, version, content_hash, ...more };
    }
    default:
      throw new TypeError(`${action} was answered as ${result.action}`);
  }
}
