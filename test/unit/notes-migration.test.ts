import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationStep, NotesPart } from '../../src/notes';
import { error } from '../support/hall';
import { NoteFolders, noteText } from '../support/note-spaces';

const BY = { author: 'alice' };

describe('Migration of old notes', () => {
  let folders: NoteFolders;
  let old: string;
  beforeEach(() => {
    folders = new NoteFolders();
    old = join(folders.workspace, 'knowledge', 'base');
    mkdirSync(old, { recursive: true });
  });
  afterEach(() => folders.remove());

  const plan = (notes: NotesPart) => notes.planMigration(old, 'project');
  const byFile = (steps: readonly MigrationStep[]) =>
    Object.fromEntries(steps.map((step) => [step.from.slice(old.length + 1).replaceAll('\\', '/'), step]));
  const written = (file: string) => readFileSync(join(folders.project, file), 'utf8');

  /** Plans one old file, and answers its step. */
  async function converted(file: string, text: string): Promise<MigrationStep> {
    folders.write({ [file]: text }, old);
    const [step, ...others] = await plan(await folders.indexed());
    assert.equal(others.length, 0);
    return step!;
  }

  it('is planned first, and copies what was planned; the originals stay', async () => {
    const files = {
      'patterns/042-mail.md':
        '---\nid: 042-mail\ntitle: Mail\ntype: pattern\ntags: [email, "dns"]\ncreated: 2024-01-10\nupdated: 2024-02-01 10:30:00\nsource: https://example.com/mail\nrating: 5 # mine\n---\n\n# Mail\r\n\r\nSee [[043-spf]].  ',
      'api/043-spf.md': '# SPF records\n\nText.',
    };
    folders.write(files, old);
    const notes = await folders.indexed();
    const steps = await plan(notes);
    assert.equal(existsSync(folders.project), false, 'planning writes nothing, not even a folder');
    assert.deepEqual(
      steps.map(({ from, text: _, ...step }) => ({ ...step, from: from.slice(old.length + 1) })),
      [
        {
          from: join('api', '043-spf.md'),
          to: 'api/043-spf.md',
          zettel_id: '043-spf',
          status: 'convert',
          remarks: ['The title is the first heading.', 'The type api_fact is guessed from the folder "api".'],
        },
        {
          from: join('patterns', '042-mail.md'),
          to: 'patterns/042-mail.md',
          zettel_id: '042-mail',
          status: 'convert',
          remarks: ['The updated "2024-02-01 10:30:00" is 2024-02-01T10:30:00Z.'],
        },
      ],
    );
    assert.equal(await notes.migrate(steps, 'project', BY), 2);
    assert.equal(
      written('patterns/042-mail.md'),
      '---\nzettel_id: 042-mail\ntitle: Mail\nentry_type: pattern\ntags: [email, "dns"]\nsource_url: https://example.com/mail\ncreated_at: "2024-01-10"\nupdated_at: 2024-02-01T10:30:00Z\nrating: 5 # mine\n---\n\n# Mail\r\n\r\nSee [[043-spf]].  ',
    );
    assert.ok(written('api/043-spf.md').endsWith('---\n\n# SPF records\n\nText.'));
    assert.deepEqual(notes.problems(), []);
    assert.deepEqual(
      notes.notes().map(({ zettel_id, entry_type, category }) => [zettel_id, entry_type, category]),
      [
        ['043-spf', 'api_fact', 'api'],
        ['042-mail', 'pattern', 'patterns'],
      ],
    );
    for (const [file, text] of Object.entries(files)) assert.equal(readFileSync(join(old, file), 'utf8'), text);
    assert.deepEqual(
      (await plan(notes)).map(({ status }) => status),
      ['unchanged', 'unchanged'],
    );
    assert.equal(await notes.migrate(steps, 'project', BY), 0, 'what is there is not written again');
    const revisions = notes.revisions();
    assert.equal(revisions.length, 2, 'one for each file');
    await notes.undo(revisions[0]!.id, BY);
    assert.equal(notes.notes().length, 1);
  });

  it('keeps ids where they are valid, else makes them of the file’s name', async () => {
    folders.write(
      {
        'a.md': '---\nzettel_id: 001-a\nid: 7f3c\n---\n',
        'b.md': '---\nid: "no / id"\n---\n',
        'Über Mail (2).md': '# x',
        'con.md': '# x',
        '***.md': '# x',
        'c.markdown': '# x',
        [`${'l'.repeat(180)}.md`]: '# x',
      },
      old,
    );
    const steps = byFile(await plan(await folders.indexed()));
    const id = (file: string) => steps[file]?.zettel_id;
    assert.deepEqual(['a.md', 'b.md', 'Über Mail (2).md', 'con.md', '***.md', 'c.markdown'].map(id), [
      '001-a',
      'b',
      'Über-Mail-2',
      'note-con',
      'note',
      'c',
    ]);
    assert.equal(id(`${'l'.repeat(180)}.md`)?.length, 120);
    assert.match(steps['a.md']!.remarks.join(' '), /was called "a"/);
    assert.match(steps['b.md']!.remarks.join(' '), /"no \/ id" has characters/);
    assert.match(steps['a.md']!.text!, /\nid: 7f3c\n/, 'what was not taken over stays');
  });

  it('maps types and says what it guessed', async () => {
    const types: [string, string, string, RegExp][] = [
      ['x.md', 'type: API Fact', 'api_fact', /"API Fact" is the type api_fact/],
      ['x.md', 'kind: best practices', 'pattern', /best practices/],
      ['x.md', 'entry_type: experiment', 'experiment', /title/],
      ['runbooks/x.md', 'owner: ann', 'workflow', /guessed from the folder "runbooks"/],
      ['x.md', 'category: Concepts', 'concept', /guessed from the category "Concepts"/],
      ['x.md', 'tags: mail, lessons-learned', 'learning', /guessed from the tag "lessons-learned"/],
      ['misc/x.md', 'type: strange', 'learning', /"strange" is none of .*Nothing tells the type; it is learning/],
    ];
    for (const [file, line, type, remark] of types) {
      const own = new NoteFolders();
      try {
        const from = join(own.path, 'old');
        own.write({ [file]: `---\n${line}\n---\ntext\n` }, from);
        const [step] = await (await own.indexed()).planMigration(from, 'user');
        assert.match(step!.text!, new RegExp(`^entry_type: ${type}$`, 'm'), line);
        assert.match(step!.remarks.join(' '), remark, line);
      } finally {
        await own.remove();
      }
    }
  });

  it('puts a note into the folder that it names, that it lies in, or that its type has', async () => {
    folders.write(
      {
        'a.md': '---\ntype: pattern\n---\n',
        'Team Notes/deep/b.md': '---\ntype: pattern\n---\n',
        'x/c.md': '---\ntype: pattern\ncategory: apis/mail\n---\n',
        'x/d.md': '---\ncategory: ../../etc\n---\n',
        'x/e.md': '---\ncategory: [one, two]\n---\n',
      },
      old,
    );
    const steps = byFile(await plan(await folders.indexed()));
    assert.deepEqual(
      ['a.md', 'Team Notes/deep/b.md', 'x/c.md', 'x/d.md', 'x/e.md'].map((file) => steps[file]?.to),
      ['patterns/a.md', 'Team-Notes/deep/b.md', 'apis/mail/c.md', 'etc/d.md', 'x/e.md'],
    );
    assert.doesNotMatch(steps['x/c.md']!.text!, /category/, 'the folder says it');
    assert.match(steps['x/e.md']!.text!, /category: \[one, two\]/);
  });

  it('leaves the text alone, and says which links have to be written anew', async () => {
    folders.write(
      {
        'My Note.md': '---\nzettel_id: 001-mine\n---\n',
        'b.md': '# b\n\n[[My Note]] and [[001-mine]] and [[folder/My Note.md|x]]\n',
      },
      old,
    );
    const { 'b.md': step } = byFile(await plan(await folders.indexed()));
    assert.ok(step!.text!.endsWith('# b\n\n[[My Note]] and [[001-mine]] and [[folder/My Note.md|x]]\n'));
    const links = step!.remarks.filter((remark) => remark.includes('write it anew'));
    assert.deepEqual(
      links.map((remark) => /\[\[.*?\]\]/.exec(remark)?.[0]),
      ['[[My Note]]', '[[folder/My Note.md]]'],
    );
  });

  it('keeps YAML as people write it, and lists what it cannot read, with the line', async () => {
    const loose = await converted(
      'a.md',
      '---\r\ndescription: Use when: asked\r\nglobs: **/*.ts\r\nName: A\r\n---\r\ntext',
    );
    assert.equal(loose.status, 'convert');
    const kept = '---\r\ndescription: Use when: asked\r\nglobs: **/*.ts\r\n';
    assert.equal(loose.text, `${kept}zettel_id: a\r\ntitle: A\r\nentry_type: learning\r\n---\r\ntext`);
    folders.write(
      {
        'b.md': '---\ntitle: B\nlist: [a, b\n---\n',
        'c.md': Buffer.from('caf\xe9', 'latin1'),
        'd.png': Buffer.from([0x89, 0x50]),
        'e.md': `# e\n${'x'.repeat(1_100_000)}`,
      },
      old,
    );
    const notes = await folders.indexed();
    const steps = byFile(await plan(notes));
    const why = (file: string) => `${steps[file]?.status}: ${steps[file]?.remarks.join(' ')}`;
    assert.match(why('b.md'), /^unreadable: The front matter cannot be converted, because of its line 4/);
    assert.match(why('c.md'), /^unreadable: It is not UTF-8/);
    assert.match(why('d.png'), /^unreadable: It is no Markdown/);
    assert.match(why('e.md'), /^unreadable: It has more than 1 MB/);
    assert.equal(await notes.migrate(Object.values(steps), 'project', BY), 1);
  });

  it('tells of collisions, and overwrites nothing', async () => {
    folders.write({ 'concepts/042-mail.md': noteText('042-mail', 'mine') });
    folders.write({ 'a/042-MAIL.md': '# x', 'b/043-spf.md': '# 1', 'c/043-spf.md': '# 2' }, old);
    const notes = await folders.indexed();
    const steps = await plan(notes);
    assert.deepEqual(
      steps.map(({ status, remarks }) => [status, remarks[0]]),
      [
        ['conflict', 'The project space has "042-MAIL" already: .ai/knowledge/concepts/042-mail.md. It stays.'],
        ['convert', 'The title is the first heading.'],
        ['conflict', '"b/043-spf.md" has the id "043-spf" already. Give one of them another id.'],
      ],
    );
    folders.write({ 'b/043-spf.md': 'Somebody was faster.' });
    assert.equal(await notes.migrate(steps, 'project', BY), 0);
    assert.equal(written('b/043-spf.md'), 'Somebody was faster.');
    assert.equal(written('concepts/042-mail.md'), noteText('042-mail', 'mine'));
  });

  it('takes nothing to a folder in which nobody would find it', async () => {
    folders.write({ 'node_modules/left-pad/README.md': '# Left pad', 'a.md': '# a' }, old);
    const notes = await folders.indexed();
    const steps = await plan(notes);
    assert.deepEqual(
      steps.map(({ status, to }) => `${status} ${to}`),
      ['convert learnings/a.md', 'conflict node_modules/left-pad/README.md'],
    );
    assert.match(steps[1]!.remarks[0]!, /node_modules/);
    assert.equal(await notes.migrate(steps, 'project', BY), 1);
  });

  it('never leaves the old folder, and takes no steps that nobody planned', async function () {
    if (process.platform === 'win32') this.skip();
    writeFileSync(join(folders.workspace, 'secret.md'), '# secret');
    symlinkSync(join(folders.workspace, 'secret.md'), join(old, 'link.md'));
    symlinkSync(folders.workspace, join(old, 'up'));
    folders.write({ 'a.md': '# a', '.git/b.md': '# b' }, old);
    const notes = await folders.indexed();
    const steps = await plan(notes);
    assert.deepEqual(
      steps.map(({ status, to }) => `${status} ${to}`.trim()),
      ['convert learnings/a.md', 'unreadable', 'unreadable'],
    );
    assert.doesNotMatch(JSON.stringify(steps), /# secret/);
    const forged = (to: string, zettel_id: string): MigrationStep[] => [
      { from: '/x', to, zettel_id, status: 'convert', remarks: [], text: 'x' },
    ];
    for (const [to, id] of [
      ['../x.md', 'x'],
      ['a/../../x.md', 'x'],
      ['x.md', '../x'],
      ['y.md', 'x'],
      ['/etc/x.md', 'x'],
    ] as const) {
      await assert.rejects(notes.migrate(forged(to, id), 'project', BY), error('invalid_argument'), to);
    }
    await assert.rejects(notes.planMigration(join(old, 'none'), 'project'), error('invalid_argument', 'no folder'));
    await assert.rejects(notes.planMigration(join(old, 'a.md'), 'project'), error('invalid_argument', 'no folder'));
    folders.write({ 'x.md': noteText('x') });
    await assert.rejects(notes.planMigration(folders.project, 'project'), error('invalid_argument', 'already'));
    const around = await notes.planMigration(folders.path, 'user');
    assert.ok(around.every(({ from }) => !from.startsWith(folders.user)));
  });

  it('ends between two files when it is cancelled, and goes on where it ended', async () => {
    folders.write(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`n${at}.md`, `# ${at}`])), old);
    const notes = await folders.indexed();
    const steps = await plan(notes);
    const cancelling = new AbortController();
    notes.onDidChange(() => {
      if (notes.size >= 5) cancelling.abort();
    });
    const written = await notes.migrate(steps, 'project', { ...BY, signal: cancelling.signal });
    assert.ok(written >= 5 && written < 20, `${written} were written`);
    assert.equal(readdirSync(join(folders.project, 'learnings')).length, written);
    assert.equal(await notes.migrate(await plan(notes), 'project', BY), 20 - written);
    await assert.rejects(notes.planMigration(old, 'project', AbortSignal.abort()));
  });
});
