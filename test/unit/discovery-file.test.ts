import assert from 'node:assert/strict';
import { describeFile } from '../../src/discovery/file-description';

describe('what a file is about', () => {
  it('is its path, its comments and the names that it uses most, not the words of its language', () => {
    const text = [
      '// Copyright 2020 Somebody. All rights reserved.',
      "import { ledger } from './ledger.js';",
      '/** Refunds part of a captured charge. */',
      'export function refund(chargeId: string) {',
      '  const line = ledger.find(chargeId);',
      '  return ledger.insert(line, chargeId);',
      '}',
    ].join('\r\n');
    const described = describeFile('src/payments/refunds.ts', text);
    assert.equal(described, 'src/payments/refunds.ts\nRefunds part of a captured charge.\nledger chargeId line');
  });

  it('is found in the comments of other languages, too', () => {
    assert.match(describeFile('a.py', '#!/usr/bin/env python\n# Rolls back.\nimport os\n'), /\nRolls back\.$/);
    assert.match(describeFile('a.sql', '-- Adds the ledger.\nselect 1;\n'), /\nAdds the ledger\.$/);
    assert.doesNotMatch(describeFile('a.c', '#include <stdio.h>\nint x_y_z; int x_y_z;\n'), /\ninclude/);
  });

  it('is the headings of a Markdown file, and the beginning of what has neither', () => {
    assert.equal(describeFile('a.md', '# Refunds\n\nLong text.\n\n## Limits\n'), 'a.md\nRefunds\nLimits');
    assert.equal(describeFile('a.md', 'Just text.'), 'a.md\nJust text.');
    assert.equal(describeFile('data.csv', 'id;amount\n1;2\n'), 'data.csv\nid;amount\n1;2');
    assert.equal(describeFile('empty.ts', ''), 'empty.ts');
  });

  it('is told briefly, whatever the file holds', () => {
    // Anything quadratic would take longer than a test may.
    for (const piece of ['/* ', '# ', 'aaaaaa', '"""', ' ', '\n', 'ab_1 ', '<!--', '// x\n', '-->', '  *', '{}']) {
      const described = describeFile('src/a.ts', piece.repeat(1_000_000 / piece.length));
      assert.ok(described.length < 2_000, `${described.length} for ${JSON.stringify(piece)}`);
    }
  });
});
