import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
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
  ...labels: string[]
): Promise<vscode.TreeItem[]> {
  const nodes = await nodesBelow(tree, ...labels);
  return Promise.all(nodes.map((node) => tree.getTreeItem(node)));
}

/** What the tree hands to the editor below a path of labels. */
export async function nodesBelow(tree: vscode.TreeDataProvider<unknown>, ...labels: string[]): Promise<unknown[]> {
  let nodes = (await tree.getChildren()) ?? [];
  for (const label of labels) {
    const items = await Promise.all(nodes.map((node) => tree.getTreeItem(node)));
    const index = items.findIndex((item) => labelOf(item) === label);
    assert.ok(index >= 0, `"${label}" is among ${items.map(labelOf).join(', ')}`);
    nodes = (await tree.getChildren(nodes[index])) ?? [];
  }
  return nodes;
}

/** A label's text, whether something in it is marked or not. */
export function labelOf({ label }: vscode.TreeItem): string | undefined {
  return typeof label === 'string' ? label : label?.label;
}

/** Runs Kaizen's command line in a process of its own, on the stores of this window. */
export async function runCli(...args: string[]): Promise<void> {
  const extension = vscode.extensions.getExtension(EXTENSION_ID);
  const cli = path.join(extension?.extensionPath ?? '', 'dist/cli.js');
  // The extension host's own Node runs it, whichever editor this is.
  await promisify(execFile)(process.execPath, [cli, ...args], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
}
