import assert from 'node:assert/strict';
import type { EffectiveEntry, FoundEntry, ScopeListing, Tier } from '../../src/knowledge';
import { referenceFor } from '../../src/vscode/agent-reference';
import { effectiveTreeOfHits, treeOfHits } from '../../src/vscode/views/branches';
import { highlightsIn, lineAround, matchesAll, wordsOf } from '../../src/vscode/views/filter';
import { filteredKnowledge } from '../../src/vscode/views/filtered-knowledge';
import type { KnowledgeNode } from '../../src/vscode/views/nodes';
import { FIRST_PAGE, shownAfterMore, shownFor } from '../../src/vscode/views/paging';
import { childrenOf, sectionsOf, type Work } from '../../src/vscode/views/session-nodes';
import { touchedBy } from '../../src/vscode/views/topics';
import { BY_TESTER, useHalls } from '../support/hall';

const scope = (scope_id: string, tier: Tier): ScopeListing => ({
  scope_id,
  tier,
  name: scope_id,
  parents: [],
  entry_count: 9,
  is_current_project: tier === 'PROJECT',
});

const hit = (scope_id: string, tier: Tier, category: string, keyword: string): FoundEntry => ({
  scope_id,
  tier,
  category,
  keyword,
  content: `About ${keyword}.`,
  metaknowledge: {},
  risks: [],
  updated_at: '2026-05-04T09:00:00.000Z',
  author: 'ada',
});

/** What a tree says, a line each, indented as the view shows it. */
function outline(nodes: readonly KnowledgeNode[], depth = 0): string[] {
  return nodes.flatMap((node) => [`${'  '.repeat(depth)}${nameOf(node)}`, ...outline(node.children ?? [], depth + 1)]);
}

function nameOf(node: KnowledgeNode): string {
  switch (node.kind) {
    case 'tier':
      return node.tier;
    case 'scope':
      return `${node.scope.scope_id} ${node.found}`;
    case 'category':
      return `${node.category} ${node.entries}`;
    case 'entry':
      return node.entry.keyword;
    default:
      return node.kind;
  }
}

function everyNode(nodes: readonly KnowledgeNode[]): KnowledgeNode[] {
  return nodes.flatMap((node) => [node, ...everyNode(node.children ?? [])]);
}

