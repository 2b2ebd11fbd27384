import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddingServer } from '../support/embedding-server';

const run = promisify(execFile);
const CLI = resolve('dist/cli.js');
/** What the system takes away from new files and folders where nothing else is set up: others may read them. */
const USUAL_MASK = 0o022;

describe('what kaizen keeps, at a terminal', function () {
  this.timeout(60_000);
  let root: string;
  let work: string;
  let stores: string;
  let mask: number;

  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  beforeEach(() => {
    mask = process.umask(USUAL_MASK);
    root = mkdtempSync(join(tmpdir(), 'kaizen-modes-'));
    work = join(root, 'work');
    stores = join(root, 'stores');
    for (const folder of ['handbook', '.ai/knowledge']) mkdirSync(join(work, folder), { recursive: true });
    for (const file of ['salaries.md', 'handbook/salaries.md', '.ai/knowledge/salaries.md']) {
      writeFileSync(join(work, file), '# Salary bands\n\nEngineers are paid by band.\n');
    }
    execFileSync('git', ['init', '--quiet'], { cwd: work });
  });
  afterEach(() => {
    process.umask(mask);
    rmSync(root, { recursive: true, force: true });
  });

  async function kaizen(words: readonly string[]): Promise<void> {
    const { PATH = '' } = process.env;
    const places = ['--data', join(stores, 'data'), '--shared', join(stores, 'shared')];
    await run(process.execPath, [CLI, ...words, ...places], {
      cwd: work,
      env: { PATH, HOME: join(root, 'home'), XDG_DATA_HOME: join(root, 'home') },
    });
  }

  /** What others may do to the folders that keep it, and to what lies in them. */
  function openToOthers(): string[] {
    return ['', ...readdirSync(stores, { recursive: true, encoding: 'utf8' })]
      .map((name) => ({ name, mode: lstatSync(join(stores, name)).mode & 0o777 }))
      .filter(({ mode }) => (mode & 0o077) !== 0)
      .map(({ name, mode }) => `${mode.toString(8)} ${name}`);
  }

  for (const words of [
    ['scopes', 'define', 'shop', '--tier', 'PROJECT'],
    ['library', 'add', 'salaries.md'],
    ['index', '--base', 'kb=handbook'],
    ['bases', '--base', 'kb=handbook'],
    ['search', 'salary', '--base', 'kb=handbook'],
    ['discover', 'salary', '--base', 'kb=handbook'],
    ['notes', 'list'],
    ['notes', 'search', 'salary'],
    ['import', 'salaries.md', '--yes'],
  ]) {
    it(`is for this person alone when ${words.slice(0, 2).join(' ')} comes first`, async () => {
      await kaizen(words);
      assert.ok(readdirSync(stores).length > 0, 'something is kept');
      assert.deepEqual(openToOthers(), []);
      // So are the stores that are made where something lies already.
      await kaizen(['scopes', 'define', 'general', '--tier', 'GENERAL']);
      await kaizen(['library', 'add', 'handbook/salaries.md']);
      assert.deepEqual(openToOthers(), []);
    });
  }

  it('is for this person alone when vectors come first', async () => {
    const server = await new EmbeddingServer().start();
    try {
      const endpoint = ['--embeddings-url', server.url, '--embeddings-model', 'model'];
      await kaizen(['index', '--base', 'kb=handbook', ...endpoint]);
    } finally {
      await server.stop();
    }
    const kept = readdirSync(stores, { recursive: true, encoding: 'utf8' });
    assert.ok(
      kept.some((name) => name.endsWith('.vectors')),
      kept.join(),
    );
    assert.deepEqual(openToOthers(), []);
  });
});
