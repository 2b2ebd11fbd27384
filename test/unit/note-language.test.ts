import assert from 'node:assert/strict';
import type { Note, NoteHeading } from '../../src/notes';
import { type Caret, caretAt } from '../../src/vscode/notes-language/caret';
import { completionsFor, knownTags } from '../../src/vscode/notes-language/completion-list';
import { idOf, missingNote, titleOf } from '../../src/vscode/notes-language/missing-notes';
import { rankNotes } from '../../src/vscode/notes-language/note-ranking';
import { findSection, sectionRange } from '../../src/vscode/notes-language/sections';

/** The text with `|` taken out, read at its place. */
function at(text: string): Caret | undefined {
  const offset = text.indexOf('|');
  return caretAt(text.replace('|', ''), offset);
}

/** What is known of a caret beside its offsets, and what a choice would make of the text. */
function chosen(text: string, choice: string): string {
  const caret = at(text);
  assert.ok(caret, `something can be completed in ${JSON.stringify(text)}`);
  const plain = text.replace('|', '');
  return plain.slice(0, caret.from) + choice + plain.slice(caret.to);
}

function note(values: Partial<Note> & { zettel_id: string }): Note {
  const { zettel_id, space = 'project', category = 'patterns' } = values;
  return {
    title: zettel_id,
    tags: [],
    uri: `knowledge://notes/${space}/${zettel_id}`,
    space,
    category,
    file: `${category}/${zettel_id}.md`,
    content_hash: '',
    isIdDeclared: true,
    links: [],
    headings: [],
    problems: [],
    ...values,
  };
}

const HEAD = '---\nzettel_id: a\n';

describe('what can be completed in a note', () => {
  it('is the target of a link, up to its closing brackets', () => {
    assert.deepEqual(at('See [[042-em|'), {
      kind: 'target',
      typed: '042-em',
      from: 6,
      to: 12,
      prefix: undefined,
      close: ']]',
    });
    assert.equal(chosen('See [[04|]] and', 'x]]'), 'See [[x]] and');
    assert.equal(chosen('See [[04|2-old]] and', 'x]]'), 'See [[x]] and');
    assert.equal(chosen('See [[04| and more', 'x]]'), 'See [[x]] and more');
    assert.equal(chosen('- [[user:04|', 'x]]'), '- [[user:x]]');
  });

  it('is the target alone where section or alias follow', () => {
    const caret = at('[[04|2#keys]]');
    assert.ok(caret?.kind === 'target');
    assert.equal(caret.close, '');
    assert.equal(chosen('[[04|2#keys]]', 'x'), '[[x#keys]]');
  });

  it('is a section behind #, and nothing in an alias', () => {
    const caret = at('[[042-x#ke|]]');
    assert.ok(caret?.kind === 'section');
    assert.deepEqual([caret.target, caret.typed], ['042-x', 'ke']);
    assert.equal(chosen('[[042-x#ke|]]', 'Keys]]'), '[[042-x#Keys]]');
    assert.equal(caretAt('[[042-x|the', 11), undefined);
  });

  it('is nothing in code and comments, and in plain text', () => {
    for (const text of ['plain |', '    if [[ -f |', '```sh\nif [[ -f |\n```\n', 'a `[[x|` b', '<!--\n[[x|\n-->']) {
      assert.equal(at(text), undefined, text);
    }
  });

  it('is what the front matter may say: keys, values, tags, relationships', () => {
    assert.deepEqual(at(`${HEAD}ent|\n---\n`), { kind: 'key', typed: 'ent', from: 17, to: 20 });
    assert.equal(at(`${HEAD}entry_type: pa|\n---\n`)?.kind, 'value');
    const tag = at(`${HEAD}tags: [mail, dn|]\n---\n`);
    assert.ok(tag?.kind === 'item' && tag.key === 'tags' && tag.typed === 'dn');
    const dashed = at(`${HEAD}tags:\n  - mail\n  - d|\n---\n`);
    assert.ok(dashed?.kind === 'item' && dashed.key === 'tags' && dashed.typed === 'd');
    assert.equal(at(`${HEAD}relationships:\n  ext|\n---\n`)?.kind, 'relationship');
    const inline = at(`${HEAD}relationships:\n  extends: [04|]\n---\n`);
    assert.ok(inline?.kind === 'item' && inline.key === 'relationships.extends' && inline.typed === '04');
    const listed = at(`${HEAD}relationships:\n  extends:\n    - 04|\n---\n`);
    assert.ok(listed?.kind === 'item' && listed.key === 'relationships.extends' && listed.typed === '04');
    assert.equal(at('---\r\nzettel_id: a\r\nentry_type: p|\r\n---\r\n')?.kind, 'value');
  });

  it('is found in a long text', () => {
    // Anything quadratic would take longer than a test may.
    const text = `${'# Heading\n\nSome text with [[a-link]] and `code`.\n\n'.repeat(40_000)}See [[x`;
    assert.equal(caretAt(text, text.length)?.kind, 'target');
  });
});

