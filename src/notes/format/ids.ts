import { KaizenError } from '../../core/errors';

/** In characters; what holds everywhere. */
const MAX_CHARACTERS = 120;
/** A name with `.md` and what is written beside it stays below the 255 bytes that a name may have. */
const MAX_BYTES = 200;
const MAX_DEPTH = 8;
/** With the marks without which many scripts have no words; but nothing that nobody would see. */
const NAME = /^(?![\p{M}._-])(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}._-])+$/u;
/** Names of devices, with whatever ending ("Naming Files, Paths, and Namespaces", Microsoft). */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;

const ALLOWED = `An id has letters, digits, "-", "_" and ".", begins with a letter or a digit, and has at most ${MAX_CHARACTERS} characters: 042-email-deliverability.`;
const ALLOWED_PART =
  'A category is a folder, such as patterns or apis/mail: letters, digits, "-", "_" and ".", each part beginning with a letter or a digit.';

/** What is wrong with an id as the end of a sentence ("ends in .md"); undefined when it may be one. */
export function idFault(id: string): string | undefined {
  if (id === '') return 'is empty';
  if (id !== id.normalize('NFC')) return 'is not in Unicode normal form C';
  if (!NAME.test(id)) return 'has characters that a file name should not have, or begins with one';
  if ([...id].length > MAX_CHARACTERS) return `has more than ${MAX_CHARACTERS} characters`;
  if (Buffer.byteLength(id) > MAX_BYTES) return `has more than ${MAX_BYTES} bytes in UTF-8`;
  if (id.endsWith('.')) return 'ends in a dot';
  if (/\.md$/i.test(id)) return 'ends in .md, which its file has by itself';
  if (DEVICE.test(id)) return 'is the name of a device on Windows';
  return undefined;
}

/** Throws `invalid_argument` with what is allowed, unless the id is a safe file name. */
export function checkId(id: string, name = 'zettel_id'): string {
  const fault = idFault(id);
  if (fault === undefined) return id;
  throw new KaizenError('invalid_argument', `The ${name} "${shown(id)}" ${fault}.`, ALLOWED);
}

/** Throws `invalid_argument` with what is allowed, unless the category is a folder of a space; '' is its root. */
export function checkCategory(category: string): string {
  if (category === '') return category;
  const parts = category.split('/');
  const refuse = (why: string) =>
    new KaizenError('invalid_argument', `The category "${shown(category)}" ${why}.`, ALLOWED_PART);
  if (parts.length > MAX_DEPTH) throw refuse(`has more than ${MAX_DEPTH} parts`);
  for (const part of parts) {
    const fault = idFault(part);
    if (fault !== undefined) throw refuse(part === '' ? 'has an empty part' : `has a part that ${fault}`);
  }
  return category;
}

/** Two ids of a space differ in this: letters of either case are one, as they are on many disks. */
export function idKey(id: string): string {
  return id.normalize('NFC').toLowerCase();
}

function shown(text: string): string {
  const plain = text.replace(/\p{C}/gu, '\u{FFFD}');
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain;
}
