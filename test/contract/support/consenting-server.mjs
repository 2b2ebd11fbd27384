// An MCP server on stdio with one tool, which Claude Code asks in place of a person (--permission-prompt-tool). It
// consents to everything, and writes down what it was asked, a line each, to the file that it is started with.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , log = ''] = process.argv;

/** @param {unknown} id @param {unknown} result */
const answer = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const serverInfo = { name: 'consenting', version: '1.0.0' };
    answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
  } else if (method === 'tools/list') {
    answer(id, { tools: [{ name: 'consent', description: 'Consents.', inputSchema: { type: 'object' } }] });
  } else if (method === 'tools/call') {
    const { tool_name, input } = params.arguments;
    appendFileSync(log, `${tool_name}\n`);
    answer(id, { content: [{ type: 'text', text: JSON.stringify({ behavior: 'allow', updatedInput: input }) }] });
  } else if (id !== undefined) {
    answer(id, {});
  }
}
