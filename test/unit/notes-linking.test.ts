import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LinkWrite, NotesPart, Registry, RelationshipType } from '../../src/notes';
import { error } from '../support/hall';
import { NoteFolders, noteText } from '../support/note-spaces';

const BY = { author: 'alice' };

describe('Links between notes', () => {
  let folders: NoteFolders;
  beforeEach(() => {
    folders = new NoteFolders();
  });
  afterEach(() => folders.remove());

  const mail = () => readFileSync(join(folders.project, 'patterns/042-mail.md'), 'utf8');
  const write = (notes: NotesPart, action: 'link' | 'unlink', to: string, more: Partial<LinkWrite> = {}) =>
    notes.write(
      {
        action,
        from_zettel_id: '042-mail',
        to_zettel_id: to,
        relationship_type: 'extends' as RelationshipType,
        ...more,
      },
      BY,
    );

  async function twoNotes(body = 'Text.', more: readonly string[] = []): Promise<NotesPart> {
    folders.write({
      'patterns/042-mail.md': noteText('042-mail', body, more),
      'apis/043-spf.md': noteText('043-spf'),
    });
    folders.write({ 'concepts/044-dkim.md': noteText('044-dkim') }, folders.user);
    return folders.indexed();
  }

  it('stand in the front matter of the note that they start from, and nothing else of its file changes', async () => {
    const notes = await twoNotes('Text with spaces.  \r\n', ['# a comment', 'mine:   "kept"  # as it is']);
    const before = mail();
    const result = await write(notes, 'link', '043-spf');
    assert.deepEqual(result, {
      action: 'link',
      relationship: { from_zettel_id: '042-mail', to_zettel_id: '043-spf', relationship_type: 'extends' },
      changed: true,
      path: '.ai/knowledge/patterns/042-mail.md',
    });
    assert.equal(mail(), before.replace('\n# a', '\nrelationships:\n  extends: [043-spf]\n# a'));
    const [outgoing] = notes.relationships(notes.resolve({ zettel_id: '042-mail' }));
    assert.deepEqual(outgoing, {
      zettel_id: '043-spf',
      relationship_type: 'extends',
      direction: 'outgoing',
      source_location: 'project',
      title: 'Title of 043-spf',
    });
    const [incoming] = notes.relationships(notes.resolve({ zettel_id: '043-spf' }));
    assert.deepEqual([incoming?.zettel_id, incoming?.direction], ['042-mail', 'incoming']);
  });

  it('are made once, and taken away without a trace', async () => {
    const notes = await twoNotes();
    const before = mail();
    await write(notes, 'link', '043-spf');
    const linked = mail();
    assert.equal((await write(notes, 'link', '043-spf')).changed, false);
    assert.equal(mail(), linked);
    assert.equal((await write(notes, 'unlink', '043-spf')).changed, true);
    assert.equal(mail(), before);
    assert.equal((await write(notes, 'unlink', '043-spf')).changed, false);
    assert.deepEqual(
      notes.revisions().map(({ action }) => action),
      ['unlink', 'link'],
      'what changes nothing is no change',
    );
    await notes.undo(notes.revisions()[0]!.id, BY);
    assert.equal(mail(), linked);
  });

  it('leave the other items of a list as they are written, even those that lead nowhere', async () => {
    const list = ['relationships:', '  extends:', '    - "[[gone]]" # some day', "    - 'not an id!'", '    - 043-spf'];
    const notes = await twoNotes('', list);
    await write(notes, 'link', '044-dkim');
    assert.match(
      mail(),
      /extends:\n {4}- "\[\[gone\]\]" # some day\n {4}- 'not an id!'\n {4}- 043-spf\n {4}- 044-dkim\n/,
    );
    await write(notes, 'unlink', '043-spf');
    assert.match(mail(), /extends:\n {4}- "\[\[gone\]\]" # some day\n {4}- 'not an id!'\n {4}- 044-dkim\n---/);
    await write(notes, 'unlink', 'gone');
    assert.doesNotMatch(mail(), /gone/);
  });

  it('cross spaces, and name the space where the plain id leads elsewhere', async () => {
    const notes = await twoNotes();
    folders.write({ 'concepts/043-spf.md': noteText('043-spf') }, folders.user);
    await notes.rescan();
    await write(notes, 'link', '044-dkim');
    await write(notes, 'link', '043-spf', { to_location: 'user' });
    await write(notes, 'link', '043-spf');
    assert.match(mail(), /extends: \[044-dkim, "?user:043-spf"?, 043-spf\]/);
    assert.deepEqual(
      notes.relationships(notes.resolve({ zettel_id: '042-mail' })).map(({ source_location }) => source_location),
      ['user', 'user', 'project'],
    );
    await write(notes, 'unlink', '043-spf', { to_location: 'user' });
    assert.match(mail(), /extends: \[044-dkim, 043-spf\]/);
    await write(notes, 'link', '042-mail', { from_zettel_id: '044-dkim', relationship_type: 'example_of' });
    assert.match(readFileSync(join(folders.user, 'concepts/044-dkim.md'), 'utf8'), /example_of: \[042-mail\]/);
  });

  it('to the registry are written with its name, and nobody asks it', async () => {
    const notes = await twoNotes();
    await write(notes, 'link', '099-shared', { to_location: 'registry' });
    assert.match(mail(), /extends: \["?registry:099-shared"?\]/);
    assert.equal((await write(notes, 'link', '099-shared', { to_location: 'registry' })).changed, false);
    await write(notes, 'unlink', '099-shared', { to_location: 'registry' });
    assert.doesNotMatch(mail(), /registry/);
  });

  it('that the text says already are not made, and not taken away behind its back', async () => {
    const notes = await twoNotes('See [[043-spf|the records]].');
    const before = mail();
    assert.equal((await write(notes, 'link', '043-spf', { relationship_type: 'references' })).changed, false);
    await assert.rejects(
      write(notes, 'unlink', '043-spf', { relationship_type: 'references' }),
      error('invalid_argument', 'in line 7 of "patterns/042-mail.md"', /Take \[\[043-spf\]\] out/),
    );
    assert.equal(mail(), before);
  });

  it('are refused to what is not there, to the note itself, and from what cannot be edited', async () => {
    const notes = await twoNotes();
    const before = mail();
    await assert.rejects(write(notes, 'link', '043-spg'), error('unknown_note', '043-spf'));
    await assert.rejects(write(notes, 'link', '044-dkim', { to_location: 'project' }), error('unknown_note'));
    await assert.rejects(write(notes, 'link', '042-mail'), error('invalid_argument', 'itself'));
    await assert.rejects(write(notes, 'link', '../../etc/passwd'), error('invalid_argument', 'to_zettel_id'));
    await assert.rejects(write(notes, 'link', '043-spf', { from_zettel_id: 'no' }), error('unknown_note', 'no'));
    assert.equal(mail(), before);
    writeFileSync(join(folders.project, 'patterns/042-mail.md'), '---\nzettel_id: 042-mail\n{ : ]\n---\n');
    await notes.rescan();
    await assert.rejects(write(notes, 'link', '043-spf'), error('unreadable_note', /line 3/));
    writeFileSync(join(folders.project, 'patterns/042-mail.md'), Buffer.from('---\ntitle: caf\xe9\n---\n', 'latin1'));
    await notes.rescan();
    await assert.rejects(write(notes, 'link', '043-spf'), error('unreadable_note', 'UTF-8'));
  });

  it('are shown before they are made', async () => {
    const notes = await twoNotes();
    const before = mail();
    const link: LinkWrite = {
      action: 'link',
      from_zettel_id: '042-mail',
      to_zettel_id: '043-spf',
      relationship_type: 'related',
    };
    const { files } = await notes.preview(link);
    const after = before.replace('\n---\n\nText', '\nrelationships:\n  related: [043-spf]\n---\n\nText');
    assert.deepEqual(files, [{ space: 'project', file: 'patterns/042-mail.md', before, after }]);
    assert.equal(mail(), before);
  });

  it('of the registry go to the registry, and never lead to what others do not have', async () => {
    const notes = await twoNotes();
    const asked: unknown[] = [];
    const registry: Pick<Registry, 'link' | 'unlink'> = {
      link: async (...args) => asked.push(['link', ...args.slice(0, 4)]) > 0,
      unlink: async (...args) => asked.push(['unlink', ...args.slice(0, 3)]) < 0,
    };
    Object.assign(notes, { registry: async () => registry });
    const before = mail();
    assert.equal((await write(notes, 'link', '043-spf', { location: 'registry' })).changed, true);
    assert.equal((await write(notes, 'unlink', '043-spf', { location: 'registry' })).changed, false);
    assert.deepEqual(asked, [
      ['link', '042-mail', '043-spf', 'extends', 'alice'],
      ['unlink', '042-mail', '043-spf', 'extends'],
    ]);
    await assert.rejects(
      write(notes, 'link', '044-dkim', { location: 'registry', to_location: 'user' }),
      error('invalid_argument', 'Publish "044-dkim" first'),
    );
    assert.equal(asked.length, 2);
    assert.equal(mail(), before);
  });
});
