import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KaizenError } from '../../src/core/errors';
import { Kaizen } from '../../src/kaizen';
import { Knowledge } from '../../src/knowledge';
import { Store } from '../../src/store';
import { error, useHalls } from '../support/hall';

describe('the hall', () => {
  const open = useHalls();
  let undo: () => void = () => {};
  afterEach(() => undo());

  it('defines the current project when it is told to and there is none', async () => {
    const { knowledge } = await open({ project: 'shop', defineProject: true });
    const [shop, ...more] = knowledge.listScopes();
    assert.deepEqual([shop?.scope_id, shop?.tier, shop?.is_current_project, more], ['shop', 'PROJECT', true, []]);
  });

  it('says so when the current project is a scope of another tier, and leaves that as it is', async () => {
    const { kaizen, define, ...places } = await open();
    await define('webapp', 'PRODUCT');
    await kaizen.close();
    const reports: string[] = [];
    const options = { project: 'webapp', defineProject: true, onReport: (message: string) => reports.push(message) };
    const { knowledge } = await open({ data: places.data, shared: places.shared, ...options });
    assert.equal(knowledge.scope('webapp').tier, 'PRODUCT');
    assert.match(reports.join(), /"webapp" is a PRODUCT scope/);
  });

  for (const code of ['read_only', 'store_full'] as const) {
    it(`reads what can only be read (${code}), though the current project cannot be defined there`, async () => {
      const { defineScope } = Knowledge.prototype;
      undo = () => Object.assign(Knowledge.prototype, { defineScope });
      Knowledge.prototype.defineScope = async () => {
        throw new KaizenError(code, 'The store cannot be written.', 'This can be done.');
      };
      const reports: string[] = [];
      const options = { project: 'shop', defineProject: true, onReport: (message: string) => reports.push(message) };
      const { knowledge } = await open(options);
      assert.deepEqual(knowledge.listScopes(), []);
      assert.deepEqual(reports, ['The store cannot be written. This can be done.']);
    });
  }

  it('leaves no store open behind when the other one cannot be opened', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'kaizen-hall-'));
    const { close } = Store.prototype;
    let closed = 0;
    undo = () => {
      Object.assign(Store.prototype, { close });
      rmSync(root, { recursive: true, force: true });
    };
    Store.prototype.close = function (this: Store) {
      closed++;
      return close.call(this);
    };
    const shared = path.join(root, 'shared');
    writeFileSync(shared, 'a file, not a directory');
    const kaizen = new Kaizen({ data: path.join(root, 'data'), shared });
    await assert.rejects(kaizen.parts(), error('store_io', 'shared'));
    assert.equal(closed, 1);
    rmSync(shared);
    mkdirSync(shared);
    await kaizen.parts();
    await kaizen.close();
    assert.equal(closed, 3);
  });
});
