/**
 * A part of a path, or an id, made of a name that may have anything in it; empty when nothing of it is left. What is
 * already safe stays as it is.
 */
export function safeName(name: string): string {
  return name
    .normalize('NFC')
    .trim()
    .replace(/\.md$/i, '')
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[^\p{L}\p{N}]+|[-.]+$/gu, '');
}
