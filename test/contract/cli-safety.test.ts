import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { trueSecrets } from '../support/secret-strings';

const CLI = resolve('dist/cli.js');

describe('kaizen safety', function () {
  this.timeout(120_000);
  let root: string;
  const { text = '', secret = '' } = trueSecrets().find(({ id }) => id === 'github-token') ?? {};

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kaizen-cli-safety-'));
    mkdirSync(join(root, 'work'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function kaizen(args: string[], more: NodeJS.ProcessEnv = {}) {
    const { PATH = '', SystemRoot = '' } = process.env;
    const home = join(root, 'home');
    const own = { PATH, SystemRoot, HOME: home, USERPROFILE: home, XDG_DATA_HOME: home, LOCALAPPDATA: home };
    const stores = ['--data', join(root, 'data'), '--shared', join(root, 'shared'), '--project', 'shop'];
    const options = { cwd: join(root, 'work'), env: { ...own, ...more }, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args, ...stores], options);
    assert.ok(!`${stdout}${stderr}`.includes(secret) || args[0] === 'get', 'the secret is not said');
    return { code: status, stdout, stderr };
  }

  const file = (name: string, ...records: object[]) => {
    writeFileSync(join(root, 'work', name), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    return name;
  };
  const head = { type: 'kaizen', format: 1 };
  const scope = { type: 'scope', id: 'shop', tier: 'PROJECT', name: 'Shop' };
  const entry = {
    ...{ type: 'entry', scope: 'shop', category: 'git', keyword: 'push', content: `Push with\n${text}` },
    ...{ metaknowledge: {}, action: 'create', author: 'ada', at: '2026-03-16T10:31:00.000Z' },
  };
  const exported = () => kaizen(['export', '-']).stdout;

  it('refuses what holds a secret, names line and place, and stores nothing', () => {
    const { code, stderr } = kaizen(['import', file('in.jsonl', head, scope, entry)]);
    assert.notEqual(code, 0);
    assert.match(stderr, /nothing was stored \(.*line 2, column 1: GitHub token\)/);
    assert.match(stderr, /--allow-secret/);
    const scan = kaizen(['safety', 'scan']);
    assert.deepEqual([scan.code, scan.stdout], [0, '']);
  });

  it('takes it out with --secrets redact or KAIZEN_SECRETS, of which the flag wins', () => {
    const name = file('in.jsonl', head, scope, entry);
    assert.notEqual(kaizen(['import', name, '--secrets', 'refuse'], { KAIZEN_SECRETS: 'redact' }).code, 0);
    const { code, stderr } = kaizen(['import', name], { KAIZEN_SECRETS: 'redact' });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /stored without what looks like a secret: .*GitHub token/);
    assert.match(exported(), /Push with\\n\[redacted: GitHub token\]/);
    const wrong = kaizen(['import', name, '--secrets', 'keep']);
    assert.notEqual(wrong.code, 0);
    assert.match(wrong.stderr, /--secrets takes refuse or redact, not "keep"/);
  });

  it('stores it with --allow-secret, and lists it by place from then on', () => {
    const { code, stderr } = kaizen(['import', file('in.jsonl', head, scope, entry), '--allow-secret']);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /stored although it looks as if it held a secret/);
    const scan = kaizen(['safety', 'scan']);
    assert.equal(scan.code, 1, scan.stderr);
    assert.match(scan.stdout, /^entry shop\/git\/push: content, line 2, column 1: GitHub token\n$/);
    const [first] = JSON.parse(kaizen(['safety', 'scan', '--json']).stdout);
    assert.deepEqual(first.places, [{ field: 'content', kind: 'GitHub token', line: 2, column: 1 }]);
  });

  it('takes it out of a document of the library, however many it holds, and what is stored can be cited', () => {
    const text = `# Keys for ${secret}\n\nFirst ${secret} and ${secret}.\n\n## Below\n\n${'Words that follow. '.repeat(300)}\n`;
    writeFileSync(join(root, 'work', 'keys.md'), text);
    assert.notEqual(kaizen(['library', 'add', 'keys.md']).code, 0);
    const added = kaizen(['library', 'add', 'keys.md', '--secrets', 'redact']);
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stderr, /stored without what looks like a secret: text, line 1, column 12: GitHub token/);
    const [source] = JSON.parse(kaizen(['library', 'list', '--json']).stdout);
    assert.equal(source.title, 'Keys for [redacted: GitHub token]');
    const shown = kaizen(['library', 'show', source.document_id, '--text']);
    assert.equal(shown.code, 0, shown.stderr);
    assert.equal(shown.stdout.match(/\[redacted: GitHub token\]/g)?.length, 3);
    writeFileSync(join(root, 'work', 'keys.md'), text.replace('First', 'At first'));
    const again = kaizen(['library', 'refresh', '--secrets', 'redact']);
    assert.equal(again.code, 0, again.stderr);
    assert.match(
      kaizen(['library', 'show', source.document_id, '--text']).stdout,
      /At first \[redacted: GitHub token\]/,
    );
    const stderr = 'Nothing that is stored looks as if it held a secret.\n';
    assert.deepEqual(kaizen(['safety', 'scan']), { code: 0, stdout: '', stderr });
  });

  it('names the fields of a note as who writes it does', () => {
    const { code, stderr } = kaizen(['notes', 'create', 'keys', `One\n${secret}`, '--type', 'learning']);
    assert.notEqual(code, 0);
    assert.match(stderr, /\(content, line 2, column 1: GitHub token\)/);
  });
});
