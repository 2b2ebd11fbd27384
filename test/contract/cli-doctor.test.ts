import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { useScratch } from '../support/scratch';

interface Finding {
  code: string;
  level: string;
  message: string;
  reason?: string;
  mend?: { sentence: string; command?: string };
}

describe('kaizen doctor', function () {
  this.timeout(60_000);
  const scratch = useScratch();
  let work = '';
  let flags: string[] = [];

  beforeEach(() => {
    work = path.join(scratch.root, 'work');
    mkdirSync(work);
    flags = ['--data', path.join(scratch.root, 'its data'), '--shared', path.join(scratch.root, 'shared')];
  });

  const kaizen = (...args: string[]) => scratch.kaizen(work, ...args);
  const findings = (...args: string[]) =>
    (JSON.parse(kaizen('doctor', '--json', ...args).stdout) as { findings: Finding[] }).findings;
  const problems = (found: Finding[]) => found.filter(({ level }) => level === 'problem').map(({ code }) => code);
  const one = (found: Finding[], code: string) => {
    const finding = found.find((each) => each.code === code);
    assert.ok(finding, `${code} among ${found.map((each) => each.code).join(', ')}`);
    return finding;
  };

  it('finds right what was set up with the flags that it is given, and keeps these when it is brought up to date', () => {
    const hooks = 'hooks:claude-code,hooks:cursor,hooks:copilot-cli';
    const all = [...flags, '--project', 'h1'];
    kaizen('scopes', 'define', 'h1', '--tier', 'PROJECT', ...all);
    kaizen('setup', '--install', `${hooks},server:claude-code,instructions:AGENTS.md`, '--yes', ...all);
    const file = path.join(work, '.claude', 'settings.local.json');
    const found = findings(...all);
    assert.deepEqual(problems(found), []);
    assert.equal(found.filter(({ code }) => code === 'hooks_current').length, 3);
    assert.ok(!found.some(({ code }) => /_own_settings|_other_stores/.test(code)));
    one(found, 'server_current');
    assert.equal(kaizen('setup', '--install', hooks, '--dry-run', ...all).code, 0);
    assert.match(kaizen('setup', '--install', hooks, '--yes', ...all).stdout, /^Everything is as it should be/);
    // Without the flags it is told that they speak for other stores; only whoever names them turns them round.
    const plain = findings();
    assert.deepEqual(problems(plain), []);
    assert.equal(plain.filter(({ code }) => code === 'hooks_other_stores').length, 3);
    const before = readFileSync(file, 'utf8');
    assert.equal(kaizen('setup', '--install', 'all-detected', '--yes').code, 0);
    assert.equal(readFileSync(file, 'utf8'), before);
    // Other flags are no fault of what was set up.
    const others = findings('--data', path.join(scratch.root, 'other'), '--shared', path.join(scratch.root, 'shared'));
    assert.deepEqual(problems(others), []);
    assert.match(one(others, 'hooks_other_stores').mend?.command ?? '', /^kaizen setup --install \S+ --data \S+other /);
  });

  it('finds hooks right that name the stores of its variables, and offers nothing that would detach them', () => {
    const [, data = '', , shared = ''] = flags;
    kaizen('scopes', 'define', 'work', '--tier', 'PROJECT', ...flags);
    kaizen('setup', '--install', 'hooks:claude-code', '--yes', ...flags);
    Object.assign(scratch.environment, { KAIZEN_DATA: data, KAIZEN_SHARED: shared });
    const found = findings();
    assert.deepEqual(problems(found), []);
    one(found, 'hooks_current');
    assert.ok(!found.some(({ code }) => code === 'hooks_other_stores'));
    if (process.platform === 'win32') return;
    // What is told of others leads to the stores of the variables.
    const others = ['--data', path.join(scratch.root, 'other'), '--shared', shared];
    kaizen('setup', '--install', 'hooks:claude-code', '--yes', ...others);
    const { command } = one(findings(), 'hooks_other_stores').mend ?? {};
    assert.equal(command, `kaizen setup --install hooks:claude-code --data '${data}' --shared ${shared}`);
    const cli = path.resolve('dist', 'cli.js');
    const line = `kaizen() { '${process.execPath}' '${cli}' "$@"; }; ${command} --yes`;
    execFileSync('/bin/sh', ['-c', line], { cwd: work, env: scratch.environment, stdio: 'pipe' });
    one(findings(), 'hooks_current');
  });

  it('tells a command to mend something with the flags that it was given', () => {
    kaizen('scopes', 'define', 'h1', '--tier', 'PROJECT', ...flags);
    const [, data = ''] = flags;
    for (const name of readdirSync(data)) if (/^journal-\d+$/.test(name)) rmSync(path.join(data, name));
    for (const name of readdirSync(data)) if (/^snapshot/.test(name)) writeFileSync(path.join(data, name), 'x');
    const registry = 'postgres://somebody:hidden_word@127.0.0.1:1/x';
    const found = findings(...flags, '--project', 'h1', '--workspace', work, '--registry', registry);
    const quoted = process.platform === 'win32' ? `"${data}"` : `'${data}'`;
    assert.ok(one(found, 'store_damaged').mend?.command?.includes(` --data ${quoted} --shared `));
    const asked = one(found, 'registry_unreachable').mend?.command ?? '';
    assert.match(asked, /^kaizen registry status --data .* --shared .* --project h1 --workspace .* --registry URL$/);
    assert.ok(!one(found, 'store_damaged').mend?.command?.includes('--registry'));
    const { stdout } = kaizen('doctor', '--report', ...flags, '--workspace', work, '--registry', registry);
    assert.ok(!stdout.includes(scratch.root) && !stdout.includes('hidden_word'), stdout);
  });

  it('takes no notice of another folder that Claude Desktop serves, but to say so', () => {
    const other = path.join(scratch.root, 'other');
    mkdirSync(other);
    scratch.kaizen(other, 'setup', '--install', 'server:claude-desktop', '--yes');
    const found = findings();
    assert.deepEqual(problems(found), []);
    assert.ok(one(found, 'server_other_folder').reason?.includes(other));
    const { changes } = JSON.parse(kaizen('setup', '--install', 'all-detected', '--dry-run', '--json').stdout);
    assert.ok(!changes.some(({ pieces }: { pieces: string[] }) => pieces.includes('server:claude-desktop')));
    const byName = JSON.parse(kaizen('setup', '--install', 'server:claude-desktop', '--dry-run', '--json').stdout);
    assert.equal(byName.changes.length, 1);
    assert.ok(byName.changes[0].after.includes(JSON.stringify(work)));
  });

  it('names rules with a risk that cannot be read, and what mends them does', function () {
    if (process.platform === 'win32') this.skip();
    kaizen('scopes', 'define', 'h1', '--tier', 'PROJECT', ...flags);
    const store = (keyword: string, ...more: string[]) =>
      kaizen('store', ...more, ...flags, '--', 'h1', 'db', keyword, "DANGER: it's a bad one");
    store('-badre', '--meta', 'MATCHES=(((', '--meta', 'APPLIES_TO=src/b.ts');
    store('-long', '--meta', `MATCHES=${'x'.repeat(501)}`);
    store('fine', '--meta', 'MATCHES=a+', '--meta', 'APPLIES_TO=src/**');
    const found = findings(...flags).filter(({ code }) => code === 'rule_unreadable');
    assert.equal(found.length, 2);
    const [bad, long] = found as [Finding, Finding];
    assert.match(bad.reason ?? '', /-badre .*db.*h1.*cannot be read/);
    assert.match(long.reason ?? '', /501 characters; the limit is 500/);
    assert.match(
      long.mend?.command ?? '',
      /^kaizen get h1 -long --category db|^kaizen get --data .* --category db -- h1 -long$/,
    );
    const { stdout } = kaizen('doctor', '--report', ...flags);
    assert.match(stdout, /rule_unreadable/);
    assert.doesNotMatch(stdout, /badre|a bad one|kaizen store/);
    const cli = path.resolve('dist', 'cli.js');
    const run = (command = '') => {
      const line = `kaizen() { '${process.execPath}' '${cli}' "$@"; }; ${command}`;
      return execFileSync('/bin/sh', ['-c', line], { cwd: work, env: scratch.environment, stdio: 'pipe' }).toString();
    };
    assert.match(run(long.mend?.command), /a bad one/);
    run(bad.mend?.command);
    assert.equal(findings(...flags).filter(({ code }) => code === 'rule_unreadable').length, 1);
    const [entry] = JSON.parse(kaizen('get', '--json', ...flags, '--', 'h1', '-badre').stdout);
    assert.equal(entry.content, "DANGER: it's a bad one");
    assert.deepEqual(entry.metaknowledge, { APPLIES_TO: 'src/b.ts' });
  });

  it('says that an address of the registry is malformed, without the address', () => {
    const found = findings('--registry', 'http://hidden_word@db/x');
    const { message, mend } = one(found, 'registry_address');
    assert.match(message, /malformed.*does not begin with postgres:\/\//);
    assert.match(mend?.sentence ?? '', /postgres:\/\/user:password@host/);
    assert.doesNotMatch(JSON.stringify(found), /hidden_word/);
  });
});
