import assert from 'node:assert/strict';
import { z } from 'zod';
import { KaizenError } from '../../src/core/errors';
import type { KaizenParts } from '../../src/kaizen';
import { type CallLimits, Calls } from '../../src/mcp/calls';
import { Gate } from '../../src/mcp/gate';
import { type Person, Question } from '../../src/mcp/question';
import { defineTool, type Tool, type ToolCall } from '../../src/mcp/tool';

const parts = {} as KaizenParts;
const never = () => new AbortController().signal;
const aborted = (signal: AbortSignal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function tool(run: (call: ToolCall) => unknown, readOnlyHint = false): Tool {
  return defineTool({
    name: 'do_it',
    title: 'Do it',
    description: 'Does it.',
    input: z.strictObject({
      id: z.string().min(1).max(5),
      tags: z.array(z.string()).optional(),
      task: z.strictObject({ state: z.enum(['on', 'off']) }).optional(),
    }),
    output: z.unknown(),
    annotations: { readOnlyHint, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: (_parts, _args, call) => run(call),
  });
}

/** Nobody who could be asked. */
const nobody: Person<never> = { ask: async () => ({ choice: undefined }) };

function setup(limits: Partial<CallLimits> = {}, open = async () => parts, person: Person<never> = nobody) {
  const logged: unknown[] = [];
  const calls = new Calls(open, (message, error) => logged.push(message, error), {
    callsAtOnce: 10,
    callMs: 1_000,
    stopMs: 50,
    ...limits,
  });
  const say = async (which: Tool, args: unknown = { id: 'a' }, signal = never()) => {
    const by = { author: 'tester', agentWrites: 'allow' as const };
    const result = await calls.call(which, args, by, person, signal);
    const [content] = result.content as { text: string }[];
    return { text: content?.text ?? '', isError: result.isError ?? false, structured: result.structuredContent };
  };
  return { say, logged };
}

describe('a tool call', () => {
  it('is long where its arguments say so, and has the time of the others else', async () => {
    const { say } = setup({ callMs: 20, longCallMs: 60_000, longCallsAtOnce: 1 });
    const slow: Tool = {
      ...tool(({ signal }) => Promise.race([sleep(60).then(() => 'done'), aborted(signal)]), true),
      isLong: ({ id }) => id === 'long',
    };
    assert.deepEqual((await say(slow, { id: 'long' })).structured, 'done');
    const { isError, text } = await say(slow, { id: 'short' });
    assert.deepEqual([isError, /longer than 0\.02 s/.test(text)], [true, true]);
  });

  it('answers with its value as structure and as the same JSON', async () => {
    const { say } = setup();
    const value = [{ a: 1 }];
    assert.deepEqual(await say(tool(() => value)), { text: '[{"a":1}]', isError: false, structured: value });
  });

  it('takes null for an optional argument as left out', async () => {
    const { say } = setup();
    assert.equal(
      (
        await say(
          tool(() => 1),
          { id: 'a', tags: null },
        )
      ).isError,
      false,
    );
  });

  const bad: [string, unknown, RegExp][] = [
    ['a missing argument', {}, /^Bad arguments for do_it: id is required\.$/],
    ['no arguments at all', null, /id is required/],
    ['a wrong type', { id: 7 }, /id: expected string, received number/],
    ['a wrong element', { id: 'a', tags: ['x', 2] }, /tags\[1\]: expected string, received number/],
    ['an argument that is too long', { id: 'abcdef' }, /id: .*5 characters/],
    ['a value that is not offered', { id: 'a', task: { state: 'x' } }, /task\.state: .*"on"\|"off"/],
    ['an unknown argument', { id: 'a', ide: 'b' }, /unknown argument ide \(it takes id, tags, task\)/],
    ['an unknown argument inside', { id: 'a', task: { state: 'on', x: 1 } }, /task: unknown argument x/],
    ['several at once', { ide: 'b' }, /id is required; unknown argument ide/],
    ['something that is no object', [1], /expected object, received array/],
  ];
  for (const [what, args, expected] of bad) {
    it(`says which argument is wrong and why: ${what}`, async () => {
      let ran = false;
      const { say } = setup();
      const answer = await say(
        tool(() => {
          ran = true;
        }),
        args,
      );
      assert.match(answer.text, expected);
      assert.equal(answer.isError, true);
      assert.equal(ran, false);
    });
  }

  it('passes on what the domain says went wrong, with its hint', async () => {
    const { say, logged } = setup();
    const failing = tool(() => {
      throw new KaizenError('unknown_scope', 'There is no scope x.', 'Did you mean y?');
    });
    assert.deepEqual(await say(failing), {
      text: 'There is no scope x. Did you mean y?',
      isError: true,
      structured: undefined,
    });
    assert.deepEqual(logged, []);
  });

  it('never shows the inside of an unexpected error, and logs it', async () => {
    const { say, logged } = setup();
    const error = new TypeError("Cannot read properties of undefined (reading 'secret')");
    const answer = await say(tool(() => Promise.reject(error)));
    assert.equal(answer.isError, true);
    assert.doesNotMatch(answer.text, /secret|TypeError|\bat \w+ \(/);
    assert.deepEqual(logged, ['do_it failed', error]);
  });

  it('reports a store that cannot be opened as an error of the call', async () => {
    const { say } = setup({}, async () => {
      throw new KaizenError('store_newer', 'The store was written by a newer Kaizen.');
    });
    assert.deepEqual(await say(tool(() => 1)), {
      text: 'The store was written by a newer Kaizen.',
      isError: true,
      structured: undefined,
    });
  });

  it('that takes too long is stopped, and what heeds the signal has changed nothing', async () => {
    const { say } = setup({ callMs: 20 });
    const heeding = tool(async ({ signal }) => {
      await sleep(30);
      signal.throwIfAborted();
    });
    const answer = await say(heeding);
    assert.equal(answer.text, 'do_it took longer than 0.02 s and was stopped. Nothing was changed.');
    assert.equal(answer.isError, true);
  });

  it('that had already written when it was stopped says so', async () => {
    const { say } = setup({ callMs: 20 });
    const answer = await say(
      tool(async () => {
        await sleep(40);
        return { success: true };
      }),
    );
    assert.deepEqual(answer.structured, { success: true });
  });

  it('that does not come back at all is given up, and says that the outcome is not known', async () => {
    const { say } = setup({ callMs: 20 });
    const answer = await say(tool(() => new Promise(() => {})));
    assert.match(answer.text, /may have been stored or not/);
  });

  it('that was cancelled while the stores were opened does not run', async () => {
    const controller = new AbortController();
    let ran = false;
    const { say } = setup({}, async () => {
      controller.abort();
      return parts;
    });
    const answer = await say(
      tool(() => {
        ran = true;
      }),
      { id: 'a' },
      controller.signal,
    );
    assert.equal(ran, false);
    assert.equal(answer.text, 'do_it was cancelled. Nothing was changed.');
  });

  it('waits its turn when ten run, and they go in the order in which they came', async () => {
    const { say } = setup();
    let running = 0;
    let most = 0;
    const started: string[] = [];
    const counting = (name: string) =>
      tool(async () => {
        started.push(name);
        most = Math.max(most, ++running);
        await sleep(2);
        running--;
      });
    const names = Array.from({ length: 35 }, (_, i) => `call ${i}`);
    await Promise.all(names.map((name) => say(counting(name))));
    assert.equal(most, 10);
    assert.deepEqual(started, names);
  });

  it('that is cancelled while it waits leaves its place in the row', async () => {
    const { say } = setup({ callsAtOnce: 1 });
    const controller = new AbortController();
    const first = say(tool(() => sleep(20)));
    const second = say(
      tool(() => assert.fail('it ran')),
      { id: 'a' },
      controller.signal,
    );
    const third = say(tool(() => 'third'));
    controller.abort();
    assert.match((await second).text, /cancelled before it started/);
    await first;
    assert.equal((await third).structured, 'third');
  });
});

describe('a tool call with a question', () => {
  const question = (decided: (choice: string) => Promise<unknown>) =>
    new Question({ message: 'Really?', choices: ['No', 'Yes'], about: 'it', otherwise: 'kept', decided });
  const thinking: Person<never> = { ask: async () => ({ choice: undefined }) };
  const says = (choice: string | undefined): Person<never> => ({ ask: async () => ({ choice }) });

  it('does what the person chooses, and answers with that', async () => {
    const { say } = setup({}, undefined, says('Yes'));
    const { text, isError } = await say(tool(() => question(async (choice) => `did ${choice}`)));
    assert.deepEqual([text, isError], ['"did Yes"', false]);
  });

  it('answers as it would without a person when there is no choice', async () => {
    const { say } = setup({}, undefined, says(undefined));
    assert.equal((await say(tool(() => question(() => Promise.reject(new Error('not chosen')))))).text, '"kept"');
  });

  it('takes neither time nor a place while the person thinks', async () => {
    let choose: (choice: string) => void = () => {};
    const asked = new Promise<void>((resolveAsked) => {
      thinking.ask = async () => {
        resolveAsked();
        return { choice: await new Promise<string>((resolve) => (choose = resolve)) };
      };
    });
    const { say } = setup({ callsAtOnce: 1, callMs: 40 }, undefined, thinking);
    const first = say(tool(() => question(async () => 'done')));
    await asked;
    await sleep(80);
    assert.equal((await say(tool(() => 'in between'))).text, '"in between"');
    choose('Yes');
    assert.equal((await first).text, '"done"');
  });

  it('says what went wrong with the choice', async () => {
    const { say } = setup({}, undefined, says('Yes'));
    const refused = new KaizenError('conflict', 'It was changed meanwhile.', 'Look again.');
    const { text, isError } = await say(tool(() => question(() => Promise.reject(refused))));
    assert.deepEqual([text, isError], ['It was changed meanwhile. Look again.', true]);
  });
});

describe('the gate', () => {
  it('hands a place that becomes free to who waits, not to who comes just then', async () => {
    const gate = new Gate(1);
    const order: string[] = [];
    await gate.enter(never());
    const waiting = gate.enter(never()).then(() => order.push('waited'));
    gate.leave();
    const late = gate.enter(never()).then(() => order.push('came late'));
    await waiting;
    gate.leave();
    await late;
    assert.deepEqual(order, ['waited', 'came late']);
  });
});
