import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type GuardedWorkspace, guardedWorkspace } from './support/guarded-workspace';

interface Recording {
  /** The program and its version. */
  client: string;
  /** In the order in which the program sent them; `/WORKSPACE` and `/HOME` stand for folders. */
  calls: { event: string; input: Record<string, unknown> }[];
}

/** What a hook said, in one word. */
// biome-ignore lint/suspicious/noExplicitAny: as the client gets it
function kindOf(output: any): string {
  const { hookSpecificOutput: said, ...rest } = output;
  assert.deepEqual(rest, {}, 'nothing but what belongs to the event');
  if (said === undefined) return '-';
  if (said.permissionDecision !== undefined) return said.permissionDecision;
  return said.hookEventName === 'SessionStart' ? 'brief' : 'tell';
}

describe('hooks, driven by what real programs sent', function () {
  this.timeout(60_000);
  let world: GuardedWorkspace;
  beforeEach(() => {
    world = guardedWorkspace();
  });
  afterEach(() => world.remove());

  function recording(name: string): Recording {
    const text = readFileSync(path.join('test/fixtures/hooks', `${name}.json`), 'utf8');
    const inJson = (folder: string) => JSON.stringify(folder).slice(1, -1);
    return JSON.parse(text.replaceAll('/WORKSPACE', inJson(world.folder)).replaceAll('/HOME', inJson(world.env.HOME!)));
  }

  async function replay({ calls }: Recording): Promise<string[]> {
    const said: string[] = [];
    for (const { event, input } of calls) {
      said.push(
        `${event} ${String(input.tool_name ?? '')}: ${kindOf(await world.hook(event, input))}`.replace(' :', ':'),
      );
    }
    return said;
  }

  it('Claude Code: the brief, a question for DANGER in an edit and a command, context for WARNING, silence for reading', async () => {
    assert.deepEqual(await replay(recording('claude-code')), [
      'session-start: brief',
      'pre-tool-use Read: -',
      'pre-tool-use Read: -',
      'pre-tool-use Read: -',
      'post-tool-use Read: -',
      'post-tool-use Read: -',
      'pre-tool-use Edit: ask',
      'pre-tool-use Edit: tell',
      'post-tool-use Edit: -',
      'pre-tool-use Write: -',
      'post-tool-use Write: -',
      'pre-tool-use Bash: ask',
      'pre-tool-use Bash: -',
      'post-tool-use Bash: -',
      'stop: -',
      'stop: -',
    ]);
  });

  it('VS Code: the same, and what the person skipped is asked again', async () => {
    const recorded = recording('vscode');
    assert.deepEqual(await replay(recorded), [
      'session-start: brief',
      'pre-tool-use read_file: -',
      'post-tool-use read_file: -',
      'pre-tool-use replace_string_in_file: tell',
      'post-tool-use replace_string_in_file: -',
      'pre-tool-use replace_string_in_file: ask',
      'post-tool-use replace_string_in_file: -',
      'stop: -',
      'stop: -',
    ]);
    const [edit, skipped] = recorded.calls.slice(5, 7);
    assert.equal(kindOf(await world.hook('pre-tool-use', edit!.input)), 'ask');
    await world.hook('post-tool-use', { ...skipped!.input, tool_response: '' });
    assert.equal(kindOf(await world.hook('pre-tool-use', edit!.input)), 'tell', 'it was confirmed');
  });

  it('quotes the rule with its reason, and logs what it said', async () => {
    const { calls } = recording('claude-code');
    const { hookSpecificOutput: brief } = await world.hook('session-start', calls[0]!.input);
    assert.match(brief.additionalContext, /There is no backup of the test data/);
    const { hookSpecificOutput: asked } = await world.hook('pre-tool-use', calls[6]!.input);
    assert.match(
      asked.permissionDecisionReason,
      /DANGER for migrations\/1\.sql: "MIGRATIONS is about migrations\/\*\*\."/,
    );
    assert.match(asked.permissionDecisionReason, /Reason: "MIGRATIONS went wrong once\."/);
    const records = JSON.parse(world.kaizen('hook', 'log', '--json')) as { outcome: string; paths: string[] }[];
    assert.deepEqual(
      records.map(({ outcome }) => outcome),
      ['ask', 'briefed'],
    );
    assert.deepEqual(records[0]!.paths, ['migrations/1.sql']);
  });

  it('reminds of the summary in the way of each, unless it is told not to', async () => {
    for (const [name, at] of [
      ['claude-code', 14],
      ['vscode', 7],
    ] as const) {
      const { calls } = recording(name);
      const edit = calls.find(
        ({ event, input }) => event === 'post-tool-use' && /^(Write|replace_string)/.test(String(input.tool_name)),
      )!;
      for (let times = 0; times < 3; times++) await world.hook('post-tool-use', edit.input);
      const stop = calls[at]!.input;
      assert.deepEqual(await world.hook('stop', { ...stop, stop_hook_active: false }, '--no-reminder'), {});
      const output = await world.hook('stop', { ...stop, stop_hook_active: false });
      assert.equal(output.decision, 'block');
      assert.match(output.reason, /store_session_summary/);
      assert.equal(output.hookSpecificOutput?.decision, name === 'vscode' ? 'block' : undefined);
      assert.deepEqual(await world.hook('stop', { ...stop, stop_hook_active: true }), {});
    }
  });
});
