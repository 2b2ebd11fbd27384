import assert from 'node:assert/strict';
import { Kaizen, type KaizenParts } from '../../src/kaizen';
import type { ProposedWrite } from '../../src/review';
import { assertAccessible } from './support/accessibility';
import { Chat, chatSettings } from './support/chat';
import { type Editor, useEditor } from './support/editor';
import {
  type ModelReply,
  type ModelRequest,
  offered,
  type ScriptedModel,
  useScriptedModel,
} from './support/scripted-model';
import { pictureSettings, type Workbench } from './support/workbench';

const RULE = {
  target_scope_id: 'checkout-api',
  category: 'validation',
  keyword: 'partial_refunds',
  content: 'DANGER: The partial refunds of a charge must never exceed it in sum.',
  metaknowledge: { REASON: 'Partial refunds are new' } as Record<string, string>,
};

const SHORTER = 'DANGER: Refunds of a charge never exceed it in sum.';
const AMOUNTS = [
  'Callers ask for a refund as a positive amount; it is booked as a negative line in the ledger.',
  '',
  'DANGER: A positive refund line charges the customer a second time.',
  'LAST TIME: 38 customers were charged instead of refunded.',
].join('\n');

/** Works on the window's stores from another process, as an agent or a second window does. */
async function withParts<T>({ env }: Editor, action: (parts: KaizenParts) => T | Promise<T>): Promise<T> {
  const { KAIZEN_DATA: data = '', KAIZEN_SHARED: shared = '', KAIZEN_PROJECT: project } = env;
  const kaizen = new Kaizen({ data, shared, project });
  try {
    return await action(await kaizen.parts());
  } finally {
    await kaizen.close();
  }
}

function propose(editor: Editor, ...writes: ProposedWrite[]): Promise<void> {
  return withParts(editor, async ({ review }) => {
    for (const write of writes) {
      await review.propose(write, { author: 'Scripted Agent', by_agent: true, reason: 'Asked for in a review' });
    }
  });
}

const store = (keyword: string, content: string, metaknowledge = RULE.metaknowledge): ProposedWrite => ({
  operation: 'store',
  input: { ...RULE, keyword, content, metaknowledge },
});

