import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import * as esbuild from 'esbuild';
import { systemClock } from '../../src/core/clock';
import { type NotesPart, notesSchema, openNotes } from '../../src/notes';
import { parseNote } from '../../src/notes/format';
import { Store } from '../../src/store';
import { bodyOf } from './note-writer';
import { prng } from './prng';

const LONG = process.env.KAIZEN_FAULTS === 'long';
/** Rounds of two writers, each of which is killed. */
const ROUNDS = LONG ? 60 : 6;
const SEED = Number(process.env.KAIZEN_SEED ?? Date.now() % 1_000_000);
const SHARED = '---\nzettel_id: shared\ntitle: Shared\nentry_type: concept\ntags: [start]\n---\n\nOf all.\n';

interface Writer {
  name: string;
  child: ChildProcess;
  /** Notes that were promised. */
  done: number;
  ended: Promise<unknown>;
}

describe('kill -9 of processes that write notes', function () {
  this.timeout(LONG ? 900_000 : 120_000);
  let home: string;
  let script: string;
  const running = new Set<ChildProcess>();

  before(async () => {
    console.log(`    seed ${SEED} (KAIZEN_SEED=${SEED} makes the same choices again)`);
    home = mkdtempSync(path.join(tmpdir(), 'kaizen-faults-'));
    await esbuild.build({
      entryPoints: { writer: 'test/faults/note-writer.ts', 'checkpoint-worker': 'src/store/checkpoint-worker.ts' },
      outdir: home,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
      external: ['sql.js/dist/sql-wasm.wasm', 'pg-native'],
    });
    cpSync(require.resolve('sql.js/dist/sql-wasm.wasm'), path.join(home, 'sql-wasm.wasm'));
    script = path.join(home, 'writer.js');
  });
  after(() => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });

  const errors: string[] = [];

  function start(directory: string, name: string): Writer {
    const child = spawn(process.execPath, [script, directory, name], { stdio: ['ignore', 'pipe', 'inherit'] });
    running.add(child);
    const writer: Writer = { name, child, done: 0, ended: once(child, 'close') };
    void writer.ended.then(() => running.delete(child));
    readline.createInterface({ input: child.stdout! }).on('line', (line) => {
      const said = JSON.parse(line) as { n?: number; error?: string };
      if (said.error !== undefined) errors.push(`${name}: ${said.error}`);
      if (said.n !== undefined) writer.done = said.n;
    });
    return writer;
  }

  async function kill({ child, ended }: Writer): Promise<void> {
    child.kill('SIGKILL');
    await ended;
  }

  async function open(directory: string): Promise<{ notes: NotesPart; store: Store }> {
    const store = await Store.open(path.join(directory, 'store'), { schemas: [notesSchema] });
    const notes = openNotes({
      spaces: { project: path.join(directory, 'notes') },
      store,
      cacheDirectory: undefined,
      watch: false,
      clock: systemClock,
    });
    notes.start();
    assert.ok(await notes.ready(30_000));
    return { notes, store };
  }

  it('loses no note that was promised, tears none, and leaves nothing behind', async () => {
    const random = prng(SEED);
    const directory = path.join(home, 'space');
    const folder = path.join(directory, 'notes');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'shared.md'), SHARED);
    const writers: Writer[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const two = [1, 2].map((number) => start(directory, `w${round}x${number}`));
      writers.push(...two);
      while (!two.every(({ done }) => done > 0) && errors.length === 0) await sleep(5);
      await sleep(random() * 150);
      for (const writer of two) {
        await kill(writer);
        // The other one goes on.
        await sleep(random() * 60);
      }
    }
    assert.deepEqual(errors, []);
    const leftovers = () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tmp'));
    const struck = leftovers();
    // Nobody is writing them any more; in the hour that is waited for, nobody knows.
    for (const name of struck) utimesSync(path.join(folder, name), 0, 0);

    const { notes, store } = await open(directory);
    for (const { name, done } of writers) {
      for (let n = 1; n <= done; n++) {
        const note = notes.resolve({ zettel_id: `${name}-${n}` });
        assert.equal((await notes.text(note)).body.trim(), bodyOf(name, n));
        assert.deepEqual(note.problems, []);
      }
      // The one that was being written is as before, or whole.
      const last = notes.note('project', `${name}-${done + 1}`);
      if (last) assert.ok(['First.', bodyOf(name, done + 1)].includes((await notes.text(last)).body.trim()));
      assert.equal(notes.note('project', `${name}-${done + 2}`), undefined);
    }
    // Of what all of them changed, each change stands on the one before it; but for those that were cut off between the
    // keeping of the revision and the writing of the file, one for each kill at most.
    const shared = readFileSync(path.join(folder, 'shared.md'), 'utf8');
    assert.deepEqual(parseNote(shared, 'shared.md').problems, []);
    const revisions = notes.revisions({ zettel_id: 'shared', limit: 1_000 }).reverse();
    let cutOff = 0;
    let last: { before?: string | null; after?: string | null } = { after: revisions[0]?.files[0]?.before };
    for (const { id, files } of [...revisions, { id: 0, files: [{ before: shared, after: shared }] }]) {
      const [file] = files;
      if (file?.before !== last.after) {
        cutOff++;
        assert.equal(file?.before, last.before, `change ${id} of the shared note stands on one that is lost`);
      }
      last = file!;
    }
    assert.ok(cutOff <= writers.length);
    const total = writers.reduce((sum, { done }) => sum + done, 0);
    assert.ok(total > writers.length, 'the writers got something done');
    // Whoever only reads removes nothing.
    await notes.rescan();
    await notes.write({ action: 'delete', zettel_id: 'shared' }, { author: 'verifier' });
    assert.deepEqual(leftovers(), []);
    await notes.close();
    await store.close();
    console.log(
      `      ${writers.length} kills, ${total} notes, ${revisions.length} changes of one note by all, ${struck.length} times a file was half written`,
    );
  });
});
