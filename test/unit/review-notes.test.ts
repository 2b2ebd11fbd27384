import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kaizen } from '../../src/kaizen';
import type { Change } from '../../src/knowledge';
import type { NoteInput, NoteWrite, PublishResult } from '../../src/notes';
import type { Proposal } from '../../src/review';
import { error, type Hall, type HallOptions, TestClock, useHalls } from '../support/hall';
import { noteText } from '../support/note-spaces';

const AGENT: Change = { author: 'agent', by_agent: true, project_context: 'shop', reason: 'Learned today' };
const ALICE: Change = { author: 'alice' };
const INPUT: NoteInput = { zettel_id: '042-mail', title: 'Mail', content: '# Mail\n\nText.', entry_type: 'pattern' };

describe('A write of notes that an agent proposes', () => {
  const open = useHalls();
  let folder: string;
  let project: string;
  beforeEach(() => {
    folder = realpathSync.native(mkdtempSync(path.join(tmpdir(), 'kaizen-review-notes-')));
    project = path.join(folder, 'project');
    mkdirSync(path.join(project, 'patterns'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

  const options = (): HallOptions => ({ notes: { project, user: path.join(folder, 'user') } });
  async function openHall(more: HallOptions = {}): Promise<Hall> {
    const hall = await open({ ...options(), ...more });
    hall.notes.start();
    await hall.notes.ready(10_000);
    return hall;
  }

  const fileOf = (name: string) => path.join(project, 'patterns', name);
  const text = (name = '042-mail.md') => readFileSync(fileOf(name), 'utf8');
  const put = async ({ notes }: Hall, id: string, body = 'Text.') => {
    writeFileSync(fileOf(`${id}.md`), noteText(id, body));
    await notes.rescan();
  };
  const propose = ({ review }: Hall, write: NoteWrite): Promise<Proposal> =>
    review.propose({ operation: 'write_note', input: write }, AGENT);
  const create: NoteWrite = { action: 'create', location: 'project', input: INPUT };

  it('waits, is seen as the file that would be, and is written by accepting it, as the agent’s', async () => {
    const hall = await openHall();
    const { review, notes } = hall;
    const { id } = await propose(hall, create);
    assert.equal(existsSync(fileOf('042-mail.md')), false, 'nothing is written by proposing');
    assert.equal((await propose(hall, create)).id, id, 'it is kept once');
    const preview = await review.preview(id);
    assert.deepEqual([preview?.title, preview?.before], ['042-mail', '']);
    await review.accept(id, { confirmed: false }, ALICE);
    assert.equal(text(), preview?.after);
    const [revision, ...others] = notes.revisions();
    assert.equal(others.length, 0);
    assert.deepEqual(
      [revision?.action, revision?.author, revision?.by_agent, revision?.reason],
      ['create', 'agent', true, `Accepted by alice (proposal ${id}): Learned today`],
    );
    assert.equal(review.proposal(id)?.decision?.action, 'accepted');
    await assert.rejects(review.accept(id, { confirmed: false }, ALICE), error('unknown_proposal', 'already'));
  });

  it('is checked as writing it would be', async () => {
    const hall = await openHall();
    const refused: [NoteWrite, Parameters<typeof error>][] = [
      [{ ...create, input: { ...INPUT, zettel_id: '../x' } }, ['invalid_argument', 'zettel_id']],
      [{ ...create, input: { ...INPUT, entry_type: 'poem' as 'pattern' } }, ['invalid_argument', 'entry_type']],
      [{ action: 'delete', zettel_id: 'nothing' }, ['unknown_note', 'nothing']],
      [{ action: 'rename', zettel_id: 'nothing', new_zettel_id: 'x' }, ['unknown_note', 'nothing']],
    ];
    for (const [write, expected] of refused) await assert.rejects(propose(hall, write), error(...expected));
    await put(hall, '042-mail');
    await assert.rejects(propose(hall, create), error('conflict', '042-mail'));
    assert.deepEqual(hall.review.proposals(), []);
  });

  it('can be rejected, reconsidered, and undone', async () => {
    const hall = await openHall();
    const { review, notes } = hall;
    await put(hall, '042-mail');
    const before = text();
    const { id } = await propose(hall, { action: 'update', zettel_id: '042-mail', patch: { title: 'New' } });
    await review.reject(id, ALICE);
    assert.equal(text(), before);
    await review.reconsider(id, ALICE);
    await review.accept(id, { confirmed: false }, ALICE);
    assert.match(text(), /^title: New$/m);
    await notes.undo(notes.revisions()[0]!.id, ALICE);
    assert.equal(text(), before);
  });

  it('is refused at once where the agent was given another text', async () => {
    const hall = await openHall();
    await put(hall, '042-mail');
    await hall.notes.get({ zettel_id: '042-mail', sources: ['local'] }, { author: 'agent', by_agent: true });
    await put(hall, '042-mail', 'Somebody else’s.');
    const writes: NoteWrite[] = [
      { action: 'update', zettel_id: '042-mail', patch: { content: 'The agent’s.' } },
      { action: 'delete', zettel_id: '042-mail' },
    ];
    for (const write of writes)
      await assert.rejects(propose(hall, write), error('conflict', 'changed since you got it'));
    assert.deepEqual(hall.review.proposals(), []);
    await hall.notes.get({ zettel_id: '042-mail', sources: ['local'] }, { author: 'agent', by_agent: true });
    for (const write of writes) await propose(hall, write);
  });

  it('asks for confirmation when a file was changed since, and takes what is there then for granted', async () => {
    const hall = await openHall();
    const { review } = hall;
    await put(hall, '042-mail');
    const hash = hall.notes.resolve({ zettel_id: '042-mail' }).content_hash;
    const write: NoteWrite = {
      action: 'update',
      zettel_id: '042-mail',
      patch: { content: 'The agent’s.' },
      content_hash: hash,
    };
    const one = await propose(hall, write);
    const two = await propose(hall, { action: 'delete', zettel_id: '042-mail', content_hash: hash });
    await put(hall, '042-mail', 'Somebody else’s.');
    const between = text();
    for (const { id } of [one, two]) {
      await assert.rejects(
        review.accept(id, { confirmed: false }, ALICE),
        error('confirmation_required', '"042-mail" was changed since agent proposed this'),
      );
    }
    assert.equal(text(), between);
    assert.equal(review.proposals().length, 2, 'they wait again');
    assert.deepEqual((await review.preview(two.id))?.after, '');
    await review.accept(one.id, { confirmed: true }, ALICE);
    assert.match(text(), /The agent’s\./);
    assert.match(hall.notes.revisions()[0]!.files[0]!.before!, /Somebody else’s/, 'it can be had back');
    await review.accept(two.id, { confirmed: true }, ALICE);
    assert.equal(existsSync(fileOf('042-mail.md')), false);
  });

  it('of several files is shown with each of them, of those that follow the lines that change', async () => {
    const hall = await openHall();
    await put(hall, '042-mail', '# Mail');
    await put(hall, '043-spf', 'One.\n\nSee [[042-mail]].\n\nTwo.');
    const { id } = await propose(hall, { action: 'rename', zettel_id: '042-mail', new_zettel_id: '042-e-mail' });
    const { title, before, after } = (await hall.review.preview(id))!;
    assert.equal(title, '042-mail');
    assert.equal(
      before,
      `# project: patterns/042-mail.md\n\n${noteText('042-mail', '# Mail')}\n# project: patterns/043-spf.md\n\n9: See [[042-mail]].\n`,
    );
    assert.match(after, /^# project: patterns\/042-e-mail.md\n\n---\nzettel_id: 042-e-mail\n/);
    assert.match(after, /# project: patterns\/043-spf.md\n\n9: See \[\[042-e-mail\]\]\.\n$/);
    await hall.review.accept(id, { confirmed: false }, ALICE);
    assert.match(text('043-spf.md'), /\[\[042-e-mail\]\]/);
  });

  it('may be a link or a collection', async () => {
    const hall = await openHall();
    const { review, notes } = hall;
    await put(hall, '042-mail');
    await put(hall, '043-spf');
    const link = await propose(hall, {
      action: 'link',
      from_zettel_id: '042-mail',
      to_zettel_id: '043-spf',
      relationship_type: 'extends',
    });
    const collection = await propose(hall, {
      action: 'create_collection',
      location: 'project',
      input: { name: 'All', description: '', zettel_ids: ['042-mail'], collection_type: 'topic' },
    });
    assert.equal((await review.preview(collection.id))?.title, 'All');
    for (const { id } of [link, collection]) await review.accept(id, { confirmed: false }, ALICE);
    assert.match(text(), /extends: \[043-spf\]/);
    assert.deepEqual(notes.collection('all').zettel_ids, ['042-mail']);
  });

  it('to publish shows the document, and what the registry refuses waits for a person’s word', async () => {
    const hall = await openHall();
    const { review, notes } = hall;
    await put(hall, '042-mail');
    const asked: NoteWrite[] = [];
    const write = notes.write.bind(notes);
    const conflict: PublishResult = {
      status: 'conflict',
      zettel_id: '042-mail',
      location: 'project',
      conflict: {
        reason: 'never_seen',
        latest: { version: '1.0.0', published_by: 'bob', published_at: '2026-05-01T00:00:00.000Z' },
        difference: '-a\n+b\n',
        message: 'The registry has 1.0.0 by bob, which this text is not based on.',
      },
    };
    const answers = { action: 'publish', ...conflict } as const;
    Object.assign(notes, {
      preview: async () => ({
        files: [{ space: 'project', file: 'patterns/042-mail.md', before: text(), after: text() }],
      }),
      write: async (...args: Parameters<typeof write>) => {
        const [each] = args;
        if (each.action !== 'publish') return write(...args);
        asked.push(each);
        return each.confirmed ? { ...answers, status: 'published', version: '1.0.1' } : answers;
      },
    });
    const { id } = await propose(hall, { action: 'publish', zettel_id: '042-mail' });
    assert.equal((await review.preview(id))?.after, text());
    await assert.rejects(
      review.accept(id, { confirmed: false }, ALICE),
      error('confirmation_required', 'has 1.0.0 by bob'),
    );
    assert.equal(review.proposals().length, 1);
    await review.accept(id, { confirmed: true }, ALICE);
    assert.deepEqual(
      asked.map((each) => each.action === 'publish' && each.confirmed === true),
      [false, true],
    );
    assert.deepEqual(review.proposals(), []);
  });

  it('is written once, whenever its process was killed', async () => {
    for (const point of ['before the files', 'after the files'] as const) {
      const clock = new TestClock();
      const places = { data: path.join(folder, `data-${point}`), shared: path.join(folder, `shared-${point}`) };
      const first = await openHall({ clock, ...places });
      await put(first, '042-mail');
      const before = text();
      const { id } = await propose(first, { action: 'update', zettel_id: '042-mail', patch: { title: 'New' } });
      // Everything but the last step: the process ends before the proposal is settled.
      const settle = new Kaizen({ ...places, ...options(), clock });
      const parts = await settle.parts();
      parts.notes.start();
      await parts.notes.ready(10_000);
      const write = parts.notes.write.bind(parts.notes);
      const dead = new Promise<never>(() => {});
      const reached = new Promise<void>((resolve) => {
        Object.assign(parts.notes, {
          write: async (...args: Parameters<typeof write>) => {
            await write(...args);
            resolve();
            return dead;
          },
        });
        void parts.review.accept(id, { confirmed: false }, ALICE);
      });
      await reached;
      if (point === 'before the files') writeFileSync(fileOf('042-mail.md'), before);
      clock.advanceMinutes(2);
      await first.notes.rescan();
      assert.equal(first.review.proposals().length, 1);
      await first.review.accept(id, { confirmed: false }, ALICE);
      assert.match(text(), /^title: New$/m, point);
      assert.equal(first.review.proposal(id)?.decision?.action, 'accepted');
      const updates = first.notes.revisions().filter(({ action }) => action === 'update');
      assert.equal(updates.length, point === 'after the files' ? 1 : 2, point);
      await settle.close();
      rmSync(fileOf('042-mail.md'));
    }
  });

  it('that stands in nobody’s way any more says so, and goes on waiting', async () => {
    const hall = await openHall();
    const { review } = hall;
    await put(hall, '042-mail');
    const { id } = await propose(hall, { action: 'update', zettel_id: '042-mail', patch: { content: 'New text.' } });
    rmSync(fileOf('042-mail.md'));
    await hall.notes.rescan();
    assert.deepEqual(await review.preview(id), { title: '042-mail', before: '', after: 'New text.' });
    await assert.rejects(review.accept(id, { confirmed: true }, ALICE), error('unknown_note', '042-mail'));
    assert.equal(review.proposals().length, 1);
  });
});