describe('agent writes in review', () => {
  const scripted = useScriptedModel();
  const editor = useEditor(() => ({
    userFiles: scripted().userFiles,
    settings: { ...chatSettings, ...pictureSettings, 'kaizen.agentWrites': 'review' },
    width: 1400,
    height: 875,
  }));
  let model: ScriptedModel;
  let workbench: Workbench;
  let chat: Chat;

  before(async () => {
    model = scripted();
    workbench = editor().workbench;
    await workbench.openContainer('Kaizen');
    await workbench.treeShows('checkout-api 15 entries');
    await workbench.setWidth('sidebar', 350);
    chat = await Chat.enable(workbench);
  });

  /** Has the model call a tool of ours once and say what it made of it. */
  function script(name: string, input: Record<string, unknown>, say: string): void {
    model.follow((request: ModelRequest): ModelReply => {
      const tool = offered(request, name);
      if (!tool) return { say: `There is no ${name}.` };
      return request.results.length === 0 ? { call: [{ name: tool.name, arguments: input }] } : { say };
    });
  }

  /** A text on the right side of the difference in front. */
  const modified = (text: string) =>
    workbench.page.locator('.editor-instance .monaco-diff-editor .editor.modified').last().getByText(text);
  const stored = (keyword: string) =>
    withParts(editor(), ({ knowledge }) => {
      return knowledge.entry({ scope_id: 'checkout-api', category: 'validation', keyword })?.content;
    });
  const titleAction = (name: string) =>
    workbench.page.locator('.editor-group-container.active .editor-actions').getByRole('button', { name });

  it('wait under Pending, are compared, and are written by accepting them', async () => {
    script('store_knowledge_if_missing', { ...RULE, project_context: 'checkout-api' }, 'It waits for you.');
    await chat.ask('Remember the limit on the sum of refunds.');
    await chat.allow.click();
    await chat.lastAnswer.getByText('It waits for you.').waitFor();
    assert.match(model.requests.at(-1)!.results.at(-1) ?? '', /Held for review as proposal/);
    assert.match(model.requests.at(-1)!.system, /waits for the user/);
    await workbench.treeShows('Pending 1 proposed change');
    await workbench.notification(/proposes a change/).waitFor();
    await workbench.clearNotifications();
    await assertAccessible(workbench, '.part.sidebar');
    await workbench.treeRow('partial_refunds').click();
    await modified('exceed it in sum').waitFor();
    await titleAction('Accept').click();
    await workbench.notification('Stored "partial_refunds"').waitFor();
    await workbench.treeLacks('Pending');
    await workbench.unfold('validation');
    await workbench.treeShows('partial_refunds DANGER');
    await workbench.clearNotifications();
  });

  it('ask the person in the chat about a conflict, and replace what they say', async () => {
    const conflicting = { ...RULE, content: SHORTER, project_context: 'checkout-api' };
    script('store_knowledge_if_missing', conflicting, 'Replaced it.');
    await chat.ask('Say it shorter.');
    const question = workbench.page.locator('.interactive-session');
    await question.getByText('Which one should hold?').waitFor();
    await question.getByText('New, from').waitFor();
    await workbench.rest();
    await workbench.screenshot('review-conflict');
    // A click on the one answer there is to give sends it.
    await question.getByText('Replace', { exact: true }).click();
    await chat.lastAnswer.getByText('Replaced it.').waitFor();
    assert.match(model.requests.at(-1)!.results.at(-1) ?? '', /^\s*\{\s*"success":\s*true\s*\}/);
    assert.equal(await stored('partial_refunds'), SHORTER);
  });

  it('are decided one by one in a list, which shows what each would change', async () => {
    await propose(
      editor(),
      store('refund_amounts', AMOUNTS, {
        APPLIES_TO: 'src/payments/refunds.ts, **/*refund*.test.ts',
        DATE_ADDED: '2026-03-19',
        INCIDENT_ID: 'REF-2026-003',
        REASON: 'Added after double-charge bug',
        SEVERITY: 'Critical',
      }),
      { operation: 'delete', input: { scope_id: 'checkout-api', category: 'validation', keyword: 'refund_window' } },
      { operation: 'define_scope', input: { scope_id: 'risk', tier: 'GROUP', name: 'Risk' } },
    );
    await workbench.notification('Scripted Agent proposes 3 changes.').waitFor();
    await workbench.treeRow(/refund_amounts\s*overwrite/).click();
    await modified('booked as a negative line').waitFor();
    await workbench.rest();
    await workbench.screenshot('review-diff');
    await workbench.answerNotification('Scripted Agent proposes 3 changes.', 'Review');
    const row = (text: string) => workbench.quickRows.filter({ hasText: text });
    await row('risk').click();
    await modified('Name: Risk').waitFor();
    await workbench.rest();
    await workbench.screenshot('review-list');
    const decide = async (text: string, button: string) => {
      await row(text).hover();
      await row(text).locator(`.action-label[aria-label="${button}"]`).click();
      await row(text).waitFor({ state: 'hidden' });
    };
    await decide('refund_window', 'Reject');
    await decide('risk', 'Accept');
    await decide('refund_amounts', 'Accept');
    await workbench.treeLacks('Pending');
    await workbench.treeShows('Risk risk · 0 entries');
    await workbench.treeShows('refund_window');
    assert.match((await stored('refund_amounts')) ?? '', /negative line/);
    await workbench.answerNotification('Stored "refund_amounts"', 'Undo');
    await workbench.until(async () => !(await stored('refund_amounts'))?.includes('negative line'), 'the undo');
  });

  it('are written all the same when the entry was changed since and the person says so', async () => {
    await propose(editor(), store('amounts', 'Amounts are whole cents.'));
    await withParts(editor(), ({ knowledge }) =>
      knowledge.storeOverwrite({ ...RULE, keyword: 'amounts', content: 'Changed by a person.' }, { author: 'maria' }),
    );
    await workbench.clearNotifications();
    await workbench.treeShows('Pending 1 proposed change');
    const row = workbench.page.locator('.part.sidebar .monaco-list-row').filter({ hasText: 'by Scripted Agent' });
    await row.hover();
    await row.locator('.action-label[aria-label^="Accept"]').click();
    await workbench.dialog.getByText('"amounts" was changed since Scripted Agent proposed this.').waitFor();
    await workbench.answerDialog('Accept Anyway');
    await workbench.treeLacks('Pending');
    assert.equal(await stored('amounts'), 'Amounts are whole cents.');
    await workbench.clearNotifications();
  });

  it('are looked over afterwards, and the last one is undone', async () => {
    await workbench.runCommand('Kaizen: Review Agent Changes');
    await workbench.pick('Today');
    await workbench.quickRows.filter({ hasText: 'partial_refunds' }).first().waitFor();
    await workbench.pick('Compare All in One Editor');
    const editors = workbench.page.locator('.multiDiffEditor');
    await editors.first().waitFor();
    await editors
      .getByText(/amounts\.md/)
      .first()
      .waitFor();
    await workbench.rest();
    await workbench.screenshot('review-changes');

    await workbench.runCommand('Kaizen: Undo Last Agent Change');
    await workbench.dialog.getByText('Undo the change of "amounts" by Scripted Agent?').waitFor();
    await workbench.screenshot('review-undo');
    await workbench.answerDialog('Undo');
    await workbench.notification('Undid the change of "amounts"').waitFor();
    assert.equal(await stored('amounts'), 'Changed by a person.');
  });
});
