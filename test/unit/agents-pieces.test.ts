import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer';
import { type AgentSurroundings, agentGuide, HOOK_NAMES, shortAgentGuide, WRITERS } from '../../src/agents';
import { isHookLine, powershellHookLine, sharedHookLine } from '../../src/agents/hook-line';
import { launcherCommand } from '../../src/agents/launcher';
import { HOOK_EVENTS } from '../../src/guard/model';

const LINUX = { platform: 'linux', env: {}, home: '/home/ada' } as const;

function surroundings(change: Partial<AgentSurroundings> = {}): AgentSurroundings {
  const platform = change.platform ?? LINUX;
  return {
    workspace: '/home/ada/checkout',
    project: 'checkout-api',
    platform,
    kaizen: launcherCommand(platform),
    ...change,
  };
}

const writer = (id: string) => {
  const found = WRITERS.find((each) => each.id === id);
  assert.ok(found, id);
  return found;
};

const INSTRUCTIONS = WRITERS.filter(({ kind }) => kind === 'instructions');
const HOOKS = WRITERS.filter(({ kind }) => kind === 'hooks');

describe('the guide for agents', () => {
  it('is short, names the project where one is known, and the tools of protocol and discovery', () => {
    const guide = agentGuide('checkout-api');
    assert.ok(encode(guide).length < 600);
    assert.ok(encode(shortAgentGuide()).length < 120);
    assert.match(guide, /scope id of this project is `checkout-api`/);
    for (const tool of [
      'get_project_overview',
      'get_session_history',
      'get_progress_status',
      'get_categories',
      'get_keywords',
      'get_knowledge',
      'store_knowledge_if_missing',
      'store_knowledge_overwrite',
      'store_session_summary',
      'discover_context',
      'retrieve_knowledge',
      'search_knowledge',
    ])
      assert.ok(guide.includes(`\`${tool}\``), tool);
  });

  it('takes nothing for a scope id that is more than a name', () => {
    for (const project of [undefined, 'a`b', 'x\n# Obey', '<!-- kaizen:end -->', 'é'])
      assert.match(agentGuide(project), /Call `list_scopes`/);
  });
});

describe('instructions for agents', () => {
  for (const piece of INSTRUCTIONS) {
    it(`${piece.title}: come, are current, and go`, () => {
      const made = piece.write(undefined, surroundings());
      assert.equal(piece.read(undefined, surroundings()), 'absent');
      assert.equal(piece.read(made, surroundings()), 'current');
      assert.equal(piece.read(made, surroundings({ project: 'another' })), 'outdated');
      assert.equal(piece.read(made, surroundings({ project: undefined })), 'current');
      const unnamed = piece.write(undefined, surroundings({ project: undefined }));
      assert.equal(piece.read(unnamed, surroundings()), 'current');
      assert.equal(piece.write(unnamed, surroundings()), unnamed);
      assert.equal(piece.read(made.replace('rename', 'renaming'), surroundings()), 'outdated');
      assert.equal(piece.remove(made, surroundings()), undefined);
      assert.ok(made.includes(agentGuide('checkout-api')));
    });

    it(`${piece.title}: what a person wrote stays byte for byte`, () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom('', '\n', '\r\n'), (start, end) => {
          const text = `${start}${end}`;
          fc.pre(piece.read(text, surroundings()) === 'absent');
          const written = piece.write(text, surroundings());
          assert.equal(piece.remove(written, surroundings()), text);
          assert.equal(piece.write(written, surroundings()), written);
        }),
      );
    });
  }

  it('go into a rule that Cursor always applies', () => {
    assert.match(
      writer('instructions:.cursor/rules/kaizen.mdc').write(undefined, surroundings()),
      /^---\ndescription: .+\nalwaysApply: true\n---\n\n<!-- kaizen:begin -->\n/,
    );
  });

  it('are not said twice to Claude Code, which puts AGENTS.md in where CLAUDE.md names it', () => {
    const note = (text: string | undefined) => writer('instructions:CLAUDE.md').notes?.(text, surroundings())[0];
    for (const text of ['@AGENTS.md', 'See @AGENTS.md.\n', '# Mine\n\n@./AGENTS.md\n'])
      assert.equal(note(text)?.isCovered, true, text);
    for (const text of [
      undefined,
      '',
      'AGENTS.md',
      '`@AGENTS.md`',
      '```\n@AGENTS.md\n```\n',
      'ada@AGENTS.md',
      '@docs/AGENTS.md',
      '@AGENTS.md.bak',
    ])
      assert.equal(note(text), undefined, text);
  });
});

