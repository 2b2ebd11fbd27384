import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  dataDirectories,
  isSamePlace,
  type Platform,
  proposeProjectId,
  repositoryIdentity,
  repositoryPlace,
  scopeIdFromName,
  userDataDirectory,
} from '../../src/core/locations';

describe('where knowledge lives', () => {
  let root: string;
  let linux: Platform;

  beforeEach(() => {
    root = realpathSync.native(mkdtempSync(join(tmpdir(), 'kaizen-locations-')));
    linux = { platform: 'linux', env: {}, home: join(root, 'home') };
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('is one place under several names, whether or not it is there', () => {
    mkdirSync(join(root, 'real'));
    symlinkSync(join(root, 'real'), join(root, 'link'), 'junction');
    const [real, link] = [join(root, 'real', 'a', 'b'), join(root, 'link', 'a', 'b')];
    assert.equal(isSamePlace(real, link, linux), true);
    assert.equal(isSamePlace(real, join(link, '..', 'b', '.'), linux), true);
    assert.equal(isSamePlace(real, join(root, 'link', 'a', 'c'), linux), false);
    assert.equal(isSamePlace(real, join(root, 'a', 'b'), linux), false);
    assert.equal(isSamePlace(real, join(root, 'real', 'A', 'b'), linux), false);
    assert.equal(isSamePlace(real, join(root, 'real', 'A', 'b'), { ...linux, platform: 'win32' }), true);
    mkdirSync(real, { recursive: true });
    assert.equal(isSamePlace(real, link, linux), true);
    assert.equal(isSamePlace(real, join(root, 'link', 'a'), linux), false);
  });

  /** git that no one's own configuration can bend. */
  function git(folder: string, ...args: string[]): void {
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid', ...args], {
      cwd: folder,
      stdio: 'pipe',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    });
  }

  function repository(name: string): string {
    const folder = join(root, name);
    mkdirSync(folder, { recursive: true });
    git(folder, 'init', '--quiet', '--initial-branch=main');
    git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'first');
    return folder;
  }

  describe("the platform's data directory", () => {
    it('is ~/.local/share/kaizen, or under XDG_DATA_HOME when that is absolute', () => {
      assert.equal(userDataDirectory(linux), join(root, 'home/.local/share/kaizen'));
      assert.equal(userDataDirectory({ ...linux, env: { XDG_DATA_HOME: '/xdg' } }), '/xdg/kaizen');
      assert.equal(
        userDataDirectory({ ...linux, env: { XDG_DATA_HOME: 'relative' } }),
        join(root, 'home/.local/share/kaizen'),
      );
    });

    it('is Application Support on macOS and LOCALAPPDATA on Windows', () => {
      assert.equal(
        userDataDirectory({ ...linux, platform: 'darwin' }),
        join(root, 'home/Library/Application Support/Kaizen'),
      );
      const windows: Platform = { platform: 'win32', env: { LOCALAPPDATA: 'local' }, home: 'home' };
      assert.equal(userDataDirectory(windows), join('local', 'Kaizen'));
      assert.equal(userDataDirectory({ ...windows, env: {} }), join('home', 'AppData', 'Local', 'Kaizen'));
    });

    it('holds one shared directory and one directory a repository, named so that a person recognises it', () => {
      const one = dataDirectories(repository('checkout-api'), linux);
      const two = dataDirectories(repository('billing'), linux);
      assert.equal(one.shared, join(root, 'home/.local/share/kaizen/shared'));
      assert.equal(one.shared, two.shared);
      assert.notEqual(one.data, two.data);
      assert.match(one.data, /\/kaizen\/workspaces\/checkout-api-[0-9a-f]{12}$/);
    });

    it('tells repositories of one name apart', () => {
      const here = dataDirectories(repository('here/api'), linux);
      const there = dataDirectories(repository('there/api'), linux);
      assert.notEqual(here.data, there.data);
    });
  });

  describe("a repository's identity", () => {
    it('is the same from every worktree, from sub-folders and through links', () => {
      const main = repository('checkout-api');
      const identity = repositoryIdentity(main);
      assert.equal(identity, join(main, '.git'));

      const worktree = join(root, 'elsewhere', 'fix-refunds');
      git(main, 'worktree', 'add', '--quiet', worktree);
      mkdirSync(join(worktree, 'src', 'payments'), { recursive: true });
      symlinkSync(worktree, join(root, 'link'));

      for (const folder of [worktree, join(worktree, 'src', 'payments'), join(root, 'link')]) {
        assert.equal(repositoryIdentity(folder), identity);
        assert.deepEqual(dataDirectories(folder, linux), dataDirectories(main, linux));
        assert.equal(proposeProjectId(folder), 'checkout-api');
      }
    });

    it('holds when a worktree was moved and repaired', () => {
      const main = repository('checkout-api');
      git(main, 'worktree', 'add', '--quiet', join(root, 'before'));
      renameSync(join(root, 'before'), join(root, 'after'));
      git(main, 'worktree', 'repair', join(root, 'after'));
      assert.equal(repositoryIdentity(join(root, 'after')), repositoryIdentity(main));
    });

    it('is shared by the worktrees of a bare repository, which gives them its name', () => {
      const main = repository('origin');
      const bare = join(root, 'shop', '.bare');
      git(main, 'clone', '--quiet', '--bare', main, bare);
      git(bare, 'worktree', 'add', '--quiet', join(root, 'shop', 'main'), 'main');
      git(bare, 'worktree', 'add', '--quiet', '-b', 'next', join(root, 'shop', 'next'));
      assert.equal(repositoryIdentity(join(root, 'shop', 'next')), bare);
      assert.deepEqual(
        dataDirectories(join(root, 'shop', 'next'), linux),
        dataDirectories(join(root, 'shop', 'main'), linux),
      );
      assert.equal(proposeProjectId(join(root, 'shop', 'main')), 'shop');
    });

    it("is a submodule's own, not that of the repository around it", () => {
      const library = repository('library');
      const main = repository('checkout-api');
      git(main, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'vendor');
      assert.equal(repositoryIdentity(join(main, 'vendor')), join(main, '.git', 'modules', 'vendor'));
      assert.equal(proposeProjectId(join(main, 'vendor')), 'vendor');
    });

    it('is the folder itself outside of a repository, and where .git is not a git directory', () => {
      const plain = join(root, 'plain');
      mkdirSync(join(plain, '.git'), { recursive: true });
      assert.equal(repositoryIdentity(plain), plain);
      const dangling = join(root, 'dangling');
      mkdirSync(dangling);
      writeFileSync(join(dangling, '.git'), 'gitdir: /nowhere/at/all\n');
      assert.equal(repositoryIdentity(dangling), dangling);
      assert.equal(proposeProjectId(dangling), 'dangling');
      if (process.platform === 'win32') return;
      const circle = join(root, 'circle');
      mkdirSync(circle);
      symlinkSync('.git', join(circle, '.git'));
      assert.equal(repositoryIdentity(circle), circle);
    });

    it('asks nothing of a folder that does not exist', () => {
      assert.equal(repositoryIdentity(join(root, 'not', 'there')), join(root, 'not', 'there'));
    });
  });

  describe('the proposed project scope', () => {
    it('is a valid id whatever the folder is called', () => {
      assert.equal(scopeIdFromName('My Café (2026)'), 'My-Cafe-2026');
      assert.equal(scopeIdFromName('...'), 'project');
      assert.equal(scopeIdFromName('支払い'), 'project');
      assert.equal(scopeIdFromName('a'.repeat(300)).length, 100);
      for (const name of ['-x-', 'ß', 'a/b\\c', ' ', `${'a'.repeat(99)} b`]) {
        assert.match(scopeIdFromName(name), /^[A-Za-z0-9._-]{1,100}$/);
      }
    });

    it('never takes the id of the GENERAL scope', () => {
      mkdirSync(join(root, 'general'));
      assert.equal(proposeProjectId(join(root, 'general')), 'general-project');
    });

    it('keeps the name of a hidden folder that is no repository', () => {
      mkdirSync(join(root, '.dotfiles'));
      assert.equal(proposeProjectId(join(root, '.dotfiles')), 'dotfiles');
    });
  });

  describe('what a repository is known by again', () => {
    it('is shared by all its worktrees, and tells folders within it apart', () => {
      const main = repository('shop');
      git(main, 'worktree', 'add', '--quiet', join(root, 'next'), '-b', 'next');
      mkdirSync(join(root, 'next', 'packages', 'cart'), { recursive: true });
      const place = repositoryPlace(main);
      assert.deepEqual([place?.keys[0], place?.inside], [`git:${join(main, '.git')}`, '']);
      assert.deepEqual(repositoryPlace(join(root, 'next')), place);
      assert.equal(repositoryPlace(join(root, 'next', 'packages', 'cart'))?.inside, 'packages/cart');
    });

    it('stays when the folder is moved, also without an origin, and is another for another repository', () => {
      const shared = (other: string) => {
        const keys = repositoryPlace(join(root, other))?.keys ?? [];
        return keys.filter((key) => known.includes(key)).length;
      };
      const known = repositoryPlace(repository('shop'))?.keys ?? [];
      git(join(root, 'shop'), 'commit', '--quiet', '--allow-empty', '-m', 'second');
      renameSync(join(root, 'shop'), join(root, 'moved'));
      assert.equal(shared('moved'), 1);
      execFileSync('git', ['init', '--quiet', join(root, 'other')]);
      assert.equal(shared('other'), 0);
    });

    it('is nothing outside of a repository', () => {
      mkdirSync(join(root, 'plain'));
      assert.equal(repositoryPlace(join(root, 'plain')), undefined);
    });

    for (const [url, known] of [
      ['git@example.test:team/Shop.git', 'example.test/team/Shop'],
      ['https://somebody:secret@Example.test/team/Shop.git/', 'example.test/team/Shop'],
      ['ssh://git@example.test:2222/team/Shop', 'example.test/team/Shop'],
      ['git://example.test/team/Shop.git', 'example.test/team/Shop'],
      ['/srv/git/shop.git', '/srv/git/shop'],
      ['C:/git/shop.git', 'C:/git/shop'],
    ] as const) {
      it(`is ${known} for a clone of ${url.replace(/:[^/@]*@/, '@')}`, () => {
        const main = repository('shop');
        git(main, 'remote', 'add', 'other', 'https://example.test/other.git');
        git(main, 'remote', 'add', 'origin', url);
        assert.equal(repositoryPlace(main)?.keys.at(-1), `remote:${known}`);
      });
    }
  });
});
