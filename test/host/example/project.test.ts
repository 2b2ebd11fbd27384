import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate, call, startServer, until } from '../support/kaizen';

interface Progress {
  in_progress_tasks: { name: string; domain: string | null; status: string | null }[];
  blocked_tasks: { name: string }[];
  completed_tasks: { name: string; domain: string | null }[];
}

const project_id = 'checkout-api';

describe("the project's commands, on the example", () => {
  before(async () => {
    await activate();
    await startServer();
  });

  const progress = () => call<Progress>('get_progress_status', { project_id });

  it('complete the task of a line, told apart by its domain', async () => {
    const tasks = ['web', 'app'].map((domain) => ({ name: 'sign in', domain, state: 'in_progress' }));
    await call('update_progress', { project_id, tasks });
    // Resolves with what is done with its notification, which nobody answers here.
    void vscode.commands.executeCommand('kaizen.completeTask', { kind: 'task', name: 'sign in', domain: 'app' });
    const completed = await until('the task to be completed', async () =>
      (await progress()).completed_tasks.find(({ name }) => name === 'sign in'),
    );
    assert.equal(completed.domain, 'app');
    assert.ok((await progress()).in_progress_tasks.some(({ name, domain }) => name === 'sign in' && domain === 'web'));
  });

  it('open one page for the project, however often it is asked for', async () => {
    const pages = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('kaizen.project'));
    await vscode.commands.executeCommand('kaizen.openProject');
    await vscode.commands.executeCommand('kaizen.editOverview');
    await vscode.commands.executeCommand('kaizen.openProject');
    await until('the page', () => pages().length > 0);
    assert.equal(pages().length, 1);
    await vscode.window.tabGroups.close(pages());
  });

  it('do not disturb the clock that an agent started when they look at the overview', async () => {
    await call('get_project_overview', { project_id });
    await vscode.commands.executeCommand('kaizen.openProject');
    await call('store_session_summary', { project_id, summary: 'Looked at it.', tasks_completed: [] });
    const [session] = await call<{ duration_minutes: number | null }[]>('get_session_history', {
      project_id,
      limit: 1,
    });
    assert.equal(session?.duration_minutes, 0);
    // The clock was stopped with the summary; a page that is drawn anew does not start it.
    await call('store_session_summary', { project_id, summary: 'And again.', tasks_completed: [] });
    const [next] = await call<{ duration_minutes: number | null }[]>('get_session_history', { project_id, limit: 1 });
    assert.equal(next?.duration_minutes, null);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
