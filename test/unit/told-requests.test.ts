import assert from 'node:assert/strict';
import { withTold } from '../../src/vscode/library/told-requests';

const ids = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`);

describe('The requests for documents that a person was told of', () => {
  it('are told once, however many are open at once', () => {
    const open = ids('open', 500);
    let told: string[] = ids('before', 300);
    const isFresh = (id: string) => !told.includes(id);
    told = withTold(told, open, open.filter(isFresh));
    assert.deepEqual(open.filter(isFresh), []);
    // One more comes while all others wait.
    told = withTold(told, [...open, 'last'], ['last']);
    assert.deepEqual([...open, 'last'].filter(isFresh), []);
  });

  it('are forgotten long after they were answered', () => {
    let told: string[] = [];
    for (const id of ids('answered', 1_000)) told = withTold(told, [id], [id]);
    assert.ok(told.length <= 201, `${told.length} are kept`);
    assert.equal(told.at(-1), 'answered999');
  });

  it('of another library are remembered beside them', () => {
    assert.deepEqual(withTold(['elsewhere'], ['here'], ['here']), ['elsewhere', 'here']);
  });
});
