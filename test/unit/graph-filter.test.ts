import assert from 'node:assert/strict';
import type { NotesGraph } from '../../src/notes';
import { type GraphWords, graphState } from '../../src/vscode/editors/graph-state';
import { applyFilters, EVERYTHING, type Filters, NO_KIND } from '../../webview-ui/graph/filter';
import { Graph } from '../../webview-ui/graph/model';
import { graphRequest, MOST_NODES } from '../../webview-ui/protocol/graph';

const words: GraphWords = {
  kind: (type) => type,
  place: (location) => ({ project: 'Project', user: 'User', registry: 'Registry' })[location],
  outgoing: (type) => type,
  incoming: (type) => `${type} by`,
};
const open = { isReading: false, writable: true };

function note(id: string, over: Partial<NotesGraph['nodes'][number]> = {}): NotesGraph['nodes'][number] {
  const space = over.space ?? 'project';
  const node = { id: `knowledge://notes/${space}/${id}`, zettel_id: id, title: `About ${id}`, space, missing: false };
  return { category: 'patterns', entry_type: 'pattern', ...node, ...over };
}

// auth → dns → café → deploy; auth contradicts mail; mail → lost (nowhere); alone.
const notes: NotesGraph = {
  nodes: [
    note('auth'),
    note('dns', { category: 'apis/net', entry_type: 'api_fact' }),
    note('café', { title: 'Café', space: 'user', category: 'learnings', entry_type: 'learning' }),
    note('deploy', { entry_type: 'workflow', category: 'workflows' }),
    note('mail', { space: 'user', category: 'learnings', entry_type: undefined }),
    { id: 'missing:lost', zettel_id: 'lost', title: 'lost', category: '', missing: true },
    note('alone', { category: '' }),
    { id: 'registry:shared', zettel_id: 'shared', title: 'shared', category: '', missing: false },
  ],
  edges: [
    { from: 0, to: 1, type: 'references' },
    { from: 1, to: 2, type: 'extends' },
    { from: 2, to: 3, type: 'references' },
    { from: 0, to: 4, type: 'contradicts' },
    { from: 4, to: 5, type: 'references' },
    { from: 4, to: 7, type: 'references' },
  ],
};
const graph = new Graph(graphState(notes, words, open), 'en');

function listed(filters: Partial<Filters>): string[] {
  return applyFilters(graph, { ...EVERYTHING, ...filters }).listed.map((index) => graph.node(index).detail);
}

describe('notes as a graph', () => {
  it('keeps spaces, categories and types apart, and says what does not exist', () => {
    const state = graphState(notes, words, open);
    const placeOf = (detail: string) => {
      const node = state.nodes.find((each) => each.detail === detail)!;
      const group = node.group === undefined ? undefined : state.groups[node.group];
      return { kind: node.kind === undefined ? undefined : state.kinds[node.kind]?.id, group, missing: node.missing };
    };
    assert.deepEqual(placeOf('dns'), {
      kind: 'api_fact',
      group: { id: 'project/apis/net', name: 'apis/net', place: 'Project' },
      missing: false,
    });
    assert.deepEqual(placeOf('mail').kind, undefined);
    assert.deepEqual(placeOf('lost'), { kind: undefined, group: undefined, missing: true });
    assert.equal(placeOf('shared').group?.place, 'Registry');
    assert.equal(state.edges.length, notes.edges.length);
    assert.deepEqual(state.types.map(({ id, isDirected }) => (isDirected ? '' : id)).filter(Boolean), ['related']);
  });

  it('leaves out what is linked least where there is too much, never the note that was asked for', () => {
    const many = MOST_NODES + 100;
    const big: NotesGraph = {
      nodes: Array.from({ length: many }, (_, index) => note(`n${index}`)),
      edges: Array.from({ length: MOST_NODES - 10 }, (_, index) => ({
        from: index + 20,
        to: 20,
        type: 'related' as const,
      })),
    };
    const state = graphState(big, words, open);
    assert.equal(state.nodes.length, MOST_NODES);
    assert.equal(state.total, many);
    assert.equal(state.edges.length, big.edges.length, 'everything that is linked is there');
    const last = `knowledge://notes/project/n${many - 1}`;
    assert.ok(!state.nodes.some(({ id }) => id === last));
    assert.ok(graphState(big, words, { ...open, centre: last }).nodes.some(({ id }) => id === last));
  });
});

