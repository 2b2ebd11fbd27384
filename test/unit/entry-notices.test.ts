import assert from 'node:assert/strict';
import { labelNotices } from '../../src/knowledge';
import { inGerman } from '../support/german';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

describe('notices about what is stored', () => {
  const open = useHalls();
  let hall: Hall;
  beforeEach(async () => {
    hall = await open();
    await hall.define('shop', 'PROJECT');
  });

  /** As both ways to store tell it. */
  async function noticesOf(content: string, metaknowledge: Record<string, string> = {}): Promise<string[]> {
    const entry = { target_scope_id: 'shop', category: 'db', keyword: `k${++stored}`, content, metaknowledge };
    const first = await hall.knowledge.storeIfMissing(entry, BY_TESTER);
    assert.equal(first.success, true);
    const { notices } = await hall.knowledge.storeOverwrite(entry, BY_TESTER);
    assert.deepEqual(first.success && first.notices, notices);
    return notices ?? [];
  }
  let stored = 0;

  it('are none where nothing is wrong', async () => {
    assert.deepEqual(await noticesOf('Prefer small commits.'), []);
    assert.deepEqual(
      await noticesOf('DANGER: Never edit one.', { APPLIES_TO: 'db/**', MATCHES: 'a+', REASON: 'r' }),
      [],
    );
    assert.deepEqual(await noticesOf('Rates change in May.', { SEVERITY: 'Low', RISK: 'none', OWNER: 'DANGER' }), []);
  });

  it('tell of metaknowledge that looks like a risk, whatever its case and marks', async () => {
    const cases: [key: string, value: string, level: string][] = [
      ['DANGER', 'Never edit one.', 'DANGER'],
      ['danger', 'x', 'DANGER'],
      ['Warning', 'x', 'WARNING'],
      ['WARNINGS', 'x', 'WARNING'],
      ['CAUTION', 'x', 'WARNING'],
      ['LAST TIME', 'x', 'LAST TIME'],
      ['LAST_TIME', 'x', 'LAST TIME'],
      ['last-time', 'x', 'LAST TIME'],
      ['RISK', 'DANGER', 'DANGER'],
      ['risk_level', 'last time', 'LAST TIME'],
      ['SEVERITY', 'warning', 'WARNING'],
    ];
    for (const [key, value, level] of cases) {
      assert.deepEqual(
        await noticesOf('Migrations that ran.', { [key]: value, APPLIES_TO: 'db/**' }),
        [`The metaknowledge "${key}" warns nobody. A risk stands in the content, as in "${level}: …".`],
        `${key}=${value}`,
      );
    }
  });

  it('tell nothing of a label that only repeats the risk of the content', async () => {
    assert.deepEqual(await noticesOf('DANGER: Never edit one.', { DANGER: 'yes' }), []);
    assert.equal((await noticesOf('WARNING: Take care.', { DANGER: 'yes' })).length, 1);
    assert.equal((await noticesOf('Write `DANGER: …` there.', { DANGER: 'yes' })).length, 1, 'code is an example');
  });

  it('tell of keys that are nearly those that name files and texts', async () => {
    assert.deepEqual(await noticesOf('DANGER: x', { applies_to: 'db/**', 'Applies to': 'a', matches: 'b' }), [
      'The metaknowledge "applies_to" has no effect. The key is APPLIES_TO.',
      'The metaknowledge "Applies to" has no effect. The key is APPLIES_TO.',
      'The metaknowledge "matches" has no effect. The key is MATCHES.',
    ]);
  });

  it('tell of a MATCHES that cannot be read or is too long, and what that means for a rule', async () => {
    assert.deepEqual(await noticesOf('No risk.', { MATCHES: '(((' }), [
      'MATCHES is not looked for. The regular expression cannot be read: missing closing ): `(((`.',
    ]);
    const [everywhere] = await noticesOf('DANGER: x', { MATCHES: 'a'.repeat(501), APPLIES_TO: 'src/b.ts' });
    assert.match(everywhere!, /has 501 characters; the limit is 500\. Until .* wherever a file under APPLIES_TO/);
    const [nowhere] = await noticesOf('DANGER: x', { MATCHES: '(((' });
    assert.match(
      nowhere!,
      /Until that is mended, the rule is told of once in each session of an agent, and nothing is asked about\.$/,
    );
    assert.match(
      (await noticesOf('DANGER: x', { APPLIES_TO: 'src/{a' }))[0]!,
      /^APPLIES_TO: The glob "src\/\{a" has a "\{"/,
    );
  });

  it('tell of an APPLIES_TO that cannot be read, and what that means for a rule', async () => {
    const last = async (content: string, APPLIES_TO: string, more = {}) =>
      (await noticesOf(content, { APPLIES_TO, ...more })).at(-1)!;
    assert.match(
      await last('DANGER: x', 'src/{a'),
      / Until that is mended, the rule speaks of no file, and nothing is asked about\.$/,
    );
    assert.match(await last('DANGER: x', '!src/**'), / the rule speaks of no file/);
    assert.match(
      await last('DANGER: x', 'db/**, src/{a'),
      / the rule holds as if what cannot be read did not stand there\.$/,
    );
    assert.match(
      await last('DANGER: x', 'db/**, !../a, ../b'),
      /^APPLIES_TO: The glob "\.\.\/b" .* did not stand there\.$/,
    );
    assert.doesNotMatch(
      (await noticesOf('DANGER: x', { APPLIES_TO: 'db/**, ../a, ../b' }))[0]!,
      /Until/,
      'it is said once',
    );
    assert.doesNotMatch(await last('DANGER: x', 'src/{a', { MATCHES: '(((' }), /Until/, 'no file is spoken of anyway');
    assert.doesNotMatch(await last('No risk.', 'src/{a'), /Until/);
  });

  it('are said in German to who has a German editor', () => {
    assert.deepEqual(
      labelNotices({ LAST_TIME: 'x', matches: 'y' }, 'x').map(({ key, message }) => [key, inGerman(message)]),
      [
        [
          'LAST_TIME',
          'Das Metawissen „LAST_TIME“ warnt niemanden. Ein Risiko steht im Inhalt, etwa so: „LAST TIME: …“.',
        ],
        ['matches', 'Das Metawissen „matches“ bewirkt nichts. Der Schlüssel heißt MATCHES.'],
      ],
    );
  });
});
