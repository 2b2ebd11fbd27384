import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { editNode, parseFile } from '../../src/bases/markdown';
import { readEdit, type UpdateTarget, writeUpdate } from '../../src/bases/update';
import { error } from '../support/hall';

const PLACE = { base: 'docs', file: 'a.md' };

async function edited(text: string, id: string, content: string): Promise<string> {
  const edit = await editNode(text, PLACE, (node) => node.id === id, content);
  assert.ok(edit, `no node ${id}`);
  assert.equal(edit.before, text);
  return edit.after;
}

const TEXT = `---
title: t
---
# A
- id: a
- type: task
<!-- content -->

old text of A

## B
- id: b
<!-- content -->
old b
### C

c
## D
`;

describe('new content of a node', () => {
  it('takes the place of its own text, and everything else stays byte for byte', async () => {
    assert.equal(await edited(TEXT, 'a', '\n\nnew\n\n- list\n\n'), TEXT.replace('old text of A', 'new\n\n- list'));
    assert.equal(await edited(TEXT, 'b', 'new b'), TEXT.replace('old b', 'new b'));
    assert.equal(await edited(TEXT, 'a.b.c', 'x'), TEXT.replace('\nc\n', '\nx\n'));
    assert.equal(await edited(TEXT, 'a.d', 'new'), `${TEXT}new\n`);
    assert.equal(await edited(TEXT, 'b', 'old b'), TEXT);
    assert.equal(await editNode(TEXT, PLACE, () => false, 'x'), undefined);
  });

  it('gets the line ends of the file, and leaves its byte order mark', async () => {
    const windows = `\uFEFF${TEXT.replaceAll('\n', '\r\n')}`;
    assert.equal(await edited(windows, 'b', 'one\ntwo\r\nthree'), windows.replace('old b', 'one\r\ntwo\r\nthree'));
    assert.equal(await edited('# A', 'a', 'x'), '# A\nx\n');
    assert.equal(await edited('\uFEFFtext', 'a', 'x'), '\uFEFFx');
    assert.equal(await edited('# A\r\nx', 'a', 'y\nz'), '# A\r\ny\r\nz');
    assert.equal(await edited('# A\n- id: a\n<!-- content -->', 'a', 'x'), '# A\n- id: a\n<!-- content -->\nx\n');
  });

  it('is kept apart from what follows it', async () => {
    const after = await edited('# A\n```\ncode\n```\nUnder\n---\nb', 'a', 'text');
    assert.equal(after, '# A\ntext\n\nUnder\n---\nb');
    const { nodes } = await parseFile(after, PLACE);
    assert.deepEqual(
      nodes.map(({ node }) => node.title),
      ['A', 'Under'],
    );
  });

  it('is refused when it would make or swallow other nodes', async () => {
    const cases: [string, RegExp][] = [
      ['text\n\n## Another', /Line 3 of the content is a heading/],
      ['#### Deeper', /Line 1 of the content is a heading/],
      ['Under\n-----', /Line 1 of the content is a heading/],
      ['```\ncode', /leaves a block of code or a comment open/],
      ['text <!-- ok\n\n<!-- open', /leaves a block of code or a comment open/],
      ['', /content/],
      ['  \n\n', /content/],
      ['nul \0', /NUL/],
      ['half \uD83D', /surrogate/],
      ['x'.repeat(200_001), /200001 characters/],
    ];
    for (const [content, expected] of cases) {
      await assert.rejects(
        edited(TEXT, 'b', content),
        error('invalid_argument', expected),
        JSON.stringify(content.slice(0, 40)),
      );
    }
    for (const text of ['# C\n\nold\n\n## D\n', 'old\n\n# X\n\n# Y\n']) {
      await assert.rejects(
        edited(text, 'a', '- id: evil\n- type: task\n<!-- content -->\ntext'),
        error('invalid_argument', /metadata/),
      );
    }
    await assert.rejects(edited('old\n\n# X\n\n# Y\n', 'a', '---\ntype: task\n---\ntext'), error('invalid_argument'));
    assert.ok(await edited(TEXT, 'b', '```\n# not a heading\n```'));
    assert.ok(await edited(TEXT, 'b', '- id: just a list\n- x: y\n\n<!-- content -->'));
  });

  it('is refused for the last node of a file with too many', async () => {
    const text = `# A\n${Array.from({ length: 520 }, (_, index) => `## H${index}\ntext\n`).join('')}`;
    await assert.rejects(edited(text, 'a.h498', 'x'), error('invalid_argument', /divide|500 nodes/));
    assert.equal(await edited(text, 'a.h1', 'x'), text.replace('## H1\ntext', '## H1\nx'));
  });

  it('is what is read afterwards, and nothing else has changed, whatever file and content', async () => {
    const line = fc.constantFrom(
      '# A',
      '## B',
      '### C',
      'text',
      'Two',
      '===',
      '---',
      '',
      '```',
      '~~~',
      '- id: x',
      '<!-- content -->',
      '<!--',
      '-->',
      '<div>',
      '> q',
      '- i',
      '  in',
      '    code',
      '---',
    );
    const text = fc
      .tuple(fc.array(line, { maxLength: 15 }), fc.constantFrom('\n', '\r\n'))
      .map(([all, eol]) => all.join(eol));
    const content = fc.array(line, { minLength: 1, maxLength: 5 }).map((all) => all.join('\n'));
    let written = 0;
    await fc.assert(
      fc.asyncProperty(text, content, fc.nat(5), async (before, wanted, index) => {
        const { nodes } = await parseFile(before, PLACE);
        const target = nodes[index % nodes.length]!.node;
        let edit: Awaited<ReturnType<typeof editNode>>;
        try {
          edit = await editNode(before, PLACE, ({ id }) => id === target.id, wanted);
        } catch (refused) {
          error('invalid_argument')(refused);
          return;
        }
        const after = await parseFile(edit!.after, PLACE);
        assert.equal(after.nodes.length, nodes.length);
        for (const [at, { node, content: own }] of after.nodes.entries()) {
          const was = nodes[at]!;
          assert.deepEqual(
            [node.id, node.title, node.level, node.metadata],
            [was.node.id, was.node.title, was.node.level, was.node.metadata],
          );
          assert.equal(own, was.node.id === target.id ? edit!.content : was.content);
        }
        const again = await editNode(edit!.after, PLACE, ({ id }) => id === target.id, wanted);
        assert.equal(again?.after, edit!.after, 'writing it again changes nothing');
        written++;
      }),
      { numRuns: 1_500, seed: 4 },
    );
    assert.ok(written > 300, `${written} were written`);
  });
});

