/** Longer ones are cut: an address must stay one that can be shown. */
const MAX_SLUG = 100;

/**
 * The anchor of a heading's text as GitHub makes it: lower case, punctuation gone, a hyphen for each space; letters and
 * digits of every script stay. Empty when nothing is left.
 */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
  return slug.length > MAX_SLUG ? slug.slice(0, MAX_SLUG).replace(/\p{Cs}$/u, '') : slug;
}

/** A slug that is not taken yet, numbered where it must be, as GitHub does: `usage`, `usage-1`. Takes it. */
export function freeSlug(slug: string, taken: Map<string, number>): string {
  let number = taken.get(slug);
  if (number === undefined) {
    taken.set(slug, 0);
    return slug;
  }
  let numbered: string;
  do numbered = `${slug}-${++number}`;
  while (taken.has(numbered));
  taken.set(slug, number);
  taken.set(numbered, 0);
  return numbered;
}

const INDEX_FILE = /^(?:readme|index|_index)$/;
const ENDING = /\.(?:md|mdc|mdx|markdown)$/i;

/** Names of a path's parts, the ending left out: `guidelines/SECURITY.md` is `guidelines`, `SECURITY`. */
export function partsOf(file: string): string[] {
  return file.replace(ENDING, '').split('/');
}

/**
 * The id of a file's root node: its path in slugs, `guidelines/SECURITY.md` is `guidelines.security`. A README or index
 * stands for its folder, but for the one on top.
 */
export function fileId(file: string): string {
  const slugs = partsOf(file).map((part) => slugOf(part.replaceAll('.', ' ').trim()) || 'file');
  if (slugs.length > 1 && INDEX_FILE.test(slugs.at(-1)!)) slugs.pop();
  return slugs.join('.');
}

/** A title for a file that has none: its name, or its folder's where it is a README or index. */
export function fileTitle(file: string): string {
  const parts = partsOf(file);
  const isIndex = parts.length > 1 && INDEX_FILE.test(parts.at(-1)!.toLowerCase());
  const name = (parts.at(isIndex ? -2 : -1) ?? '').replace(/[-_]+/g, ' ').trim();
  return name === '' ? file : name.slice(0, 1).toUpperCase() + name.slice(1);
}
