import assert from 'node:assert/strict';
import type { Revision } from '../../src/knowledge';
import { isSameEntry, sizeOf, versionOf } from '../../src/vscode/documents/entry-version';

function revision(number: number, at: string, content: string | null): Revision {
  const metaknowledge = content === null ? null : { A: String(number) };
  return {
    ...{ number, action: content === null ? 'delete' : 'update', at, author: 'me', by_agent: false },
    ...{
      project_context: '',
      reason: null,
      content,
      metaknowledge,
      previous_content: null,
      previous_metaknowledge: null,
    },
  };
}

const AT = '2026-05-04T09:00:00.000Z';

describe('the file that an entry is', () => {
  it('is newer with each revision, within one millisecond and when the clock was set back', () => {
    const history = [AT, AT, '2026-05-04T08:00:00.000Z', '2026-05-04T10:00:00.000Z'].map((at, index) =>
      revision(index + 1, at, `Text ${index}`),
    );
    const times = history.map((_, index) => versionOf(history.slice(0, index + 1))!.mtime);
    assert.deepEqual(times, [Date.parse(AT), Date.parse(AT) + 1, Date.parse(AT) + 2, Date.parse(AT) + 3_600_000]);
    assert.equal(versionOf(history)?.ctime, Date.parse(AT));
    assert.equal(versionOf(history)?.content, 'Text 3');
  });

  it('is not there once it was deleted, and is there again afterwards', () => {
    const history = [revision(1, AT, 'A'), revision(2, AT, null), revision(3, AT, 'B')];
    assert.equal(versionOf([]), undefined);
    assert.equal(versionOf(history.slice(0, 2)), undefined);
    assert.equal(versionOf(history)?.revision, 3);
  });

  it('has another size with each revision, and the same bytes', () => {
    const sizes = [1, 2, 3].map((number) => sizeOf(5, number));
    assert.equal(new Set(sizes).size, 3);
    assert.ok(sizes.every((size) => Math.floor(size) === 5));
  });

  it('is the same only with the same metaknowledge in the same order', () => {
    const a = { content: 'x', metaknowledge: { A: '1', B: '2' } };
    assert.ok(isSameEntry(a, { content: 'x', metaknowledge: { A: '1', B: '2' } }));
    assert.ok(!isSameEntry(a, { content: 'x', metaknowledge: { B: '2', A: '1' } }));
    assert.ok(!isSameEntry(a, { content: 'y', metaknowledge: { A: '1', B: '2' } }));
  });
});
