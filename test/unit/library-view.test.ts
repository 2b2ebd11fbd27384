import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SourceListing } from '../../src/library';
import { groupNodes, sourceNodes, subsections, topSections } from '../../src/vscode/views/library-branches';
import type { LibrarySectionNode } from '../../src/vscode/views/library-nodes';
import { type LibrarySection, sectionsOf } from '../../src/vscode/views/library-sections';
import { coverageRequest } from '../../webview-ui/protocol/coverage';

function source(document_id: string, more: Partial<SourceListing> = {}): SourceListing {
  return {
    document_id,
    title: `Title of ${document_id}`,
    document_type: 'guide',
    source_path: `/w/${document_id}.md`,
    format: 'markdown',
    source_type: 'document',
    authority_level: 'informative',
    authority_score: 0.5,
    size: 10,
    chunk_count: 1,
    token_count: 10,
    processing_status: 'complete',
    remarks: [],
    overrides: {},
    added_by: 'ada',
    created_at: '2026-05-04T09:00:00.000Z',
    updated_at: '2026-05-04T09:00:00.000Z',
    uri: `knowledge://library/${document_id}`,
    freshness: { score: 1, level: 'current' },
    score: 0.5,
    score_confidence: 0,
    ...more,
  };
}

const chunk = (id: string, section_hierarchy: string[], section_title = '', page_numbers: number[] = []) => ({
  ...{ id, section_hierarchy, section_title, page_numbers },
});

/** What the view says, a line each, indented. */
function outline(sections: readonly LibrarySection[], depth = 0): string[] {
  return sections.flatMap(({ title, sections: below }) => [
    `${'  '.repeat(depth)}${title}`,
    ...outline(below, depth + 1),
  ]);
}

describe('the sections of a source', () => {
  it('are told by its passages: numbers get their titles, and those above have lines of their own', () => {
    const sections = sectionsOf([
      chunk('a', []),
      chunk('b', ['6'], 'Verification', [1]),
      chunk('c', ['6', '6.4'], 'Methods', [2]),
      chunk('d', ['6', '6.4', '6.4.1'], 'Test', [2, 3]),
      chunk('e', ['7', '7.1'], '7.1 Records', [4]),
      chunk('f', ['Annex A'], 'Annex A', [5]),
    ]);
    assert.deepEqual(outline(sections), [
      '6 Verification',
      '  6.4 Methods',
      '    6.4.1 Test',
      '7',
      '  7.1 Records',
      'Annex A',
    ]);
    assert.deepEqual(sections[0]?.pages, [1, 2, 3]);
    assert.equal(sections[0]?.chunk, 'b');
    assert.equal(sections[0]?.chunks, 3);
  });

  it('are two where the same name comes again after another', () => {
    const sections = sectionsOf([chunk('a', ['Notes']), chunk('b', ['Rules']), chunk('c', ['Notes'])]);
    assert.deepEqual(outline(sections), ['Notes', 'Rules', 'Notes']);
  });

  it('have every passage that lies in a section, each once, whatever the hierarchy', () => {
    const hierarchy = fc.array(fc.constantFrom('1', '2', 'A', 'Notes'), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(hierarchy, { maxLength: 40 }), (hierarchies) => {
        const sections = sectionsOf(hierarchies.map((path, index) => chunk(String(index), path)));
        const counted = sections.reduce((sum, { chunks }) => sum + chunks, 0);
        assert.equal(counted, hierarchies.filter(({ length }) => length > 0).length);
      }),
    );
  });

  it('have ids of their own in the view', () => {
    const [group] = groupNodes([source('a')], 'type');
    const [node] = sourceNodes(group!);
    const top = topSections(node!, [chunk('x', ['1', '1.1', '1.1.1'])] as never);
    const all = (nodes: readonly LibrarySectionNode[]): string[] =>
      nodes.flatMap((each) => [each.id, ...all(subsections(each))]);
    const ids = all(top);
    assert.equal(ids.length, 3);
    assert.equal(new Set(ids).size, 3);
  });
});

describe('the view of the library', () => {
  const sources = [
    source('a', { document_type: 'zebra', authority_level: 'unverified' }),
    source('b', { document_type: 'guide', authority_level: 'normative' }),
    source('c', { document_type: 'standard', authority_level: 'normative' }),
  ];

  it('groups by type in the order of the vocabulary, and puts others after', () => {
    assert.deepEqual(
      groupNodes(sources, 'type').map(({ key }) => key),
      ['standard', 'guide', 'zebra'],
    );
  });

  it('groups by authority from the most authoritative', () => {
    const groups = groupNodes(sources, 'authority');
    assert.deepEqual(
      groups.map(({ key, sources: own }) => `${key} ${own.length}`),
      ['normative 2', 'unverified 1'],
    );
  });
});

describe('what the coverage page may say', () => {
  const isTaken = (message: unknown) => coverageRequest.safeParse(message).success;

  it('is a question with known words, and actions by their names', () => {
    assert.ok(isTaken({ type: 'ready' }));
    assert.ok(isTaken({ type: 'assess', subject: { kind: 'topic', topic: 'tides', depth: 'expert' } }));
    assert.ok(isTaken({ type: 'assess', subject: { kind: 'workflow', workflow: 'rcca', description: 'why' } }));
    assert.ok(isTaken({ type: 'searchWeb', topic: 'tides', queries: ['tides'], urls: [] }));
  });

  it('is nothing else', () => {
    assert.ok(!isTaken({ type: 'assess', subject: { kind: 'topic', topic: '' } }));
    assert.ok(!isTaken({ type: 'assess', subject: { kind: 'topic', topic: 'tides', depth: 'deep' } }));
    assert.ok(!isTaken({ type: 'assess', subject: { kind: 'topic', topic: 'x'.repeat(2_001) } }));
    assert.ok(!isTaken({ type: 'run', command: 'kaizen.removeFromLibrary' }));
    assert.ok(!isTaken({ type: 'request', topic: 't', rationale: '', document_type: 'exe', examples: [] }));
  });
});