describe('flags of hooks', () => {
  const flags = ['--data', '/home/ada/her data', '--shared', '/srv/shared', '--project', 'h1'];
  const given = surroundings({ kaizen: { ...launcherCommand(LINUX), flags } });

  for (const piece of HOOKS) {
    it(`${piece.id}: stay when it is brought up to date, and are named`, () => {
      const made = piece.write(undefined, given);
      assert.equal(piece.read(made, given), 'current');
      assert.deepEqual(piece.ownSettings!(made, given), []);
      assert.equal(piece.read(made, surroundings()), 'current');
      assert.deepEqual(piece.ownSettings!(made, surroundings()), ['--data', '--shared', '--project']);
      assert.equal(piece.write(made, surroundings()), made);
      // One is wanted in another way; one call was written by another version.
      const another = surroundings({ kaizen: { ...given.kaizen, flags: ['--project', 'h2'] } });
      assert.equal(piece.read(made, another), 'outdated');
      const moved = piece.write(made, another);
      assert.equal(moved, made.replaceAll('h1', 'h2'));
      const old = made.replace(/"timeout(?:Sec)?": 15/, (text) => text.replace('15', '99'));
      assert.notEqual(old, made);
      assert.equal(piece.write(old, surroundings()), made);
    });
  }

  it('are kept as a person wrote them, and an event that is new gets those of the others', () => {
    const piece = writer('hooks:claude-code');
    const own = 'old/kaizen hook stop --no-reminder --data "$HOME/x y" --project=p --budget 5 && touch me';
    const text = JSON.stringify({ hooks: { Stop: [group(own)] } });
    const { hooks } = JSON.parse(piece.write(text, surroundings()));
    const line = (name: string) => hooks[name][0].hooks[0].command as string;
    assert.ok(line('Stop').endsWith('kaizen hook stop --no-reminder --data "$HOME/x y" --project p --budget 5'));
    assert.ok(line('PreToolUse').endsWith('--no-reminder --data "$HOME/x y" --project p --budget 5'));
  });

  it('hold nothing that a shell runs', () => {
    const piece = writer('hooks:claude-code');
    for (const bad of [
      '$(touch x)',
      '`touch x`',
      '"$(touch x)"',
      '"`touch x`"',
      '; touch x',
      '| touch x',
      '> x',
      '\n touch x',
    ]) {
      const text = JSON.stringify({ hooks: { Stop: [group(`kaizen hook stop --data ${bad}`)] } });
      assert.doesNotMatch(piece.write(text, surroundings()), /\$\(|`|; touch|\| touch|> x|\\n touch/, bad);
    }
  });
});

describe('hooks of other clients', () => {
  it('have the names of the events that kaizen hook has', () => assert.deepEqual(HOOK_NAMES, HOOK_EVENTS));

  for (const piece of HOOKS) {
    it(`${piece.id}: come, are current, and go`, () => {
      const around = surroundings();
      const made = piece.write(undefined, around);
      assert.equal(piece.read(undefined, around), 'absent');
      assert.equal(piece.read(made, around), 'current');
      assert.equal(piece.write(made, around), made);
      assert.equal(piece.remove(made, around), undefined);
      for (const name of HOOK_NAMES) assert.ok(made.includes(`hook ${name}`), name);
    });

    it(`${piece.id}: everything else stays byte for byte, in its order`, () => {
      fc.assert(
        fc.property(settings, (text) => {
          const around = surroundings();
          assert.equal(piece.read(text, around), 'absent');
          const written = piece.write(text, around);
          assert.equal(piece.read(written, around), 'current', written);
          assert.equal(piece.write(written, around), written);
          assert.equal(piece.remove(written, around), text);
        }),
        { numRuns: 60 },
      );
    });
  }

  it("are Claude Code's: before and after the tools that write, with a time limit", () => {
    const made = JSON.parse(writer('hooks:claude-code').write(undefined, surroundings()));
    const launcher = '/home/ada/.local/share/kaizen/bin/kaizen';
    assert.deepEqual(made, {
      hooks: {
        SessionStart: [group(`${launcher} hook session-start`)],
        PreToolUse: [{ matcher: TOOLS, ...group(`${launcher} hook pre-tool-use`) }],
        PostToolUse: [{ matcher: TOOLS, ...group(`${launcher} hook post-tool-use`) }],
        PreCompact: [group(`${launcher} hook pre-compact`)],
        Stop: [group(`${launcher} hook stop`)],
      },
    });
    for (const tool of ['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Bash', 'mcp__files__write'])
      assert.match(tool, new RegExp(`^(?:${TOOLS})$`));
    for (const tool of ['Read', 'Grep', 'Glob', 'WebFetch']) assert.doesNotMatch(tool, new RegExp(`^(?:${TOOLS})$`));
  });

  it("are Copilot CLI's: a line for each shell, named in camelCase", () => {
    const { version, hooks } = JSON.parse(writer('hooks:copilot-cli').write(undefined, surroundings()));
    assert.equal(version, 1);
    assert.deepEqual(Object.keys(hooks), ['sessionStart', 'preToolUse', 'postToolUse', 'preCompact', 'agentStop']);
    assert.deepEqual(hooks.agentStop, [
      {
        type: 'command',
        bash: '/home/ada/.local/share/kaizen/bin/kaizen hook stop',
        powershell: "$input | & '/home/ada/.local/share/kaizen/bin/kaizen' hook stop",
        timeoutSec: 15,
      },
    ]);
  });

  it("are Cursor's: a question for commands in their own event, for files before the tool", () => {
    const { version, hooks } = JSON.parse(writer('hooks:cursor').write(undefined, surroundings()));
    assert.equal(version, 1);
    const called = Object.entries<{ command: string; matcher?: string }[]>(hooks).map(([name, [item]]) => [
      name,
      / hook ([a-z-]+);/.exec(item!.command)?.[1],
    ]);
    assert.deepEqual(called, [
      ['sessionStart', 'session-start'],
      ['preToolUse', 'pre-tool-use'],
      ['beforeShellExecution', 'pre-tool-use'],
      ['beforeMCPExecution', 'pre-tool-use'],
      ['postToolUse', 'post-tool-use'],
      ['preCompact', 'pre-compact'],
      ['stop', 'stop'],
    ]);
    assert.match('Write', new RegExp(hooks.preToolUse[0].matcher));
    assert.doesNotMatch('Shell', new RegExp(hooks.preToolUse[0].matcher));
  });

  it('are brought up to date where they stand, also in a group with a hook of somebody else', () => {
    const around = surroundings();
    const piece = writer('hooks:claude-code');
    const old = JSON.stringify({
      hooks: {
        Stop: [
          {
            hooks: [
              { type: 'command', command: 'node /opt/kaizen/dist/cli.js hook stop' },
              { type: 'command', command: 'mine' },
            ],
          },
          {
            hooks: [
              { type: 'command', command: 'kaizen hook stop' },
              { type: 'command', command: 'kaizen hook stop' },
            ],
          },
        ],
        Notification: [{ hooks: [{ type: 'command', command: 'kaizen hook stop' }] }],
        PreToolUse: [{ matcher: 'Edit', hooks: [{ type: 'command', command: 'kaizen hook pre-tool-use' }] }],
      },
    });
    assert.equal(piece.read(old, around), 'outdated');
    const written = piece.write(old, around);
    assert.equal(piece.read(written, around), 'current');
    const { hooks } = JSON.parse(written);
    assert.deepEqual(hooks.Stop[0], { hooks: [{ type: 'command', command: 'mine' }] });
    assert.equal(hooks.Stop.length, 2);
    assert.equal(hooks.PreToolUse[0].matcher, TOOLS);
    assert.equal(hooks.Notification, undefined);
    assert.deepEqual(JSON.parse(piece.remove(written, around)!), { hooks: { Stop: [hooks.Stop[0]] } });
  });

  it('are known by what they start, wherever it is installed, and nobody else is taken for them', () => {
    const around = surroundings({ kaizen: { command: '/usr/bin/node', args: ['/srv/dist/cli.js'], flags: [] } });
    for (const line of [
      'kaizen hook stop',
      "'/home/a b/Kaizen/bin/kaizen' hook session-start --data x",
      '/usr/bin/node /srv/dist/cli.js hook stop',
    ])
      assert.ok(isHookLine(line, around), line);
    for (const line of [
      'husky hook stop',
      'kaizen mcp',
      'kaizen hook stopping',
      'kaizen webhook stop',
      '/opt/tool hook pre-tool-use',
      '/usr/bin/node /opt/tool.js hook stop',
    ])
      assert.ok(!isHookLine(line, around), line);
  });

  it('say that npx is slow for something that is called that often', () => {
    const kaizen = { command: 'npx', args: ['-y', 'kaizen-knowledge'], flags: [] };
    const notes = (id: string) => writer(id).notes!(undefined, surroundings({ kaizen }));
    assert.deepEqual(
      notes('hooks:claude-code').map(({ sentence, isCovered }) => [/npx/.test(`${sentence}`), isCovered]),
      [[true, false]],
    );
    assert.ok(notes('hooks:claude-code-shared').some(({ isCovered }) => isCovered));
    assert.deepEqual(writer('hooks:claude-code').notes!(undefined, surroundings()), []);
    const made = JSON.parse(writer('hooks:cursor').write(undefined, surroundings({ kaizen })));
    assert.equal(made.hooks.stop[0].command, 'npx -y kaizen-knowledge hook stop');
  });

  it('of a project that holds the package: its script for one person, its name alone for a team', () => {
    const script = '/home/ada/checkout/node_modules/kaizen-knowledge/dist/cli.js';
    const kaizen = { command: '/opt/node', args: [script], flags: ['--project', 'shop'], ofProject: true };
    const around = surroundings({ kaizen });
    const stop = (id: string) => JSON.parse(writer(id).write(undefined, around)).hooks;
    assert.equal(stop('hooks:claude-code').Stop[0].hooks[0].command, `/opt/node ${script} hook stop --project shop`);
    assert.equal(stop('hooks:cursor').stop[0].command, 'npx --no kaizen-knowledge hook stop --project shop');
    const notes = (id: string) => writer(id).notes!(undefined, around).map(({ sentence }) => `${sentence}`);
    assert.ok(notes('hooks:cursor').some((note) => /npx/.test(note)));
    assert.deepEqual(notes('hooks:claude-code'), []);
  });

  it('in a file of a team say where this machine would not find what they look for', () => {
    const command = '/home/ada/.npm-global/bin/kaizen';
    const around = surroundings({ kaizen: { command, args: [], flags: [] } });
    const [warning, ...others] = writer('hooks:cursor').notes!(undefined, around);
    assert.match(`${warning?.sentence}`, /until \/home\/ada\/\.npm-global\/bin is on it/);
    assert.deepEqual([warning?.isWarning, others], [true, []]);
    assert.deepEqual(writer('hooks:claude-code').notes!(undefined, around), []);
    const folder = mkdtempSync(path.join(tmpdir(), 'kaizen-path-'));
    try {
      writeFileSync(path.join(folder, 'kaizen'), '');
      const found = surroundings({ ...around, platform: { ...LINUX, env: { PATH: folder } } });
      assert.deepEqual(writer('hooks:cursor').notes!(undefined, found), []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refuse what is not what the client takes', () => {
    const piece = writer('hooks:claude-code');
    const problem = (text: string) => {
      const reading = piece.read(text, surroundings());
      return typeof reading === 'string' ? reading : String(reading.unreadable);
    };
    assert.match(problem('{"hooks": [] }'), /"hooks" in it is not an object/);
    assert.match(problem('{"hooks": {"Stop": {}}}'), /"Stop", which is no list/);
    assert.match(problem('{"hooks": {'), /not JSON/);
    assert.equal(problem('{"hooks": {"Stop": [1, null, {"hooks": 3}]}}'), 'absent');
  });

  it('on Windows call the script for a POSIX shell that lies beside the one for cmd', () => {
    const platform = {
      platform: 'win32',
      env: { LOCALAPPDATA: 'C:\\Users\\Ada L\\AppData\\Local' },
      home: 'C:\\Users\\Ada L',
    } as const;
    const kaizen = {
      command: 'C:\\Users\\Ada L\\AppData\\Local\\Kaizen\\bin\\kaizen.cmd',
      args: [],
      flags: ['--data', "D:\\it's"],
    };
    const around = surroundings({ platform, kaizen });
    const made = JSON.parse(writer('hooks:claude-code').write(undefined, around));
    assert.equal(
      made.hooks.Stop[0].hooks[0].command,
      `'C:/Users/Ada L/AppData/Local/Kaizen/bin/kaizen' hook stop --data 'D:\\it'\\''s'`,
    );
    assert.equal(powershellHookLine('stop', around), `$input | & '${kaizen.command}' hook stop --data 'D:\\it''s'`);
    // PowerShell takes typographic quotation marks for the plain one.
    const typographic = { ...around, kaizen: { ...kaizen, flags: ['--data', 'D:\\it\u2019; calc'] } };
    assert.match(powershellHookLine('stop', typographic), /'D:\\it\u2019\u2019; calc'$/);
  });

  describe('in a file that a team shares', () => {
    let folder = '';
    before(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'kaizen-hooks-'));
      mkdirSync(path.join(folder, 'data/kaizen/bin'), { recursive: true });
      mkdirSync(path.join(folder, 'bin'));
      for (const file of ['data/kaizen/bin/kaizen', 'bin/kaizen']) {
        writeFileSync(path.join(folder, file), `#!/bin/sh\necho "${file} $*: $(cat)"\n`);
        chmodSync(path.join(folder, file), 0o755);
      }
    });
    after(() => rmSync(folder, { recursive: true }));

    function run(env: Record<string, string>): string {
      const line = sharedHookLine('pre-tool-use', surroundings());
      return execFileSync('/bin/sh', ['-c', line], { input: 'the call', encoding: 'utf8', env });
    }

    it('find the launcher, else the command on the PATH, and do nothing where there is neither', function () {
      if (process.platform === 'win32') this.skip();
      const env = { HOME: path.join(folder, 'nobody'), PATH: '/usr/bin:/bin' };
      assert.equal(run(env), '');
      assert.equal(
        run({ ...env, PATH: `${path.join(folder, 'bin')}:${env.PATH}` }),
        'bin/kaizen hook pre-tool-use: the call\n',
      );
      assert.equal(
        run({ ...env, XDG_DATA_HOME: path.join(folder, 'data') }),
        'data/kaizen/bin/kaizen hook pre-tool-use: the call\n',
      );
    });

    it('hold no path of this machine', () => {
      for (const id of ['hooks:claude-code-shared', 'hooks:cursor'])
        assert.ok(!writer(id).write(undefined, surroundings()).includes('/home/ada'), id);
    });
  });
});

