import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import type { ImportResult } from '../../src/transfer';

const CLI = resolve('dist/cli.js');
const EXAMPLE = resolve('examples/checkout-api/knowledge.jsonl');

describe('kaizen, at a terminal: Markdown', function () {
  this.timeout(60_000);
  let root: string;
  /** What a program reads from its standard input. */
  let input: string;

  beforeEach(() => {
    input = '';
    root = mkdtempSync(join(tmpdir(), 'kaizen-cli-'));
    mkdirSync(join(root, 'work'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** Runs the command line on the stores of that name. */
  function run(stores: string, ...args: string[]) {
    const { PATH = '', SystemRoot = '' } = process.env;
    const home = join(root, 'home');
    const [KAIZEN_DATA, KAIZEN_SHARED] = [join(root, stores, 'd'), join(root, stores, 's')];
    const env = { PATH, SystemRoot, HOME: home, USERPROFILE: home, KAIZEN_DATA, KAIZEN_SHARED, KAIZEN_PROJECT: 'shop' };
    const options = { cwd: join(root, 'work'), env, input, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], options);
    assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+\)?$/m, 'no stack trace is shown to a person');
    return { status, stdout, stderr };
  }

  function succeed(stores: string, ...args: string[]): string {
    const { status, stdout, stderr } = run(stores, ...args);
    assert.equal(status, 0, `kaizen ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  const json = <T>(stores: string, ...args: string[]) => JSON.parse(succeed(stores, ...args, '--json')) as T;

  function tree(folder: string): Record<string, string> {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(md|jsonl)$/.test(name),
    );
    return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  }

  it('exports what is known to a folder, and a store that imports it exports the same folder', () => {
    succeed('one', 'import', EXAMPLE);
    const [first, second] = [join(root, 'first'), join(root, 'second')];
    assert.match(succeed('one', 'export', first, '--markdown'), /files? written to/);
    assert.match(readFileSync(join(first, 'checkout-api/validation/refund_amounts.md'), 'utf8'), /^---\n.*: .*\n/);
    const result = json<ImportResult>('two', 'import', first);
    assert.ok(result.entry.added > 50);
    assert.equal(result.entry.kept, 0);
    succeed('two', 'export', second, '--markdown');
    assert.deepEqual(tree(second), tree(first));
    assert.match(succeed('one', 'export', first, '--markdown'), /^0 files written to .*, \d+ unchanged\.$/m);
  });

  it('does not replace files with another text unless told to', () => {
    succeed('one', 'import', EXAMPLE);
    const folder = join(root, 'out');
    succeed('one', 'export', folder, '--markdown');
    const [some] = Object.keys(tree(folder)).filter((name) => name.endsWith('.md'));
    const edited = join(folder, some!);
    writeFileSync(edited, 'Edited.');
    const { status, stderr } = run('one', 'export', folder, '--markdown');
    assert.equal(status, 1);
    assert.ok(stderr.includes(some!), stderr);
    assert.equal(readFileSync(edited, 'utf8'), 'Edited.');
    succeed('one', 'export', folder, '--markdown', '--overwrite');
    assert.notEqual(readFileSync(edited, 'utf8'), 'Edited.');
  });

  it('shows what notes from elsewhere become before anything is changed, and replaces only when told to', () => {
    succeed('one', 'import', EXAMPLE);
    const notes = join(root, 'notes');
    mkdirSync(join(notes, 'validation'), { recursive: true });
    writeFileSync(join(notes, 'validation/refund_amounts.md'), 'Another text.');
    writeFileSync(join(notes, 'validation/new.md'), '---\ntags: [a, b]\n---\nNew.');
    const before = succeed('one', 'export');
    const said = run('one', 'import', notes, '--scope', 'checkout-api', '--dry-run');
    assert.equal(said.status, 0, said.stderr);
    assert.match(said.stdout, /≠ +validation \/ refund_amounts +:1 +another text is stored/);
    assert.match(said.stderr, /new\.md: The list "tags" became text/);
    assert.equal(run('one', 'import', notes, '--scope', 'checkout-api').status, 2, 'nobody can be asked');
    assert.equal(succeed('one', 'export'), before);

    const take = (...more: string[]) =>
      json<{ result: ImportResult }>('one', 'import', notes, '--scope', 'checkout-api', '--yes', ...more).result.entry;
    assert.deepEqual(take(), { added: 1, identical: 0, kept: 0, overwritten: 0 });
    assert.deepEqual(take('--overwrite'), { added: 0, identical: 0, kept: 0, overwritten: 1 });
    assert.match(succeed('one', 'get', 'checkout-api', 'new'), /SOURCE +validation\/new\.md/);
  });

  it('imports one note into the category that it does not name', () => {
    succeed('one', 'import', EXAMPLE);
    const note = join(root, 'deploying.md');
    writeFileSync(note, '---\nSEVERITY: High\n---\nWARNING: Not on Fridays.');
    const said = succeed('one', 'import', note, '--scope', 'checkout-api', '--category', 'operations', '--yes');
    assert.match(said, /operations \/ deploying +:4 +WARNING\n/);
    assert.match(succeed('one', 'get', 'checkout-api', 'deploying'), /Not on Fridays/);
    input = 'Roll back first.';
    const options = ['--scope', 'checkout-api', '--category', 'operations', '--yes'];
    assert.match(succeed('one', 'import', '-', '--from', 'markdown', ...options), /operations \/ standard input/);
  });

  it('names file and line of what it cannot read, runs nothing of it, and stores nothing', () => {
    succeed('one', 'import', EXAMPLE);
    const before = succeed('one', 'export');
    const notes = join(root, 'notes/a');
    mkdirSync(notes, { recursive: true });
    writeFileSync(join(notes, 'fine.md'), 'Fine.');
    const cases: [text: string, said: RegExp][] = [
      ['---js\nrequire("fs").writeFileSync("ran", "x")\n---\nText', /a\/bad\.md: no entry\. Line 1: /],
      ['---\nA: &a [x]\nB: [*a, *a]\n---\nText', /a\/bad\.md: no entry\. Line 2: /],
      ['---\nA: b\n', /a\/bad\.md: no entry\. Line 1: .*no end/],
      [`---\n${'# x\n'.repeat(100_000)}---\nText`, /a\/bad\.md: no entry\. Line \d+: /],
    ];
    for (const [text, said] of cases) {
      writeFileSync(join(notes, 'bad.md'), text);
      const { status, stderr } = run('one', 'import', join(root, 'notes'), '--scope', 'checkout-api', '--dry-run');
      assert.equal(status, 0);
      assert.match(stderr, said);
    }
    writeFileSync(join(notes, 'bad.md'), `---\nA: ${'x'.repeat(9_000)}\n---\nText`);
    const dry = run('one', 'import', join(root, 'notes'), '--scope', 'checkout-api', '--dry-run');
    assert.match(dry.stderr, /a\/bad\.md: no entry\. The metaknowledge A has 9000 characters/);
    assert.equal(succeed('one', 'export'), before);
    assert.deepEqual(readdirSync(join(root, 'work')), []);
  });

  it('stores what it can of a folder, whatever another note is called or holds', () => {
    succeed('one', 'import', EXAMPLE);
    const notes = join(root, 'notes');
    const names = [`Misc.${sep}b.md`, ...['a', 'b'].map((each) => join(each.repeat(100), `${'k'.repeat(150)}.md`))];
    for (const name of names) {
      // Windows takes no dot at the end of a name.
      const file = join(notes, process.platform === 'win32' ? name.replace('Misc.', 'Misc') : name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `About ${name}.`);
    }
    writeFileSync(join(notes, 'bad.md'), `---\nA: ${'x'.repeat(9_000)}\n---\nText`);
    const { status, stdout, stderr } = run('one', 'import', notes, '--scope', 'checkout-api', '--yes');
    assert.equal(status, 0);
    assert.match(stdout, /3 entries stored in checkout-api/);
    assert.match(stderr, /bad\.md: no entry\. The metaknowledge A has 9000 characters/);
  });
});
