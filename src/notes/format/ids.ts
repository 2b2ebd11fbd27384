import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';

/** In characters; what holds everywhere. */
const MAX_CHARACTERS = 120;
/** A name with `.md` and what is written beside it stays below the 255 bytes that a name may have. */
const MAX_BYTES = 200;
const MAX_DEPTH = 8;
/** With the marks without which many scripts have no words; but nothing that nobody would see. */
const NAME = /^(?![\p{M}._-])(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}._-])+$/u;
/** Names of devices, with whatever ending ("Naming Files, Paths, and Namespaces", Microsoft). */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;

const ALLOWED = sentence(
  'An id has letters, digits, "-", "_" and ".", begins with a letter or a digit, and has at most {0} characters: 042-email-deliverability.',
  MAX_CHARACTERS,
);
const ALLOWED_PART = sentence(
  'A category is a folder, such as patterns or apis/mail: letters, digits, "-", "_" and ".", each part beginning with a letter or a digit.',
);

/** What is wrong with an id as the end of a sentence ("ends in .md"); undefined when it may be one. */
export function idFault(id: string): Sentence | undefined {
  if (id === '') return sentence('is empty');
  if (id !== id.normalize('NFC')) return sentence('is not in Unicode normal form C');
  if (!NAME.test(id)) return sentence('has characters that a file name should not have, or begins with one');
  if ([...id].length > MAX_CHARACTERS) return sentence('has more than {0} characters', MAX_CHARACTERS);
  if (Buffer.byteLength(id) > MAX_BYTES) return sentence('has more than {0} bytes in UTF-8', MAX_BYTES);
  if (id.endsWith('.')) return sentence('ends in a dot');
  if (/\.md$/i.test(id)) return sentence('ends in .md, which its file has by itself');
  if (DEVICE.test(id)) return sentence('is the name of a device on Windows');
  return undefined;
}

/** Throws `invalid_argument` with what is allowed, unless the id is a safe file name. */
export function checkId(id: string, name: Sentence | string = 'zettel_id'): string {
  const fault = idFault(id);
  if (fault === undefined) return id;
  throw new KaizenError('invalid_argument', sentence('The {0} "{1}" {2}.', name, shown(id), fault), ALLOWED);
}

/** Throws `invalid_argument` with what is allowed, unless the category is a folder of a space; '' is its root. */
export function checkCategory(category: string): string {
  if (category === '') return category;
  const parts = category.split('/');
  const refuse = (why: Sentence) =>
    new KaizenError('invalid_argument', sentence('The category "{0}" {1}.', shown(category), why), ALLOWED_PART);
  if (parts.length > MAX_DEPTH) throw refuse(sentence('has more than {0} parts', MAX_DEPTH));
  for (const part of parts) {
    const fault = idFault(part);
    if (fault !== undefined)
      throw refuse(part === '' ? sentence('has an empty part') : sentence('has a part that {0}', fault));
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
