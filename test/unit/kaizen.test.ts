import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

  describe('with both stores in one folder that is not there yet', () => {
    let root: string;
    beforeEach(() => {
      root = mkdtempSync(path.join(tmpdir(), 'kaizen-hall-'));
      undo = () => rmSync(root, { recursive: true, force: true });
    });

    it('writes to one store, whatever names the folder has', async () => {
      mkdirSync(path.join(root, 'real'));
      symlinkSync(path.join(root, 'real'), path.join(root, 'link'), 'junction');
      const places = { data: path.join(root, 'real', 's'), shared: path.join(root, 'link', 's') };
      const { knowledge, define } = await open({ ...places, createsOnWrite: true });
      await define('shop', 'PROJECT');
      await define('general', 'GENERAL');
      assert.deepEqual(
        knowledge.listScopes().map(({ scope_id }) => scope_id),
        ['general', 'shop'],
      );
    });

    it('refuses to write where only the folder itself shows that it is one', async function () {
      // As where upper case and lower case are one: the names differ until the folder is there.
      if (process.platform === 'win32') this.skip();
      const places = { data: path.join(root, 'link'), shared: path.join(root, 'real') };
      symlinkSync(places.shared, places.data);
      const { define } = await open({ ...places, createsOnWrite: true });
      for (const id of ['shop', 'till']) {
        await assert.rejects(define(id, 'PROJECT'), error('invalid_argument', /one folder under two names/));
      }
    });
  });

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