describe('the notes that are offered', () => {
  const near = { space: 'project', category: 'patterns' } as const;
  const ids = (notes: Note[], typed: string) => rankNotes(notes, typed, near, 10).map(({ zettel_id }) => zettel_id);

  it('are ranked by id and title: the same, beginnings, words, parts, letters in order', () => {
    const notes = [
      note({ zettel_id: 'x-dkim' }),
      note({ zettel_id: 'dkim' }),
      note({ zettel_id: 'dkim-setup' }),
      note({ zettel_id: '7', title: 'About DKIM' }),
      note({ zettel_id: 'adkimb' }),
      note({ zettel_id: 'd-k-i-m' }),
      note({ zettel_id: 'nothing' }),
    ];
    assert.deepEqual(ids(notes, 'DKIM'), ['dkim', 'dkim-setup', 'x-dkim', '7', 'adkimb', 'd-k-i-m']);
  });

  it('are those of the same folder and space first among equals, and found without accents', () => {
    const notes = [
      note({ zettel_id: 'a', space: 'user' }),
      note({ zettel_id: 'b', category: 'apis' }),
      note({ zettel_id: 'c', title: 'Übersicht' }),
    ];
    assert.deepEqual(ids(notes, ''), ['c', 'b', 'a']);
    assert.deepEqual(ids(notes, 'uber'), ['c']);
  });

  it('are offered among very many', () => {
    // Anything quadratic would take longer than a test may.
    const notes = Array.from({ length: 50_000 }, (_, at) =>
      note({
        zettel_id: `${String(at).padStart(4, '0')}-a-note-about-${at % 97}`,
        title: `Something About ${at % 89} Things`,
      }),
    );
    const part = { notes: () => notes, resolveLink: () => ({ kind: 'broken' as const }) };
    const caret = at('[[note ab|');
    assert.ok(caret);
    const own = { headings: [], present: new Set<string>() };
    const { choices } = completionsFor(part, { space: 'project', file: 'patterns/x.md' }, caret, own);
    assert.ok(choices.length > 10 && choices.length <= 200, `${choices.length} choices`);
  });

  it('name their space where the plain id would lead to another one, and leave out the note itself', () => {
    const notes = [
      note({ zettel_id: 'a' }),
      note({ zettel_id: 'b', space: 'user' }),
      note({ zettel_id: 'a', space: 'user' }),
    ];
    const part = {
      notes: (space?: string) => notes.filter((each) => space === undefined || each.space === space),

      resolveLink: () => ({ kind: 'broken' as const }),
    };
    const caret = at('[[|');
    assert.ok(caret);
    const own = { headings: [], present: new Set<string>() };
    const texts = (file: string) =>
      completionsFor(part, { space: 'project', file }, caret, own)
        .choices.filter(({ kind }) => kind === 'note')
        .map(({ text }) => text);
    assert.deepEqual(texts('patterns/z.md'), ['a]]', 'user:a]]', 'b]]']);
    assert.deepEqual(texts('patterns/a.md'), ['a]]', 'b]]']);
  });

  it('bring their tags, the most frequent first', () => {
    const notes = [note({ zettel_id: 'a', tags: ['x', 'y'] }), note({ zettel_id: 'b', tags: ['y'] })];
    assert.deepEqual(knownTags({ notes: () => notes }), ['y', 'x']);
  });
});

describe('a link that leads nowhere', () => {
  it('asks for a note: id, folder and type by the target, title by the alias', () => {
    const from = { file: 'concepts/deep/x.md', entry_type: 'learning' } as const;
    assert.deepEqual(missingNote({ target: '043-spf-records' }, from), {
      input: { zettel_id: '043-spf-records', title: 'Spf records', entry_type: 'learning' },
    });
    assert.deepEqual(missingNote({ target: 'apis/Key Rotation', alias: 'Rotating keys' }, from), {
      input: { zettel_id: 'Key-Rotation', title: 'Rotating keys', entry_type: 'api_fact', category: 'apis' },
      target: 'Key-Rotation',
    });
    assert.equal(missingNote({ target: '../y.md' }, from)?.input.category, 'concepts');
  });

  it('asks for no file that is none, or lies outside', () => {
    for (const name of ['', '...', '///', 'con', 'COM1', 'nul.txt']) assert.equal(idOf(name), undefined, name);
    assert.equal(missingNote({ target: '../../../etc/passwd' }, { file: 'a/x.md' })?.input.category, undefined);
    assert.equal(idOf('..\\..\\x'), 'x');
    assert.equal(titleOf('001'), '001');
  });
});

describe('a section of a note', () => {
  const headings: NoteHeading[] = [
    { title: 'Top', level: 1, line: 0 },
    { title: 'Key Points', level: 2, line: 2 },
    { title: 'Deeper', level: 3, line: 4 },
    { title: 'Rest', level: 2, line: 6 },
  ];
  const text = '# Top\n\n## Key Points\n\n### Deeper\n\n## Rest\n';

  it('is found by its heading, or by what addresses make of it', () => {
    assert.equal(findSection(headings, 'key points')?.line, 2);
    assert.equal(findSection(headings, 'key-points')?.line, 2);
    assert.equal(findSection(headings, 'gone'), undefined);
  });

  it('reaches to the next heading of its level', () => {
    const range = sectionRange(text, { headings }, 'Key Points');
    assert.equal(range && text.slice(range.start, range.end), '## Key Points\n\n### Deeper\n\n');
  });
});
