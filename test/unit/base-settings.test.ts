import assert from 'node:assert/strict';
import path from 'node:path';
import {
  nameFault,
  pathForSetting,
  proposeBaseName,
  readBases,
  type SettingPlace,
} from '../../src/vscode/bases/base-definitions';

const root = path.resolve('/work space');
const home = path.resolve('/home/ada');
const place: SettingPlace = {
  folders: [
    { name: 'shop', path: path.join(root, 'shop') },
    { name: 'tools', path: path.join(root, 'tools') },
  ],
  home,
};

const rootOf = (given: unknown, where = place) => {
  const { definitions, faults } = readBases({ docs: { path: given } }, where);
  return definitions[0]?.root ?? faults[0]?.fault;
};

describe('the setting of knowledge bases', () => {
  it('takes paths relative to the first folder, absolute, from home and from a folder by name', () => {
    assert.equal(rootOf('docs'), path.join(root, 'shop', 'docs'));
    assert.equal(rootOf('./docs/../notes'), path.join(root, 'shop', 'notes'));
    assert.equal(rootOf('.'), path.join(root, 'shop'));
    assert.equal(rootOf(home), home);
    assert.equal(rootOf('~/notes'), path.join(home, 'notes'));
    assert.equal(rootOf('~'), home);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the setting has these
    assert.equal(rootOf('${workspaceFolder}/docs'), path.join(root, 'shop', 'docs'));
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the setting has these
    assert.equal(rootOf('${workspaceFolder:tools}/docs'), path.join(root, 'tools', 'docs'));
  });

  it('names what it cannot use, and takes the rest', () => {
    const { definitions, faults } = readBases(
      {
        good: { path: 'docs', include: ['**/*.md'], exclude: ['drafts/**'] },
        'no spaces': { path: 'docs' },
        scopes: { path: 'docs' },
        text: 'docs',
        empty: { path: ' ' },
        globs: { path: 'docs', include: 'all' },
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the setting has these
        variable: { path: '${env:HOME}/docs' },
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the setting has these
        elsewhere: { path: '${workspaceFolder:none}/docs' },
        leftOut: null,
      },
      place,
    );
    assert.deepEqual(definitions, [
      { name: 'good', root: path.join(root, 'shop', 'docs'), include: ['**/*.md'], exclude: ['drafts/**'] },
    ]);
    assert.deepEqual(Object.fromEntries(faults.map(({ name, fault }) => [name, fault])), {
      'no spaces': 'bad_name',
      scopes: 'reserved_name',
      text: 'no_object',
      empty: 'no_path',
      globs: 'bad_patterns',
      variable: 'unknown_variable',
      elsewhere: 'no_folder',
    });
  });

  it('takes nothing relative where no folder is open, and nothing at all from what is no setting', () => {
    assert.equal(rootOf('docs', { folders: [], home }), 'no_folder');
    assert.equal(rootOf('~/docs', { folders: [], home }), path.join(home, 'docs'));
    for (const value of [undefined, null, 'docs', ['docs'], 3]) {
      assert.deepEqual(readBases(value, place), { definitions: [], faults: [] });
    }
  });

  it('proposes a free name that may be one', () => {
    assert.equal(proposeBaseName('Docs', new Set()), 'docs');
    assert.equal(proposeBaseName('docs', new Set(['docs', 'docs-2'])), 'docs-3');
    assert.equal(proposeBaseName('Anleitungen für Öfen', new Set()), 'anleitungen-fur-ofen');
    for (const folder of ['.github', 'scopes', '文档', '', '..', 'a b/c\\d']) {
      assert.equal(nameFault(proposeBaseName(folder, new Set())), undefined, folder);
    }
  });

  it('is written relative to the folder that a base lies in', () => {
    assert.equal(pathForSetting(path.join(root, 'shop', 'docs', 'api'), place), 'docs/api');
    assert.equal(pathForSetting(path.join(root, 'shop'), place), '.');
    assert.equal(pathForSetting(path.join(root, 'tools', 'docs'), place), path.join(root, 'tools', 'docs'));
    assert.equal(pathForSetting(path.join(root, 'shopping'), place), path.join(root, 'shopping'));
  });
});
