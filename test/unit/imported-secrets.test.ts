import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kaizen, type KaizenOptions } from '../../src/kaizen';
import { asAgent } from '../../src/safety';
import type { ImportedSecret, ParsedRecord, SecretDecision } from '../../src/transfer';
import { recordsOf } from '../../src/transfer/rules';
import { trueSecrets } from '../support/secret-strings';

describe('What a person decides on secrets in an import', () => {
  const { secret, text } = trueSecrets().find(({ id }) => id === 'github-token') ?? { secret: '', text: '' };
  const draft = { category: 'rules', metaknowledge: {}, path: 'CLAUDE.md' };
  const drafts = [
    { ...draft, keyword: 'tests', content: 'Run all tests.', line: 3 },
    { ...draft, keyword: 'deploying', content: `Deploy with care.\n${text}`, line: 8 },
  ];
  let root: string;
  let kaizen: Kaizen;
  let asked: (readonly ImportedSecret[])[];

  const open = (safety?: KaizenOptions['safety']) => {
    kaizen = new Kaizen({ data: join(root, 'data'), shared: join(root, 'shared'), project: 'shop', safety });
  };
  const records = (given = drafts) =>
    recordsOf(given, { scope: 'shop', author: 'ada', at: '2026-01-02T03:04:05.000Z', project: 'shop', isNew: true });
  const importing = (given: readonly ParsedRecord[], decision: SecretDecision | undefined) =>
    kaizen.importRecords(given, {
      author: 'ada',
      onSecrets: async (found) => {
        asked.push(found);
        return decision;
      },
    });
  const stored = async () => {
    const all = await kaizen.exportRecords();
    return Object.fromEntries(
      all.flatMap((record) => (record.type === 'entry' ? [[record.keyword, record.content]] : [])),
    );
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kaizen-imported-'));
    asked = [];
    open();
  });
  afterEach(async () => {
    await kaizen.close();
    rmSync(root, { recursive: true, force: true });
  });

  it('is asked once, with the entry and its place, and never with the secret', async () => {
    await importing(records(), 'leave out');
    const [[found, ...others] = [], ...more] = asked;
    deepStrictEqual([others, more], [[], []]);
    strictEqual(found?.line, 2);
    strictEqual(String(found?.where), 'entry shop/rules/deploying');
    deepStrictEqual(
      found?.places.map(({ field, line, kind }) => [field, line, String(kind)]),
      [['content', 2, 'GitHub token']],
    );
    ok(!JSON.stringify(asked).includes(secret));
  });

  it('leaves out what holds one, and stores the rest', async () => {
    const { entry, scope } = await importing(records(), 'leave out');
    deepStrictEqual(await stored(), { tests: 'Run all tests.' });
    deepStrictEqual([entry.added, scope.added], [1, 1]);
  });

  it('takes it out, or stores it with a word in the history of that entry', async () => {
    await importing(records(), 'redact');
    const redacted = (await stored()).deploying ?? '';
    ok(redacted.includes('[redacted: GitHub token]') && !redacted.includes(secret));
    const again = records(drafts.map((each) => ({ ...each, keyword: `${each.keyword} again` }))).slice(0, 2);
    await importing(again, 'store');
    const { knowledge } = await kaizen.parts();
    const reasonOf = (keyword: string) =>
      knowledge.history({ scope_id: 'shop', category: 'rules', keyword }).at(-1)?.reason ?? '';
    ok((await stored())['deploying again']?.includes(secret));
    ok(reasonOf('deploying again').includes('Stored although it looks as if it held a secret: content, line 2'));
    strictEqual(reasonOf('tests again'), 'Imported from CLAUDE.md');
  });

  it('stores nothing where the person gives up', async () => {
    await rejects(
      () => importing(records(), undefined),
      ({ code, message }: Error & { code: string }) => code === 'cancelled' && message === 'Nothing was imported.',
    );
    deepStrictEqual(await stored(), {});
  });

  it('does not say a name that holds the secret', async () => {
    await importing(
      records([drafts[0]!, { ...drafts[1]!, content: 'Deploy.', keyword: text.slice(0, 200) }]),
      'leave out',
    );
    const [[found] = []] = asked;
    strictEqual(found?.where, undefined);
    ok(!JSON.stringify(asked).includes(secret));
  });

  it('keeps a scope whose description holds one, for what belongs to it', async () => {
    const scope = {
      type: 'scope',
      id: 'api',
      tier: 'PROJECT',
      name: 'API',
      description: text,
      parents: [] as string[],
    } as const;
    const entry = records()[0]!.record;
    await importing(
      [
        { line: 1, record: scope },
        { line: 2, record: { ...entry, scope: 'api' } as typeof entry },
      ],
      'leave out',
    );
    const { knowledge } = await kaizen.parts();
    strictEqual(knowledge.scope('api').description ?? null, null);
    deepStrictEqual(await stored(), { tests: 'Run all tests.' });
  });

  it('is no question where the setting takes secrets out, nor for an agent', async () => {
    await rejects(
      () => asAgent(() => importing(records(), 'store')),
      ({ code }: Error & { code: string }) => code === 'secret_found',
    );
    await kaizen.close();
    open({ policy: 'redact' });
    await importing(records(), 'store');
    ok((await stored()).deploying?.includes('[redacted: GitHub token]'));
    deepStrictEqual(asked, []);
  });
});
