import assert from 'node:assert/strict';
import type { BaseFile, BaseProblem, BaseStatus, KnowledgeNode } from '../../src/bases';
import type { Found } from '../../src/discovery';
import { nodeReference } from '../../src/vscode/agent-reference';
import { adviceFor, baseNode, contentsOf, headingsBelow, headingsOf } from '../../src/vscode/views/base-branches';
import type { BasesNode, ForFileNode } from '../../src/vscode/views/base-nodes';

function node(file: string, anchor: string, parent: string | null, children: string[] = []): KnowledgeNode {
  const id = anchor ? `${file}.${anchor}` : file;
  return {
    id,
    base: 'docs',
    uri: `knowledge://docs/${file}${anchor && `#${anchor}`}`,
    file,
    anchor,
    path: `${file}${anchor && `#${anchor}`}`,
    title: anchor || file,
    level: anchor ? 2 : 1,
    type: 'context',
    status: 'active',
    metadata: {},
    keywords: [],
    parent_id: parent,
    children_ids: children,
    blocked_by: [],
    token_count: 10,
    content_hash: id,
    line: 0,
    end_line: 1,
  };
}

function file(path: string, nodes: KnowledgeNode[] = [], problems: BaseProblem[] = [], base = 'docs'): BaseFile {
  return { base, file: path, size: 1, nodes, problems };
}

const status: BaseStatus = {
  definition: { name: 'docs', root: '/docs', include: [], exclude: [] },
  state: 'ready',
  files: 4,
  nodes: 9,
  problems: 1,
};

const nameOf = (line: BasesNode): string => {
  switch (line.kind) {
    case 'folder':
      return `${line.folder}/ ${line.files}`;
    case 'file':
      return line.file;
    case 'node':
      return line.node.title;
    case 'problem':
      return String(line.problem.message);
    case 'advice':
      return `${line.title} ${line.score ?? 'rule'}`;
    default:
      return line.kind;
  }
};

describe('the view of knowledge bases', () => {
  const base = baseNode(status);

  it('lists what is wrong with a base, then its folders, then its files', () => {
    const files = [
      file('a/b/deep.md'),
      file('a/x.md'),
      file('guide.md'),
      file('z/last.md'),
      file('other.md', [], [], 'notes'),
    ];
    const problems: BaseProblem[] = [
      { base: 'docs', code: 'bad_pattern', message: 'A pattern cannot be read.' },
      { base: 'docs', file: 'guide.md', code: 'metadata', message: 'of a file' },
    ];
    const lines = contentsOf(base, files, problems);
    assert.deepEqual(lines.map(nameOf), ['A pattern cannot be read.', 'a/ 2', 'z/ 1', 'guide.md']);
    const [, folder] = lines;
    assert.ok(folder?.kind === 'folder');
    const below = contentsOf(folder, files);
    assert.deepEqual(below.map(nameOf), ['a/b/ 1', 'a/x.md']);
    assert.ok(below.every(({ parent }) => parent === folder));
    assert.equal(new Set([...lines, ...below].map(({ id }) => id)).size, lines.length + below.length);
  });

  it('shows the headings of a file as a tree, below what is wrong with it', () => {
    const problem: BaseProblem = {
      base: 'docs',
      file: 'g.md',
      line: 3,
      code: 'metadata',
      message: 'Line 4 says nothing.',
    };
    const nodes = [
      node('g.md', '', null, ['g.md.one', 'g.md.two']),
      node('g.md', 'one', 'g.md', ['g.md.one.a']),
      node('g.md', 'one.a', 'g.md.one'),
      node('g.md', 'two', 'g.md'),
    ];
    const whole = file('g.md', nodes, [problem]);
    const [line] = contentsOf(base, [whole]);
    assert.ok(line?.kind === 'file');
    const headings = headingsOf(line, whole);
    assert.deepEqual(headings.map(nameOf), ['Line 4 says nothing.', 'one', 'two']);
    const one = headings[1];
    assert.ok(one?.kind === 'node' && one.hasChildren);
    assert.deepEqual(headingsBelow(one, whole).map(nameOf), ['one.a']);
  });

  it('shows for a file the rules that name it first, everything once, and nothing of the file itself', () => {
    const group = { kind: 'forFile', id: 'for-file', path: 'g.md' } as ForFileNode;
    const found = (uri: string, kind: Found['kind'], score: number): Found => ({
      uri,
      kind,
      title: uri.slice(uri.lastIndexOf('/') + 1),
      path: '',
      type: 'context',
      score,
      snippet: { text: '', marks: [] },
    });
    const rule = { category: 'git', keyword: 'push', source_scope: 'shop', risks: [] };
    const advice = adviceFor(group, {
      rules: [rule],
      recommendations: [
        found('knowledge://docs/h.md#x', 'node', 0.9),
        found('knowledge://scopes/shop/git/push', 'entry', 0.8),
        found('knowledge://docs/g.md#one', 'node', 0.8),
        found('knowledge://docs/g.md', 'node', 0.8),
        found('knowledge://docs/g.md.old', 'node', 0.6),
        found('knowledge://scopes/shop/git/tag', 'entry', 0.5),
        found('knowledge://scopes/no-entry', 'entry', 0.5),
      ],
      own: 'knowledge://docs/g.md',
      risks: new Map([['knowledge://scopes/shop/git/tag', ['WARNING'] as const]]),
    });
    assert.deepEqual(advice.map(nameOf), ['push rule', 'h.md#x 0.9', 'g.md.old 0.6', 'tag 0.5']);
    assert.deepEqual(advice.at(-1)?.risks, ['WARNING'], 'the risks of what is no rule of the file');
    assert.deepEqual(advice[0]?.target, { entry: { scope_id: 'shop', category: 'git', keyword: 'push' } });
  });

  it('gives agents a call that gets what was copied, twenty at a time', () => {
    assert.equal(nodeReference([]), '');
    assert.equal(
      nodeReference([{ id: 'docs:a"b', path: 'a.md#b' }]),
      '"a.md#b"\n(Kaizen knowledge node; get it with retrieve_knowledge(ids=["docs:a\\"b"]))',
    );
    const many = Array.from({ length: 21 }, (_, index) => ({ id: `n${index}`, path: `p${index}.md` }));
    assert.equal(nodeReference(many).match(/retrieve_knowledge/g)?.length, 2);
  });
});
