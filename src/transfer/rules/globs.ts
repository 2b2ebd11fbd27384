import { parseAppliesTo } from '../../core/globs';
import { type Sentence, sentence } from '../../core/sentence';
import type { ForeignValue } from '../../frontmatter';

/** What files say that hold everywhere. */
const EVERYTHING = /^(?:\.?\/)?(?:\*\*?|\*\*\/\*\*?|\*\*\/\*\.\*|\*\.\*)$/;
const LONGEST = 8_000;

export interface Applying {
  /** For APPLIES_TO; absent where the rules hold everywhere. */
  appliesTo?: string;
  /** On globs that could not be taken: then none is, because by the others alone the rules would hold for less. */
  faults: Sentence[];
  /** Whether what the file says of where it holds could not be taken. */
  isUnclear?: boolean;
}

/**
 * APPLIES_TO from the globs of another tool's file: lists, commas, quotes and braces as they come. `folders` are where
 * the file holds (`RuleFile`): globs are looked for below them. `always` is a rule that holds whatever the globs say.
 */
export function appliesTo(globs: ForeignValue | undefined, folders: readonly string[], always: boolean): Applying {
  const { faults, ...whole } = allOf(folders);
  const written = always ? [] : writtenIn(globs);
  const excluding = written.filter((glob) => glob.startsWith('!'));
  const including = written.filter((glob) => !glob.startsWith('!'));
  const wrong = written.flatMap((glob) => parseAppliesTo(glob.replace(/^!/, '')).faults.slice(0, 1));
  if (excluding.length === 0 && including.some((glob) => EVERYTHING.test(glob)))
    return { ...whole, faults: [...faults, ...wrong] };
  if (wrong.length > 0) return { ...whole, faults: [...faults, ...wrong], isUnclear: true };
  if (including.length === 0) return { ...whole, faults };
  const value = [...including, ...excluding].flatMap((glob) => folders.map((folder) => below(glob, folder))).join(', ');
  const fault = faultOf(value);
  return fault === undefined ? { appliesTo: value, faults } : { ...whole, faults: [...faults, fault], isUnclear: true };
}

/** All of some folders; where they are too many, everywhere. */
function allOf(folders: readonly string[]): Applying {
  if (folders.includes('')) return { faults: [] };
  const value = folders.map((folder) => `/${literally(folder)}/`).join(', ');
  const fault = faultOf(value);
  return fault === undefined ? { appliesTo: value, faults: [] } : { faults: [fault] };
}

function faultOf(value: string): Sentence | undefined {
  return value.length > LONGEST ? sentence('There are too many globs.') : parseAppliesTo(value).faults[0];
}

function writtenIn(globs: ForeignValue | undefined): string[] {
  const values = globs === undefined ? [] : Array.isArray(globs) ? globs : [globs];
  // An array that was no YAML, or quotes around each of several.
  return values
    .map((value) => value.trim().replace(/^\[(.*)\]$/s, isList))
    .flatMap((value) => parseAppliesTo(value.replace(/["'][ \t]*,[ \t]*["']/g, ', ')).written)
    .map((glob) => glob.replace(/^["']|["']$/g, '').trim())
    .filter((glob) => glob !== '');
}

/** What brackets hold when they are no set of characters. */
function isList(all: string, inside: string): string {
  return /[,"']/.test(inside) ? inside : all;
}

/** A folder's name as a glob that takes it and, where its characters cannot be written otherwise, little else. */
function literally(folder: string): string {
  return folder.replace(/[[*?]/g, '[$&]').replace(/[{},!\\]/g, '?');
}

function below(glob: string, folder: string): string {
  if (folder === '') return glob;
  const [excludes, rest] = glob.startsWith('!') ? ['!', glob.slice(1)] : ['', glob];
  const name = rest.replace(/^\.?\//, '');
  // What names its folder itself is written from the root, as these tools read it.
  if (name.startsWith(`${folder}/`)) return `${excludes}${name}`;
  const anywhere = name.includes('/') || rest !== name ? name : `**/${name}`;
  return `${excludes}${literally(folder)}/${anywhere}`;
}
