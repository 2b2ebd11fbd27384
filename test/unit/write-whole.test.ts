import assert from 'node:assert/strict';
import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeWhole } from '../../src/transfer';

describe('an export file', () => {
  let directory: string;
  let file: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'kaizen-export-'));
    file = path.join(directory, 'knowledge.jsonl');
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('takes the place of the one before at once, whose bytes are never touched', async () => {
    writeFileSync(file, 'the last export', { mode: 0o600 });
    const witness = path.join(directory, 'witness');
    linkSync(file, witness);
    await writeWhole(file, 'a new export');
    assert.equal(readFileSync(file, 'utf8'), 'a new export');
    assert.equal(readFileSync(witness, 'utf8'), 'the last export');
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(directory).sort(), ['knowledge.jsonl', 'witness']);
  });

  it('is written where a link leads, which stays one', async function () {
    if (process.platform === 'win32') this.skip();
    const target = path.join(directory, 'target');
    writeFileSync(target, 'old');
    symlinkSync(target, file);
    await writeWhole(file, 'new');
    assert.equal(readFileSync(target, 'utf8'), 'new');
  });

  it('leaves nothing behind where it cannot be written', async () => {
    const missing = path.join(directory, 'missing', 'knowledge.jsonl');
    await assert.rejects(writeWhole(missing, 'x'), (error: NodeJS.ErrnoException) => {
      assert.deepEqual([error.code, error.message.includes('.tmp'), error.path], ['ENOENT', false, missing]);
      return true;
    });
    assert.deepEqual(readdirSync(directory), []);
  });
});
