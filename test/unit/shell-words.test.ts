import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { posixWord, shellWord } from '../../src/core/shell-words';

describe('words of a shell', () => {
  it('stand for themselves in a POSIX shell', function () {
    if (process.platform === 'win32') this.skip();
    const texts = [
      'a',
      '',
      '/srv/x',
      "it's",
      '$(id) `id` $HOME',
      'a\\',
      '=ls',
      '~',
      '“x”; y',
      'a\nb',
      '%PATH%',
      '{a,b}',
      '!!',
    ];
    for (const text of texts) {
      const said = execFileSync('/bin/sh', ['-c', `printf %s ${posixWord(text)}`], { encoding: 'utf8' });
      assert.equal(said, text);
      assert.equal(shellWord(text, 'linux'), posixWord(text));
    }
  });

  it('are given for Windows only where cmd and PowerShell read them alike', () => {
    assert.equal(shellWord('C:\\my data', 'win32'), '"C:\\my data"');
    assert.equal(shellWord('shop', 'win32'), 'shop');
    assert.equal(shellWord('a,b', 'win32'), '"a,b"');
    assert.equal(shellWord("it's & that", 'win32'), '"it\'s & that"');
    for (const text of ['$(calc)', '$x', '`n', '%PATH%', 'a"b', '\u201Cx\u201D', '\u2018x\u2019', '\u201E', 'C:\\']) {
      assert.equal(shellWord(text, 'win32'), undefined, text);
    }
  });
});
