import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type NotesPart, noteFormat, RELATIONSHIP_TYPES, type SpaceStatus } from '../../src/notes';
import { parseNote } from '../../src/notes/format';
import { contentOf, editsFor, formFields, type NoteValues } from '../../src/vscode/editors/note-edits';
import { linkEnds, passagesOf } from '../../src/vscode/editors/note-passages';
import { NoteDraft } from '../../webview-ui/note/draft';
import { typedLink } from '../../webview-ui/note/link-text';
import type { DocumentMessage, FormFields } from '../../webview-ui/protocol/note';
import { applySplices, withLineFeeds } from '../../webview-ui/protocol/text-splices';

const NOTE = `---
zettel_id: 042-mail
title: Mail
# Why it is here.
entry_type: pattern
tags: [email]
team: growth
relationships:
  extends: [043-spf, user:044-dkim]
---

# Mail

See [[043-spf]].
`;

describe('where the links of a note lead, as its form shows it', () => {
  const place = { space: 'project', file: 'patterns/042-mail.md' } as const;
  const { links } = parseNote(NOTE, place.file);
  const nothing = (state: SpaceStatus['state']) =>
    ({
      spaces: () => [{ space: 'project', root: '/notes', state, notes: 0, problems: 0 }],
      resolveLink: () => ({ kind: 'broken' }),
    }) satisfies Pick<NotesPart, 'spaces' | 'resolveLink'>;

  it('is not known, and nothing is called broken, before all notes were read', () => {
    assert.deepEqual(links.map(linkEnds(undefined, place))[0], { state: 'unknown' });
    assert.deepEqual(links.map(linkEnds(nothing('indexing'), place))[0], { state: 'unknown' });
    assert.deepEqual(links.map(linkEnds(nothing('ready'), place))[0], { state: 'broken' });
  });

  it('is shown of some thousand links at most; the rest of the text is there all the same', () => {
    const text = 'a [[b]] '.repeat(30_000);
    const passages = passagesOf({ text, parsed: parseNote(text, place.file) }, () => ({ state: 'note' }), 0);
    assert.ok(passages.length < 5_000);
    const shown = passages.map(({ text, link }) => (link ? `[[${text}]]` : text)).join('');
    assert.equal(shown, text);
  });
});

