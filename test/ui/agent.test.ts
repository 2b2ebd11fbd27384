import assert from 'node:assert/strict';
import { Chat, chatSettings } from './support/chat';
import { type Editor, useEditor } from './support/editor';
import {
  type ModelReply,
  type ModelRequest,
  offered,
  type ScriptedModel,
  useScriptedModel,
} from './support/scripted-model';
import { pictureSettings } from './support/workbench';

const prefix = 'mcp_kaizen_';
const toolsets = [
  'define_scope',
  'delete_knowledge',
  'discover_context',
  'get_categories',
  'get_dependencies',
  'get_keywords',
  'get_knowledge',
  'get_progress_status',
  'get_project_overview',
  'get_session_history',
  'list_knowledge_bases',
  'list_scopes',
  'propose_update',
  'retrieve_knowledge',
  'search_knowledge',
  'store_knowledge_if_missing',
  'store_knowledge_overwrite',
  'store_project_overview',
  'store_session_summary',
  'update_progress',
];

const ourTools = ({ tools }: ModelRequest) =>
  tools.flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])).sort();

/** Has the model call a tool of ours. */
function callTo(request: ModelRequest, name: string, input: Record<string, unknown>, say = ''): ModelReply {
  const tool = offered(request, name);
  return tool ? { say, call: [{ name: tool.name, arguments: input }] } : { say: `There is no ${name}.` };
}

const rule = {
  target_scope_id: 'checkout-api',
  category: 'validation',
  keyword: 'partial_refunds',
  content: 'DANGER: The partial refunds of a charge must never exceed it in sum.',
  metaknowledge: { REASON: 'Partial refunds are new' },
  project_context: 'checkout-api',
};

/** Opens the view and the chat. */
async function chatIn({ workbench }: Editor): Promise<Chat> {
  await workbench.openContainer('Kaizen');
  await workbench.treeShows('checkout-api 15 entries');
  return Chat.enable(workbench);
}

describe('the editor’s agent', () => {
  const scripted = useScriptedModel();
  const editor = useEditor(() => ({
    userFiles: scripted().userFiles,
    settings: { ...chatSettings, ...pictureSettings, 'kaizen.entries.openAs': 'text' },
    width: 1400,
    height: 875,
  }));
  let model: ScriptedModel;
  let chat: Chat;
  before(async () => {
    model = scripted();
    chat = await chatIn(editor());
  });

  it('gets the rules without asking the person, and shows what it made of them', async () => {
    const { workbench } = editor();
    await workbench.setWidth('sidebar', 350);
    await workbench.setWidth('auxiliarybar', 480);
    await workbench.unfold('validation');
    await workbench.treeRow('refund_amounts').click();
    await workbench.page.locator('.editor-instance .view-lines').getByText('DANGER').waitFor();
    const answer = [
      'Before I start, what your team has learned about refunds:',
      '',
      '- **DANGER**: a positive refund line charges the customer a second time.',
      '- **LAST TIME**: 38 customers were charged instead of refunded.',
      '',
      'So the ledger line stays negative, and I check the sum of all refunds of a charge.',
    ].join('\n');
    model.follow((request) => {
      const question = { scope_id: 'checkout-api', keywords: ['refund_amounts', 'idempotency'] };
      return request.results.length === 0 ? callTo(request, 'get_knowledge', question) : { say: answer };
    });
    await chat.ask('Let shops refund a part of a charge.');
    await chat.lastAnswer.getByText('38 customers').waitFor();
    const [result] = model.requests.at(-1)!.results;
    assert.match(result ?? '', /A positive refund line charges the customer a second time\./);
    assert.match(result ?? '', /INCIDENT_ID.*REF-2026-003/);
    assert.equal(await chat.allow.count(), 0);
    await chat.lastAnswer.getByText('Completed 2 steps').click();
    await chat.lastAnswer.getByText('Get knowledge').first().waitFor();
    await workbench.rest();
    await workbench.screenshot('agent');
  });

  it('is offered exactly the two toolsets, and told how to use it and for which project', async () => {
    model.follow(() => ({ say: 'I know the tools.' }));
    await chat.ask('Which tools are there?');
    await chat.lastAnswer.getByText('I know the tools.').waitFor();
    const request = model.requests.at(-1)!;
    assert.deepEqual(ourTools(request), toolsets);
    const instructions = /<instruction forToolsWithPrefix="mcp_kaizen">([\s\S]*?)<\/instruction>/.exec(
      request.system,
    )?.[1];
    assert.match(instructions ?? '', /scope id is `checkout-api`/);
    assert.match(instructions ?? '', /Before any task: call get_categories/);
    assert.match(instructions ?? '', /discover_context/);
  });

  it('stores nothing when the person refuses', async () => {
    const { workbench } = editor();
    const refused = { ...rule, keyword: 'refused_rule' };
    const question = { scope_id: 'checkout-api', keywords: ['refund_amounts', refused.keyword] };
    model.follow((request) => {
      if (request.results.length === 0) return callTo(request, 'store_knowledge_if_missing', refused);
      if (request.results.length === 1) return callTo(request, 'get_knowledge', question);
      return { say: 'Then not.' };
    });
    await chat.ask('Keep that under another name, too.');
    await chat.skip.click();
    await chat.lastAnswer.getByText('Then not.').waitFor();
    const found = model.requests.at(-1)!.results.at(-1) ?? '';
    assert.match(found, /"refund_amounts"/);
    assert.doesNotMatch(found, /"refused_rule"/);
    await workbench.treeLacks('refused_rule');
  });

  it('waits for the person before it stores, and stores once allowed', async () => {
    const { workbench } = editor();
    model.follow((request) =>
      request.results.length === 0
        ? callTo(request, 'store_knowledge_if_missing', rule, 'This is worth keeping for the next time.')
        : { say: 'It is stored.' },
    );
    await chat.ask('Good. Remember the limit on the sum, too.');
    await chat.allow.waitFor();
    assert.equal(model.requests.length, 1, 'no result went back');
    await workbench.treeLacks('partial_refunds');
    await workbench.rest();
    await workbench.screenshot('agent-consent');

    await chat.allow.click();
    await chat.lastAnswer.getByText('It is stored.').waitFor();
    assert.match(model.requests.at(-1)!.results.at(-1) ?? '', /"success":\s*true/);
    await workbench.treeShows('partial_refunds DANGER');
  });
});

describe('the editor’s agent with MCP switched off', () => {
  const scripted = useScriptedModel();
  const editor = useEditor(() => ({
    userFiles: scripted().userFiles,
    settings: { ...chatSettings, 'chat.mcp.access': 'none' },
  }));

  it('is offered no tool of ours', async () => {
    const model = scripted();
    model.follow(() => ({ say: 'I have what the editor gives me.' }));
    const chat = await chatIn(editor());
    await chat.ask('Which tools are there?');
    await chat.lastAnswer.getByText('I have what the editor gives me.').waitFor();
    const request = model.requests.at(-1)!;
    assert.ok(request.tools.length > 0, 'the agent has tools');
    assert.deepEqual(
      request.tools.filter(({ name }) => /kaizen|knowledge/.test(name)),
      [],
    );
    assert.doesNotMatch(request.system, /Kaizen keeps/);
  });
});
