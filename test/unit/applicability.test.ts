import assert from 'node:assert/strict';
import type { Metaknowledge } from '../../src/knowledge';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';
import { turnsDuring } from '../support/turns';

const open = useHalls();

describe('rules that hold for a file', () => {
  let hall: Hall;
  const danger = (applies_to: string, more: Metaknowledge = {}): [string, Metaknowledge] => [
    'DANGER: It breaks.',
    { APPLIES_TO: applies_to, ...more },
  ];
  const keywords = (path: string, scope = 'shop') =>
    hall.knowledge.warningsFor(scope, path).map(({ keyword }) => keyword);

  beforeEach(async () => {
    hall = await open();
    await hall.define('general', 'GENERAL');
    await hall.define('web', 'PRODUCT');
    await hall.define('shop', 'PROJECT', ['web']);
    await hall.define('other', 'PROJECT');
  });

  it('warn when they have a risk and name the file, from every scope of the chain, gravest first', async () => {
    await hall.put('shop', 'a', 'last', 'LAST TIME: It broke.', { APPLIES_TO: 'src/**' });
    await hall.put('web', 'a', 'warning', 'WARNING: It may break.', { APPLIES_TO: '*.ts' });
    await hall.put('general', 'b.c', 'danger', ...danger('src/payments/refunds.ts, docs/**'));
    await hall.put('shop', 'a', 'both', 'WARNING: One.\nDANGER: Two.', { APPLIES_TO: '**' });
    assert.deepEqual(keywords('src/payments/refunds.ts'), ['both', 'danger', 'warning', 'last']);
    assert.deepEqual(keywords('src/other.ts'), ['both', 'warning', 'last']);
    assert.deepEqual(keywords('README.md'), ['both']);
    assert.deepEqual(keywords('src/payments/refunds.ts', 'other'), ['danger']);
  });

  it('are not hidden by the same keyword in another category of their scope, whoever stores it there', async () => {
    await hall.put('shop', 'tests', 'build', ...danger('**/*.sh'));
    await hall.put('shop', 'aa', 'build', 'Run the tests first.');
    await hall.put('shop', 'zz', 'build', 'WARNING: Takes an hour.', { APPLIES_TO: '**/*.sh' });
    const held = hall.knowledge.warningsFor('shop', 'x.sh').map(({ category }) => category);
    assert.deepEqual(held, ['tests', 'zz']);
    const risky = hall.knowledge.getRisks('shop').map(({ category }) => category);
    assert.deepEqual(risky, ['tests', 'zz']);
    const [answer, ...others] = hall.knowledge.getKnowledge('shop', ['build']);
    assert.deepEqual([answer?.category, answer?.also_in, others], ['tests', ['aa', 'zz'], []]);
    assert.deepEqual(answer?.other_risks, [{ category: 'zz', level: 'WARNING', text: 'Takes an hour.' }]);
    assert.ok(!('other_risks' in hall.knowledge.getKnowledge('shop', ['build'], ['tests'])[0]!));
    await hall.put('other', 'aa', 'build', 'Run nothing.');
    await hall.put('general', 'tests', 'build', ...danger('**/*.sh'));
    assert.deepEqual(keywords('x.sh', 'other'), [], 'a more specific scope overrides, whatever the category');
  });

  it('are the gravest that hold, where more apply than are asked for', async () => {
    for (let n = 0; n < 5; n++) {
      await hall.put('shop', 'a', `last-${n}`, 'LAST TIME: It broke.', { APPLIES_TO: '**' });
      await hall.put('web', 'a', `warning-${n}`, 'WARNING: It may break.', { APPLIES_TO: '**' });
      await hall.put('general', 'a', `danger-${n}`, ...danger('**'));
    }
    await hall.put('shop', 'a', 'danger-0', 'No risk here any more.', { APPLIES_TO: '**' });
    await hall.put('shop', 'a', 'example', 'LAST TIME: see `DANGER:` for how it is written.', { APPLIES_TO: '**' });
    const first = (limit: number) => hall.knowledge.warningsFor('shop', 'x', limit).map(({ keyword }) => keyword);
    assert.deepEqual(first(5), ['danger-1', 'danger-2', 'danger-3', 'danger-4', 'warning-0']);
    assert.deepEqual(first(100), keywords('x'));
    assert.equal(first(100).length, 15);
  });

  it('say what a person needs to know of them', async () => {
    await hall.put(
      'web',
      'money',
      'refunds',
      ...danger('src/a.ts, !src/b.ts', { MATCHES: ' refund\\( ', REASON: 'It did' }),
    );
    await hall.put(
      'web',
      'money',
      'refunds',
      ...danger('src/a.ts, !src/b.ts', { MATCHES: ' refund\\( ', REASON: 'Twice' }),
    );
    const [warning] = hall.knowledge.warningsFor('shop', 'src/a.ts');
    assert.deepEqual(warning, {
      ...hall.knowledge.getKnowledge('shop', ['refunds'])[0],
      applies_to: ['src/a.ts', '!src/b.ts'],
      matches: 'refund\\(',
      revision: 2,
    });
    assert.equal(warning?.metaknowledge.REASON, 'Twice');
    assert.equal(warning?.source_scope, 'web');
  });

  it('do not warn without a risk, without APPLIES_TO, or where a glob cannot be read', async () => {
    await hall.put('shop', 'a', 'harmless', 'All is well.', { APPLIES_TO: '**' });
    await hall.put('shop', 'a', 'example', '```\nDANGER: only an example\n```', { APPLIES_TO: '**' });
    await hall.put('shop', 'a', 'everywhere', 'DANGER: It breaks.');
    await hall.put('shop', 'a', 'broken', ...danger('src/{a.ts'));
    await hall.put('shop', 'a', 'prose', ...danger('every service'));
    assert.deepEqual(keywords('src/a.ts'), []);
  });

  it('an overridden rule does not warn, whatever the rule that wins says', async () => {
    await hall.put('general', 'a', 'deploy', ...danger('**'));
    assert.deepEqual(keywords('a.ts'), ['deploy']);
    await hall.put('shop', 'b', 'deploy', 'It is safe here.');
    assert.deepEqual(keywords('a.ts'), []);
    assert.deepEqual(keywords('a.ts', 'other'), ['deploy']);
    await hall.put('shop', 'b', 'deploy', ...danger('lib/**'));
    assert.deepEqual(keywords('a.ts'), []);
    assert.deepEqual(keywords('lib/a.ts'), ['deploy']);
    await hall.knowledge.delete({ scope_id: 'shop', category: 'b', keyword: 'deploy' }, BY_TESTER);
    assert.deepEqual(keywords('a.ts'), ['deploy']);
  });

  it('agree with the risks that hold for the scope', async () => {
    // Of two categories of one scope the first by name wins; see getKnowledge.
    await hall.put('shop', 'a', 'twice', 'No risk.', { APPLIES_TO: '**' });
    await hall.put('shop', 'b', 'twice', ...danger('**'));
    await hall.put('shop', 'a', 'once', ...danger('**'));
    const holding = hall.knowledge.getRisks('shop').map(({ keyword }) => keyword);
    assert.deepEqual(keywords('a.ts'), holding);
  });

  it('follow every change in the chain: of an entry, of a scope, of its parents, of another process', async () => {
    assert.deepEqual(keywords('a.ts'), []);
    await hall.put('web', 'a', 'rule', ...danger('*.ts'));
    assert.deepEqual(keywords('a.ts'), ['rule']);
    await hall.put('web', 'a', 'rule', ...danger('*.js'));
    assert.deepEqual(keywords('a.ts'), []);
    assert.deepEqual(keywords('a.js'), ['rule']);
    await hall.define('shop', 'PROJECT', []);
    assert.deepEqual(keywords('a.js'), []);
    await hall.define('shop', 'PROJECT', ['web']);
    assert.deepEqual(keywords('a.js'), ['rule']);
    const elsewhere = await open({ data: hall.data, shared: hall.shared });
    await elsewhere.put('web', 'a', 'second', ...danger('a.js'));
    assert.deepEqual(keywords('a.js'), ['rule', 'second']);
    await hall.knowledge.deleteScope('web', { confirmed: true }, BY_TESTER);
    assert.deepEqual(keywords('a.js'), []);
  });

  it('are the same when they were prepared, also when something is written meanwhile', async () => {
    for (let i = 0; i < 50; i++) await hall.put('shop', 'a', `rule-${i}`, ...danger(`src/${i}.ts`));
    const preparing = hall.knowledge.prepareWarnings('shop');
    await hall.put('shop', 'a', 'late', ...danger('src/7.ts'));
    await preparing;
    assert.deepEqual(keywords('src/7.ts'), ['late', 'rule-7']);
  });

  it('come with those that have no risk, where everything about a file is asked for', async () => {
    await hall.put('shop', 'a', 'b-harmless', 'All is well.', { APPLIES_TO: 'src/**' });
    await hall.put('web', 'a', 'a-harmless', 'All is well.', { APPLIES_TO: 'src/**' });
    await hall.put('shop', 'a', 'z-danger', ...danger('src/**'));
    const rules = hall.knowledge.rulesFor('shop', 'src/a.ts');
    assert.deepEqual(
      rules.map(({ keyword }) => keyword),
      ['z-danger', 'a-harmless', 'b-harmless'],
    );
    assert.deepEqual(hall.knowledge.rulesFor('shop', 'lib/a.ts'), []);
  });

  it('are refused for an unknown scope', () => {
    assert.throws(() => hall.knowledge.warningsFor('nowhere', 'a.ts'), /There is no scope "nowhere"/);
  });

  it('say what is wrong with their globs and their regular expression', async () => {
    const faults = (metaknowledge: Metaknowledge) => hall.knowledge.applicabilityFaults(metaknowledge);
    assert.deepEqual(faults({}), []);
    assert.deepEqual(faults({ APPLIES_TO: 'src/**', MATCHES: 'a+' }), []);
    assert.deepEqual(faults({ APPLIES_TO: 'src/{a' }), [
      { key: 'APPLIES_TO', message: 'The glob "src/{a" has a "{" that is not closed.' },
    ]);
    const [fault] = faults({ MATCHES: '(a' });
    assert.equal(fault?.key, 'MATCHES');
    assert.match(fault?.message ?? '', /cannot be read: missing closing \)/);
  });
});

