import assert from 'node:assert/strict';
import { strictestOf } from '../../src/vscode/agent-writes';

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
