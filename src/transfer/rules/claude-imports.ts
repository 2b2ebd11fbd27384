import { atOnce } from '../../core/turns';
import { scanBlocks } from '../../markdown';

/** `@docs/git.md`, `@./x`, `@~/x`: a path behind an at sign that stands at a word's beginning. */
const IMPORT = /(?<![^\s([{"'])@(~?[\w./-][^\s`*,;:()[\]{}"'<>]{0,300})/g;

/** A file that a CLAUDE.md names to be read with it. */
export interface ClaudeImport {
  /** As written, `@` left out. */
  written: string;
  /** From 1. */
  line: number;
  /** Whether the line says nothing else. */
  isAlone: boolean;
}

/** The imports of a text: none in code, as Claude Code reads them. */
export function importsOf(text: string, from: number, line: number): ClaudeImport[] {
  if (!text.includes('@')) return [];
  return atOnce(scanBlocks(text, from, line)).texts.flatMap(({ start, end, line: number }) => {
    const shown = text.slice(start, end);
    if (!shown.includes('@')) return [];
    const prose = shown.slice(0, 10_000).replace(/(`+)[^`]*\1/g, (code) => ' '.repeat(code.length));
    const found = [...prose.matchAll(IMPORT)].map((match) => match[1]!.replace(/[.!?]+$/, ''));
    return found
      .filter((written) => /[./]/.test(written) && !/^[.~/]*$/.test(written))
      .map((written) => ({ written, line: number + 1, isAlone: shown.trim() === `@${written}` }));
  });
}

/**
 * The path of an import, relative to the root that `path` is relative to; undefined where it leads out of it, to a home
 * folder or to an absolute path.
 */
export function importedPath(path: string, written: string): string | undefined {
  if (/^[~/]/.test(written)) return undefined;
  const parts = path.split('/').slice(0, -1);
  for (const part of written.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.length === 0 ? undefined : parts.join('/');
}
