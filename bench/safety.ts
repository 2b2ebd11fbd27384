// What looking for secrets, and for text that instructs agents, costs: prose, and texts that are made to be slow. Times of
// the thread itself, so that what else the machine does adds nothing; how long others wait is counted the same way.
import { setTimeout as sleep } from 'node:timers/promises';
import { findInstructions, findSecrets } from '../src/safety';
import { milliseconds, table, threadTime, watchTurns } from './measure';

const KB = 1_024;
const SIZES = [64 * KB, 1_024 * KB, 4_096 * KB];
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The same characters each time (a linear congruential generator). */
function made(length: number): string {
  let state = 5;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return BASE64[Math.floor((state / 2 ** 32) * BASE64.length)];
  }).join('');
}

/** Each is repeated up to the size. */
const UNITS: Readonly<Record<string, string>> = {
  prose: 'The order of refunds matters, and the retries of the payment provider are told to everybody.\n',
  'one letter': 'a',
  'words on one line': 'word another thing ',
  'quotes, not one letter': `"'\`"`,
  base64: made(64 * KB),
  'first lines of private keys': '-----BEGIN PRIVATE KEY-----\n',
  'addresses that never end': 'postgres://a:',
  'servers without a password': 'Server=a;',
  'commands without a user': 'curl ',
  'names and marks': 'password = token: Server=one;two ',
  'keys on one line, each found': `secret=${made(28)}7 `,
  'tables of passwords that are none': 'a|password\n-|-\n',
  'elements that do not end': '<password>a.b_c',
  'rows without a name': '| a_b c_',
  '"send the keys", to nobody': 'send keys to a ',
  '"ignore all the previous", nothing': 'ignore all the previous ',
};

interface Cost {
  run: number;
  held: number;
}

async function cost(action: () => Promise<unknown>): Promise<Cost> {
  const stop = watchTurns();
  await sleep(3);
  const start = threadTime();
  await action();
  const run = threadTime() - start;
  await sleep(3);
  return { run, held: stop().run };
}

function shownCosts(costs: readonly Cost[]): string[] {
  const held = Math.max(...costs.map((each) => each.held));
  return [costs.map(({ run }) => run.toFixed(0)).join(', '), milliseconds(held)];
}

async function main(): Promise<void> {
  await findSecrets(UNITS.prose!.repeat(1_000));
  const rows: string[][] = [];
  for (const [name, unit] of Object.entries(UNITS)) {
    const texts = SIZES.map((size) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size));
    const secrets: Cost[] = [];
    const instructions: Cost[] = [];
    for (const text of texts) {
      secrets.push(await cost(() => findSecrets(text)));
      instructions.push(await cost(() => findInstructions(text)));
    }
    rows.push([name, ...shownCosts(secrets), ...shownCosts(instructions)]);
  }
  const sizes = `ms of ${SIZES.map((size) => size / KB).join(', ')} KB`;
  console.log(table(['a text of nothing but', `secrets, ${sizes}`, 'held', `instructions, ${sizes}`, 'held'], rows));
}

void main();
