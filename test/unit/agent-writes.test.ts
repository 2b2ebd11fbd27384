import assert from 'node:assert/strict';
import { strictestOf } from '../../src/vscode/agent-writes';
import { leastOf } from '../../src/vscode/agents/allowed-by-all';

describe('the setting for agent writes', () => {
  for (const [person, workspace, folder, expected] of [
    [undefined, undefined, undefined, 'allow'],
    ['review', undefined, undefined, 'review'],
    ['review', 'allow', undefined, 'review'],
    ['review', 'allow', 'allow', 'review'],
    ['allow', 'review', undefined, 'review'],
    ['allow', undefined, 'deny', 'deny'],
    ['deny', 'allow', 'allow', 'deny'],
    ['alow', undefined, undefined, 'deny'],
    [undefined, 7, undefined, 'deny'],
  ] as const) {
    it(`is ${expected} for ${person ?? 'nothing'} of the person, ${workspace ?? 'nothing'} of the workspace and ${folder ?? 'nothing'} of the folder`, () => {
      assert.equal(strictestOf([person, workspace, folder]), expected);
    });
  }
});

describe('the tokens of a brief', () => {
  const range = { least: 100, most: 20_000, usual: 1_500 };
  for (const [person, workspace, folder, expected] of [
    [undefined, undefined, undefined, 1_500],
    [3_000, undefined, undefined, 3_000],
    [3_000, 20_000, undefined, 3_000],
    [undefined, 20_000, 9_000, 1_500],
    [3_000, 500, 800, 500],
    [1e9, undefined, undefined, 20_000],
    [500, 1, undefined, 100],
    ['many', null, undefined, 1_500],
  ] as const) {
    it(`are ${expected} for ${person} of the person, ${workspace} of the workspace and ${folder} of the folder`, () => {
      assert.equal(leastOf(person, [workspace, folder], range), expected);
    });
  }
});