const TOOLS = 'Edit|Write|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*';

function group(command: string) {
  return { hooks: [{ type: 'command', command, timeout: 15 }] };
}

/** Settings as people have them: other hooks, remarks, whatever line ends and indentation. */
const settings = fc
  .record({
    before: fc.constantFrom('', '"model": "opus", // mine', '"permissions": {"allow": []},'),
    hooks: fc.option(
      fc.dictionary(
        fc.constantFrom('Stop', 'PreToolUse', 'stop', 'agentStop', 'Other'),
        fc.constantFrom(
          '[]',
          '[ ]',
          '[{"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]}]',
          '[\n    {"command": "hers"}, // hers\n  ]',
          '[{"hooks": []}, 7]',
        ),
      ),
    ),
    after: fc.constantFrom('"last": null', '"last": [1, 2] /* end */', ''),
    trailing: fc.boolean(),
    eol: fc.constantFrom('\n', '\r\n'),
    indent: fc.constantFrom('', '  ', '\t'),
    end: fc.constantFrom('', '\n', '\n\n// the end\n'),
  })
  .map(({ before, hooks, after, trailing, eol, indent, end }) => {
    const events = Object.entries(hooks ?? {}).map(([name, list]) => `${indent}${indent}"${name}": ${list}`);
    const members = [
      ...(hooks ? [`${indent}"hooks": {${events.length > 0 ? `\n${events.join(',\n')}\n${indent}` : ''}}`] : []),
      ...(after ? [`${indent}${after}`] : []),
    ];
    const body = members.join(',\n');
    const comma = trailing && body !== '' ? ',' : '';
    const lead = body === '' ? before.replace(/,(?=[^,]*$)/, '') : before;
    return `{\n${lead ? `${indent}${lead}\n` : ''}${body}${comma}\n}${end}`.replaceAll('\n', eol);
  });
