import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { KaizenApi } from '../../../src/extension';

export const EXTENSION_ID = 'kaizen.kaizen-knowledge';
const SERVER = `${EXTENSION_ID}/Kaizen`;

export async function activate(): Promise<KaizenApi> {
  const extension = vscode.extensions.getExtension<KaizenApi>(EXTENSION_ID);
  assert.ok(extension, 'the extension is installed');
  return extension.activate();
}

/** Polls until `look` gives something, and gives that. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  milliseconds = 20_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + milliseconds;
  for (;;) {
    const found = await look();
    if (found) return found;
    assert.ok(Date.now() < end, `not within ${milliseconds} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Has the editor start the server, as it does when an agent first needs it. */
export async function startServer(): Promise<void> {
  await until('the tools of the server', async () => {
    // Called too early it does nothing, and says nothing.
    void vscode.commands.executeCommand('workbench.mcp.startServer', SERVER, { waitForLiveTools: true });
    const end = Date.now() + 1_000;
    while (Date.now() < end && !toolNamed('get_knowledge')) await new Promise((resolve) => setTimeout(resolve, 50));
    return toolNamed('get_knowledge');
  });
}

export function toolNamed(name: string): vscode.LanguageModelToolInformation | undefined {
  return vscode.lm.tools.find((tool) => tool.name.startsWith('mcp_') && tool.name.endsWith(`_${name}`));
}

/** Calls a tool as an agent does, through the editor; gives the JSON of its text. */
export async function call<T = unknown>(name: string, input: object): Promise<T> {
  const tool = toolNamed(name);
  assert.ok(tool, `the editor offers ${name}`);
  const result = await vscode.lm.invokeTool(tool.name, { input, toolInvocationToken: undefined });
  const [part] = result.content;
  assert.ok(part instanceof vscode.LanguageModelTextPart, 'the result is text');
  let value: unknown;
  try {
    value = JSON.parse(part.value);
  } catch {
    throw new Error(part.value);
  }
  // The editor hands on the structured content, in which protocol 2025 has lists under `result`.
  const wrapped = typeof value === 'object' && value !== null && Object.keys(value).join() === 'result';
  return (wrapped ? (value as { result: T }).result : value) as T;
}

/** The labels and descriptions below a path of labels in the tree. */
export async function childrenOf(
  tree: vscode.TreeDataProvider<unknown>,
  ...path: string[]
): Promise<vscode.TreeItem[]> {
  let nodes = (await tree.getChildren()) ?? [];
  for (const label of path) {
    const items = await Promise.all(nodes.map((node) => tree.getTreeItem(node)));
    const index = items.findIndex((item) => item.label === label);
    assert.ok(index >= 0, `"${label}" is among ${items.map((item) => item.label).join(', ')}`);
    nodes = (await tree.getChildren(nodes[index])) ?? [];
  }
  return Promise.all(nodes.map((node) => tree.getTreeItem(node)));
}
