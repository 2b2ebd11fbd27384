import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { checkText, checkTrimmed } from '../../core/text';
import { isWebAddress } from '../format/fields';
import { checkCategory, checkId } from '../format/ids';
import { LIMITS } from '../format/limits';
import { CATEGORY_OF, ENTRY_TYPES, type NoteInput, type NotePatch, SOURCE_TYPES, SPACES } from '../model';

export type CheckedInput = NoteInput & { category: string };

/** A new note as it may be written. Throws `invalid_argument` with what is allowed. */
export function checkInput(input: NoteInput): CheckedInput {
  checkId(input.zettel_id);
  checkOneOf('entry_type', input.entry_type, ENTRY_TYPES);
  const { tags, source_type, source_url } = checkOptional(input);
  return {
    zettel_id: input.zettel_id,
    title: checkTitle(input.title),
    content: checkContent(input.content),
    entry_type: input.entry_type,
    ...(tags ? { tags } : {}),
    ...(source_type ? { source_type } : {}),
    ...(source_url ? { source_url } : {}),
    category: checkCategory(input.category ?? CATEGORY_OF[input.entry_type]),
  };
}

/** What is to change, as it may be written. Throws `invalid_argument`, for a patch of nothing as well. */
export function checkPatch(patch: NotePatch): NotePatch {
  const { title, content, entry_type, category, space } = patch;
  if (Object.values(patch).every((value) => value === undefined)) {
    throw new KaizenError(
      'invalid_argument',
      sentence('There is nothing to update.'),
      sentence('Give at least one of title, content, entry_type, tags, source_type, source_url and category.'),
    );
  }
  if (entry_type !== undefined) checkOneOf('entry_type', entry_type, ENTRY_TYPES);
  if (space !== undefined) checkOneOf('space', space, SPACES);
  return {
    ...(title === undefined ? {} : { title: checkTitle(title) }),
    ...(content === undefined ? {} : { content: checkContent(content) }),
    ...(entry_type === undefined ? {} : { entry_type }),
    ...checkOptional(patch),
    ...(category === undefined ? {} : { category: checkCategory(category) }),
    ...(space === undefined ? {} : { space }),
  };
}

function checkTitle(title: string): string {
  return checkTrimmed(title, { name: sentence('title'), min: 1, max: LIMITS.title, singleLine: true });
}

/** Trimmed, each once. */
function checkTags(tags: readonly string[]): string[] {
  const checked = tags.map((tag) =>
    checkTrimmed(tag, { name: sentence('tag'), min: 1, max: LIMITS.tag, singleLine: true }),
  );
  const distinct = [...new Set(checked)];
  if (distinct.length <= LIMITS.tags) return distinct;
  throw new KaizenError(
    'invalid_argument',
    sentence('There are {0} tags; the limit is {1}.', distinct.length, LIMITS.tags),
  );
}

function checkContent(content: string): string {
  checkText(content, { name: sentence('content'), max: LIMITS.content });
  const bytes = Buffer.byteLength(content);
  if (bytes <= LIMITS.content) return content;
  throw new KaizenError(
    'invalid_argument',
    sentence('The content has {0} bytes; the limit is {1}.', bytes, LIMITS.content),
    sentence('Divide it into several notes, and link them.'),
  );
}

function checkOptional({ tags, source_type, source_url }: Pick<NotePatch, 'tags' | 'source_type' | 'source_url'>) {
  if (source_type) checkOneOf('source_type', source_type, SOURCE_TYPES);
  return {
    ...(tags === undefined ? {} : { tags: tags && checkTags(tags) }),
    ...(source_type === undefined ? {} : { source_type }),
    ...(source_url === undefined ? {} : { source_url: source_url && checkUrl(source_url) }),
  };
}

function checkUrl(url: string): string {
  const checked = checkTrimmed(url, { name: 'source_url', max: LIMITS.url, singleLine: true });
  if (isWebAddress(checked)) return checked;
  throw new KaizenError(
    'invalid_argument',
    sentence('The source_url "{0}" is no address on the web.', checked.slice(0, 80)),
    sentence('It begins with https:// or http://.'),
  );
}

function checkOneOf(name: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  throw new KaizenError(
    'invalid_argument',
    sentence('"{0}" is no {1}.', value.slice(0, 80), name),
    sentence('Use one of {0}.', allowed.join(', ')),
  );
}
