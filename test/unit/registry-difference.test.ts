import assert from 'node:assert/strict';
import { difference } from '../../src/notes/registry';

const of = (before: string, after: string) =>
  difference({ name: 'registry', text: before }, { name: 'file', text: after });

describe('the difference of two versions', () => {
  it('is empty where they say the same, however their lines end', () => {
    assert.equal(of('a\r\nb\r\n', 'a\nb\n'), '');
  });

  it('is unified, under both names', () => {
    assert.equal(of('a\nb\n', 'a\nc\n'), '--- registry\n+++ file\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n');
  });

  it('is cut off at the end of a line where nobody would read on', () => {
    const long = of('', 'a line of text\n'.repeat(10_000));
    assert.ok(long.length <= 20_002);
    assert.ok(long.endsWith('+a line of text\n…\n'));
  });

  it('is told where hundreds of lines differ, here and there in a long text', () => {
    const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}`);
    const other = lines.map((line, at) => (at % 50 === 0 ? `another ${line}` : line));
    assert.match(of(lines.join('\n'), other.join('\n')), /^-line 50\n\+another line 50$/m);
  });

  it('is given up on when the texts have too little in common', () => {
    const text = (from: number) =>
      Array.from({ length: 60_000 }, (_, line) => `${(line * 7919 + from) % 99_991}`).join('\n');
    assert.equal(
      of(text(0), text(50_000)),
      '--- registry\n+++ file\n(These two have too little in common to be compared.)\n',
    );
  });
});
