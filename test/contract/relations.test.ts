import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Relation, Traversal } from '../../src/relations';
import { CLIENTS } from './support/clients';
import { type Stores, temporaryStores } from './support/kaizen-process';

const CLI = path.resolve('dist/cli.js');
const NODE = 'knowledge://docs/guide.md#priming';

function at(keyword: string): string {
  return `knowledge://scopes/general/rules/${keyword}`;
}

describe('relations, from outside', function () {
  this.timeout(120_000);
  let stores: Stores;
  let folder: string;

  beforeEach(() => {
    stores = temporaryStores();
    folder = realpathSync.native(mkdtempSync(path.join(tmpdir(), 'kaizen-contract-relations-')));
    mkdirSync(path.join(folder, 'docs'));
    writeFileSync(path.join(folder, 'docs', 'guide.md'), '# Guide\n\n## Priming\n\nText.\n');
    mkdirSync(path.join(folder, '.ai', 'knowledge'), { recursive: true });
    for (const [id, body] of [
      ['a', 'See [[b]].'],
      ['b', 'Text.'],
    ]) {
      const text = `---\nzettel_id: ${id}\ntitle: Note ${id}\nentry_type: pattern\n---\n\n${body}\n`;
      writeFileSync(path.join(folder, '.ai', 'knowledge', `${id}.md`), text);
    }
    run(['scopes', 'define', 'general', '--tier', 'GENERAL']);
    for (const keyword of ['cavitation', 'wear']) run(['store', 'general', 'rules', keyword, keyword]);
  });
  afterEach(() => {
    stores.remove();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const more = () => [...stores.flags, '--workspace', folder];

  function run(args: string[], expected = 0): { stdout: string; stderr: string } {
    const base = args[0] === 'relations' ? ['--base', `docs=${path.join(folder, 'docs')}`] : [];
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args, ...base, ...more()], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(status, expected, `${args.join(' ')}: ${stdout}${stderr}`);
    assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+\)?$/m, 'no stack trace is shown to a person');
    return { stdout, stderr };
  }

  function json<Result>(...args: string[]): Result {
    return JSON.parse(run(['relations', ...args, '--json']).stdout) as Result;
  }

  it('are added, found, followed and removed at a terminal', () => {
    const said = ['--context', 'Seen in the field.', '--confidence', '0.8', '--evidence', NODE];
    const added = json<{ status: string; relation: Relation }>('add', at('cavitation'), 'causes', at('wear'), ...said);
    const { relation } = added;
    assert.deepEqual(
      [added.status, relation.source, relation.type, relation.target, relation.confidence, relation.evidence],
      ['added', at('cavitation'), 'causes', at('wear'), 0.8, [NODE]],
    );
    assert.match(run(['relations', 'add', at('cavitation'), 'causes', at('wear')]).stderr, /It was there already/);
    json('add', NODE, 'prevents', at('cavitation'));

    const found = json<Relation[]>('find', at('wear'));
    assert.deepEqual(found, [relation]);
    assert.deepEqual(
      json<Relation[]>('find').map(({ type, origin }) => `${type} ${origin}`),
      ['prevents stored', 'causes stored', 'references note'],
    );
    assert.deepEqual(json<Relation[]>('find', at('wear'), NODE), []);
    const text = run(['relations', 'find', '--type', 'causes']).stdout;
    assert.match(text, /^cavitation → causes → wear\n {2}Seen in the field\.\n {2}shown by knowledge:\/\/docs/);

    const shown = run(['relations', 'show', NODE, '--direction', 'outgoing']);
    assert.match(shown.stdout, /^Priming {2}node/);
    assert.match(shown.stdout, /→ prevents cavitation → causes wear {2}80 %/);
    const walked = json<Traversal>('show', at('wear'), '--direction', 'incoming', '--depth', '1');
    assert.deepEqual(
      walked.ends.map(({ title }) => title),
      ['wear', 'cavitation'],
    );

    assert.match(run(['relations', 'remove', relation.id]).stdout, /1 relation removed/);
    assert.match(run(['relations', 'remove', relation.id], 1).stderr, /no relation/);
    assert.match(run(['relations', 'remove', 'x y'], 1).stderr, /no relation/);
    assert.match(run(['relations', 'add', at('wear'), 'eats', at('cavitation')], 2).stderr, /causes/);
    assert.match(run(['relations', 'add', at('wear'), 'causes', at('nothing')], 1).stderr, /nothing at/);
  });

  it('follow an entry that another command moves or deletes', () => {
    json('add', at('cavitation'), 'causes', at('wear'));
    run(['move', 'general', 'rules', 'wear', '--keyword', 'bearing-wear']);
    const [moved] = json<Relation[]>('find');
    assert.equal(moved?.target, at('bearing-wear'));
    run(['delete', 'general', 'rules', 'bearing-wear']);
    assert.deepEqual(json<Relation[]>('find', '--type', 'causes'), []);
    assert.deepEqual(json('tidy'), { deleted: 1 });
  });

  // The oldest protocol that is served, and the newest.
  for (const { name, connect } of [CLIENTS[0]!, CLIENTS.at(-1)!]) {
    it(`are one graph for agents and people (${name})`, async () => {
      const docs = ['--base', `docs=${path.join(folder, 'docs')}`];
      const client = await connect([...more(), ...docs, '--toolsets', 'learning']);
      try {
        const use = async (args: Record<string, unknown>) => {
          const { structured } = await client.call('knowledge_relationship', args);
          // biome-ignore lint/suspicious/noExplicitAny: a test looks into it by what it asked for
          return structured as { success: boolean; result: any; error_code: string | null };
        };
        const added = await use({
          operation: 'add',
          source_chunk_id: at('cavitation'),
          target_chunk_id: NODE,
          relationship_type: 'contradicts',
        });
        assert.equal(added.result.status, 'added');
        assert.equal(json<Relation[]>('find', NODE).length, 1);
        json('add', at('wear'), 'indicates', at('cavitation'));
        const walked = await use({ operation: 'traverse', source_chunk_id: at('wear') });
        assert.deepEqual(
          walked.result.results.map(({ uri }: { uri: string }) => uri),
          [at('cavitation'), NODE],
        );
        const found = await use({ operation: 'find', target_chunk_id: NODE });
        assert.deepEqual(
          found.result.results.map(({ id }: { id: string }) => id),
          [added.result.relationship_id],
        );
        const shown = await use({ operation: 'find', relationship_type: 'indicates' });
        const { id: relationship_id } = shown.result.results[0];
        const removed = await use({ operation: 'remove', relationship_id });
        assert.deepEqual([removed.result.status, json<Relation[]>('find', at('wear')).length], ['removed', 0]);
        run(['relations', 'remove', added.result.relationship_id]);
        const again = await use({ operation: 'remove', relationship_id: added.result.relationship_id });
        assert.deepEqual([again.success, again.error_code], [false, 'unknown_relation']);
      } finally {
        await client.close();
      }
    });
  }
});
