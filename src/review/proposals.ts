import { isoTime } from '../core/clock';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import type { Reader, Transaction } from '../store';
import { type Decision, type Proposal, type ProposedWrite, REVIEW_TOPIC } from './model';

/** So many may wait; whoever has not looked at a thousand will not look at more. */
export const MAX_PENDING = 1_000;
/** And no more text than this, in UTF-16 code units: every process on the store holds it in memory. */
export const MAX_PENDING_TEXT = 16 * 1024 * 1024;
/** How long, and of how many, what was decided can still be looked up. */
const KEPT = 1_000;
const KEPT_MS = 30 * 24 * 60 * 60_000;
/** A claim that was not renewed for this long was cut off: its process was killed. */
export const ACCEPTING_MS = 60_000;

interface Row {
  id: number;
  operation: ProposedWrite['operation'];
  input: string;
  author: string;
  at: number;
  project_context: string;
  reason: string | null;
  base_revision: number | null;
  state: 'pending' | 'accepting' | Decision['action'];
  decided_by: string | null;
  decided_at: number | null;
}

export interface NewProposal {
  write: ProposedWrite;
  author: string;
  at: number;
  project_context: string;
  reason: string | null;
  base_revision: number | null;
}

const WAITING = "state IN ('pending', 'accepting')";
const DECIDED = "state IN ('accepted', 'rejected')";

/** Those that wait, oldest first. */
export function readPending(reader: Reader): Proposal[] {
  return reader.all<Row>(`SELECT * FROM proposal WHERE ${WAITING} ORDER BY id`).map(proposalOf);
}

export function readProposal(reader: Reader, id: number): Proposal | undefined {
  const row = readRow(reader, id);
  return row && proposalOf(row);
}

/** Keeps a proposal, unless the same one waits already. Throws `review_full` when too many wait. */
export function addProposal(transaction: Transaction, added: NewProposal): Proposal {
  const { write, author, at, project_context, reason, base_revision } = added;
  const input = JSON.stringify(write.input);
  const same = transaction.get<Row>(
    `SELECT * FROM proposal WHERE ${WAITING} AND operation = ? AND input = ? AND author = ? AND base_revision IS ?`,
    [write.operation, input, author, base_revision],
  );
  if (same) return proposalOf(same);
  const waiting = transaction.get<{ count: number; text: number }>(
    `SELECT count(*) AS count, coalesce(sum(length(input)), 0) AS text FROM proposal WHERE ${WAITING}`,
  )!;
  if (waiting.count >= MAX_PENDING || waiting.text + input.length > MAX_PENDING_TEXT) {
    throw new KaizenError(
      'review_full',
      sentence('{0} proposals wait for review, and there is no room for more.', waiting.count),
      sentence('Ask the user to accept or reject some of them, and try again then.'),
    );
  }
  transaction.run(
    `INSERT INTO proposal (operation, input, author, at, project_context, reason, base_revision)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [write.operation, input, author, at, project_context, reason, base_revision],
  );
  transaction.touch(REVIEW_TOPIC);
  return proposalOf(transaction.get<Row>('SELECT * FROM proposal WHERE id = last_insert_rowid()')!);
}

/**
 * Takes a proposal in hand for deciding it. `resumed` when it was being accepted before and that was cut off: it may
 * have been written then. Throws `unknown_proposal` when it was decided, `conflict` while somebody else decides it.
 */
export function claimProposal(
  transaction: Transaction,
  id: number,
  by: string,
  now: number,
): { proposal: Proposal; resumed: boolean } {
  const row = readRow(transaction, id);
  if (!row || row.state === 'accepted' || row.state === 'rejected') throw unknownProposal(id, row);
  const resumed = row.state === 'accepting';
  if (resumed && now - row.decided_at! < ACCEPTING_MS) {
    throw new KaizenError(
      'conflict',
      sentence('Proposal {0} is just being accepted by {1}.', id, String(row.decided_by)),
      sentence('Look again in a minute.'),
    );
  }
  transaction.run("UPDATE proposal SET state = 'accepting', decided_by = ?, decided_at = ? WHERE id = ?", [
    by,
    now,
    id,
  ]);
  return { proposal: proposalOf(row), resumed };
}

/** Says that a proposal is still being accepted. False when it is somebody else's by now, or decided. */
export function renewClaim(transaction: Transaction, id: number, since: number, now: number): boolean {
  const row = readRow(transaction, id);
  if (row?.state !== 'accepting' || row.decided_at !== since) return false;
  transaction.run('UPDATE proposal SET decided_at = ? WHERE id = ?', [now, id]);
  return true;
}

/** Lets a proposal that was claimed, or renewed, at `since` wait again, unless somebody else has claimed it by now. */
export function releaseProposal(transaction: Transaction, id: number, since: number): void {
  transaction.run(
    `UPDATE proposal SET state = 'pending', decided_by = NULL, decided_at = NULL
     WHERE id = ? AND state = 'accepting' AND decided_at = ?`,
    [id, since],
  );
}

/** Keeps the decision with the proposal, and forgets proposals that were decided long ago. */
export function settleProposal(transaction: Transaction, id: number, action: Decision['action'], now: number): void {
  transaction.run('UPDATE proposal SET state = ?, decided_at = ? WHERE id = ?', [action, now, id]);
  transaction.run(
    `DELETE FROM proposal WHERE ${DECIDED} AND (decided_at < ?1 OR id NOT IN
       (SELECT id FROM proposal WHERE ${DECIDED} ORDER BY decided_at DESC, id DESC LIMIT ?2))`,
    [now - KEPT_MS, KEPT],
  );
  transaction.touch(REVIEW_TOPIC);
}

/** Lets a rejected proposal wait again. Throws `unknown_proposal` when it was accepted, or is forgotten. */
export function reconsiderProposal(transaction: Transaction, id: number): void {
  const row = readRow(transaction, id);
  if (!row || row.state === 'accepted') throw unknownProposal(id, row);
  if (row.state !== 'rejected') return;
  transaction.run("UPDATE proposal SET state = 'pending', decided_by = NULL, decided_at = NULL WHERE id = ?", [id]);
  transaction.touch(REVIEW_TOPIC);
}

function readRow(reader: Reader, id: number): Row | undefined {
  return reader.get<Row>('SELECT * FROM proposal WHERE id = ?', [id]);
}

function proposalOf(row: Row): Proposal {
  const { id, operation, author, project_context, reason, base_revision, state } = row;
  // What was written as one of them is read as one of them.
  const write = { operation, input: JSON.parse(row.input) } as ProposedWrite;
  return {
    ...write,
    id,
    author,
    at: isoTime(row.at),
    project_context,
    reason,
    base_revision,
    ...(state === 'accepted' || state === 'rejected'
      ? { decision: { action: state, by: row.decided_by ?? '', at: isoTime(row.decided_at ?? row.at) } }
      : {}),
  };
}

function unknownProposal(id: number, row?: { state: string; decided_by: string | null }): KaizenError {
  return row
    ? new KaizenError(
        'unknown_proposal',
        row.state === 'accepted'
          ? sentence('Proposal {0} was accepted already by {1}.', id, String(row.decided_by))
          : sentence('Proposal {0} was rejected already by {1}.', id, String(row.decided_by)),
      )
    : new KaizenError(
        'unknown_proposal',
        sentence('There is no proposal {0}.', id),
        sentence('What was decided is forgotten after 30 days; the list shows what waits.'),
      );
}
