import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { useEditor } from './support/editor';
import type { Workbench } from './support/workbench';

describe('the same repository, found again', () => {
  const editor = useEditor({ workspace: 'fresh' });
  let workbench: Workbench;
  let root: string;

  const at = (name: string) => path.join(root, name);

  function git(folder: string, ...args: string[]): void {
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid', ...args], {
      cwd: at(folder),
      stdio: 'pipe',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    });
  }

  before(() => {
    workbench = editor().workbench;
    root = realpathSync.native(mkdtempSync(path.join(tmpdir(), 'kzr-')));
    for (const name of ['shop', 'shop-again']) {
      mkdirSync(at(name));
      git(name, 'init', '--quiet', '--initial-branch=main');
      git(name, 'remote', 'add', 'origin', `https://example.test/team/shop${name === 'shop' ? '.git' : ''}`);
    }
    git('shop', 'commit', '--quiet', '--allow-empty', '-m', 'first');
    git('shop', 'worktree', 'add', '--quiet', at('shop-next'), '-b', 'next');
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  async function storeFirstRule(): Promise<void> {
    await workbench.runCommand('Kaizen: Store Knowledge');
    await workbench.pick('shop');
    await workbench.answer('Category', 'git');
    await workbench.answer('Keyword', 'push');
    await workbench.answer('The rule or fact', 'DANGER: Never push to main by hand.');
    await workbench.answer('Why?', '');
    await workbench.notification('Stored').waitFor();
  }

  it('asks nothing where a repository is new', async () => {
    await editor().openFolder(at('shop'));
    await workbench.openContainer('Kaizen');
    await workbench.runCommand('Kaizen: Define Scope');
    await workbench.pick('PROJECT');
    await workbench.answer('Scope id');
    await workbench.answer('Name');
    await workbench.answer('Description');
    await workbench.treeShows('shop 0 entries');
    await storeFirstRule();
    assert.equal(await workbench.notification('Kaizen knows this repository').count(), 0);
  });

  it('offers its knowledge in a second worktree, and uses it once the person agrees', async () => {
    await editor().openFolder(at('shop-next'));
    await workbench.answerNotification(`Kaizen knows this repository from ${at('shop')}`, 'Use It Here');
    await workbench.openContainer('Kaizen');
    await workbench.treeShows('shop 1 entry');
    await workbench.statusBarItem('shop: 1 risk').waitFor();
  });

  it('remembers what was agreed on', async () => {
    await editor().openFolder(at('shop-next'));
    await workbench.statusBarItem('shop: 1 risk').waitFor();
  });

  it('offers it in a new clone, and keeps to the folder alone when nobody agrees', async () => {
    await editor().openFolder(at('shop-again'));
    await workbench.answerNotification('Kaizen knows this repository', "Don't Ask Again");
    await workbench.openContainer('Kaizen');
    await workbench.treeLacks('shop');
    await workbench.runAndPick("Kaizen: Use This Repository's Knowledge", at('shop'));
    await workbench.treeShows('shop 1 entry');
    await workbench.runAndPick("Kaizen: Use This Repository's Knowledge", 'Knowledge of This Folder Alone');
    await workbench.treeLacks('shop');
  });
});
