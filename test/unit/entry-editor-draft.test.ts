import assert from 'node:assert/strict';
import { Draft, rowFault, writtenRows } from '../../webview-ui/entry/draft';
import type { DocumentMessage } from '../../webview-ui/protocol/entry';
import { caretAfter, rebased } from '../../webview-ui/shared/text-merge';

const shown = (version: number, values: Partial<DocumentMessage>): DocumentMessage => ({
  type: 'document',
  version,
  risks: [],
  passages: [],
  faults: [],
  ...values,
});

function draft(content = 'base', rows = [{ key: 'A', value: '1' }]): Draft {
  const made = new Draft();
  made.receive(shown(1, { content, rows }));
  return made;
}

describe('the draft of an entry in its form', () => {
  it('sends what differs, one edit at a time', () => {
    const mine = draft();
    assert.equal(mine.nextEdit(), undefined);
    mine.content = 'base!';
    assert.deepEqual(mine.nextEdit(), { type: 'edit', version: 1, content: 'base!' });
    mine.content = 'base!!';
    assert.equal(mine.nextEdit(), undefined);
    mine.receive(shown(2, { answer: 'applied' }));
    assert.deepEqual(mine.nextEdit(), { type: 'edit', version: 2, content: 'base!!' });
    mine.receive(shown(3, { answer: 'applied' }));
    assert.equal(mine.isPending, false);
  });

  it('makes an edit again that came too late, on what the document holds by then', () => {
    const mine = draft('one two three');
    mine.content = 'one two three four';
    mine.nextEdit();
    mine.receive(shown(2, { content: 'ONE two three', answer: 'refused' }));
    assert.deepEqual(mine.nextEdit(), { type: 'edit', version: 2, content: 'ONE two three four' });
  });

  it('makes it again as well where it heard of the other change before the refusal', () => {
    const mine = draft('one two three');
    mine.content = 'one two three four';
    mine.nextEdit();
    mine.receive(shown(2, { content: 'ONE two three' }));
    assert.equal(mine.receive(shown(2, { content: 'ONE two three', answer: 'refused' })), true);
    assert.deepEqual(mine.nextEdit(), { type: 'edit', version: 2, content: 'ONE two three four' });
  });

  it('tells which rows no document can hold, so that they are not lost with the page', () => {
    const mine = draft();
    mine.changeRow(mine.addRow().id, { value: 'a value without a key' });
    mine.addRow();
    mine.addRow({ key: 'A', value: 'twice' });
    mine.addRow({ key: 'B', value: '2' });
    assert.deepEqual(mine.unfinished(), [
      { key: '', value: 'a value without a key' },
      { key: 'A', value: 'twice' },
    ]);
  });

  it('does not ask again and again of a document that may only be read', () => {
    const mine = draft();
    mine.content = 'typed';
    mine.nextEdit();
    assert.equal(mine.receive(shown(1, { content: 'base', answer: 'refused' })), false);
    assert.equal(mine.content, 'typed');
    mine.nextEdit();
    assert.equal(mine.receive(shown(2, { content: 'base', answer: 'refused' })), true);
  });

  it('follows undo of its own edit', () => {
    const mine = draft();
    mine.content = 'typed';
    mine.nextEdit();
    mine.receive(shown(2, { answer: 'applied' }));
    mine.receive(shown(3, { content: 'base' }));
    assert.equal(mine.content, 'base');
    assert.equal(mine.isPending, false);
  });

  it('takes what the document made of an edit, and does not ask for it again', () => {
    const mine = draft('---\nA: 1');
    mine.content = '---\nA: 1\n---\n';
    mine.nextEdit();
    mine.receive(shown(2, { content: '', answer: 'applied' }));
    assert.equal(mine.content, '');
    assert.equal(mine.isPending, false);
  });

  it('writes rows that have a key of their own, and says why others are not written', () => {
    const mine = draft();
    const empty = mine.addRow();
    assert.equal(rowFault(mine.rows, mine.rows[1]!), undefined);
    assert.equal(mine.isPending, false);
    mine.changeRow(empty.id, { value: 'x' });
    assert.equal(rowFault(mine.rows, mine.rows[1]!), 'empty');
    mine.changeRow(empty.id, { key: 'A' });
    assert.equal(rowFault(mine.rows, mine.rows[1]!), 'duplicate');
    assert.equal(mine.isPending, false);
    mine.changeRow(empty.id, { key: 'B' });
    assert.deepEqual(mine.nextEdit()?.rows, [
      { key: 'A', value: '1' },
      { key: 'B', value: 'x' },
    ]);
  });

  it('keeps rows and their ids when the document changes, so that a field keeps the caret', () => {
    const mine = draft('x', [
      { key: 'A', value: '1' },
      { key: 'B', value: '2' },
    ]);
    const unfinished = mine.addRow();
    const [a, b] = mine.rows;
    mine.receive(shown(2, { rows: [{ key: 'B', value: 'two' }] }));
    assert.deepEqual(mine.rows, [{ id: b!.id, key: 'B', value: 'two' }, unfinished]);
    mine.receive(
      shown(3, {
        rows: [
          { key: 'C', value: '3' },
          { key: 'B', value: 'two' },
        ],
      }),
    );
    assert.equal(mine.rows.find(({ key }) => key === 'B')?.id, b!.id);
    assert.notEqual(mine.rows.find(({ key }) => key === 'C')?.id, a!.id);
    assert.equal(writtenRows(mine.rows).length, 2);
  });

  it('brings two changes of one text together, and keeps what was typed where they meet', () => {
    assert.equal(rebased('one two', 'one two three', 'zero one two'), 'zero one two three');
    assert.equal(rebased('one two', 'a one two', 'one two b'), 'a one two b');
    assert.equal(rebased('one two', 'one 2', 'one II'), 'one 2');
    assert.equal(rebased('one', 'one', 'two'), 'two');
  });

  it('keeps the caret at its text', () => {
    const splice = { start: 5, end: 8, text: 'x' };
    assert.deepEqual(
      [3, 5, 7, 8, 12].map((caret) => caretAfter(splice, caret)),
      [3, 5, 6, 6, 10],
    );
  });
});
