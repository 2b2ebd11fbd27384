import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import * as esbuild from 'esbuild';
import { systemClock } from '../../src/core/clock';
import { notesSchema, openNotes } from '../../src/notes';
import { Store } from '../../src/store';
import { prng } from './prng';

const LONG = process.env.KAIZEN_FAULTS === 'long';
const ROUNDS = LONG ? 80 : 5;
const SEED = Number(process.env.KAIZEN_SEED ?? Date.now() % 1_000_000);
/** Notes that link to the one that is renamed. */
const FOLLOWING = 100;

describe('kill -9 of a process that renames a note', function () {
  this.timeout(LONG ? 900_000 : 120_000);
  let home: string;
  let notesFolder: string;
  let child: ChildProcess | undefined;

  before(async () => {
    console.log(`    seed ${SEED} (KAIZEN_SEED=${SEED} makes the same choices again)`);
    home = mkdtempSync(path.join(tmpdir(), 'kaizen-faults-'));
    notesFolder = path.join(home, 'notes');
    await esbuild.build({
      entryPoints: { renamer: 'test/faults/note-renamer.ts', 'checkpoint-worker': 'src/store/checkpoint-worker.ts' },
      outdir: home,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
      external: ['sql.js/dist/sql-wasm.wasm', 'pg-native'],
    });
    cpSync(require.resolve('sql.js/dist/sql-wasm.wasm'), path.join(home, 'sql-wasm.wasm'));
    mkdirSync(notesFolder);
    writeFileSync(path.join(notesFolder, 'name-0.md'), '---\nzettel_id: name-0\ntitle: T\nentry_type: concept\n---\n');
    for (let n = 0; n < FOLLOWING; n++) {
      const text = `---\nzettel_id: from-${n}\ntitle: T\nentry_type: concept\n---\n\nText ${n} of [[name-0|it]].\n`;
      writeFileSync(path.join(notesFolder, `from-${n}.md`), text);
    }
  });
  after(() => {
    child?.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });

  /** Lets a process rename for a while, and kills it. */
  async function strike(ms: number): Promise<void> {
    const started = spawn(process.execPath, [path.join(home, 'renamer.js'), home], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    const lines = readline.createInterface({ input: started.stdout });
    const [line] = (await once(lines, 'line')) as [string];
    assert.match(line, /^name-/);
    await sleep(ms);
    started.kill('SIGKILL');
    await once(started, 'close');
  }

  /** To which name each note links. */
  const names = () =>
    Array.from({ length: FOLLOWING }, (_, n) => {
      const text = readFileSync(path.join(notesFolder, `from-${n}.md`), 'utf8');
      const found = new RegExp(`^---\\n[^]*\\n---\\n\\nText ${n} of \\[\\[(name-\\d+)\\|it\\]\\]\\.\\n$`).exec(text);
      return found?.[1] ?? assert.fail(`from-${n} is torn: ${text}`);
    });

  it('tears no file, and undoing the change puts all links back where it was cut off', async () => {
    const random = prng(SEED);
    let cut = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await strike(random() * 400);
      const store = await Store.open(path.join(home, 'store'), { schemas: [notesSchema] });
      const notes = openNotes({
        spaces: { project: notesFolder },
        store,
        cacheDirectory: undefined,
        watch: false,
        clock: systemClock,
      });
      try {
        notes.start();
        assert.ok(await notes.ready(30_000));
        if (new Set(names()).size > 1 || notes.problems().length > 0) {
          cut++;
          await notes.undo(notes.revisions({ limit: 1 })[0]!.id, { author: 'tester' });
        }
        const [name, ...others] = new Set(names());
        assert.deepEqual(others, []);
        assert.deepEqual(notes.problems(), []);
        const files = readdirSync(notesFolder).filter((file) => file.startsWith('name-'));
        assert.deepEqual(files, [`${name}.md`]);
        assert.match(readFileSync(path.join(notesFolder, `${name}.md`), 'utf8'), new RegExp(`zettel_id: ${name}\n`));
      } finally {
        await notes.close();
        await store.close();
      }
    }
    console.log(`    ${cut} of ${ROUNDS} were cut off in the middle of a rename`);
    assert.ok(cut > 0 || !LONG, 'no rename was struck');
  });
});
