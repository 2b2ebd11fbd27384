import assert from 'node:assert/strict';
import type { NoteRevision } from '../../src/notes';
import { lastStanding } from '../../src/vscode/commands/note-standing';

const revision = (id: number, zettel_id: string, before: string, after: string): NoteRevision => ({
  id,
  space: 'project',
  zettel_id,
  action: 'update',
  author: 'Ada',
  by_agent: false,
  at: '2025-01-15T10:00:00Z',
  files: [{ space: 'project', file: `${zettel_id}.md`, before, after }],
});

const undoing = (id: number, { zettel_id, files: [file] }: NoteRevision): NoteRevision => ({
  ...revision(id, zettel_id, file!.after!, file!.before!),
  action: 'undo',
});

describe('The last change of notes that still stands', () => {
  const one = revision(1, 'one', 'a', 'b');
  const two = revision(2, 'two', 'c', 'd');

  it('is the latest one', () => {
    assert.equal(lastStanding([two, one]), two);
    assert.equal(lastStanding([]), undefined);
  });

  it('is the one before a change that was undone', () => {
    assert.equal(lastStanding([undoing(3, two), two, one]), one);
    assert.equal(lastStanding([undoing(4, one), undoing(3, two), two, one]), undefined);
  });

  it('is the latest one when an older one was undone', () => {
    assert.equal(lastStanding([undoing(3, one), two, one]), two);
  });

  it('is what was undone once the undoing was undone', () => {
    assert.equal(lastStanding([undoing(4, undoing(3, two)), undoing(3, two), two, one]), two);
  });
});
