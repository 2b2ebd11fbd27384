import assert from 'node:assert/strict';
import { CLIENT, CLIENTS, type ContractClient, type Elicit } from './support/clients';
import { type Stores, temporaryStores } from './support/kaizen-process';

const PROJECT = 'checkout-api';
const REPLACED = { success: true };
const CONFLICT = {
  success: false,
  existing_content: 'Use JWT',
  existing_metaknowledge: { REASON: 'audit' },
  existing_origin: { by: 'agent', author: CLIENT.name },
};

const entry = (content: string, metaknowledge?: Record<string, string>) => ({
  target_scope_id: PROJECT,
  category: 'api.auth',
  keyword: 'tokens',
  content,
  project_context: PROJECT,
  ...(metaknowledge ? { metaknowledge } : {}),
});

for (const { name, connect } of CLIENTS) {
  describe(`a conflict, asked about through ${name}`, () => {
    let stores: Stores;
    let client: ContractClient | undefined;
    let questions: Parameters<Elicit>[0][];
    beforeEach(() => {
      stores = temporaryStores();
      questions = [];
    });
    afterEach(async () => {
      await client?.close();
      client = undefined;
      stores.remove();
    });

    async function start(elicit: Elicit | undefined, ...flags: string[]): Promise<ContractClient> {
      const asked: Elicit | undefined =
        elicit &&
        ((params, signal) => {
          questions.push(params);
          return elicit(params, signal);
        });
      client = await connect([...stores.flags, '--project', PROJECT, ...flags], asked);
      await client.toolNames();
      return client;
    }

    async function conflict(with_: ContractClient, signal?: AbortSignal): Promise<unknown> {
      await with_.call('store_knowledge_overwrite', entry('Use JWT', { REASON: 'audit' }));
      const answer = await with_.call('store_knowledge_if_missing', entry('Use opaque tokens'), signal);
      assert.equal(answer.isError, false, answer.text);
      return answer.structured;
    }

    const stored = async (by: ContractClient) => {
      const { structured } = await by.call('get_knowledge', { scope_id: PROJECT, keywords: ['tokens'] });
      const list = (Array.isArray(structured) ? structured : (structured as { result: unknown[] }).result) as {
        content: string;
      }[];
      return list[0]?.content;
    };

    it('shows both contents, and replaces when the person says so', async () => {
      const connected = await start(async () => ({ action: 'accept', content: { decision: 'Replace' } }));
      assert.deepEqual(await conflict(connected), REPLACED);
      assert.equal(await stored(connected), 'Use opaque tokens');
      assert.equal(questions.length, 1);
      const [{ message, requestedSchema }] = questions as [Parameters<Elicit>[0]];
      for (const part of ['tokens', 'Use JWT', 'Use opaque tokens', CLIENT.name])
        assert.ok(message.includes(part), part);
      assert.match(JSON.stringify(requestedSchema), /"Keep existing","Replace"/);
    });

    it('answers as ever when the person keeps, declines, goes away or answers nonsense', async () => {
      const answers = [
        { action: 'accept', content: { decision: 'Keep existing' } },
        { action: 'decline' },
        { action: 'cancel' },
        // A value that was not offered: some clients refuse to send it, and then the question has failed.
        { action: 'accept', content: { decision: 'Burn it' } },
      ] as const;
      let next = 0;
      const connected = await start(async () => answers[next++]!);
      for (const _ of answers) assert.deepEqual(await conflict(connected).catch(String), CONFLICT);
      assert.equal(questions.length, answers.length);
      assert.equal(await stored(connected), 'Use JWT');
    });

    it('answers as ever to a client that cannot ask', async () => {
      const connected = await start(undefined);
      assert.deepEqual(await conflict(connected), CONFLICT);
    });
  });
}

for (const { name, connect } of CLIENTS.filter(({ revision }) => revision === '2026-07-28')) {
  it(`a question is asked anew through ${name} when the entry has changed before the answer`, async () => {
    const stores = temporaryStores();
    const messages: string[] = [];
    const client: ContractClient = await connect([...stores.flags, '--project', PROJECT], async ({ message }) => {
      if (messages.push(message) === 1) await client.call('store_knowledge_overwrite', entry('Use sessions'));
      return { action: 'accept', content: { decision: 'Replace' } };
    });
    try {
      const tied = { ...entry('Use JWT'), metaknowledge: { APPLIES_TO: 'src/auth/**' } };
      await client.call('store_knowledge_overwrite', tied);
      const answer = await client.call('store_knowledge_if_missing', entry('Use opaque tokens'));
      assert.deepEqual(answer.structured, REPLACED);
      assert.equal(messages.length, 2);
      assert.match(messages[0]!, /What is new has no APPLIES_TO: .* "src\/auth\/\*\*"/);
      assert.ok(messages[0]!.includes('Use JWT') && messages[1]!.includes('Use sessions'), messages.join('\n'));
    } finally {
      await client.close();
      stores.remove();
    }
  });
}

for (const { name, connect } of CLIENTS.filter(({ revision }) => revision === '2025-11-25')) {
  it(`a question is withdrawn from ${name} when the call is cancelled`, async () => {
    const stores = temporaryStores();
    const cancel = new AbortController();
    let withdrawn: () => void = () => {};
    const gone = new Promise<void>((resolve) => {
      withdrawn = resolve;
    });
    let asked = 0;
    const client = await connect([...stores.flags, '--project', PROJECT], async (_params, signal) => {
      // The SDK v1 cannot cancel a request with the id 0, which the first one has.
      if (asked++ === 0) return { action: 'decline' };
      signal.addEventListener('abort', withdrawn);
      cancel.abort();
      await gone;
      return { action: 'cancel' };
    });
    try {
      await client.call('store_knowledge_overwrite', entry('Use JWT'));
      await client.call('store_knowledge_if_missing', entry('Use opaque tokens'));
      await assert.rejects(client.call('store_knowledge_if_missing', entry('Use opaque tokens'), cancel.signal));
      await gone;
    } finally {
      await client.close();
      stores.remove();
    }
  });
}
