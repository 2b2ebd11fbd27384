import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { useScratch } from '../support/scratch';

const HOOKS = ['post-checkout', 'post-commit', 'post-merge', 'post-rewrite'];

describe('kaizen bases and kaizen index', function () {
  this.timeout(60_000);
  const scratch = useScratch();
  let workspace: string;

  beforeEach(() => {
    workspace = join(scratch.root, 'harbour');
    cpSync(resolve('test/fixtures/bases/harbour'), workspace, { recursive: true });
    const git = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: join(scratch.home, 'gitconfig') };
    Object.assign(scratch.environment, git);
  });

  const kaizen = (...args: string[]) => scratch.kaizen(workspace, ...args);

  function git(...args: string[]): string {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    const options = { cwd: workspace, env: scratch.environment, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync('git', [...who, ...args], options);
    assert.equal(status, 0, stderr);
    return stdout.trim();
  }

  it('lists folders, files, nodes and what is wrong', () => {
    const { code, stdout, stderr } = kaizen('bases', '--base', 'harbour=.');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^harbour\n {2}folder {2}\S+harbour\n/);
    assert.match(stdout, /files {3}14 \(\*\*\/\*\.md, not \*\*\/node_modules\/\*\*, not \*\*\/\.git\/\*\*\)/);
    assert.match(stdout, /nodes {3}60\n/);
    assert.match(stdout, /! notes\/ONBOARDING\.md:3: /);
    const [base] = JSON.parse(kaizen('bases', '--base', 'harbour=.', '--json').stdout);
    assert.deepEqual(
      [base.name, base.root, base.state, base.files, base.nodes, base.problems.length],
      ['harbour', workspace, 'ready', 14, 60, 1],
    );
  });

  it('fails for a folder that is missing, and says so', () => {
    const { code, stdout } = kaizen('bases', '--base', 'gone=nowhere', '--base', 'harbour=.');
    assert.equal(code, 1);
    assert.match(stdout, /gone\n {2}folder {2}.*nowhere \(missing\)[\s\S]*! There is no folder[\s\S]*harbour\n/);
    assert.equal(kaizen('index', '--base', 'gone=nowhere').code, 1);
    assert.equal(kaizen('index', '--hook', '--base', 'gone=nowhere').code, 0);
  });

  it('says how to name one where there is none', () => {
    const { code, stderr } = kaizen('bases');
    assert.equal(code, 0);
    assert.match(stderr, /--base NAME=DIR/);
  });

  it('suggests what the folder could have', () => {
    mkdirSync(join(workspace, '.github/instructions'), { recursive: true });
    writeFileSync(join(workspace, '.github/instructions/tests.instructions.md'), '# Tests\n');
    writeFileSync(join(workspace, 'AGENTS.md'), '# Agents\n');
    mkdirSync(join(workspace, 'docs'));
    writeFileSync(join(workspace, 'docs/guide.md'), '# Guide\n');
    const suggestions = JSON.parse(kaizen('bases', '--suggest', '--json').stdout) as { name: string; files: number }[];
    assert.deepEqual(
      suggestions.map(({ name, files }) => [name, files]),
      [
        ['harbour-instructions', 2],
        ['harbour-docs', 1],
        ['harbour-notes', 14],
      ],
    );
    assert.match(kaizen('bases', '--suggest').stdout, /harbour-instructions\n {2}what/);
  });

  it('indexes what has changed, and tells how much', () => {
    const index = () => {
      const { code, stdout, stderr } = kaizen('index', '--base', 'harbour=.');
      assert.equal(code, 0, stderr);
      return stdout.split('\n')[0];
    };
    assert.equal(index(), 'harbour: 14 files, 60 nodes; 14 files changed');
    assert.equal(index(), 'harbour: 14 files, 60 nodes; 0 files changed');
    appendFileSync(join(workspace, 'README.md'), '\n## More\n');
    rmSync(join(workspace, 'plans/ROADMAP.md'));
    assert.equal(index(), 'harbour: 13 files, 57 nodes; 2 files changed');
    const [base] = JSON.parse(kaizen('index', '--base', 'harbour=.', '--json').stdout);
    assert.deepEqual(base, {
      name: 'harbour',
      root: workspace,
      state: 'ready',
      files: 13,
      nodes: 57,
      changes: 0,
      problems: 1,
    });
  });

  describe('as hooks of git', () => {
    let hooks: string;

    beforeEach(() => {
      git('init', '-q');
      hooks = join(workspace, '.git/hooks');
    });

    const installed = () =>
      existsSync(hooks)
        ? readdirSync(hooks)
            .filter((name) => !name.endsWith('.sample'))
            .sort()
        : [];

    it('index after a commit, and are taken away again', async () => {
      const { code, stdout, stderr } = kaizen('index', '--install-hook', '--base', 'harbour=.');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /post-commit, post-merge, post-checkout, post-rewrite/);
      assert.deepEqual(installed(), HOOKS);
      if (process.platform !== 'win32') assert.equal(statSync(join(hooks, 'post-commit')).mode & 0o111, 0o111);
      git('add', '.');
      git('commit', '-qm', 'All');
      // In the background: the cache is there a moment later.
      const isCached = () =>
        existsSync(scratch.home) &&
        readdirSync(scratch.home, { recursive: true, encoding: 'utf8' }).some((name) => /base-\w+\.jsonl$/.test(name));
      for (let waited = 0; !isCached() && waited < 15_000; waited += 50) await new Promise((r) => setTimeout(r, 50));
      assert.ok(isCached());
      assert.equal(kaizen('index', '--install-hook', '--base', 'other=.').code, 0);
      const text = readFileSync(join(hooks, 'post-commit'), 'utf8');
      assert.match(text, /--base other=/);
      assert.doesNotMatch(text, /harbour=/, 'the call is replaced');
      assert.equal(kaizen('index', '--uninstall-hook').code, 0);
      assert.deepEqual(installed(), []);
      assert.match(kaizen('index', '--uninstall-hook').stdout, /nothing to remove/);
    });

    it('leave those of somebody else as they are, and print the line to add', () => {
      const mine = '#!/bin/sh\necho mine\nexit 0\n';
      mkdirSync(hooks, { recursive: true });
      writeFileSync(join(hooks, 'post-commit'), mine);
      chmodSync(join(hooks, 'post-commit'), 0o755);
      const { code, stderr } = kaizen('index', '--install-hook', '--base', "it's=.");
      assert.equal(code, 1);
      assert.match(stderr, /not changed: post-commit\.\n[\s\S]*kaizen index --hook/);
      assert.equal(readFileSync(join(hooks, 'post-commit'), 'utf8'), mine);
      assert.deepEqual(installed(), HOOKS);
      const line = stderr.split('\n').find((each) => each.startsWith('{ if'))!;
      const added = `#!/bin/sh\n# >>> kaizen index >>>\n${line}\n# <<< kaizen index <<<\necho mine\n`;
      writeFileSync(join(hooks, 'post-commit'), added);
      assert.equal(kaizen('index', '--uninstall-hook').code, 0);
      assert.equal(readFileSync(join(hooks, 'post-commit'), 'utf8'), '#!/bin/sh\necho mine\n');
      assert.deepEqual(installed(), ['post-commit']);
    });

    it('go where core.hooksPath says, but not out of the repository', () => {
      git('config', 'core.hooksPath', 'tools/hooks');
      assert.equal(kaizen('index', '--install-hook').code, 0);
      assert.deepEqual(readdirSync(join(workspace, 'tools/hooks')).sort(), HOOKS);
      git('config', 'core.hooksPath', join(scratch.root, 'for-all'));
      const { code, stderr } = kaizen('index', '--install-hook');
      assert.equal(code, 1);
      assert.match(stderr, /outside of this repository[\s\S]*kaizen index --hook/);
      assert.ok(!existsSync(join(scratch.root, 'for-all')));
    });

    it('need a repository', () => {
      rmSync(join(workspace, '.git'), { recursive: true });
      const { code, stderr } = kaizen('index', '--install-hook');
      assert.equal(code, 1);
      assert.match(stderr, /not in a git repository/);
    });
  });
});
