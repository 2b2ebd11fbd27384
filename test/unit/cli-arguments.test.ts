import assert from 'node:assert/strict';
import { readArguments, UsageError } from '../../src/cli/command';

describe('what is typed behind a command', () => {
  const options = {
    overwrite: { type: 'boolean', help: '' },
    yes: { type: 'boolean', short: 'y', help: '' },
    reason: { type: 'string', help: '' },
    meta: { type: 'string', multiple: true, help: '' },
  } as const;
  const read = (...argv: string[]) => {
    const args = readArguments({ options }, argv);
    return {
      words: args.positionals,
      flags: ['overwrite', 'yes'].filter((name) => args.flag(name)),
      reason: args.string('reason'),
      meta: args.strings('meta'),
    };
  };

  it('may be text that begins with a dash, wherever it stands', () => {
    const texts = [
      '- Do this always',
      '- [ ] a=b',
      '-\tx',
      '--dry run it is not',
      '---\na: b\n---\nText.',
      '-Wall is on',
    ];
    for (const text of texts) {
      const { words, flags, meta } = read('shop', text, '--overwrite', '--meta', 'A=b', '-y');
      assert.deepEqual([words, flags, meta], [['shop', text], ['overwrite', 'yes'], ['A=b']], text);
      assert.deepEqual(read('--reason', text, '--meta', text).meta, [text]);
      assert.equal(read('--reason', text).reason, text);
    }
    assert.deepEqual(read('shop', '-').words, ['shop', '-']);
    assert.deepEqual(read('--meta=A=- b c').meta, ['A=- b c']);
  });

  it('is no text where it may be an option that is misspelt', () => {
    for (const wrong of ['--overwrit', '--mata=REASON=too slow', '-x']) {
      assert.throws(
        () => read('shop', wrong),
        (error) => error instanceof UsageError && error.message.startsWith(`Unknown option '${wrong.split('=')[0]}'.`),
      );
    }
    assert.throws(() => read('-x'), /A text that begins with a dash stands at the end, behind --\.$/);
    for (const text of ['--flag=x sets y', '--overwrite=x is text', '-f=x y']) {
      assert.throws(() => read('shop', text), /A text that begins with a dash stands at the end, behind --\.$/, text);
      assert.deepEqual(read('shop', '--', text).words, ['shop', text]);
    }
    assert.throws(() => read('shop', '--overwrit', 'a=b c'), /^UsageError: Unknown option '--overwrit'\.$/);
    assert.deepEqual(read('--', '-x').words, ['-x']);
    assert.throws(() => read('--reason', '-x'), /given with an equals sign: --reason=-…/);
  });
});
