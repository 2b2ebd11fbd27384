import assert from 'node:assert/strict';
import { readCommand } from '../../src/guard/commands';

/** Lines that touch, with what a variable only may hold behind a question mark; `reads` for those that change nothing. */
export type Form = [line: string, touched: string[] | 'reads'];

/** A test for each line. */
export function checkForms(forms: readonly Form[]): void {
  for (const [line, touched] of forms) {
    it(`"${line.replaceAll('\n', '⏎')}" ${touched === 'reads' ? 'only reads' : `touches ${touched.join(', ') || 'nothing'}`}`, () => {
      const { onlyReads, paths, guessed = [] } = readCommand(line);
      assert.equal(onlyReads, touched === 'reads');
      const found = [...paths, ...guessed.map((path) => `?${path}`)];
      if (touched !== 'reads') assert.deepEqual(found.toSorted(), touched.toSorted());
    });
  }
}
