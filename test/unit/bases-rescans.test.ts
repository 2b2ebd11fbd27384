import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Rescans } from '../../src/vscode/bases/rescans';

describe('files of knowledge bases in the editor', () => {
  let looks = 0;
  let rescans: Rescans;
  beforeEach(() => {
    looks = 0;
    rescans = new Rescans(() => {
      looks += 1;
    });
  });
  afterEach(() => rescans.dispose());

  it('are looked at when the window is in front again, and not each time', () => {
    rescans.inFront();
    rescans.inFront();
    assert.equal(looks, 1);
  });

  it('are all looked at once after as many changes as a checkout makes, and not after a few', async () => {
    for (let count = 0; count < 5; count += 1) rescans.hinted();
    await sleep(1_800);
    assert.equal(looks, 0);
    for (let count = 0; count < 500; count += 1) rescans.hinted();
    assert.equal(looks, 0, 'not while it goes on');
    await sleep(1_800);
    assert.equal(looks, 1);
  });
});
