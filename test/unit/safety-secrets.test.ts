import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { findSecrets, withoutSecrets } from '../../src/safety';
import { ASSIGNMENT_FORMS } from '../../src/safety/secrets/assignments';
import { TOKEN_RULES } from '../../src/safety/secrets/rules';
import { nearMisses, trueSecrets, unseenNearMisses, unseenSecrets } from '../support/secret-strings';
import { writtenNearMisses, writtenSecrets } from '../support/written-secrets';

describe('Secrets in texts', () => {
  describe('are found', () => {
    for (const { name, text, secret, id } of trueSecrets()) {
      it(name, async () => {
        const found = await findSecrets(text);
        deepStrictEqual(
          found.map((each) => each.id),
          [id],
        );
        const [{ start, end } = { start: 0, end: 0 }] = found;
        ok(text.slice(start, end).includes(secret), 'all of the secret lies in what was found');
        ok(!withoutSecrets(text, found).includes(secret), 'nothing of it is left');
      });
    }
  });

  describe('of the second list are found', () => {
    for (const { name, text, secret } of unseenSecrets()) {
      it(name, async () => {
        const found = await findSecrets(text);
        ok(!withoutSecrets(text, found).includes(secret), 'nothing of it is left');
        ok(
          found.some(({ start, end }) => text.slice(start, end).includes(secret)),
          'all of the secret lies in what was found',
        );
      });
    }
  });

  describe('as people write them are found', () => {
    for (const { id, text, secret } of writtenSecrets()) {
      it(`${id}: ${text.replace(secret, '…').split('\n').at(-1)?.slice(0, 60)}`, async () => {
        const found = await findSecrets(text);
        deepStrictEqual(
          found.map(({ start, end, ...each }) => [each.id, text.slice(start, end)]),
          [[id, secret]],
        );
        deepStrictEqual(await findSecrets(withoutSecrets(text, found)), [], 'the mark is none');
      });
    }

    for (const text of writtenNearMisses()) {
      it(`but not in ${text.slice(0, 60)}`, async () => deepStrictEqual(await findSecrets(text), []));
    }
  });

  it('take no more steps for each character, however long a text is: no form repeats without a bound', () => {
    for (const pattern of [...TOKEN_RULES.map((rule) => rule.pattern), ...ASSIGNMENT_FORMS]) {
      const form = pattern.source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
      ok(!/[*+]|\{\d+,\}/.test(form), form);
    }
  });

  it('are not missed because a word of their form is a placeholder elsewhere', async () => {
    const random =
      unseenSecrets()
        .find(({ name }) => name === 'Cloudflare')
        ?.secret.replace(/[^A-Za-z0-9]/g, '') ?? '';
    strictEqual((await findSecrets(['sk', '_test_', random.slice(0, 24)].join(''))).length, 1);
    strictEqual((await findSecrets(['sk', '_test_', 'x'.repeat(24)].join(''))).length, 0);
  });

  describe('are not seen in', () => {
    for (const { name, text } of [...nearMisses(), ...unseenNearMisses()]) {
      it(name, async () => deepStrictEqual(await findSecrets(text), []));
    }
  });

  it('are found in a few short words', async () => {
    const password = ['Hx4', 'vLq9t'].join('');
    for (const text of [`machine db.acme.dev login deploy password ${password}`, `sshpass -p ${password} ssh db1`]) {
      strictEqual((await findSecrets(text)).length, 1, text);
    }
  });

  it('the lists are as long as they are said to be', () => {
    ok(trueSecrets().length >= 50);
    ok(nearMisses().length >= 50);
  });

  it('are named by line and column, and never by what they are', async () => {
    const [{ text, secret } = { text: '', secret: '' }] = trueSecrets();
    const found = await findSecrets(`One\r\ntwo\n  ${text} and more`);
    deepStrictEqual(
      found.map(({ line, column }) => [line, column]),
      [[3, 3]],
    );
    ok(!JSON.stringify(found).includes(secret));
  });

  it('cannot be hidden by a comment that switches rules off', async () => {
    const [{ text } = { text: '' }] = trueSecrets();
    strictEqual((await findSecrets(`secretlint-disable\n${text} // secretlint-disable-line`)).length, 1);
  });

  it('are found once and in their place wherever a long text is cut', async () => {
    const secrets = trueSecrets().filter(({ id }) => /github|jwt|private-key|connection/.test(id));
    const filling = 'Nothing to see on this line, only words.\n';
    const long = filling.repeat(3_400);
    for (const { text, secret, id } of secrets) {
      for (const at of [32_700, 32_760, 32_768, 32_790, 65_500, 65_536, 98_304, long.length]) {
        const whole = `${long.slice(0, at)}\n${text}\n${long.slice(at)}`;
        const found = await findSecrets(whole);
        deepStrictEqual(
          found.map((each) => each.id),
          [id],
          `${id} at ${at}`,
        );
        const [{ start, end } = { start: 0, end: 0 }] = found;
        ok(whole.slice(start, end).includes(secret), `${id} at ${at}`);
      }
    }
  });

  describe('in a table are found below its heading', () => {
    const passwordOf = (row: number) => ['Xk', row, '!qLpQ7wZ'].join('');
    const table = (rows: number, note = 'some note about it that is as long as those in documents are') =>
      `| user | note | password |\n| --- | --- | --- |\n${Array.from(
        { length: rows },
        (_, row) => `| user${row} | ${note} | ${passwordOf(row)} |\n`,
      ).join('')}`;
    const left = async (text: string) => {
      const clean = withoutSecrets(text, await findSecrets(text));
      return (clean.match(/Xk\d+!qLpQ7wZ/g) ?? []).length;
    };

    it('however many rows it has', async () => {
      strictEqual(await left(table(260)), 0);
      strictEqual(await left(table(2_500)), 0);
    });

    it('wherever a long text is cut', async () => {
      for (const words of [14_900, 15_000, 16_350, 32_700]) {
        strictEqual(await left(`${'x '.repeat(words)}\n\n${table(150)}`), 0, `behind ${words} words`);
      }
    });

    it('behind a long cell as behind a short one', async () => {
      strictEqual(await left(table(3, 'words that go on, '.repeat(200))), 0);
    });

    it('and no more where it ends', async () => {
      const found = await findSecrets(`${table(1)}\nBelow it\n\n| a | b | ${passwordOf(2)} |\n`);
      strictEqual(found.length, 1);
    });

    it('by what they are, where they say so', async () => {
      const { text = '' } = trueSecrets().find(({ id }) => id === 'github-token') ?? {};
      const found = await findSecrets(`| user | password |\n| --- | --- |\n| ada | ${text} |\n`);
      deepStrictEqual(
        found.map(({ id }) => id),
        ['github-token'],
      );
    });
  });

  it('are told by their places on one long line as on many', async () => {
    const [{ text } = { text: '' }] = trueSecrets();
    const found = await findSecrets(`${text} and `.repeat(3_000));
    deepStrictEqual(
      found.map(({ line, column }) => [line, column]),
      Array.from({ length: 3_000 }, (_, index) => [1, 1 + index * `${text} and `.length]),
    );
  });

  it('lets others have their turn in a text of a megabyte', async () => {
    let turns = 0;
    let going = true;
    const tick = () => {
      turns++;
      if (going) setImmediate(tick);
    };
    setImmediate(tick);
    await findSecrets('password = token: Server=one;two '.repeat(32_768));
    going = false;
    ok(turns > 3, `${turns} turns`);
  });

  it('can be stopped', async () => {
    const stopped = await findSecrets('a '.repeat(500_000), AbortSignal.abort(new Error('enough'))).catch(String);
    strictEqual(stopped, 'Error: enough');
  });
});
