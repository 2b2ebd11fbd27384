import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { parseEntryText } from '../../src/frontmatter';
import type { FileWarning } from '../../src/knowledge';
import { Dismissals, keyOf } from '../../src/vscode/diagnostics/dismissals';
import { contentStart } from '../../src/vscode/documents/content-start';

/** What VS Code keeps for a workspace. */
class Memory implements vscode.Memento {
  values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  get<T>(key: string): T | undefined {
    return this.values.get(key) as T | undefined;
  }

  async update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, JSON.parse(JSON.stringify(value)));
  }
}

function warning(keyword: string, revision = 1): FileWarning {
  const place = { source_scope: 'shop', source_tier: 'PROJECT', category: 'a.b' } as const;
  return { keyword, ...place, content: '', metaknowledge: {}, risks: [], applies_to: ['**'], revision };
}

const file = (path: string) => ({ toString: () => `file:///code/${path}` }) as vscode.Uri;

describe('what a person does not want to be warned of again', () => {
  it('an acknowledged warning stays away in all files until its entry changes', async () => {
    const memory = new Memory();
    const dismissals = new Dismissals(memory);
    await dismissals.acknowledge(keyOf(warning('k')), 3);
    for (const each of [dismissals, new Dismissals(memory)]) {
      assert.ok(each.isDismissed(warning('k', 3), file('a.ts')));
      assert.ok(each.isDismissed(warning('k', 3), file('b.ts')));
      assert.ok(!each.isDismissed(warning('k', 4), file('a.ts')));
      assert.ok(!each.isDismissed(warning('other', 3), file('a.ts')));
    }
    await dismissals.acknowledge(keyOf(warning('k')), 4);
    assert.ok(dismissals.isDismissed(warning('k', 4), file('a.ts')));
    assert.equal(dismissals.size, 1);
  });

  it('a muted warning stays away in that file, whatever becomes of the entry', async () => {
    const memory = new Memory();
    const dismissals = new Dismissals(memory);
    await dismissals.mute(keyOf(warning('k')), file('a.ts'));
    await dismissals.mute(keyOf(warning('k')), file('a.ts'));
    assert.equal(dismissals.size, 1);
    const again = new Dismissals(memory);
    assert.ok(again.isDismissed(warning('k', 9), file('a.ts')));
    assert.ok(!again.isDismissed(warning('k', 9), file('b.ts')));
  });

  it('comes back one by one, or all at once', async () => {
    const memory = new Memory();
    const dismissals = new Dismissals(memory);
    await dismissals.acknowledge(keyOf(warning('k')), 1);
    await dismissals.mute(keyOf(warning('k')), file('a.ts'));
    await dismissals.mute(keyOf(warning('k')), file('b.ts'));
    await dismissals.takeBack(keyOf(warning('k')), file('a.ts'));
    assert.equal(dismissals.size, 2);
    assert.equal(await dismissals.clear(), 2);
    assert.ok(!dismissals.isDismissed(warning('k'), file('b.ts')));
    assert.equal(await dismissals.clear(), 0);
    assert.deepEqual(memory.keys(), []);
  });

  it('is forgotten with the entry, and beyond a thousand', async () => {
    const memory = new Memory();
    const dismissals = new Dismissals(memory);
    await dismissals.acknowledge(keyOf(warning('stays / 100 %')), 1);
    await dismissals.acknowledge(keyOf(warning('goes')), 1);
    await dismissals.mute(keyOf(warning('goes')), file('a.ts'));
    await dismissals.prune(({ scope_id, category, keyword }) => {
      assert.deepEqual([scope_id, category], ['shop', 'a.b']);
      return keyword === 'stays / 100 %';
    });
    assert.equal(new Dismissals(memory).size, 1);
    for (let i = 0; i < 1_005; i++) await dismissals.mute(keyOf(warning('k')), file(`${i}.ts`));
    assert.equal(dismissals.size, 1_001);
    assert.ok(!dismissals.isDismissed(warning('k'), file('4.ts')));
    assert.ok(dismissals.isDismissed(warning('k'), file('1004.ts')));
  });

  it('is read with care', async () => {
    for (const state of [null, 7, 'x', [], { acknowledged: 7, muted: [[1, 2], null, ['a']] }]) {
      const memory = new Memory();
      memory.values.set('kaizen.warnings.dismissed', state);
      const dismissals = new Dismissals(memory);
      assert.equal(dismissals.size, 0);
      assert.ok(!dismissals.isDismissed(warning('k'), file('a.ts')));
    }
  });
});

describe('where the content of an entry’s document begins', () => {
  it('is where the whole reading of it finds it', () => {
    const texts = [
      '',
      'DANGER: x',
      '---\nA: b\n---\nDANGER: x',
      '---\r\nA: b\r\n---\r\nDANGER: x',
      '---\n---\nx',
      '---\nA: b\n---',
      '---yaml\nA: b\n---  \nx',
      '--- not yaml\nDANGER: x\n---\n',
      '----\nx\n---\n',
      '---\nA: b\n--- \t\n---\nx',
      '---\nA: |\n  ---\n  text\n---\nx',
      '---\nnever closed',
      '\uFEFF---\nA: b\n---\nx',
      'text\n---\nA: b\n---\n',
    ];
    for (const text of texts) {
      const expected = parseEntryText(text).contentStart;
      assert.equal(Math.max(contentStart(text), text.startsWith('\uFEFF') ? 1 : 0), expected, JSON.stringify(text));
    }
  });
});