describe('occurrences of MATCHES', () => {
  let hall: Hall;
  beforeEach(async () => {
    hall = await open();
  });

  async function found(text: string, pattern: string, limit?: number): Promise<string[]> {
    const { ranges, unsearched } = await hall.knowledge.findOccurrences(text, pattern, { limit });
    assert.equal(unsearched, undefined);
    return ranges.map(({ start, end }) => `${start}:${text.slice(start, end)}`);
  }

  it('are found with their offsets, each within one line, in the case as written', async () => {
    const text = 'refund(a)\r\n  Refund(b); refund(c)\n\nrefund\n(d)';
    assert.deepEqual(await found(text, 'refund\\('), ['0:refund(', '24:refund(']);
    assert.deepEqual(await found(text, '(?i)refund\\(\\w'), ['0:refund(a', '13:Refund(b', '24:refund(c']);
    assert.deepEqual(await found(text, '^refund$'), ['35:refund']);
    assert.deepEqual(await found(text, '\\)$'), ['8:)', '32:)', '44:)']);
    assert.deepEqual(await found('🙂 naïve 日本', '日.'), ['9:日本']);
  });

  it('of nothing at all are none, and too many end after the limit', async () => {
    assert.deepEqual(await found('aaa', 'b*'), []);
    assert.deepEqual(await found('', 'a'), []);
    assert.equal((await found('a\n'.repeat(1_000), 'a')).length, 200);
    assert.equal((await found('a a a a', 'a', 3)).length, 3);
  });

  it('of an expression that cannot be read, or that costs too much, are not looked for', async () => {
    const hostile = [
      '(a',
      '(?=a)',
      '(a)\\1',
      '',
      'x'.repeat(501),
      'a{2000}',
      '(a{500}){500}',
      '((\\pL{30}){30}){30}',
      `(?:${'\\pL{0,900}|'.repeat(40)}b)`,
      '('.repeat(450),
    ];
    for (const pattern of hostile) {
      const outcome = await hall.knowledge.findOccurrences('aaaa', pattern);
      assert.deepEqual(outcome, { ranges: [], unsearched: 'broken_pattern' }, pattern);
    }
  });

  it('of catastrophic expressions let others run after each line', async () => {
    const patterns = [
      '(a+)+$',
      '(a|a)*b',
      '(a|aa)+$',
      '^(([a-z])+.)+[A-Z]([a-z])+$',
      '(.*)*x',
      '(a{0,30}){30}b',
      '(\\w+\\s?)*!',
    ];
    const text = `${'a'.repeat(990)}\n`.repeat(50);
    for (const pattern of patterns) {
      let isSearched = true;
      const turns = await turnsDuring(async () => {
        const { unsearched } = await hall.knowledge.findOccurrences(text, pattern);
        isSearched = unsearched !== 'broken_pattern';
      });
      // Others have their turns meanwhile.
      if (isSearched) assert.ok(turns >= 50, `${pattern}: ${turns} turns`);
    }
  });

  it('are not looked for in huge texts, and not in huge lines', async () => {
    const { findOccurrences } = hall.knowledge;
    const huge = await findOccurrences.call(hall.knowledge, `a${' '.repeat(1_000_000)}`, 'a');
    assert.deepEqual(huge, { ranges: [], unsearched: 'too_large' });
    const line = await hall.knowledge.findOccurrences(`${'a'.repeat(2_000)}\nb`, 'a');
    assert.deepEqual(line, { ranges: [], unsearched: 'too_large' });
    const beside = await hall.knowledge.findOccurrences(`${'a'.repeat(2_000)}\na`, 'a');
    assert.deepEqual(beside.ranges, [{ start: 2_001, end: 2_002 }]);
  });

  it('end when the search is called off', async () => {
    const calling = new AbortController();
    const text = 'some words that the expression looks at\n'.repeat(24_000);
    const looking = hall.knowledge.findOccurrences(text, '(\\w+ )*!', { signal: calling.signal });
    calling.abort();
    assert.equal((await looking).unsearched, 'cancelled');
  });
});
