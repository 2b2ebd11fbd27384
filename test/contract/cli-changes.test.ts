import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Kaizen } from '../../src/kaizen';
import type { EntryChange, StoredEntry } from '../../src/knowledge';

const CLI = resolve('dist/cli.js');

describe('kaizen, at a terminal: changes, undo and move', function () {
  this.timeout(60_000);
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kaizen-cli-'));
    mkdirSync(join(root, 'work'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function run(...args: string[]) {
    const { PATH = '', SystemRoot = '' } = process.env;
    const home = join(root, 'home');
    const env = {
      PATH,
      SystemRoot,
      HOME: home,
      USERPROFILE: home,
      KAIZEN_DATA: join(root, 'd'),
      KAIZEN_SHARED: join(root, 's'),
    };
    const options = {
      cwd: join(root, 'work'),
      env: { ...env, KAIZEN_PROJECT: 'shop' },
      input: '',
      encoding: 'utf8',
    } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], options);
    assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+\)?$/m, 'no stack trace is shown to a person');
    return { status, stdout, stderr };
  }

  function succeed(...args: string[]): string {
    const { status, stdout, stderr } = run(...args);
    assert.equal(status, 0, `kaizen ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  function fails(status: number, says: RegExp, ...args: string[]): void {
    const outcome = run(...args);
    assert.match(outcome.stderr, says);
    assert.deepEqual([outcome.status, outcome.stdout], [status, '']);
  }

  /** Two scopes with what a person stored first and an agent wrote after that. */
  async function fill(): Promise<void> {
    const kaizen = new Kaizen({ data: join(root, 'd'), shared: join(root, 's') });
    const { knowledge } = await kaizen.parts();
    const person = { author: 'Ada' };
    const agent = { author: 'claude-code', by_agent: true };
    const entry = { target_scope_id: 'shop', category: 'http', keyword: 'retries' };
    await knowledge.defineScope({ scope_id: 'general', tier: 'GENERAL' }, person);
    await knowledge.defineScope({ scope_id: 'shop', tier: 'PROJECT' }, person);
    await knowledge.storeOverwrite({ ...entry, content: 'First.\nTwice.\nLast.' }, person);
    const changed = { ...entry, content: 'First.\nThree times.\nLast.', metaknowledge: { WHY: 'outage' } };
    await knowledge.storeOverwrite(changed, { ...agent, reason: 'As in the postmortem.' });
    await knowledge.storeOverwrite({ ...entry, keyword: 'timeouts', content: 'Ten seconds.' }, agent);
    await kaizen.close();
  }

  it('lists what was changed, newest first, with what was taken out and put in', async () => {
    await fill();
    const text = succeed('changes');
    const heads = text.split('\n').filter((line) => /^\S/.test(line));
    assert.deepEqual(
      heads.map((line) => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/, 'THEN')),
      [
        'timeouts (http, shop)  1 create  THEN  claude-code (agent)',
        'retries (http, shop)  2 update  THEN  claude-code (agent)',
        'retries (http, shop)  1 create  THEN  Ada  changed again since',
      ],
    );
    assert.match(
      text,
      /\n {2}Reason: As in the postmortem\.\n {2}- Twice\.\n {2}\+ Three times\.\n {2}\+ WHY: outage\n/,
    );
  });

  it('lists what agents or people changed, from a time on, as many as wanted', async () => {
    await fill();
    const keywords = (...args: string[]) =>
      (JSON.parse(succeed('changes', '--json', ...args)) as EntryChange[]).map(
        ({ keyword, number }) => keyword + number,
      );
    assert.deepEqual(keywords('--agents'), ['timeouts1', 'retries2']);
    assert.deepEqual(keywords('--people', '--since', '2h'), ['retries1']);
    assert.deepEqual(keywords('--limit', '1', '--since', '2020-01-01'), ['timeouts1']);
    assert.deepEqual(keywords('--since', '2999-01-01'), []);
    assert.match(run('changes', '--since', '2999-01-01').stderr, /Nothing was changed/);
  });

  it('says how to ask for changes', async () => {
    fails(2, /exclude each other/, 'changes', '--agents', '--people');
    fails(2, /--limit needs a number/, 'changes', '--limit', 'many');
    fails(1, /"yesterday" is no time.*\n.*2026-01-31/, 'changes', '--since', 'yesterday');
    fails(1, /limit 5000/, 'changes', '--limit', '5000');
    fails(2, /one word too many/, 'changes', 'shop');
  });

  it('undoes the last change of an entry, and that again', async () => {
    await fill();
    const text = succeed('undo', 'shop', 'http', 'retries');
    assert.match(text, /^Undid revision 2 of retries \(http, shop\): update, .* UTC, claude-code \(agent\)\.\n/);
    assert.match(text, /It says again:\n {2}First\.\n {2}Twice\./);
    assert.match(succeed('undo', 'shop', 'http', 'retries'), /Three times\./);
    assert.match(succeed('undo', 'shop', 'http', 'timeouts'), /The entry is gone; its history stays\./);
    fails(1, /There never was an entry nothing/, 'undo', 'shop', 'http', 'nothing');
    fails(2, /KEYWORD is missing/, 'undo', 'shop', 'http');
  });

  it('undoes what agents changed, one after the other, and then says that there is no more', async () => {
    await fill();
    assert.match(succeed('undo', '--agent'), /revision 1 of timeouts .*\n.*gone/);
    const second = JSON.parse(succeed('undo', '--agent', '--json')) as {
      undone: { number: number };
      entry: StoredEntry;
    };
    assert.deepEqual([second.undone.number, second.entry.content], [2, 'First.\nTwice.\nLast.']);
    assert.deepEqual(second.entry.metaknowledge, {});
    fails(1, /no change of an agent to undo/, 'undo', '--agent');
    fails(2, /--agent finds the entry by itself/, 'undo', '--agent', 'shop');
  });

  it('leaves alone what a person changed after the agent', async () => {
    await fill();
    succeed('store', 'shop', 'http', 'timeouts', 'Twenty seconds.', '--overwrite');
    assert.match(succeed('undo', '--agent'), /retries/);
    fails(1, /no change of an agent to undo/, 'undo', '--agent');
    assert.match(succeed('get', 'shop', 'timeouts'), /Twenty seconds/);
  });

  it('shows in the history who is an agent', async () => {
    await fill();
    const text = succeed('history', 'shop', 'http', 'retries');
    assert.match(text, /^1 {2}create .* UTC {2}Ada$/m);
    assert.match(text, /^2 {2}update .* UTC {2}claude-code \(agent\)$/m);
  });

  it('moves an entry to another scope, category or keyword', async () => {
    await fill();
    assert.equal(
      succeed('move', 'shop', 'http', 'retries', '--to', 'general', '--reason', 'It holds everywhere.'),
      'retries (http, shop) is now retries (http, general).\n',
    );
    assert.match(
      succeed('history', 'general', 'http', 'retries'),
      /Moved from shop\/http\/retries\. It holds everywhere\./,
    );
    const moved = JSON.parse(
      succeed('move', 'general', 'http', 'retries', '--category', 'net.http', '--keyword', 'retry', '--json'),
    ) as StoredEntry;
    assert.deepEqual([moved.scope_id, moved.category, moved.keyword], ['general', 'net.http', 'retry']);
    assert.match(succeed('get', 'general', 'retry'), /Three times\./);
  });

  it('says why an entry cannot move', async () => {
    await fill();
    fails(2, /Where to\?/, 'move', 'shop', 'http', 'retries');
    fails(1, /already/, 'move', 'shop', 'http', 'retries', '--to', 'shop');
    fails(1, /"timeouts" in "http" of "shop" already/, 'move', 'shop', 'http', 'retries', '--keyword', 'timeouts');
    fails(1, /no entry "retry".*\n.*"retries"/, 'move', 'shop', 'http', 'retry', '--to', 'general');
    fails(1, /no scope "generl".*\n.*"general"/, 'move', 'shop', 'http', 'retries', '--to', 'generl');
  });
});