describe('writing a node', () => {
  let folder: string;
  let file: string;
  let target: UpdateTarget;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'kaizen-update-')));
    file = path.join(folder, 'a.md');
    writeFileSync(file, TEXT);
    target = { ...PLACE, realRoot: folder, isNode: ({ id }) => id === 'b' };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const prepared = async (content: string) => {
    const edit = (await readEdit(target, content))!;
    return { content: edit.content, content_hash: edit.node.content_hash };
  };

  it('changes the file, keeps its mode and leaves nothing beside it', async () => {
    if (process.platform !== 'win32') chmodSync(file, 0o640);
    assert.equal(await writeUpdate(target, await prepared('new b'), { confirmed: false }), true);
    assert.equal(readFileSync(file, 'utf8'), TEXT.replace('old b', 'new b'));
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o640);
    assert.deepEqual(readdirSync(folder), ['a.md']);
  });

  it('does nothing when the content is there already, also a second time', async () => {
    const update = await prepared('new b');
    await writeUpdate(target, update, { confirmed: false });
    const past = new Date(2020, 1, 1);
    utimesSync(file, past, past);
    assert.equal(await writeUpdate(target, update, { confirmed: false }), false);
    assert.equal(statSync(file).mtimeMs, past.getTime());
  });

  it('never overwrites what somebody else changed in the node, unless it is confirmed', async () => {
    const update = await prepared('new b');
    const changed = TEXT.replace('old b', 'theirs');
    writeFileSync(file, changed);
    await assert.rejects(writeUpdate(target, update, { confirmed: false }), error('conflict'));
    assert.equal(readFileSync(file, 'utf8'), changed);
    await writeUpdate(target, update, { confirmed: true });
    assert.equal(readFileSync(file, 'utf8'), TEXT.replace('old b', 'new b'));
  });

  it('keeps what somebody else changed elsewhere in the file', async () => {
    const update = await prepared('new b');
    writeFileSync(file, TEXT.replace('old text of A', 'theirs'));
    await writeUpdate(target, update, { confirmed: false });
    assert.equal(readFileSync(file, 'utf8'), TEXT.replace('old text of A', 'theirs').replace('old b', 'new b'));
  });

  it('gives up when the file changes while it is written', async () => {
    const update = await prepared('new b');
    // The node is looked for after the file was read and before it is compared with what is there.
    const racing: UpdateTarget = {
      ...target,
      isNode: (node) => {
        writeFileSync(file, `${TEXT}theirs\n`);
        return target.isNode(node);
      },
    };
    await assert.rejects(writeUpdate(racing, update, { confirmed: true }), error('conflict', /just now/));
    assert.equal(readFileSync(file, 'utf8'), `${TEXT}theirs\n`);
    assert.deepEqual(readdirSync(folder), ['a.md']);
  });

  it('says that the file is gone, read-only, or no text of UTF-8', async () => {
    const update = await prepared('new b');
    chmodSync(file, 0o444);
    await assert.rejects(writeUpdate(target, update, { confirmed: false }), error('read_only', 'a.md'));
    chmodSync(file, 0o644);
    writeFileSync(file, Buffer.from([0x23, 0x20, 0xff, 0xfe, 0x41]));
    await assert.rejects(readEdit(target, 'x'), error('invalid_argument', 'UTF-8'));
    rmSync(file);
    await assert.rejects(writeUpdate(target, update, { confirmed: true }), error('unknown_node', 'a.md'));
    assert.equal(await readEdit(target, 'x'), undefined);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('refuses content with which the file would not be indexed any more', async () => {
    writeFileSync(file, `${TEXT}${'filler text\n'.repeat(84_000)}`);
    await assert.rejects(readEdit(target, 'word '.repeat(30_000)), error('invalid_argument', '1 MB'));
  });

  it('never leaves the root: not by a path, not by a link', async function () {
    await assert.rejects(readEdit({ ...target, file: '../a.md' }, 'x'), error('outside_root'));
    if (process.platform === 'win32') this.skip();
    const outside = realpathSync(mkdtempSync(path.join(tmpdir(), 'kaizen-outside-')));
    try {
      writeFileSync(path.join(outside, 'o.md'), TEXT);
      symlinkSync(path.join(outside, 'o.md'), path.join(folder, 'link.md'));
      await assert.rejects(readEdit({ ...target, file: 'link.md' }, 'x'), error('outside_root'));
      assert.equal(readFileSync(path.join(outside, 'o.md'), 'utf8'), TEXT);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('writes where a link within the root leads, which stays one', async function () {
    if (process.platform === 'win32') this.skip();
    mkdirSync(path.join(folder, 'sub'));
    symlinkSync(file, path.join(folder, 'sub', 'link.md'));
    const linked = { ...target, file: 'sub/link.md' };
    const { content, node } = (await readEdit(linked, 'new b'))!;
    await writeUpdate(linked, { content, content_hash: node.content_hash }, { confirmed: false });
    assert.equal(readFileSync(file, 'utf8'), TEXT.replace('old b', 'new b'));
    assert.deepEqual(readdirSync(path.join(folder, 'sub')), ['link.md']);
  });
});
