import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { placeInSpaces, readSpaces, type SpaceSettings } from '../../src/vscode/notes/space-folders';

describe('the settings of where notes lie', () => {
  let directory = '';
  let workspace = '';
  const place = () => ({ folders: [{ name: 'app', path: workspace }], home: homedir() });
  const read = (settings: Partial<SpaceSettings>, where = place()) =>
    readSpaces(
      { project: '.ai/knowledge', user: '~/.knowledge-kiwi', isOfWorkspace: false, allows: () => false, ...settings },
      where,
    );

  before(() => {
    directory = realpathSync.native(mkdtempSync(path.join(tmpdir(), 'kaizen-note-folders-')));
    workspace = path.join(directory, 'app');
    mkdirSync(workspace);
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('mean a folder of the first one that is open, and one of the home', () => {
    assert.deepEqual(read({}), {
      spaces: { project: path.join(workspace, '.ai/knowledge'), user: path.join(homedir(), '.knowledge-kiwi') },
      faults: [],
    });
  });

  it('have no project space where nothing is open, which is no fault', () => {
    const { spaces, faults } = read({}, { folders: [], home: homedir() });
    assert.deepEqual([spaces.project, faults], [undefined, []]);
  });

  it('switch a space off by an empty path', () => {
    assert.deepEqual(read({ user: '', project: ' ' }), { spaces: {}, faults: [] });
  });

  it('take no relative path for what goes through all projects', () => {
    assert.deepEqual(read({ user: 'notes' }).faults, [{ space: 'user', fault: 'not_absolute' }]);
  });

  it('are refused where they cannot be read, and the other space goes on', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a person may write it
    const { spaces, faults } = read({ project: '${env:HOME}/x' });
    assert.deepEqual(faults, [{ space: 'project', fault: 'unknown_variable' }]);
    assert.ok(spaces.user);
    assert.deepEqual(read({ project: 7 }).faults, [{ space: 'project', fault: 'unusable' }]);
    assert.deepEqual(read({ project: 'a\0b' }).faults, [{ space: 'project', fault: 'unusable' }]);
  });

  it('do not make one folder two spaces', () => {
    const own = path.join(directory, 'own');
    assert.deepEqual(read({ project: own, user: own }).faults, [{ space: 'project', fault: 'same_folder' }]);
  });

  it('let a workspace out of its folders only where the person has allowed that place', () => {
    const elsewhere = path.join(directory, 'elsewhere');
    const asked = read({ project: '../elsewhere', isOfWorkspace: true });
    assert.deepEqual([asked.spaces.project, asked.outside], [undefined, elsewhere]);
    const allowed = read({ project: '../elsewhere', isOfWorkspace: true, allows: (root) => root === elsewhere });
    assert.deepEqual([allowed.spaces.project, allowed.outside], [elsewhere, undefined]);
    const own = read({ project: '../elsewhere', isOfWorkspace: false });
    assert.equal(own.spaces.project, elsewhere, 'the person may name any folder');
  });

  it('see through a link that leads out of the workspace', function () {
    if (process.platform === 'win32') this.skip();
    const elsewhere = path.join(directory, 'linked');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, path.join(workspace, 'inside'));
    const { outside, spaces } = read({ project: 'inside/notes', isOfWorkspace: true });
    assert.deepEqual([outside, spaces.project], [path.join(elsewhere, 'notes'), undefined]);
    // A link comes with a repository as well as a setting does.
    mkdirSync(path.join(workspace, '.ai'));
    symlinkSync(elsewhere, path.join(workspace, '.ai/knowledge'));
    const asked = read({});
    assert.deepEqual([asked.outside, asked.spaces.project], [elsewhere, undefined]);
    const allowed = read({ allows: (root) => root === elsewhere });
    assert.deepEqual([allowed.outside, allowed.spaces.project], [undefined, path.join(workspace, '.ai/knowledge')]);
    assert.deepEqual(read({ user: elsewhere }).faults, [{ space: 'project', fault: 'same_folder' }]);
    rmSync(path.join(workspace, '.ai'), { recursive: true });
  });

  it('tell which space a file lies in, and none for what only begins alike', () => {
    const spaces = { project: path.join(workspace, '.ai/knowledge'), user: path.join(directory, 'own') };
    assert.deepEqual(placeInSpaces(path.join(workspace, '.ai/knowledge/patterns/a.md'), spaces), {
      space: 'project',
      file: 'patterns/a.md',
    });
    assert.equal(placeInSpaces(path.join(workspace, '.ai/knowledge-old/a.md'), spaces), undefined);
    assert.equal(placeInSpaces(path.join(workspace, '.ai'), spaces), undefined);
    assert.equal(placeInSpaces(spaces.user, spaces), undefined);
  });
});
