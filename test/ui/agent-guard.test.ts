import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Chat, chatSettings } from './support/chat';
import { type Editor, useEditor } from './support/editor';
import { type ModelReply, type ModelRequest, type ScriptedModel, useScriptedModel } from './support/scripted-model';
import { pictureSettings } from './support/workbench';

const RISK = 'A positive refund line charges the customer a second time.';
const REFUNDS = 'src/payments/refunds.ts';

/** Where the extension keeps what other programs find its stores by. */
const kaizenData = ({ home }: Editor) => path.join(home, '.local/share/kaizen');

function recordsIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.json')) : [];
}

/** Has the agent write a line above another one, with the editor's own tool. */
function editOf(editor: Editor, file: string, line: string, added: string): ModelReply {
  const input = {
    filePath: path.join(editor.workspace, file),
    oldString: line,
    newString: `${added}\n${line}`,
    explanation: 'A remark.',
  };
  return { call: [{ name: 'replace_string_in_file', arguments: input }] };
}

async function chatIn({ workbench }: Editor): Promise<Chat> {
  await workbench.openContainer('Kaizen');
  await workbench.treeShows('checkout-api 15 entries');
  return Chat.enable(workbench);
}

const settings = { ...chatSettings, ...pictureSettings };

describe('the guard in agent mode', () => {
  const scripted = useScriptedModel();
  const editor = useEditor(() => ({ userFiles: scripted().userFiles, settings, width: 1400, height: 875 }));
  let model: ScriptedModel;
  let chat: Chat;

  before(async function () {
    this.timeout(120_000);
    model = scripted();
    chat = await chatIn(editor());
    const { workbench } = editor();
    await workbench.setWidth('auxiliarybar', 520);
    await workbench.until(() => existsSync(path.join(kaizenData(editor()), 'bin/kaizen')), 'the launcher');
    await workbench.until(() => recordsIn(path.join(editor().env.KAIZEN_DATA!, 'guard')).length === 1, 'the index');
  });

  const fileOf = (name: string) => path.join(editor().workspace, name);
  const textOf = (name: string) => readFileSync(fileOf(name), 'utf8');
  const contextOf = (request: ModelRequest | undefined) => request?.results.at(-1) ?? '';
  /** Asks; the agent makes one edit and then says `said`. */
  const askForEdit = async (edit: ModelReply, said: string) => {
    model.follow((request) => (request.results.length === 0 ? edit : { say: said }));
    await chat.ask('Please add a remark.');
  };
  /** The answer that the agent gives when it is done. */
  const done = (said: string) => chat.lastAnswer.getByText(said).waitFor();

  it('begins a session with what is known, and offers the skill, once', async () => {
    model.follow(() => ({ say: 'I have read it.' }));
    await chat.ask('What do you know?');
    await done('I have read it.');
    const { prompt, system } = model.requests[0]!;
    const brief = /Additional instructions from hooks: ([\s\S]*?)<\/context>/.exec(prompt)?.[1] ?? '';
    assert.match(brief, /DANGER/);
    assert.match(brief, /get_categories/);
    assert.match(brief, /In progress: /);
    const skills = system.match(/<name>kaizen<\/name>[\s\S]*?<\/skill>/g) ?? [];
    assert.equal(skills.length, 1, 'the skill is offered once');
    assert.match(skills[0]!, /agent-plugin\/skills\/kaizen\/SKILL\.md/);
    assert.equal(system.match(/<attachment filePath="[^"]*kaizen\.instructions\.md">/g)?.length, 1);
  });

  it('does not ask before an edit of another file', async () => {
    await askForEdit(editOf(editor(), 'src/payments/money.ts', 'export interface Money {', '// Whole cents.'), 'Easy.');
    await done('Easy.');
    assert.match(textOf('src/payments/money.ts'), /^\/\/ Whole cents\.$/m);
    assert.doesNotMatch(contextOf(model.requests.at(-1)), /Kaizen/);
  });

  it('asks before an edit of a file under a DANGER rule, and a refusal leaves the file as it is', async () => {
    const { workbench } = editor();
    const before = textOf(REFUNDS);
    await askForEdit(editOf(editor(), REFUNDS, 'export async function refund(', '// Refused.'), 'Then not.');
    await chat.allow.waitFor();
    const question = workbench.page.locator('.interactive-session');
    await question.getByText(RISK).filter({ visible: true }).first().waitFor();
    assert.equal(model.requests.length, 1, 'nothing went on');
    assert.equal(textOf(REFUNDS), before);
    await workbench.rest();
    await workbench.screenshot('agent-guard');
    await chat.skip.click();
    await done('Then not.');
    assert.equal(textOf(REFUNDS), before);
  });

  it('asks again after a refusal, and lets the edit through after consent', async () => {
    await askForEdit(editOf(editor(), REFUNDS, 'export async function refund(', '// Agreed.'), 'Done with it.');
    await chat.allow.click();
    await done('Done with it.');
    assert.match(textOf(REFUNDS), /^\/\/ Agreed\.\nexport async function refund\($/m);
    assert.match(contextOf(model.requests.at(-1)), new RegExp(RISK.replaceAll('.', '\\.')), 'the agent knows the rule');
  });

  it('does not ask twice about the same rule for the same file in a session', async () => {
    await askForEdit(editOf(editor(), REFUNDS, '// Agreed.', '// Twice.'), 'Once more.');
    await done('Once more.');
    assert.match(textOf(REFUNDS), /^\/\/ Twice\.$/m);
  });

  it('lists what was asked, and opens the rule', async () => {
    const { workbench } = editor();
    await workbench.runCommand('Kaizen: Show What the Guard Decided');
    const lines = await workbench.choices();
    assert.ok(
      lines.some((line) => /Went through: refund_amounts/.test(line)),
      lines.join('\n'),
    );
    assert.equal(lines.filter((line) => /Asked: refund_amounts/.test(line)).length, 2, lines.join('\n'));
    assert.ok(
      lines.some((line) => /Session began with what is known/.test(line)),
      lines.join('\n'),
    );
    await workbench.pick('Asked: refund_amounts');
    await workbench.page.locator('.tab').filter({ hasText: 'refund_amounts' }).first().waitFor();
  });
});

describe('the guard, switched off', () => {
  const scripted = useScriptedModel();
  const editor = useEditor(() => ({
    userFiles: scripted().userFiles,
    settings: { ...settings, 'kaizen.agents.hooks': false },
  }));

  it('says nothing, asks nothing and keeps nothing', async function () {
    this.timeout(120_000);
    const model = scripted();
    const chat = await chatIn(editor());
    const edit = editOf(editor(), REFUNDS, 'export async function refund(', '// Nobody asked.');
    model.follow((request) => (request.results.length === 0 ? edit : { say: 'That was all.' }));
    await chat.ask('Please add a remark.');
    await chat.lastAnswer.getByText('That was all.').waitFor();
    assert.match(readFileSync(path.join(editor().workspace, REFUNDS), 'utf8'), /^\/\/ Nobody asked\.$/m);
    const { prompt, system } = model.requests.at(-1)!;
    assert.doesNotMatch(prompt, /from hooks|A positive refund line/);
    assert.match(system, /<name>kaizen<\/name>/, 'the skill needs no hook');
    assert.deepEqual(recordsIn(path.join(kaizenData(editor()), 'editor-stores')), []);
    assert.equal(existsSync(path.join(kaizenData(editor()), 'bin')), false);
    assert.equal(existsSync(path.join(editor().env.KAIZEN_DATA!, 'guard')), false);
  });
});