describe('what the form of a note makes of a document', () => {
  let format: Awaited<ReturnType<typeof noteFormat>>;

  before(async () => {
    format = await noteFormat();
  });

  const splices = (text: string, values: NoteValues) =>
    editsFor(text, parseNote(text, 'patterns/042-mail.md'), values, format.editFrontMatter);
  const edited = (text: string, values: NoteValues) => applySplices(text, splices(text, values));
  const fieldsOf = (text: string) => formFields(parseNote(text, 'patterns/042-mail.md'));

  it('shows the fields, and the text without the blank line above it', () => {
    assert.deepEqual(fieldsOf(NOTE), {
      title: 'Mail',
      entry_type: 'pattern',
      tags: ['email'],
      source_type: '',
      source_url: '',
      relationships: [
        { type: 'extends', target: '043-spf' },
        { type: 'extends', target: 'user:044-dkim' },
      ],
    });
    assert.equal(contentOf(NOTE, parseNote(NOTE, 'x.md')), '# Mail\n\nSee [[043-spf]].\n');
  });

  it('changes nothing where the form says what the document says', () => {
    const values = { content: contentOf(NOTE, parseNote(NOTE, 'x.md')), fields: fieldsOf(NOTE) };
    assert.deepEqual(splices(NOTE, values), []);
  });

  it('touches the text alone when the text is edited, whatever its line breaks', () => {
    const crlf = NOTE.replaceAll('\n', '\r\n');
    const after = edited(crlf, { content: '# Mail\n\nSee [[043-spf]].\nMore.\n' });
    assert.equal(after, `${crlf}More.\r\n`);
  });

  it('touches the field alone that is edited, and keeps comments and keys that it does not know', () => {
    const after = edited(NOTE, { fields: { tags: ['email', 'dns'] } });
    assert.equal(after, NOTE.replace('[email]', '[email, dns]'));
    assert.equal(edited(NOTE, { fields: { entry_type: 'concept' } }), NOTE.replace('pattern', 'concept'));
  });

  it('adds and removes relationships in the list of their type', () => {
    const { relationships } = fieldsOf(NOTE);
    const added = edited(NOTE, {
      fields: { relationships: [...relationships, { type: 'depends_on', target: '045-x' }] },
    });
    assert.deepEqual(fieldsOf(added).relationships.at(-1), { type: 'depends_on', target: '045-x' });
    const removed = edited(NOTE, { fields: { relationships: relationships.slice(1) } });
    assert.equal(removed, NOTE.replace('[043-spf, user:044-dkim]', '[user:044-dkim]'));
  });

  it('makes front matter where there is none, and edits text and fields in one go', () => {
    const after = edited('# Mail\n', {
      content: '# Mail\n\nMore.\n',
      fields: { title: 'Post', entry_type: 'concept' },
    });
    assert.deepEqual([fieldsOf(after).title, fieldsOf(after).entry_type], ['Post', 'concept']);
    assert.equal(contentOf(after, parseNote(after, 'x.md')).trimEnd(), '# Mail\n\nMore.');
  });

  it('takes no value that the format does not know, and no title that is none', () => {
    assert.deepEqual(splices(NOTE, { fields: { entry_type: 'nonsense', title: '  ' } }), []);
    assert.deepEqual(
      splices(NOTE, { fields: { relationships: [...fieldsOf(NOTE).relationships, { type: 'x', target: 'y' }] } }),
      [],
    );
  });

  it('refuses to edit front matter that cannot be read, and edits the text below it', () => {
    const text = '---\ntitle: "open\n---\n\nText.\n';
    assert.throws(() => splices(text, { fields: { title: 'Other' } }), { code: 'unreadable_note' });
    assert.match(
      edited(text, { content: contentOf(text, parseNote(text, 'x.md')).replace('Text', 'Words') }),
      /Words\./,
    );
  });

  it('reads back as it was written, and leaves every other byte alone', () => {
    const word = fc
      .stringMatching(/^[\p{L}\p{N}][\p{L}\p{N} :#'"-]{0,20}$/u)
      .map((text) => text.trim())
      .filter(Boolean);
    const fields = fc.record(
      {
        title: word,
        tags: fc.uniqueArray(fc.stringMatching(/^[a-z0-9-]{1,10}$/), { maxLength: 4 }),
        source_url: fc.constantFrom('', 'https://example.com/a?b=c#d'),
        relationships: fc.array(
          fc.record({ type: fc.constantFrom(...RELATIONSHIP_TYPES), target: fc.stringMatching(/^[a-z0-9]{1,8}$/) }),
          { maxLength: 4 },
        ),
      },
      { requiredKeys: [] },
    );
    const content = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => withLineFeeds(`# T\n${text}`));
    fc.assert(
      fc.property(fields, content, fc.boolean(), (values, body, isCrlf) => {
        const text = isCrlf ? NOTE.replaceAll('\n', '\r\n') : NOTE;
        const after = edited(text, { fields: values, content: body });
        const parsed = parseNote(after, 'patterns/042-mail.md');
        assert.equal(contentOf(after, parsed), body);
        const said = formFields(parsed);
        if (values.title !== undefined) assert.equal(said.title, values.title.replace(/\s+/g, ' '));
        if (values.tags) assert.deepEqual(said.tags, values.tags);
        if (values.source_url !== undefined) assert.equal(said.source_url, values.source_url);
        assert.match(after, /^# Why it is here\.\r?$/m);
        assert.match(after, /^team: growth\r?$/m);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the draft of a note in its form', () => {
  const fields: FormFields = {
    title: 'Mail',
    entry_type: 'pattern',
    tags: ['a'],
    source_type: '',
    source_url: '',
    relationships: [],
  };
  const shown = (version: number, values: Partial<DocumentMessage> = {}): DocumentMessage => ({
    type: 'document',
    version,
    fields,
    zettel_id: '042-mail',
    isReadable: true,
    passages: [],
    problems: [],
    ends: [],
    ...values,
  });
  const made = () => {
    const draft = new NoteDraft();
    draft.receive(shown(1, { content: 'base' }));
    return draft;
  };

  it('sends what differs from the document, one edit at a time', () => {
    const draft = made();
    assert.equal(draft.nextEdit(), undefined);
    draft.set('title', 'Post');
    assert.deepEqual(draft.nextEdit(), { type: 'edit', version: 1, fields: { title: 'Post' } });
    draft.content = 'base more';
    assert.equal(draft.nextEdit(), undefined, 'one is on its way');
    assert.ok(draft.receive(shown(2, { answer: 'applied', fields: { ...fields, title: 'Post' } })));
    assert.deepEqual(draft.nextEdit(), { type: 'edit', version: 2, content: 'base more' });
  });

  it('takes over what others change, and keeps what was typed', () => {
    const draft = made();
    draft.set('title', 'Mine');
    draft.content = 'base, and mine';
    draft.receive(shown(2, { content: 'theirs: base', fields: { ...fields, title: 'Theirs', tags: ['b'] } }));
    assert.equal(draft.fields.title, 'Mine');
    assert.deepEqual(draft.fields.tags, ['b']);
    assert.equal(draft.content, 'theirs: base, and mine');
  });

  it('makes a refused edit again on what there is now, and waits where it would be refused again', () => {
    const draft = made();
    draft.set('title', 'Mine');
    draft.nextEdit();
    assert.ok(draft.receive(shown(2, { answer: 'refused' })), 'the document has moved on');
    assert.deepEqual(draft.nextEdit(), { type: 'edit', version: 2, fields: { title: 'Mine' } });
    assert.ok(!draft.receive(shown(2, { answer: 'refused' })), 'it may only be read');
  });

  it('has each relationship once', () => {
    const draft = made();
    draft.addRelationship({ type: 'extends', target: 'x' });
    draft.addRelationship({ type: 'extends', target: 'x' });
    draft.addRelationship({ type: 'related', target: 'x' });
    draft.removeRelationship(0);
    assert.deepEqual(draft.fields.relationships, [{ type: 'related', target: 'x' }]);
  });
});

describe('a link that is typed in the form', () => {
  it('is what stands behind two open brackets, up to the caret', () => {
    assert.deepEqual(typedLink('a [[04', 6), { from: 4, to: 6, typed: '04', section: undefined, isClosed: false });
    assert.deepEqual(typedLink('a [[04]] b', 6), { from: 4, to: 8, typed: '04', section: undefined, isClosed: true });
    assert.deepEqual(typedLink('[[x#ke', 6), { from: 4, to: 6, typed: 'x', section: 'ke', isClosed: false });
  });

  it('is none outside of brackets, in an alias, and on another line', () => {
    for (const text of ['a [b', '[[x]] a', '[[x|the', '[[x\nb'])
      assert.equal(typedLink(text, text.length), undefined, text);
  });
});
