import assert from 'node:assert/strict';
import { readProject } from '../../src/vscode/editors/project-state';
import { type Answer, type Drafts, FieldDrafts, type Question } from '../../webview-ui/project/fields';
import { BOX_HEIGHT, layOut } from '../../webview-ui/project/picture-layout';
import type { ChainScope, ProjectDetails } from '../../webview-ui/protocol/project';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

type Fields = Pick<ProjectDetails, 'texts' | 'lists'>;

function stored(changed: { purpose?: string; tech_stack?: string[] } = {}): Fields {
  const { purpose = 'Loans', tech_stack = ['Python'] } = changed;
  const none = { current_phase: '', name: 'Shop', description: '', overall_progress: '', current_sprint: '' };
  return {
    texts: { purpose, ...none },
    lists: { tech_stack, compliance: [], key_constraints: [], parents: [] },
  };
}

describe("the project page's fields", () => {
  let asked: Question[];
  let answer: (question: Question) => Answer | Promise<Answer>;
  let kept: Drafts;
  let fields: FieldDrafts;

  beforeEach(() => {
    asked = [];
    answer = () => ({});
    fields = open();
  });

  function open(drafts?: Drafts): FieldDrafts {
    const ask = async (question: Question) => {
      asked.push(question);
      return answer(question);
    };
    const opened = new FieldDrafts(ask, (changed) => Object.assign(kept, changed), drafts);
    kept = {};
    opened.update(stored());
    return opened;
  }

  it('show what is stored, and follow it', () => {
    assert.deepEqual(fields.text('purpose'), { value: 'Loans', stored: 'Loans', standing: 'stored', error: undefined });
    fields.update(stored({ purpose: 'Credit' }));
    assert.equal(fields.text('purpose').value, 'Credit');
  });

  it('store what was typed, together with what it was typed over', async () => {
    answer = () => {
      fields.update(stored({ purpose: 'Credit' }));
      return {};
    };
    fields.type('purpose', 'Credit');
    assert.equal(fields.text('purpose').standing, 'typing');
    await fields.save('purpose');
    assert.deepEqual(asked, [{ type: 'saveText', field: 'purpose', value: 'Credit', base: 'Loans' }]);
    assert.equal(fields.text('purpose').standing, 'saved');
  });

  it('give up what was typed for another project', async () => {
    fields.type('purpose', 'Mine');
    fields.type('tech_stack', ['Python', 'Go']);
    fields.forgetAll();
    assert.equal(fields.unsaved, false);
    await fields.saveAll();
    assert.deepEqual([asked, fields.text('purpose').standing], [[], 'stored']);
  });

  it('store a list without its empty rows, and nothing when only those were added', async () => {
    fields.type('tech_stack', ['Python', '  ']);
    await fields.save('tech_stack');
    assert.deepEqual(asked, []);
    fields.type('tech_stack', ['', ' Go ', 'Python', '']);
    await fields.save('tech_stack');
    assert.deepEqual(asked, [{ type: 'saveList', field: 'tech_stack', value: ['Go', 'Python'], base: ['Python'] }]);
  });

  it('keep what is being typed when others change it, and wait for a decision', async () => {
    fields.type('purpose', 'Mine');
    fields.update(stored({ purpose: 'Theirs' }));
    const view = fields.text('purpose');
    assert.deepEqual([view.value, view.stored, view.standing], ['Mine', 'Theirs', 'conflict']);
    await fields.save('purpose');
    assert.deepEqual(asked, []);
    fields.forget('purpose');
    assert.equal(fields.text('purpose').value, 'Theirs');
  });

  it('store over what others stored when the person insists', async () => {
    fields.type('purpose', 'Mine');
    fields.update(stored({ purpose: 'Theirs' }));
    await fields.insist('purpose');
    assert.deepEqual(asked, [{ type: 'saveText', field: 'purpose', value: 'Mine', base: 'Theirs' }]);
  });

  it('have nothing to decide when others stored the same', () => {
    fields.type('purpose', 'Credit');
    fields.update(stored({ purpose: 'Credit' }));
    assert.equal(fields.text('purpose').standing, 'typing');
  });

  it('keep what was typed when it is refused, and say why', async () => {
    answer = () => ({ error: 'The purpose is too long.' });
    fields.type('purpose', 'x');
    await fields.save('purpose');
    const { value, standing, error } = fields.text('purpose');
    assert.deepEqual([value, standing, error], ['x', 'refused', 'The purpose is too long.']);
    fields.type('purpose', 'y');
    assert.equal(fields.text('purpose').standing, 'typing');
  });

  it('store what was typed while the first part was on its way', async () => {
    let release = (_: Answer): void => {};
    answer = (question) => {
      fields.update(stored({ purpose: String((question as { value: unknown }).value) }));
      return asked.length === 1 ? new Promise<Answer>((resolve) => (release = resolve)) : {};
    };
    fields.type('purpose', 'One');
    const saving = fields.save('purpose');
    fields.type('purpose', 'One two');
    await fields.save('purpose');
    release({});
    await saving;
    assert.deepEqual(
      asked.map((question) => 'value' in question && [question.value, question.base]),
      [
        ['One', 'Loans'],
        ['One two', 'One'],
      ],
    );
    assert.equal(fields.text('purpose').standing, 'saved');
  });

  it('come back with what was typed after a reload', () => {
    fields.type('purpose', 'Half a sent');
    const again = open(structuredClone(kept));
    assert.deepEqual([again.text('purpose').value, again.unsaved], ['Half a sent', true]);
  });
});

