import { createTwoFilesPatch } from 'diff';
import type { FileChange } from './model';

/** A change as a unified diff under a name for the file; what is not there is `/dev/null`, as git has it. */
export function differenceOf({ before, after }: FileChange, name: string): string {
  const [from, to] = [before === undefined ? '/dev/null' : name, after === undefined ? '/dev/null' : name];
  return createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, { context: 3 })
    .replace(/^(?:Index: .*\n)?=+\n/, '')
    .trimEnd();
}
