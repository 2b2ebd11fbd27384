import { isAbsolute, normalize } from 'node:path';
import { baseNameFault } from '../core/base-names';
import { KaizenError } from '../core/errors';
import { type Sentence, sentence } from '../core/sentence';
import type { BaseDefinition } from './model';

/** Seed 002, "Configuration Schema". */
const INCLUDE = ['**/*.md'];
const EXCLUDE = ['**/node_modules/**', '**/.git/**'];

const MAX_BASES = 100;

export type CompleteDefinition = Required<{ [Key in keyof BaseDefinition]: NonNullable<BaseDefinition[Key]> }>;

/** Fills in what was not said. Throws `invalid_argument` for a bad or repeated name and for a root that is relative. */
export function checkDefinitions(definitions: readonly BaseDefinition[]): CompleteDefinition[] {
  if (definitions.length > MAX_BASES) {
    throw invalid(sentence('There are {0} knowledge bases; the limit is {1}.', definitions.length, MAX_BASES));
  }
  const names = new Set<string>();
  return definitions.map(({ name, root, include, exclude }) => {
    checkName(name);
    // Hosts of URIs have no case: editors write them in lower case.
    if (names.has(name.toLowerCase())) {
      throw invalid(
        sentence('Two knowledge bases are called "{0}".', name),
        sentence('Give each a name of its own; case does not count.'),
      );
    }
    names.add(name.toLowerCase());
    if (!isAbsolute(root) || root.includes('\0')) {
      throw invalid(
        sentence('The folder of the knowledge base "{0}" is not an absolute path.', name),
        sentence('Write the whole path.'),
      );
    }
    return {
      name,
      root: normalize(root),
      include: include && include.length > 0 ? [...include] : INCLUDE,
      exclude: exclude ? [...exclude] : EXCLUDE,
    };
  });
}

function checkName(name: string): void {
  const fault = baseNameFault(name);
  if (fault === 'bad_name') {
    const shown = name.slice(0, 120);
    throw invalid(
      sentence('"{0}" is not a name for a knowledge base.', shown),
      sentence('Use 1 to 100 letters, digits, dots, underscores and hyphens.'),
    );
  }
  if (fault === 'reserved_name') {
    throw invalid(
      sentence('A knowledge base cannot be called "{0}".', name),
      sentence('The word has a meaning of its own in addresses.'),
    );
  }
}

/** Whether both describe the same base, so that it may keep what it knows. */
export function isSameDefinition(a: CompleteDefinition, b: CompleteDefinition): boolean {
  return a.name === b.name && a.root === b.root && sameTexts(a.include, b.include) && sameTexts(a.exclude, b.exclude);
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at]);
}

function invalid(message: Sentence, hint?: Sentence): KaizenError {
  return new KaizenError('invalid_argument', message, hint);
}
