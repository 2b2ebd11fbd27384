import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readArguments } from '../../src/cli/command';
import { setup } from '../../src/cli/commands/setup';
import type { Terminal } from '../../src/cli/terminal';

const VARIABLES = ['HOME', 'USERPROFILE', 'XDG_DATA_HOME', 'LOCALAPPDATA', 'COPILOT_HOME', 'APPDATA'];

/** A person at a keyboard who answers as they are told to. */
function person(answer: boolean | undefined) {
  const said = { out: '', error: '', questions: [] as string[] };
  const terminal: Terminal = {
    isJson: false,
    out(text) {
      said.out += `${text}\n`;
    },
    raw(text) {
      said.out += text;
    },
    json: () => assert.fail(),
    say(text) {
      said.error += `${text}\n`;
    },
    paint: (_colour, text) => text,
    readInput: async () => undefined,
    confirm: async (question) => {
      said.questions.push(question);
      return answer;
    },
  };
  return { said, terminal };
}

describe('kaizen setup, asked', () => {
  let root = '';
  const former = new Map<string, string | undefined>();

  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'kaizen-setup-')));
    for (const name of VARIABLES) {
      former.set(name, process.env[name]);
      process.env[name] = path.join(root, 'home');
    }
    delete process.env.COPILOT_HOME;
    mkdirSync(path.join(root, 'home'));
    mkdirSync(path.join(root, 'work', '.claude'), { recursive: true });
    writeFileSync(path.join(root, 'work', 'AGENTS.md'), 'Mine.\n');
  });
  afterEach(() => {
    for (const [name, value] of former) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(root, { recursive: true, force: true });
  });

  const tree = () =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const file = path.join(root, name);
        return [name, statSync(file).isFile() ? readFileSync(file, 'utf8') : ''];
      });

  const run = (words: string[], terminal: Terminal) =>
    setup.run(readArguments(setup, [...words, '--workspace', path.join(root, 'work')]), terminal);

  it('shows every change before it asks, and writes nothing on a no', async () => {
    const before = tree();
    const { said, terminal } = person(false);
    assert.equal(await run(['--install', 'all-detected'], terminal), 1);
    assert.equal(said.questions.length, 1);
    assert.match(said.out, /^--- AGENTS\.md\n\+\+\+ AGENTS\.md\n/);
    assert.match(said.out, /\n\+<!-- kaizen:begin -->\n/);
    assert.match(said.out, /\n--- \/dev\/null\n\+\+\+ \.claude[\\/]settings\.local\.json\n/);
    assert.match(said.out, /\nNothing was written\.\n$/);
    assert.deepEqual(tree(), before);
  });

  it('writes nothing where nobody can be asked', async () => {
    const before = tree();
    await assert.rejects(run(['--install', 'all-detected'], person(undefined).terminal), {
      code: 'confirmation_required',
    });
    assert.deepEqual(tree(), before);
  });

  it('writes on a yes what it showed, and has nothing to do the second time', async () => {
    const { said, terminal } = person(true);
    assert.equal(await run(['--install', 'all-detected'], terminal), 0);
    assert.match(said.out, /\nWritten: AGENTS\.md, /);
    const again = person(true);
    assert.equal(await run(['--install', 'all-detected'], again.terminal), 0);
    assert.deepEqual(again.said.questions, []);
    assert.equal(again.said.out, 'Everything is as it should be. Nothing was written.\n');
  });

  it('says which files it deleted, since nothing was left in them', async () => {
    await run(['--install', 'hooks:claude-code,instructions:AGENTS.md'], person(true).terminal);
    const { said, terminal } = person(true);
    assert.equal(await run(['--remove', 'hooks:claude-code,instructions:AGENTS.md'], terminal), 0);
    assert.match(said.out, /\nWritten: AGENTS\.md\.\nDeleted: \.claude[\\/]settings\.local\.json\.\n$/);
  });

  it('does not call well what it could not change', async () => {
    writeFileSync(path.join(root, 'work', '.mcp.json'), '{ "mcpServers": { broken');
    const before = tree();
    const { said, terminal } = person(true);
    assert.equal(await run(['--install', 'server:claude-code'], terminal), 1);
    assert.match(said.error, /^\.mcp\.json cannot be changed\. It is not JSON/);
    assert.equal(said.out, 'Nothing was written.\n');
    assert.deepEqual(tree(), before);
  });

  it('does not ask when it only shows', async () => {
    const before = tree();
    for (const words of [[], ['--list'], ['--install', 'all-detected', '--dry-run'], ['--show', 'cursor']]) {
      const { said, terminal } = person(true);
      assert.equal(await run(words, terminal), 0);
      assert.deepEqual(said.questions, []);
      assert.notEqual(said.out, '');
    }
    assert.deepEqual(tree(), before);
  });
});
