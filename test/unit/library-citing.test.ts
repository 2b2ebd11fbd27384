import assert from 'node:assert/strict';
import { citationOf } from '../../src/library';

describe('a citation', () => {
  const cited = (section_title: string, clause_number?: string, page_numbers: number[] = []) =>
    citationOf({ document_title: 'Norm', section_title, clause_number, page_numbers });

  it('names document, section with its number, pages and address, as far as they are known', () => {
    assert.equal(cited('Reviews', '6.4', [12, 13]), 'Norm, 6.4 Reviews, pages 12–13');
    assert.equal(cited('Reviews', '6.4', [12]), 'Norm, 6.4 Reviews, page 12');
    assert.equal(cited('Reviews'), 'Norm, Reviews');
    assert.equal(cited('', '6.4'), 'Norm, 6.4');
    assert.equal(cited(''), 'Norm');
    assert.equal(cited('Norm', undefined, [1]), 'Norm, page 1');
    const page = { document_title: 'Page', section_title: 'Top', page_numbers: [], source_url: 'https://a.example/b' };
    assert.equal(citationOf(page), 'Page, Top, https://a.example/b');
  });

  it('tells the number once, where the title has it already, and not where it has another', () => {
    assert.equal(cited('6.4 Reviews', '6.4'), 'Norm, 6.4 Reviews');
    assert.equal(cited('6.4. Reviews', '6.4'), 'Norm, 6.4. Reviews');
    assert.equal(cited('Annex A Forms', 'A'), 'Norm, Annex A Forms');
    assert.equal(cited('6.40 Reviews', '6.4'), 'Norm, 6.4 6.40 Reviews');
    assert.equal(cited('6.4.1 Reviews', '6.4'), 'Norm, 6.4 6.4.1 Reviews');
    assert.equal(cited('Aims', 'A'), 'Norm, A Aims');
  });
});
