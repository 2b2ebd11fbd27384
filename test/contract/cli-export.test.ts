import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DoctorFinding } from '../../src/doctor';
import { fingerprint } from '../support/stores';

const CLI = resolve('dist/cli.js');
const EXAMPLE = resolve('examples/checkout-api/knowledge.jsonl');

interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

describe('kaizen, at a terminal: what goes out, and the doctor', function () {
  this.timeout(60_000);
  let root: string;
  let work: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kaizen-out-'));
    work = join(root, 'work');
    mkdirSync(work);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function run(stores: string, args: string[], input: string): Ran;
  function run(stores: string, ...args: string[]): Ran;
  function run(stores: string, ...given: (string | string[])[]): Ran {
    const [args, input] = Array.isArray(given[0]) ? [given[0], given[1] as string] : [given as string[], ''];
    const { PATH = '', SystemRoot = '' } = process.env;
    const home = join(root, 'home');
    const env = {
      ...{ PATH, SystemRoot, HOME: home, USERPROFILE: home, LOCALAPPDATA: home, XDG_DATA_HOME: join(home, 'share') },
      ...{
        KAIZEN_DATA: join(root, stores, 'd'),
        KAIZEN_SHARED: join(root, stores, 's'),
        KAIZEN_PROJECT: 'checkout-api',
      },
    };
    const options = { cwd: work, env, input, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], options);
    assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+\)?$/m, 'no stack trace is shown to a person');
    return { status, stdout, stderr };
  }

  function succeed(stores: string, ...args: string[]): string {
    const { status, stdout, stderr } = run(stores, ...args);
    assert.equal(status, 0, `kaizen ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  it('exports lines and Markdown by their format, of all scopes or of some', () => {
    succeed('one', 'import', EXAMPLE);
    assert.equal(succeed('one', 'export', '--format', 'jsonl'), readFileSync(EXAMPLE, 'utf8'));
    const some = succeed('one', 'export', '--scope', 'checkout-api');
    assert.ok(some.includes('"scope":"checkout-api"') && !some.includes('"scope":"general"'));
    succeed('two', 'import', EXAMPLE);
    const [first, second] = [join(root, 'first.jsonl'), join(root, 'second.jsonl')];
    succeed('one', 'export', first);
    succeed('three', 'import', first);
    succeed('three', 'export', second);
    assert.equal(readFileSync(second, 'utf8'), readFileSync(first, 'utf8'));
    assert.match(succeed('one', 'export', join(root, 'folder'), '--format', 'markdown'), /files written to/);
    const unknown = run('one', 'export', '--scope', 'nowhere');
    assert.equal(unknown.status, 1);
    assert.equal(unknown.stdout, '');
  });

  it('writes AGENTS.md anew, or a marked section of the one that is there, and nothing outside of its marks', () => {
    succeed('one', 'import', EXAMPLE);
    const file = join(work, 'AGENTS.md');
    assert.match(succeed('one', 'export', file, '--format', 'agents'), /entries written to/);
    const made = readFileSync(file, 'utf8');
    assert.match(made, /^<!-- kaizen:knowledge:begin -->\n# What is known: /);
    assert.match(made, /\n## DANGER\n/);
    assert.match(made, /<!-- kaizen:knowledge:end -->\n$/);
    assert.match(succeed('one', 'export', file, '--format', 'agents'), /in place already/);

    const mine = '\uFEFF# Mine\r\n\r\nKeep this.\r\n<!-- kaizen:begin -->\r\nInstructions.\r\n<!-- kaizen:end -->';
    writeFileSync(file, mine);
    succeed('one', 'export', file, '--format', 'agents');
    const joined = readFileSync(file, 'utf8');
    assert.ok(joined.startsWith(mine));
    assert.ok(joined.slice(mine.length).startsWith('\r\n\r\n<!-- kaizen:knowledge:begin -->\r\n'));
    succeed('one', 'export', file, '--format', 'agents', '--limit', '2000', '--no-authors');
    const shorter = readFileSync(file, 'utf8');
    assert.ok(shorter.startsWith(mine) && shorter.length < joined.length);
    assert.match(shorter, /found no room here/);

    const damaged = '<!-- kaizen:knowledge:begin -->\nno end\n';
    writeFileSync(file, damaged);
    const refused = run('one', 'export', file, '--format', 'agents');
    assert.equal(refused.status, 1);
    assert.ok(refused.stderr.startsWith(`kaizen: ${file}: It has <!-- kaizen:knowledge:begin --> (line 1) without `));
    assert.equal(readFileSync(file, 'utf8'), damaged);
    const link = join(work, 'LINK.md');
    symlinkSync(join(root, 'elsewhere.md'), link);
    assert.equal(run('one', 'export', link, '--format', 'agents').status, 1);
    assert.ok(!existsSync(join(root, 'elsewhere.md')));
  });

  it('writes a report of one scope, with authors or without', () => {
    succeed('one', 'import', EXAMPLE);
    const file = join(root, 'report.html');
    assert.match(succeed('one', 'export', file, '--format', 'html'), /^A report of \d+ entries/);
    assert.match(readFileSync(file, 'utf8'), /^<!DOCTYPE html>\n<html lang="en">/);
    const anonymous = succeed('one', 'export', '-', '--format', 'html', '--no-authors', '--scope', 'general');
    assert.doesNotMatch(anonymous, /<\/time> by /);
    assert.doesNotMatch(anonymous, /id="project"/);
  });

  it('replaces an earlier export of its form, and nothing else unless told to', () => {
    succeed('one', 'import', EXAMPLE);
    const mine = join(work, 'AGENTS.md');
    for (const format of ['jsonl', 'html']) {
      const file = join(work, `out.${format}`);
      const first = succeed('one', 'export', '--format', format);
      succeed('one', 'export', file, '--format', format);
      succeed('one', 'export', file, '--format', format);
      assert.equal(readFileSync(file, 'utf8'), first);
      writeFileSync(file, '');
      succeed('one', 'export', file, '--format', format);
      writeFileSync(mine, '# Mine\n');
      const refused = run('one', 'export', mine, '--format', format);
      assert.equal(refused.status, 1);
      assert.match(refused.stderr, /AGENTS\.md is there already, and no export of this form wrote it\.\n.*--overwrite/);
      assert.equal(readFileSync(mine, 'utf8'), '# Mine\n');
      succeed('one', 'export', mine, '--format', format, '--overwrite');
      assert.equal(readFileSync(mine, 'utf8'), first);
    }
    const nowhere = join(root, 'gone', 'out.jsonl');
    assert.equal(run('one', 'export', nowhere).stderr, `kaizen: There is no ${nowhere}.\n`);
  });

  it('says what is wrong with a folder or a link that it is given', function () {
    const gone = run('one', 'doctor', '--workspace', join(root, 'gone'));
    assert.equal(gone.status, 1);
    assert.match(gone.stderr, /^kaizen: There is no folder .*gone\.\n/);
    assert.equal(gone.stdout, '');
    mkdirSync(join(root, 'one'));
    writeFileSync(join(root, 'one', 'd'), 'a file');
    assert.match(run('one', 'get').stderr, /cannot be used: a file is where a folder should be\.\nMove the file away/);
    if (process.platform === 'win32') this.skip();
    symlinkSync('b.md', join(work, 'a.md'));
    symlinkSync('a.md', join(work, 'b.md'));
    assert.equal(run('two', 'import', 'a.md').stderr, 'kaizen: a.md is a link that leads back to itself.\n');
  });

  it('says which options go with which format', () => {
    for (const args of [
      ['--format', 'pdf'],
      ['--limit', '2000'],
      ['--format', 'html', '--scope', 'a', '--scope', 'b'],
      ['--format', 'jsonl', '--no-authors'],
      ['--format', 'agents', '--limit', '-1'],
      ['--markdown', '--format', 'html'],
    ]) {
      assert.equal(run('one', 'export', ...args).status, 2, args.join(' '));
    }
    assert.ok(!existsSync(join(root, 'one')), 'and opens nothing');
  });

  it('diagnoses what is sound and what is damaged, as a list, as JSON and as a report', () => {
    succeed('one', 'import', EXAMPLE);
    const well = run('one', 'doctor');
    assert.equal(well.status, 0, well.stdout + well.stderr);
    assert.match(well.stdout, /^stores\n {2}✔ The workspace's store is sound/m);
    assert.match(well.stdout, /✔ What clients start runs Kaizen \d/);
    writeFileSync(join(work, '.mcp.json'), '{ broken');
    writeFileSync(join(root, 'one', 'd', 'journal-000001'), 'no journal');
    const ill = run('one', 'doctor');
    assert.equal(ill.status, 1);
    assert.match(ill.stdout, /✖ problem: The workspace's store is damaged/);
    assert.match(ill.stdout, /✖ problem: The server in \.mcp\.json \(Claude Code\)/);
    assert.match(ill.stdout, /→ .*\n {6}kaizen setup --install server:claude-code/);
    const { findings, problems } = JSON.parse(run('one', 'doctor', '--json').stdout) as {
      findings: DoctorFinding[];
      problems: number;
    };
    assert.equal(findings.filter(({ level }) => level === 'problem').length, problems);
    assert.ok(problems >= 2);
    const report = run('one', 'doctor', '--report');
    assert.equal(report.status, 1);
    assert.match(report.stdout, /^### Kaizen: Diagnose\n/);
    assert.ok(!report.stdout.includes(root));
    assert.doesNotMatch(report.stdout, /checkout-api/);
    assert.equal(readFileSync(join(root, 'one', 'd', 'journal-000001'), 'utf8'), 'no journal', 'nothing was mended');
  });

  it('starts what hooks start and tells how long a call took, and leaves every file as it was', () => {
    succeed('one', 'import', EXAMPLE);
    const call = { session_id: 'a', cwd: work, hook_event_name: 'SessionStart', source: 'startup' };
    const started = run('one', ['hook', 'session-start'], JSON.stringify(call));
    assert.match(started.stdout, /additionalContext/, started.stderr);
    const before = fingerprint(join(root, 'one'));
    const { status, stdout } = run('one', 'doctor');
    assert.equal(status, 0, stdout);
    assert.match(stdout, /✔ The index of hooks is current \(rules with a risk: \d+\)/);
    assert.match(stdout, /A call of a hook took \d+ ms/);
    assert.deepEqual(fingerprint(join(root, 'one')), before);
  });

  it('diagnoses a folder in which there is nothing yet, and makes nothing', () => {
    const { status, stdout } = run('none', 'doctor');
    assert.equal(status, 0, stdout);
    assert.match(stdout, /is not there yet/);
    assert.ok(!existsSync(join(root, 'none')));
  });
});