describe('a filter of the explorer', () => {
  const open = useHalls();

  it('leaves what leads to a hit, most specific first, and counts what it left', () => {
    const hits = [
      hit('general', 'GENERAL', 'git', 'commit'),
      hit('shop', 'PROJECT', 'git.workflows', 'push'),
      hit('shop', 'PROJECT', 'git', 'tag'),
      hit('shop', 'PROJECT', 'git', 'branch'),
    ];
    const tree = treeOfHits(hits, [scope('general', 'GENERAL'), scope('web', 'GROUP'), scope('shop', 'PROJECT')]);
    assert.deepEqual(outline(tree), [
      'PROJECT',
      '  shop 3',
      '    git 2',
      '      branch',
      '      tag',
      '    git.workflows 1',
      '      push',
      'GENERAL',
      '  general 1',
      '    git 1',
      '      commit',
    ]);
  });

  it('gives every line an id of its own, and a way up', () => {
    const scopes = [scope('a', 'GROUP'), scope('b', 'GROUP')];
    const hits = ['a', 'b'].flatMap((id) => ['x', 'x.y'].map((category) => hit(id, 'GROUP', category, 'same')));
    const nodes = everyNode(treeOfHits(hits, scopes));
    assert.equal(new Set(nodes.map(({ id }) => id)).size, nodes.length);
    for (const node of nodes) {
      for (const child of node.children ?? []) assert.equal(child.parent?.id, node.id);
    }
  });

  it('keeps, of what holds for a project, where it comes from and what it overrides', () => {
    const entry: EffectiveEntry = {
      keyword: 'commit',
      content: 'Small commits.',
      source_tier: 'GROUP',
      source_scope: 'web',
      metaknowledge: {},
      category: 'git',
      risks: [],
      overrides: [{ scope_id: 'general', tier: 'GENERAL', category: 'git', keyword: 'commit' }],
    };
    const [category] = effectiveTreeOfHits([entry], 'shop');
    assert.deepEqual(outline([category!]), ['git 1', '  commit']);
    const [node] = category?.children ?? [];
    assert.ok(node?.kind === 'entry');
    assert.deepEqual([node.tier, node.entry.scope_id, node.overrides?.length], ['GROUP', 'web', 1]);
  });

  it('is answered for a project by what holds for it alone', async () => {
    const { knowledge, define } = await open();
    await define('general', 'GENERAL');
    await define('shop', 'PROJECT');
    const store = (target_scope_id: string, keyword: string, content: string) =>
      knowledge.storeIfMissing({ target_scope_id, category: 'git', keyword, content }, BY_TESTER);
    await store('general', 'commit', 'Rebase before you commit.');
    await store('general', 'push', 'Rebase before you push.');
    await store('shop', 'commit', 'Never rebase.');
    const everywhere = await filteredKnowledge(knowledge, 'rebase');
    assert.deepEqual([everywhere.found, everywhere.total, everywhere.limited], [3, 3, false]);
    const { nodes, found, total } = await filteredKnowledge(knowledge, 'rebase', 'shop');
    assert.deepEqual([outline(nodes), found, total], [['git 2', '  commit', '  push'], 2, 2]);
    // What is overridden says it, too, and holds no more.
    assert.deepEqual(outline((await filteredKnowledge(knowledge, 'before commit', 'shop')).nodes), []);
  });

  it('marks each word where it stands in a label, whatever its case', () => {
    assert.deepEqual(highlightsIn('Refund_Amounts', wordsOf('amount REFUND')), [
      [0, 6],
      [7, 13],
    ]);
    assert.deepEqual(highlightsIn('aaa', ['aa']), [[0, 2]]);
    assert.deepEqual(highlightsIn('abcd', ['abc', 'bcd']), [[0, 4]]);
    assert.deepEqual(highlightsIn('push', ['commit']), []);
    // Its lower case is longer, so that offsets in it say nothing about the label.
    assert.deepEqual(highlightsIn('İstanbul', ['stanbul']), []);
  });

  it('wants every word, in whichever text', () => {
    assert.ok(matchesAll(['pay', 'review'], ['Payments', null, 'In Review']));
    assert.ok(!matchesAll(['pay', 'done'], ['Payments', 'In review']));
    assert.ok(matchesAll([], []));
  });

  it('shows the line that holds a word, cut around it', () => {
    assert.equal(lineAround('# Title\n\nNever   push to main.\nMore.', ['push']), 'Never push to main.');
    assert.equal(lineAround('\n\nThe first line.\nMore.', []), 'The first line.');
    const long = lineAround(`${'before '.repeat(40)}needle${' after'.repeat(40)}`, ['needle']);
    assert.match(long, /^….*needle.*…$/);
    assert.ok(long.length <= 122, String(long.length));
  });
});

describe('the pages of a category', () => {
  const open = useHalls();

  it('show 250 entries at first, then twice as many, never more than 1,000 more', () => {
    const counts = [FIRST_PAGE];
    while (counts.length < 6) counts.push(shownAfterMore(counts.at(-1)!));
    assert.deepEqual(counts, [250, 500, 1_000, 2_000, 3_000, 4_000]);
  });

  it('are read by themselves, in the order of the whole, of a scope as well as of what holds', async () => {
    const { knowledge, define } = await open();
    await define('general', 'GENERAL');
    await define('shop', 'PROJECT');
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const keyword of [...names].reverse()) {
      const entry = { target_scope_id: 'general', category: 'git', keyword, content: `About ${keyword}.` };
      await knowledge.storeIfMissing(entry, BY_TESTER);
    }
    const page = { offset: 1, limit: 3 };
    const words = (entries: { keyword: string }[]) => entries.map(({ keyword }) => keyword).join('');
    assert.equal(words(knowledge.ownEntries('general', 'git', page)), 'bcd');
    assert.equal(words(knowledge.effectiveEntries('shop', 'git', page)), 'bcd');
    assert.deepEqual(knowledge.ownEntries('general', 'git', page), knowledge.ownEntries('general', 'git').slice(1, 4));
  });

  it('reach as far as an entry that is to be shown', () => {
    assert.deepEqual([0, 249, 250, 1_999, 2_000].map(shownFor), [250, 250, 500, 2_000, 3_000]);
  });
});

