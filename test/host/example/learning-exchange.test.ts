import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Imported } from '../../../src/learning';
import { activate } from '../support/kaizen';

interface LearnedFile {
  records: { kind: string; record: { id: string; title: string; lesson: string } }[];
  feedback: unknown[];
}

const AT = '2026-05-04T09:00:00.000Z';

function lessonOf(visibility: string): object {
  return {
    ...{ id: `less-rounding-${visibility}`, title: `A ${visibility} lesson`, lesson: 'Round once, at the end.' },
    ...{ context: '', recommendation: '', sources: [], author: 'ada' },
    ...{ owner: 'ada', visibility, created_at: AT, updated_at: AT },
  };
}

describe('what was learned, to a file and back in the window', () => {
  let folder: string;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'kaizen-learned-'));
    await activate();
    const file = path.join(folder, 'first.json');
    const records = ['team', 'personal'].map((visibility) => ({ kind: 'lesson', record: lessonOf(visibility) }));
    writeFileSync(file, JSON.stringify({ format: 'kaizen-learning', version: 1, records }));
    const imported = await run<Imported>('kaizen.importLearning', file, { conflicts: 'keep' });
    assert.equal(imported?.added, 2);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const run = <T>(command: string, target: string, options: object) =>
    vscode.commands.executeCommand<T>(command, vscode.Uri.file(target), options);
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as LearnedFile;
  const titles = (file: string) =>
    read(file)
      .records.map(({ record }) => record.title)
      .filter((title) => / lesson$/.test(title))
      .sort();

  it('leaves out what is personal unless that is wanted', async () => {
    const file = path.join(folder, 'learned.json');
    const counts = await run<Record<string, number>>('kaizen.exportLearning', file, { collections: [] });
    assert.deepEqual(titles(file), ['A team lesson']);
    assert.equal(counts?.lessons, read(file).records.filter(({ kind }) => kind === 'lesson').length);
    const all = path.join(folder, 'all.json');
    await run('kaizen.exportLearning', all, { collections: ['lessons'], personal: true });
    assert.deepEqual(titles(all), ['A personal lesson', 'A team lesson']);
    assert.deepEqual(read(all).feedback, []);
  });

  it('writes a table of Parquet where the file is named so, and reads it', async () => {
    const file = path.join(folder, 'learned.parquet');
    await run('kaizen.exportLearning', file, { collections: [] });
    assert.equal(readFileSync(file).subarray(0, 4).toString('latin1'), 'PAR1');
    const imported = await run<Imported>('kaizen.importLearning', file, { conflicts: 'keep' });
    assert.deepEqual([imported?.added, imported?.updated, imported?.kept.length], [0, 0, 0]);
    assert.ok((imported?.unchanged ?? 0) > 0);
  });

  it('keeps or replaces what differs, as it was decided', async () => {
    const file = path.join(folder, 'learned.json');
    const changed = read(file);
    for (const { record } of changed.records) {
      if (record.title === 'A team lesson') record.lesson = 'Round never.';
    }
    writeFileSync(file, JSON.stringify(changed));
    const kept = await run<Imported>('kaizen.importLearning', file, { conflicts: 'keep' });
    assert.deepEqual(
      kept?.kept.map(({ title }) => title),
      ['A team lesson'],
    );
    const replaced = await run<Imported>('kaizen.importLearning', file, { conflicts: 'replace' });
    assert.deepEqual([replaced?.updated, replaced?.kept.length], [1, 0]);
    const again = path.join(folder, 'again.json');
    await run('kaizen.exportLearning', again, { collections: ['lessons'] });
    assert.equal(
      read(again).records.find(({ record }) => record.title === 'A team lesson')?.record.lesson,
      'Round never.',
    );
  });

  it('refuses a file that is none, and changes nothing', async () => {
    const file = path.join(folder, 'other.json');
    writeFileSync(file, '{"format": "something else"}');
    assert.equal(await run('kaizen.importLearning', file, { conflicts: 'replace' }), undefined);
  });
});
