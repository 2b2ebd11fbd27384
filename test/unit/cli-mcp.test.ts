import assert from 'node:assert/strict';
import path from 'node:path';
import { readArguments } from '../../src/cli/command';
import { mcp } from '../../src/cli/commands/mcp';
import type { Terminal } from '../../src/cli/terminal';
import { useScratch } from '../support/scratch';

const silent: Terminal = {
  isJson: false,
  out: () => {},
  raw: () => {},
  json: () => {},
  say: () => {},
  paint: (_colour, text) => text,
  readInput: async () => undefined,
  confirm: async () => undefined,
};

describe('kaizen mcp', () => {
  const scratch = useScratch();

  it('serves no folder that there is not, and makes no store for it', async () => {
    const gone = path.join(scratch.root, 'shpo');
    const stores = ['--data', path.join(scratch.root, 'data'), '--shared', path.join(scratch.root, 'shared')];
    const before = scratch.tree();
    await assert.rejects(mcp.run(readArguments(mcp, ['--workspace', gone, ...stores]), silent), {
      code: 'invalid_argument',
      message: `There is no folder ${gone}.`,
    });
    assert.deepEqual(scratch.tree(), before);
  });
});
