import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkDefinitions } from '../../src/bases/definitions';
import { baseNameFault, freeBaseName } from '../../src/core/base-names';
import { TASK_TYPES } from '../../src/discovery';
import { DEFAULT_SETTINGS, settingsFrom } from '../../src/discovery/settings';
import {
  type BaseConsent,
  pathForSetting,
  readBases,
  type SettingPlace,
} from '../../src/vscode/bases/base-definitions';
import { discoveryValues } from '../../src/vscode/bases/discovery-values';

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

  it('gives the bases nothing that they would refuse, whatever is set', () => {
    const names = ['docs', 'Docs', 'DOCS', '.', '..', '...', 'a', '-', 'x'.repeat(101), 'notes', '', 'ä'];
    const roots = ['docs', '..', '/abs', '~', 'a\0b', ''];
    const value = Object.fromEntries(names.map((name, index) => [name, { path: roots[index % roots.length] }]));
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`base-${index}`, { path: 'docs' }]));
    for (const each of [value, many]) checkDefinitions(readBases(each, place).definitions);
    assert.equal(readBases(many, place).faults.filter(({ fault }) => fault === 'too_many').length, 20);
    assert.deepEqual(
      readBases({ docs: { path: 'a' }, Docs: { path: 'b' } }, place).faults.map(({ fault }) => fault),
      ['same_name'],
    );
  });

  it('takes nothing relative where no folder is open, and nothing at all from what is no setting', () => {
    assert.equal(rootOf('docs', { folders: [], home }), 'no_folder');
    assert.equal(rootOf('~/docs', { folders: [], home }), path.join(home, 'docs'));
    for (const value of [undefined, null, 'docs', ['docs'], 3]) {
      assert.deepEqual(readBases(value, place), { definitions: [], faults: [], outside: [] });
    }
  });

  it('proposes a free name that may be one', () => {
    assert.equal(freeBaseName('Docs', new Set()), 'Docs');
    assert.equal(freeBaseName('Docs', new Set(['docs'])), 'Docs-2');
    assert.equal(freeBaseName('docs', new Set(['docs', 'docs-2'])), 'docs-3');
    assert.equal(freeBaseName('Anleitungen für Öfen', new Set()), 'Anleitungen-fur-Ofen');
    assert.equal(freeBaseName('Notes', new Set()), 'Notes-base');
    for (const folder of ['.github', 'scopes', '文档', '', '..', 'a b/c\\d', `${'a'.repeat(79)}.b`]) {
      assert.equal(baseNameFault(freeBaseName(folder, new Set())), undefined, folder);
    }
  });

  it('is written relative to the folder that a base lies in', () => {
    assert.equal(pathForSetting(path.join(root, 'shop', 'docs', 'api'), place), 'docs/api');
    assert.equal(pathForSetting(path.join(root, 'shop'), place), '.');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the setting has these
    assert.equal(pathForSetting(path.join(root, 'tools', 'docs'), place), '${workspaceFolder:tools}/docs');
    const twins = { ...place, folders: place.folders.map((folder) => ({ ...folder, name: 'same' })) };
    assert.equal(pathForSetting(path.join(root, 'tools', 'docs'), twins), path.join(root, 'tools', 'docs'));
    assert.equal(pathForSetting(path.join(root, 'shop', '..docs'), place), '..docs');
    assert.equal(pathForSetting(path.join(root, 'shopping'), place), path.join(root, 'shopping'));
  });

  describe('of a workspace', () => {
    let machine: string;
    let where: SettingPlace;
    beforeEach(() => {
      machine = mkdtempSync(path.join(tmpdir(), 'kaizen-outside-'));
      for (const folder of ['home/.ssh', 'shop/docs', 'tools'])
        mkdirSync(path.join(machine, folder), { recursive: true });
      const folders = ['shop', 'tools'].map((name) => ({ name, path: path.join(machine, name) }));
      where = { folders, home: path.join(machine, 'home') };
    });
    afterEach(() => rmSync(machine, { recursive: true }));

    const read = (given: string, ofWorkspace: boolean, allowed: readonly string[] = []) => {
      const consent: BaseConsent = {
        isOfWorkspace: () => ofWorkspace,
        allows: ({ root: folder }) => allowed.includes(folder),
      };
      const { definitions, outside } = readBases({ docs: { path: given } }, where, consent);
      return { used: definitions.map((each) => each.root), asked: outside.map((each) => each.root) };
    };

    it('may lie in any of its folders, whether it is there yet or not', () => {
      for (const given of ['docs', '.', 'later/docs', '../tools', path.join(machine, 'tools', 'docs')]) {
        assert.deepEqual(read(given, true).asked, [], given);
        assert.equal(read(given, true).used.length, 1, given);
      }
    });

    it('is not used outside of them before the person has allowed it, which the own settings need not', () => {
      const secrets = path.join(machine, 'home', '.ssh');
      for (const given of ['~/.ssh', '../home/.ssh', secrets, '/', '../shop-of-others', 'docs/../../home/.ssh']) {
        const { used, asked } = read(given, true);
        assert.deepEqual([used.length, asked.length], [0, 1], given);
        assert.equal(read(given, false).used.length, 1, given);
      }
      assert.deepEqual(read('~/.ssh', true, [secrets]), { used: [secrets], asked: [] });
    });

    it('does not lead out by a link', function () {
      try {
        symlinkSync(path.join(machine, 'home'), path.join(machine, 'shop', 'wiki'), 'junction');
        symlinkSync(path.join(machine, 'tools'), path.join(machine, 'shop', 'tools'), 'junction');
      } catch {
        this.skip();
      }
      for (const given of ['wiki', 'wiki/.ssh', 'wiki/not/yet']) assert.equal(read(given, true).asked.length, 1, given);
      assert.equal(read('tools', true).used.length, 1);
    });
  });
});

describe('the settings of discovery', () => {
  const read = (values: Record<string, unknown>) => settingsFrom(discoveryValues((name) => values[name], TASK_TYPES));

  it('have the defaults of the specification', () => {
    const manifest = JSON.parse(readFileSync(path.join(__dirname, '../../package.json'), 'utf8'));
    const properties = manifest.contributes.configuration.properties as Record<string, { default: unknown }>;
    assert.deepEqual(
      discoveryValues((name) => properties[`kaizen.discovery.${name}`]?.default, TASK_TYPES),
      DEFAULT_SETTINGS,
    );
  });

  it('are brought into their range, and what cannot be keeps its default, so that nothing ever fails for them', () => {
    const settings = read({ maxResults: 2.6, minRelevance: 7, activeBoost: 0, recentDays: -1, recentBoost: 'much' });
    assert.equal(settings.default_max_results, 3);
    assert.equal(settings.min_relevance_threshold, 1);
    assert.equal(settings.boost_active_status, 0.1);
    assert.equal(settings.boost_recent_update_days, 0);
    assert.equal(settings.boost_recent_update_factor, DEFAULT_SETTINGS.boost_recent_update_factor);
    const { boosts } = read({
      boosts: { test: { guideline: 2, plan: 3, context: -1, log: 'x' }, dream: { plan: 2 }, debug: 7 },
    });
    assert.deepEqual(boosts.test, { ...DEFAULT_SETTINGS.boosts.test, guideline: 2, plan: 3 });
    assert.deepEqual(boosts.debug, DEFAULT_SETTINGS.boosts.debug);
    for (const value of [null, 'x', [], Number.NaN, {}]) {
      assert.deepEqual(read({ maxResults: value, boosts: value }), DEFAULT_SETTINGS);
    }
  });
});