describe('the picture of the inheritance', () => {
  const scope = (scope_id: string, tier: ChainScope['tier'], parents: string[] = []): ChainScope => ({
    scope_id,
    tier,
    name: scope_id,
    parents,
    entries: 0,
    risks: 0,
  });
  const chainWith = (groups: number): ChainScope[] => {
    const ids = Array.from({ length: groups }, (_, n) => `group-${String(n).padStart(2, '0')}`);
    return [
      scope('project', 'PROJECT', [...ids, 'product']),
      ...ids.map((id) => scope(id, 'GROUP')),
      scope('product', 'PRODUCT'),
      scope('general', 'GENERAL'),
    ];
  };

  it('has a row for each tier, the most specific on top, numbered in the order in which they win', () => {
    const { boxes, bands } = layOut(chainWith(2), 1000);
    assert.deepEqual(
      bands.map(({ tier }) => tier),
      ['PROJECT', 'GROUP', 'PRODUCT', 'GENERAL'],
    );
    assert.deepEqual(
      boxes.map(({ scope: { scope_id }, precedence }) => [scope_id, precedence]),
      [
        ['project', 1],
        ['group-00', 2],
        ['group-01', 3],
        ['product', 4],
        ['general', 5],
      ],
    );
  });

  it('is drawn without groups and without a product', () => {
    const { boxes, lines, bands } = layOut([scope('project', 'PROJECT'), scope('general', 'GENERAL')], 1000);
    assert.deepEqual([boxes.length, lines.length, bands.length], [2, 1, 2]);
    assert.equal(layOut([scope('project', 'PROJECT')], 1000).lines.length, 0);
  });

  it('has a line to each parent, and to GENERAL from what names none', () => {
    const { lines } = layOut(chainWith(3), 1000);
    assert.equal(lines.length, 3 + 1 + 3 + 1);
  });

  for (const groups of [0, 1, 5, 12]) {
    it(`lets no two boxes touch and no line cross a box, with ${groups} groups`, () => {
      for (const available of [320, 760, 1200]) {
        const { boxes, boxWidth, lines, bands, width, height } = layOut(chainWith(groups), available);
        for (const [index, a] of boxes.entries()) {
          assert.ok(a.x >= 0 && a.x + boxWidth <= width && a.y + BOX_HEIGHT <= height);
          for (const b of boxes.slice(index + 1)) {
            assert.ok(Math.abs(a.x - b.x) >= boxWidth || Math.abs(a.y - b.y) >= BOX_HEIGHT);
          }
        }
        for (const [index, band] of bands.entries()) {
          const before = bands[index - 1];
          assert.ok(!before || before.y + before.height < band.y);
        }
        for (const line of lines) {
          for (const [x, y] of pointsOn(line)) {
            const inside = boxes.find(
              (box) => x > box.x && x < box.x + boxWidth && y > box.y && y < box.y + BOX_HEIGHT,
            );
            assert.equal(inside?.scope.scope_id, undefined, `${line} at ${x} ${y}`);
          }
        }
      }
    });
  }

  it('lets no line into a group look like one that comes from the group above it', () => {
    for (const available of [320, 760]) {
      const { boxes, boxWidth, lines } = layOut(chainWith(12), available);
      const groups = boxes.filter(({ scope: { tier } }) => tier === 'GROUP');
      const ends = lines.map((line) => [pointsOn(line)[0]!, pointsOn(line).at(-1)!] as const);
      const isOver = ([x]: readonly [number, number], box: { x: number }) => x > box.x && x < box.x + boxWidth;
      const into = (box: { x: number; y: number }) =>
        ends.filter(([, end]) => isOver(end, box) && end[1] < box.y && box.y - end[1] < 10).map(([, [x]]) => x);
      const outOf = (box: { x: number; y: number }) =>
        ends.filter(([start]) => isOver(start, box) && start[1] === box.y + BOX_HEIGHT).map(([[x]]) => x);
      for (const above of groups) {
        const below = groups.find(({ x, y }) => x === above.x && y > above.y);
        if (!below) continue;
        assert.ok(into(below).length > 0 && outOf(above).length > 0);
        for (const x of into(below)) assert.ok(!outOf(above).includes(x), `both at ${x}`);
      }
    }
  });

  /** Points along the straight parts of a path, close to each other. */
  function pointsOn(line: string): [number, number][] {
    const corners = [...line.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
    return corners.flatMap(([x, y], index) => {
      const [toX, toY] = corners[index + 1] ?? [x, y];
      return Array.from({ length: 20 }, (_, step): [number, number] => [
        x + ((toX - x) * step) / 20,
        y + ((toY - y) * step) / 20,
      ]);
    });
  }
});

describe('what the project page shows', () => {
  const open = useHalls();
  let hall: Hall;
  const read = () => readProject(hall, 'shop');

  beforeEach(async () => {
    hall = await open();
    await hall.define('general', 'GENERAL', [], 'General');
    await hall.define('webapp', 'PRODUCT');
    await hall.define('payments', 'GROUP', ['webapp']);
  });

  it('is nothing as long as there is no such project', async () => {
    assert.equal(await read(), null);
    await hall.define('shop', 'GROUP');
    assert.equal(await read(), null);
  });

  it('counts the entries of each scope of the chain, and the risks that hold for the project', async () => {
    await hall.define('shop', 'PROJECT', ['payments']);
    await hall.put('payments', 'cards', 'storage', 'DANGER: Never store them.');
    await hall.put('payments', 'cards', 'names', 'WARNING: Do not log them.');
    await hall.put('shop', 'cards', 'names', 'May be logged here.');
    assert.deepEqual(
      (await read())?.chain.map(({ scope_id, entries, risks }) => [scope_id, entries, risks]),
      [
        ['shop', 1, 0],
        ['payments', 2, 1],
        ['webapp', 0, 0],
        ['general', 0, 0],
      ],
    );
  });

  it('names the product that comes along with each scope to inherit from', async () => {
    await hall.define('shop', 'PROJECT');
    assert.deepEqual(
      (await read())?.choices.map(({ scope_id, products }) => [scope_id, products]),
      [
        ['webapp', ['webapp']],
        ['payments', ['webapp']],
      ],
    );
  });

  it('tells an overall progress that somebody wrote from the one that the tasks say', async () => {
    await hall.define('shop', 'PROJECT');
    const update = (overall_progress?: string) =>
      hall.continuity.updateProgress(
        { project_id: 'shop', overall_progress, tasks: [{ name: 'a', domain: 'web', state: 'completed' }] },
        BY_TESTER,
      );
    await update();
    assert.equal((await read())?.texts.overall_progress, '');
    await update('nearly there');
    assert.equal((await read())?.texts.overall_progress, 'nearly there');
    assert.deepEqual((await read())?.domains, ['web']);
    // What looks like the tasks' own words and is not what they say was written, too.
    await update('50% complete');
    assert.equal((await read())?.texts.overall_progress, '50% complete');
    await update('100% complete');
    assert.equal((await read())?.texts.overall_progress, '');
  });

  it('starts no clock of a session', async () => {
    await hall.define('shop', 'PROJECT');
    await read();
    await hall.continuity.storeSessionSummary(
      { project_id: 'shop', summary: 'Did it.', tasks_completed: [] },
      BY_TESTER,
    );
    assert.equal((await read())?.sessions[0]?.duration_minutes, null);
  });
});
