import assert from 'node:assert/strict';
import { readLibrarySentence } from '../../webview-ui/dashboard/library-sentences';
import { BY_TESTER, useHalls } from '../support/hall';

describe('what the dashboard says of the health of the library', () => {
  const open = useHalls();

  it('understands what the library finds of itself', async () => {
    const { administration, library } = await open({ web: { enabled: false } });
    const read = async () => {
      const { findings } = await administration.health();
      return findings.filter(({ code }) => code === 'library_says').map(({ message }) => readLibrarySentence(message));
    };
    const ingest = (title: string) =>
      library.ingest(
        { source: `content:---\ndate: 2009\n---\n# ${title}\n\nIt held in the year ${title}.\n` },
        BY_TESTER,
      );
    await ingest('Old and 3 more.');
    assert.deepEqual(await read(), [{ what: 'stale', count: 1, titles: '"Old and 3 more."', more: 0 }]);
    for (const title of ['B', 'C', 'D', 'E']) await ingest(title);
    const [said] = await read();
    assert.ok(said?.what === 'stale');
    assert.deepEqual([said.count, said.more], [5, 2]);
    assert.equal(said.titles.split(', ').length, 3);
  });

  it('knows sources that cannot be read, and an index that is being read', () => {
    const failed = readLibrarySentence('2 sources could not be read: "A", "B".');
    assert.deepEqual(failed, { what: 'failed', count: 2, titles: '"A", "B"', more: 0 });
    for (const sentence of [
      '1 source could not be read again and says what it said before: "A".',
      '4 sources could not be read again and say what they said before: "A", "B", "C" and 1 more.',
    ]) {
      assert.equal(readLibrarySentence(sentence)?.what, 'kept');
    }
    const passages = readLibrarySentence('The index is still being read: 12,000 passages by now.');
    assert.deepEqual(passages, { what: 'indexing', passages: 12_000 });
    assert.equal(readLibrarySentence('Search by meaning does not go on: no model.'), undefined);
  });
});
