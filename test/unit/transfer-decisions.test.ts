import assert from 'node:assert/strict';
import { type ParsedRecord, parseLines } from '../../src/transfer';
import { useHalls } from '../support/hall';

const AT = '2026-01-01T00:00:00.000Z';

function records(...lines: object[]): ParsedRecord[] {
  const text = [{ type: 'kaizen', format: 1 }, ...lines].map((line) => JSON.stringify(line)).join('\n');
  return parseLines(text, { author: 'importer', at: AT });
}

const entry = (keyword: string, content: string | null, more: object = {}) => ({
  ...{ type: 'entry', scope: 'general', category: 'git', keyword, content, ...more },
});

describe('deciding on an import', () => {
  const hall = useHalls();

  it('tells what is new, identical and in conflict, with both states, and changes nothing', async () => {
    const { kaizen, put } = await hall({ ensureGeneral: true });
    await put('general', 'git', 'same', 'Same.', { A: '1', B: '2' });
    await put('general', 'git', 'differs', 'Mine.', { REASON: 'x' });
    await put('general', 'git', 'gone', 'Mine, too.');
    const before = await kaizen.exportRecords();
    const { result, conflicts } = await kaizen.previewImport(
      records(
        { type: 'scope', id: 'general', tier: 'GENERAL', name: 'Other name' },
        entry('same', 'Same.', { metaknowledge: { B: '2', A: '1' } }),
        entry('differs', 'Yours.', { metaknowledge: { REASON: 'y' } }),
        entry('new', 'New.'),
        entry('gone', null, { revisions: [{ content: 'Was.', author: 'a', at: AT }] }),
      ),
      { author: 'importer' },
    );
    assert.deepEqual(result.entry, { added: 1, identical: 1, kept: 2, overwritten: 0 });
    assert.deepEqual(
      conflicts.map(({ line, kind, place }) => [line, kind, ...place]),
      [
        [2, 'scope', 'general'],
        [4, 'entry', 'general', 'git', 'differs'],
        [6, 'entry', 'general', 'git', 'gone'],
      ],
    );
    assert.deepEqual(conflicts[1]?.stored, { content: 'Mine.', metaknowledge: { REASON: 'x' } });
    assert.deepEqual(conflicts[1]?.incoming, { content: 'Yours.', metaknowledge: { REASON: 'y' } });
    assert.equal(conflicts[2]?.incoming.content, null);
    assert.deepEqual(await kaizen.exportRecords(), before);
  });

  it('replaces exactly what was decided on', async () => {
    const { kaizen, put, knowledge } = await hall({ ensureGeneral: true });
    for (const keyword of ['a', 'b', 'c']) await put('general', 'git', keyword, 'Mine.');
    const incoming = records(entry('a', 'Yours.'), entry('b', 'Yours.'), entry('c', 'Yours.'));
    const { conflicts } = await kaizen.previewImport(incoming, { author: 'importer' });
    const overwrite = new Set(conflicts.filter(({ place }) => place[2] !== 'b').map(({ line }) => line));
    const result = await kaizen.importRecords(incoming, { author: 'importer', overwrite });
    assert.deepEqual(result.entry, { added: 0, identical: 0, kept: 1, overwritten: 2 });
    const contents = knowledge.ownEntries('general', 'git').map(({ content, author }) => [content, author]);
    assert.deepEqual(contents, [
      ['Yours.', 'importer'],
      ['Mine.', 'tester'],
      ['Yours.', 'importer'],
    ]);
  });

  it('changes nothing once it was cancelled', async () => {
    const { kaizen } = await hall({ ensureGeneral: true });
    const controller = new AbortController();
    controller.abort(new Error('cancelled'));
    const importing = kaizen.importRecords(records(entry('a', 'A.')), { author: 'x', signal: controller.signal });
    await assert.rejects(importing, /cancel/);
    assert.equal((await kaizen.exportRecords()).length, 1);
  });

  it('lets others have their turn while it imports and exports thousands of entries, and keeps every one', async () => {
    const { kaizen, knowledge } = await hall({ ensureGeneral: true });
    const many = records(...Array.from({ length: 3_000 }, (_, at) => entry(`k${at}`, `Text ${at}.`)));
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await kaizen.importRecords(many, { author: 'importer' });
    assert.ok(turns >= 20, `${turns} turns while importing`);
    turns = 0;
    const exported = await kaizen.exportRecords();
    isDone = true;
    assert.ok(turns >= 2, `${turns} turns while exporting`);
    assert.equal(exported.filter(({ type }) => type === 'entry').length, 3_000);
    assert.equal(knowledge.ownCategories('general')[0]?.entries, 3_000);
  });
});
