import assert from 'node:assert/strict';
import { withOthersChanges } from '../../src/vscode/commands/answers-merged';

describe('what a person was asked about a record that somebody else changed meanwhile', () => {
  const before = { title: 'Pumps', lesson: 'Prime them.', signs: ['Noise'] };

  it('keeps what the person changed, and of the rest what is stored now', () => {
    const answers = { ...before, signs: ['Noise'], title: 'Pumps on hills', appliesTo: {} };
    const now = { title: 'All pumps', lesson: 'Prime them twice.', signs: ['Noise', 'Heat'] };
    assert.deepEqual(withOthersChanges(answers, before, now), {
      ...{ title: 'Pumps on hills', lesson: 'Prime them twice.', signs: ['Noise', 'Heat'] },
      appliesTo: {},
    });
  });

  it('is what the person said where nothing is stored', () => {
    assert.deepEqual(withOthersChanges(before, {}, undefined), before);
    assert.deepEqual(withOthersChanges({ ...before, lesson: '' }, before, before), { ...before, lesson: '' });
  });
});