describe('filters of a graph', () => {
  it('show everything in the order of names, unless told otherwise', () => {
    assert.deepEqual(listed({}), ['alone', 'auth', 'deploy', 'dns', 'mail', 'café', 'lost', 'shared']);
  });

  it('search names, ids, spaces and categories, whatever case and accents', () => {
    assert.deepEqual(listed({ text: 'CAFE' }), ['café']);
    assert.deepEqual(listed({ text: ' net about ' }), ['dns']);
    assert.deepEqual(listed({ text: 'user learnings mail' }), ['mail']);
    assert.deepEqual(listed({ text: 'nothing like it' }), []);
    const { nodes, matches } = applyFilters(graph, { ...EVERYTHING, text: 'cafe' });
    assert.ok(nodes.every(Boolean), 'the picture keeps the others, faintly');
    assert.deepEqual([...matches!].filter(Boolean).length, 1);
  });

  it('show one place, or one category of it', () => {
    assert.deepEqual(listed({ where: { place: 'User' } }), ['mail', 'café']);
    assert.deepEqual(listed({ where: { group: 'project/workflows' } }), ['deploy']);
  });

  it('hide types of nodes, and of links with what only they link', () => {
    assert.deepEqual(listed({ hiddenKinds: ['pattern', NO_KIND] }), ['deploy', 'dns', 'café', 'lost']);
    const { edges } = applyFilters(graph, { ...EVERYTHING, hiddenTypes: ['references'] });
    assert.deepEqual([...edges], [0, 1, 0, 1, 0, 0]);
    assert.deepEqual(listed({ hiddenTypes: ['references'], hidesUnlinked: true }), ['auth', 'dns', 'mail', 'café']);
  });

  it('hide what is linked with nothing, and what does not exist', () => {
    assert.ok(!listed({ hidesUnlinked: true }).includes('alone'));
    assert.ok(!listed({ hidesMissing: true }).includes('lost'));
    const { edges } = applyFilters(graph, { ...EVERYTHING, hidesMissing: true });
    assert.equal(edges[4], 0, 'no link leads to what is hidden');
  });

  it('show the neighbours of a node within so many steps, in both directions, over shown links alone', () => {
    const around = (steps: number) => ({ around: { id: 'knowledge://notes/project/dns', steps } });
    assert.deepEqual(listed(around(1)), ['auth', 'dns', 'café']);
    assert.deepEqual(listed(around(2)), ['auth', 'deploy', 'dns', 'mail', 'café']);
    assert.deepEqual(listed({ ...around(2), hiddenTypes: ['extends'] }), ['auth', 'dns', 'mail']);
    assert.deepEqual(listed({ ...around(1), hiddenKinds: ['api_fact'] }), ['auth', 'dns', 'café'], 'itself stays');
    assert.equal(listed({ around: { id: 'gone', steps: 1 } }).length, graph.nodes.length);
  });
});

describe('what the graph’s page may say', () => {
  it('is taken only as the protocol has it', () => {
    assert.ok(graphRequest.safeParse({ type: 'open', id: 'knowledge://notes/project/auth' }).success);
    assert.ok(!graphRequest.safeParse({ type: 'open', id: '' }).success);
    assert.ok(!graphRequest.safeParse({ type: 'open', id: 'x'.repeat(5_000) }).success);
    assert.ok(!graphRequest.safeParse({ type: 'create', id: 'missing:x', content: 'more' }).success);
    assert.ok(!graphRequest.safeParse({ type: 'run', command: 'anything' }).success);
  });
});
