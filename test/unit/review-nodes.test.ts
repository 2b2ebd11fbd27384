import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Change } from '../../src/knowledge';
import type { Proposal, ProposedWrite } from '../../src/review';
import { error, type Hall, type TestClock, useHalls } from '../support/hall';

const AGENT: Change = { author: 'agent', by_agent: true, project_context: 'shop', reason: 'The port has moved' };
const ALICE: Change = { author: 'alice' };
const TEXT =
  '# Ports\r\n- id: ports\r\n<!-- content -->\r\nText.\r\n\r\n## API\r\n- id: ports.api\r\n<!-- content -->\r\nIt is 80.\r\n\r\n## More\r\n';

describe('an update of a node that an agent proposes', () => {
  const open = useHalls();
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'kaizen-review-')));
    file = path.join(folder, 'ports.md');
    writeFileSync(file, TEXT);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const openHall = (options: { data?: string; shared?: string; clock?: TestClock } = {}) =>
    open({ bases: [{ name: 'docs', root: folder }], ...options });

  async function propose({ bases, review }: Hall, content: string, id = 'ports.api'): Promise<Proposal> {
    const input = await bases.prepareUpdate(id, content);
    return review.propose({ operation: 'update_node', input }, AGENT);
  }

  const text = () => readFileSync(file, 'utf8');
  const after = TEXT.replace('It is 80.', 'It is 8080.');

  it('waits, is seen as the whole file before and after, and is written by accepting it', async () => {
    const hall = await openHall();
    const { review } = hall;
    const { id } = await propose(hall, 'It is 8080.\n');
    assert.equal(text(), TEXT, 'nothing is written by proposing');
    const [proposal] = review.proposals();
    assert.ok(proposal?.operation === 'update_node');
    const { content_hash, ...input } = proposal.input;
    assert.deepEqual(input, { base: 'docs', node_id: 'ports.api', file: 'ports.md', content: 'It is 8080.' });
    assert.match(content_hash, /^[0-9a-f]{64}$/);
    assert.deepEqual([proposal.author, proposal.reason, proposal.base_revision], ['agent', 'The port has moved', null]);
    assert.deepEqual(await review.preview(id), { title: 'ports.api', before: TEXT, after });
    await review.accept(id, { confirmed: false }, ALICE);
    assert.equal(text(), after);
    assert.deepEqual(review.proposals(), []);
    assert.deepEqual(review.proposal(id)?.decision?.action, 'accepted');
    assert.equal(await hall.bases.content(hall.bases.node('ports.api')), 'It is 8080.');
  });

  it('is kept once, and can be rejected and reconsidered', async () => {
    const hall = await openHall();
    const { review } = hall;
    const first = await propose(hall, 'It is 8080.');
    assert.equal((await propose(hall, 'It is 8080.')).id, first.id);
    await review.reject(first.id, ALICE);
    assert.deepEqual([text(), review.proposals()], [TEXT, []]);
    await review.reconsider(first.id, ALICE);
    await review.accept(first.id, { confirmed: false }, ALICE);
    assert.equal(text(), after);
  });

  it('is checked as writing it would be', async () => {
    const hall = await openHall();
    const { review } = hall;
    const propose2 = (input: Partial<Extract<ProposedWrite, { operation: 'update_node' }>['input']>) =>
      review.propose(
        {
          operation: 'update_node',
          input: { base: 'docs', node_id: 'ports.api', file: 'ports.md', content: 'x', content_hash: '', ...input },
        },
        AGENT,
      );
    await assert.rejects(propose2({ content: '## heading' }), error('invalid_argument', 'heading'));
    await assert.rejects(propose2({ content: '' }), error('invalid_argument', 'content'));
    await assert.rejects(propose2({ node_id: 'ports.apy' }), error('unknown_node', 'ports.apy'));
    assert.equal((await propose2({ base: 'DOCS' })).operation, 'update_node', 'names of bases have no case');
    await review.reject(review.proposals()[0]!.id, ALICE);
    await assert.rejects(propose2({ base: 'dox' }), error('unknown_base', 'dox', /--base dox=DIR/));
    assert.deepEqual(review.proposals(), []);
    const { id } = await propose2({ file: '../../etc/passwd', content_hash: 'f'.repeat(64) });
    const proposal = review.proposal(id);
    assert.ok(proposal?.operation === 'update_node');
    assert.equal(proposal.input.file, 'ports.md', 'file and hash are those that the base knows');
    assert.notEqual(proposal.input.content_hash, 'f'.repeat(64));
  });

  it('asks for confirmation when the node was changed since, and not when its neighbours were', async () => {
    const hall = await openHall();
    const { review } = hall;
    const one = await propose(hall, 'It is 8080.');
    writeFileSync(file, TEXT.replace('Text.', 'Theirs.').replace('## More', '## Mehr'));
    await review.accept(one.id, { confirmed: false }, ALICE);
    assert.equal(text(), after.replace('Text.', 'Theirs.').replace('## More', '## Mehr'));
    const two = await propose(hall, 'It is 9090.');
    writeFileSync(file, TEXT.replace('It is 80.', 'It is 81.'));
    await assert.rejects(
      review.accept(two.id, { confirmed: false }, ALICE),
      error('confirmation_required', 'ports.api'),
    );
    assert.equal(text(), TEXT.replace('It is 80.', 'It is 81.'));
    assert.equal(review.proposals().length, 1, 'it waits again');
    await review.accept(two.id, { confirmed: true }, ALICE);
    assert.equal(text(), TEXT.replace('It is 80.', 'It is 9090.'));
  });

  it('goes on waiting when its node, its file or its base is gone', async () => {
    const hall = await openHall();
    const { review, bases } = hall;
    const { id } = await propose(hall, 'It is 8080.');
    writeFileSync(file, '# Ports\n');
    await bases.rescan();
    await assert.rejects(review.accept(id, { confirmed: true }, ALICE), error('unknown_node'));
    assert.deepEqual(await review.preview(id), { title: 'ports.api', before: '', after: 'It is 8080.' });
    rmSync(file);
    await bases.rescan();
    await assert.rejects(review.accept(id, { confirmed: true }, ALICE), error('unknown_node'));
    bases.define([]);
    await assert.rejects(review.accept(id, { confirmed: true }, ALICE), error('unknown_base', /--base docs=DIR/));
    assert.deepEqual(await review.preview(id), { title: 'ports.api', before: '', after: 'It is 8080.' });
    assert.equal(review.proposals().length, 1);
    await review.reject(id, ALICE);
    assert.deepEqual(review.proposals(), []);
  });

  it('that was cut off while it was accepted is accepted again without harm, before the write or after', async () => {
    for (const moment of ['before', 'after'] as const) {
      writeFileSync(file, TEXT);
      const hall = await openHall();
      const { review, bases, clock } = hall;
      const { id } = await propose(hall, 'It is 8080.');
      // The process goes away in the middle of accepting: what it would do next never happens.
      const update = bases.update.bind(bases);
      let reached: () => void;
      const cut = new Promise<void>((resolve) => {
        reached = resolve;
      });
      bases.update = async (...args) => {
        if (moment === 'after') await update(...args);
        reached();
        await new Promise(() => {});
      };
      void review.accept(id, { confirmed: false }, ALICE);
      await cut;
      bases.update = update;
      assert.equal(text(), moment === 'after' ? after : TEXT);
      await assert.rejects(review.accept(id, { confirmed: false }, ALICE), error('conflict', 'just being accepted'));
      clock.advanceMinutes(2);
      await review.accept(id, { confirmed: false }, ALICE);
      assert.equal(text(), after);
      assert.equal(review.proposal(id)?.decision?.action, 'accepted');
    }
  });
});