describe('what a change means for the views', () => {
  it('is told by its topics: scopes, entries, work or proposals', () => {
    const { scopes, entriesOf, continuityOf, proposals } = touchedBy(new Set(['entries:a', 'names:a', 'entries:b']));
    assert.deepEqual([scopes, proposals, [...entriesOf], [...continuityOf]], [false, false, ['a', 'b'], []]);
    assert.ok(touchedBy(new Set(['scopes'])).scopes);
    assert.ok(touchedBy(new Set(['review'])).proposals);
    assert.deepEqual([...touchedBy(new Set(['continuity:shop'])).continuityOf], ['shop']);
  });

  it('is nothing when only reads were counted, and everything after the stores were opened anew', () => {
    const counted = touchedBy(new Set(['reads']));
    assert.ok(!counted.scopes && !counted.proposals && counted.entriesOf.size === 0 && counted.continuityOf.size === 0);
    const opened = touchedBy(new Set(['*']));
    assert.ok(opened.scopes && opened.proposals);
  });
});

describe('a reference for an agent', () => {
  const entry = { scope_id: 'shop', category: 'git', keyword: 'commit "it"' };

  it('names the entry by its address and by the call that gets it', () => {
    assert.equal(
      referenceFor([entry]),
      'knowledge://scopes/shop/git/commit%20%22it%22\n' +
        '(Kaizen knowledge entry; get it with get_knowledge(scope_id="shop", keywords=["commit \\"it\\""], categories=["git"]))',
    );
  });

  it('gets several of one scope with one call', () => {
    const text = referenceFor([entry, { ...entry, keyword: 'push' }, { ...entry, scope_id: 'web' }]);
    assert.equal(text.match(/get_knowledge\(/g)?.length, 2);
    assert.match(text, /keywords=\["commit \\"it\\"","push"\], categories=\["git"\]/);
  });

  it('says of a scope or a category how to look into it', () => {
    assert.match(referenceFor([{ scope_id: 'shop' }]), /get_categories\(scope_id="shop"\)/);
    const category = referenceFor([{ scope_id: 'shop', category: 'git.workflows' }]);
    assert.match(category, /get_keywords\(scope_id="shop", categories=\["git\.workflows"\]\)/);
  });
});

describe('sessions and progress', () => {
  const work: Work = {
    overview: {
      project_id: 'shop',
      purpose: 'Sells things',
      tech_stack: ['TypeScript'],
      compliance: [],
      current_phase: 'Beta',
      key_constraints: ['No downtime'],
    },
    progress: {
      overall_progress: '50% complete',
      current_sprint: 'Sprint 7',
      completed_tasks: [{ name: 'Cart', domain: 'web', date: '2026-05-01' }],
      in_progress_tasks: [{ name: 'Refunds', domain: 'payments', status: 'In review' }],
      blocked_tasks: [{ name: 'Payouts', domain: 'payments', blocker: 'The bank' }],
    },
    sessions: [
      {
        date: '2026-05-04',
        duration_minutes: 75,
        summary: 'Refunds begun',
        tasks_completed: ['Table'],
        domain: 'payments',
        next_planned: 'Ledger',
      },
    ],
  };

  it('shows overview, progress with blocked tasks first, and sessions', () => {
    const { nodes } = sectionsOf(work, []);
    assert.deepEqual(
      nodes.map(({ kind }) => kind),
      ['overview', 'progress', 'sessions'],
    );
    const groups = childrenOf(nodes[1]!);
    assert.deepEqual(
      groups.flatMap(childrenOf).map((task) => task.kind === 'task' && [task.state, task.name]),
      [
        ['blocked', 'Payouts'],
        ['in_progress', 'Refunds'],
        ['completed', 'Cart'],
      ],
    );
  });

  it('shows nothing, so that the welcome can teach, where nothing is known', () => {
    const nothing: Work = {
      overview: { ...work.overview, purpose: null, tech_stack: [], current_phase: null, key_constraints: [] },
      progress: { ...work.progress, completed_tasks: [], in_progress_tasks: [], blocked_tasks: [] },
      sessions: [],
    };
    assert.deepEqual(sectionsOf(nothing, []), { nodes: [], found: 0, total: 0 });
  });

  it('is filtered by tasks and sessions that hold every word', () => {
    const { nodes, found, total } = sectionsOf(work, ['refunds']);
    assert.deepEqual([nodes.map(({ kind }) => kind), found, total], [['progress', 'sessions'], 2, 4]);
    assert.equal(sectionsOf(work, ['refunds', 'review']).found, 1);
  });
});
