import assert from 'node:assert/strict';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { type AgentWrites, resolveToolsets, Surface } from '../../src/mcp';
import { LIMITS } from '../../src/mcp/limits';
import { Question } from '../../src/mcp/question';
import { askAboutConflict } from '../../src/mcp/toolsets/conflict';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

const KEY = { scope_id: 'shop', category: 'git', keyword: 'commit' };
const RULE = { target_scope_id: 'shop', category: 'git', keyword: 'commit', content: 'new', project_context: 'shop' };
const CONFLICT = { success: false as const, existing_content: 'old', existing_metaknowledge: {} };

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> };
const REPLACE: Answer = { action: 'accept', content: { decision: 'Replace' } };

describe('a question to the person', () => {
  const open = useHalls();
  let hall: Hall;
  beforeEach(async () => {
    hall = await open({ project: 'shop' });
    await hall.define('shop', 'PROJECT');
    await hall.put('shop', 'git', 'commit', 'old');
  });

  interface Options {
    agentWrites?: AgentWrites;
    personMs?: number;
    capabilities?: ClientOptions['capabilities'];
    /** Arguments beside, or in place of, those of `RULE`. */
    more?: { content?: string; metaknowledge?: Record<string, string> };
  }

  /** Stores what conflicts, through a client whose person answers so. */
  async function conflict(
    answer: (signal: AbortSignal, message: string) => Promise<Answer>,
    { agentWrites, personMs, capabilities = { elicitation: { form: {} } }, more = {} }: Options = {},
  ) {
    const limits = { ...LIMITS, personMs: personMs ?? LIMITS.personMs };
    const surface = new Surface({ kaizen: hall.kaizen, toolsets: resolveToolsets(), agentWrites, limits });
    const client = new Client({ name: 'Agent', version: '1' }, { capabilities });
    if (capabilities.elicitation) {
      client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => answer(mcpReq.signal, params.message));
    }
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([surface.connect().connect(far), client.connect(near)]);
    try {
      const result = await client.callTool({ name: 'store_knowledge_if_missing', arguments: { ...RULE, ...more } });
      const [content] = result.content as { text: string }[];
      return { value: result.structuredContent, text: content?.text ?? '', isError: result.isError ?? false };
    } finally {
      await client.close();
    }
  }

  it('replaces what is stored, as the agent’s change by the person’s choice', async () => {
    const { value } = await conflict(async () => REPLACE);
    assert.deepEqual(value, { success: true });
    const revision = hall.knowledge.history(KEY).at(-1);
    assert.deepEqual(
      [revision?.content, revision?.author, revision?.by_agent, revision?.reason],
      ['new', 'Agent', true, 'The user chose to replace what was stored.'],
    );
  });

  it('needs no review on top, and keeping needs none either', async () => {
    assert.deepEqual((await conflict(async () => ({ action: 'decline' }), { agentWrites: 'review' })).value, CONFLICT);
    assert.deepEqual((await conflict(async () => REPLACE, { agentWrites: 'review' })).value, { success: true });
    assert.deepEqual(hall.review.proposals(), []);
    assert.equal(hall.knowledge.entry(KEY)?.content, 'new');
  });

  it('waits for review all the same where the question could not show all of what is new', async () => {
    const long: NonNullable<Options['more']>[] = [
      { content: `harmless${' '.repeat(600)}DANGER` },
      { metaknowledge: { APPLIES_TO: '**', NOTE: 'x'.repeat(600) } },
    ];
    for (const more of long) {
      const { value } = await conflict(async () => REPLACE, { agentWrites: 'review', more });
      assert.match(String((value as { pending?: string }).pending), /Held for review as proposal/);
    }
    assert.equal(hall.knowledge.entry(KEY)?.content, 'old');
    assert.equal(hall.review.proposals().length, long.length);
    assert.deepEqual((await conflict(async () => REPLACE, { more: long[0] })).value, { success: true }, 'allowed');
  });

  it('shows what is noted about both', async () => {
    await hall.put('shop', 'git', 'commit', 'old', { REASON: 'audit' });
    let message = '';
    const ask = async (_signal: AbortSignal, asked: string): Promise<Answer> => {
      message = asked;
      return { action: 'cancel' };
    };
    await conflict(ask, { more: { metaknowledge: { APPLIES_TO: 'src/**' } } });
    assert.match(message, /Stored: old\n\nREASON: audit\n\nNew, from Agent: new\n\nAPPLIES_TO: src\/\*\*$/);
  });

  it('is about all that would be stored, so that no answer counts for something else', () => {
    const signal = new AbortController().signal;
    const { project_context: _, ...entry } = RULE;
    const abouts = [{}, { content: 'other' }, { metaknowledge: { REASON: 'r' } }].map((more) => {
      const call = { author: 'Agent', agentWrites: 'allow', signal } as const;
      const question = askAboutConflict(hall, call, { ...entry, ...more }, CONFLICT, { author: 'Agent' });
      return question instanceof Question ? question.options.about : undefined;
    });
    assert.equal(new Set(abouts).size, 3);
    assert.ok(!abouts.includes(undefined));
  });

  it('is withdrawn when the person takes too long, and the plain answer stands', async () => {
    let withdrawn = false;
    const { value } = await conflict(
      (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            withdrawn = true;
            reject(signal.reason);
          });
        }),
      { personMs: 30 },
    );
    assert.deepEqual([value, withdrawn], [CONFLICT, true]);
  });

  it('that the client fails to ask leaves the plain answer', async () => {
    assert.deepEqual((await conflict(() => Promise.reject(new Error('no window')))).value, CONFLICT);
  });

  it('is not put to a client that has no forms', async () => {
    const never = () => Promise.reject(new Error('asked all the same'));
    for (const capabilities of [{}, { elicitation: { url: {} } }]) {
      assert.deepEqual((await conflict(never, { capabilities })).value, CONFLICT);
    }
    const bare = await conflict(async () => REPLACE, { capabilities: { elicitation: {} } });
    assert.deepEqual(bare.value, { success: true }, 'an empty declaration means forms');
  });

  it('replaces only what the person saw', async () => {
    const { isError, text } = await conflict(async () => {
      await hall.knowledge.storeOverwrite({ ...RULE, content: 'changed meanwhile' }, BY_TESTER);
      return REPLACE;
    });
    assert.equal(isError, true);
    assert.match(text, /"commit" was changed meanwhile/);
    assert.equal(hall.knowledge.entry(KEY)?.content, 'changed meanwhile');
  });

  it('shows no more of a long content than can be read at a glance', async () => {
    await hall.put('shop', 'git', 'commit', 'x'.repeat(60_000));
    let message = '';
    await conflict(async (_signal, asked) => {
      message = asked;
      return { action: 'cancel' };
    });
    assert.ok(message.length < 2_000, `${message.length} characters`);
  });
});
