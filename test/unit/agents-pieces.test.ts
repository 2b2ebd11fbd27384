import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer';
import { type AgentSurroundings, agentGuide, HOOK_NAMES, shortAgentGuide, WRITERS } from '../../src/agents';
import { HOOK_FLAGS, readHookFlags } from '../../src/agents/hook-flags';
import { isHookLine, powershellHookLine } from '../../src/agents/hook-line';
import { launcherCommand } from '../../src/agents/launcher';
import { readArguments } from '../../src/cli/command';
import { budgetOf, HOOK_OPTIONS } from '../../src/cli/hook/options';
import { HOOK_EVENTS } from '../../src/guard/model';
import { checkScopeId } from '../../src/knowledge';

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
  const pairs = [
    ['--data', '/home/ada/her data'],
    ['--shared', '/srv/shared'],
    ['--project', 'h1'],
  ];

  it('are known as `kaizen hook` knows them, with the values that it takes', () => {
    assert.deepEqual(
      [...HOOK_FLAGS].sort(),
      Object.keys(HOOK_OPTIONS)
        .map((name) => `--${name}`)
        .sort(),
    );
    const takes = (work: () => unknown) => {
      try {
        work();
        return true;
      } catch {
        return false;
      }
    };
    for (const value of ['99', '100', '20000', '20001', '1e3', '-100', '']) {
      const words = [`--budget=${value}`];
      const isTaken = takes(() => budgetOf(readArguments({ options: HOOK_OPTIONS }, words)));
      assert.equal(readHookFlags(words) !== undefined, isTaken, value);
    }
    for (const id of ['h1', 'a.b_c-D', '..', 'a b', '', 'x'.repeat(101)])
      assert.equal(
        readHookFlags([`--project=${id}`]) !== undefined,
        takes(() => checkScopeId(id)),
        id,
      );
  });

  for (const piece of HOOKS) {
    it(`${piece.id}: are those that were given, and no others`, () => {
      const made = piece.write(undefined, given);
      assert.equal(piece.read(made, given), 'current');
      assert.equal(piece.otherFlags!(made, given), undefined);
      // Set up for other stores it is well, and stays so until it is asked for by name.
      assert.equal(piece.read(made, surroundings()), 'current');
      assert.deepEqual(piece.otherFlags!(made, surroundings()), pairs);
      const another = surroundings({ kaizen: { ...given.kaizen, flags: ['--project', 'h2'] } });
      assert.equal(piece.read(made, another), 'current');
      assert.deepEqual(piece.otherFlags!(made, another), pairs);
      const plain = piece.write(undefined, surroundings());
      assert.deepEqual(piece.otherFlags!(plain, given), []);
      assert.equal(piece.write(made, surroundings()), plain);
      assert.equal(piece.write(plain, given), made);
    });

    it(`${piece.id}: make it out of date where an event has others, or none`, () => {
      const made = piece.write(undefined, given);
      const one = made.replace('--project h1', '--project h2');
      assert.notEqual(one, made);
      assert.equal(piece.read(one, given), 'outdated');
      // Whoever meant them is asked first: what stands there is told, and written over only by name.
      assert.deepEqual(
        piece.otherFlags!(one, given)
          ?.filter(([name]) => name === '--project')
          .sort(),
        [
          ['--project', 'h1'],
          ['--project', 'h2'],
        ],
      );
      const none = made.replace(/ --data .*? --project h1/, '');
      assert.notEqual(none, made);
      assert.equal(piece.read(none, surroundings()), 'outdated');
      assert.deepEqual(piece.otherFlags!(none, surroundings()), pairs);
      assert.equal(piece.otherFlags!(none, given), undefined, 'what is missing is put in');
      assert.equal(piece.write(none, given), made);
    });

    it(`${piece.id}: have a budget and no reminder where these are of use`, () => {
      const made = piece.write(undefined, given);
      const own = made.replace(/hook session-start/g, '$& --budget 3000').replace(/hook stop/g, '$& --no-reminder');
      assert.equal(piece.read(own, given), 'current');
      assert.deepEqual(piece.otherFlags!(own, given), [['--budget', '3000'], ...pairs, ['--no-reminder']]);
      assert.equal(piece.write(own, given), made);
    });

    it(`${piece.id}: are told where another program starts them`, () => {
      const made = piece.write(undefined, given);
      const other = made.includes('for k in') ? made.replaceAll('exec ', 'exec  ') : made.replaceAll('/bin/', '/old/');
      assert.equal(piece.read(other, given), 'outdated');
      assert.equal(piece.otherFlags!(other, given), undefined);
      assert.deepEqual(piece.otherFlags!(other, surroundings()), pairs);
      assert.equal(piece.write(other, surroundings()), piece.write(undefined, surroundings()));
    });
  }

  it('of one line are neither kept nor copied to others', () => {
    const piece = writer('hooks:claude-code');
    for (const line of [
      ': kaizen hook stop --data ./.evil --shared ./.evil --project x',
      'old/kaizen hook stop --no-reminder --data "$HOME/x y" --project=p && touch me',
      'kaizen hook stop --project h1 --data=$(pwd)/x --shared /s',
      'kaizen hook stop --data= --shared /s',
    ]) {
      const text = JSON.stringify({ hooks: { Stop: [group(line)] } });
      assert.equal(piece.read(text, surroundings()), 'outdated');
      assert.deepEqual(
        JSON.parse(piece.write(text, surroundings())),
        JSON.parse(piece.write(undefined, surroundings())),
      );
    }
  });

  /** What is told of them: a person may have meant it, whatever a shell makes of the line. */
  const named: Readonly<Record<string, string[][]>> = {
    '--data a --data b': [
      ['--data', 'a'],
      ['--data', 'b'],
    ],
    '--data $(touch x)': [['--data', '$']],
    '--data `touch x`': [['--data', '`touch']],
    '--data "$HOME"': [['--data', '$HOME']],
    '--data "/srv"': [['--data', '/srv']],
    '--data $HOME': [['--data', '$HOME']],
    '--data /srv; touch x': [['--data', '/srv']],
    '--data /srv | touch x': [['--data', '/srv']],
    '--data /srv\n touch x': [['--data', '/srv']],
    ' --data /srv': [['--data', '/srv']],
    '--data /srv ': [['--data', '/srv']],
    '# --data /srv': [['--data', '/srv']],
    '--bogus --data /srv': [['--data', '/srv']],
  };
  for (const bad of [
    ...Object.keys(named),
    '--bogus',
    '--help',
    '--budget 99999999',
    '--no-reminder=x',
    '--data',
    '--data=',
    "--data ''",
    '--data -x',
    "--project 'a b'",
    "--data 'a\u202Eb'",
    '>x',
    '--data "/srv',
  ]) {
    it(`that are none make it out of date: ${JSON.stringify(bad)}`, () => {
      for (const piece of HOOKS) {
        const plain = piece.write(undefined, surroundings());
        const said = JSON.stringify(bad).slice(1, -1);
        const with_ = plain.replace(/hook (session-start|pre-tool-use|post-tool-use|pre-compact|stop)/g, `$& ${said}`);
        assert.equal(piece.read(with_, surroundings()), 'outdated', piece.id);
        assert.deepEqual(piece.otherFlags!(with_, surroundings()), named[bad]);
        assert.equal(piece.write(with_, surroundings()), plain);
      }
    });
  }

  it('are the same for both shells of one client', () => {
    const piece = writer('hooks:copilot-cli');
    const made = piece.write(undefined, given);
    const { hooks, ...rest } = JSON.parse(made);
    for (const name of Object.keys(hooks))
      hooks[name][0].powershell = hooks[name][0].powershell.replace(/(hook [\w-]+) .*/, '$1');
    const half = JSON.stringify({ ...rest, hooks });
    assert.equal(piece.read(half, given), 'outdated');
    assert.deepEqual(JSON.parse(piece.write(half, given)), JSON.parse(made));
    // There typographic marks end a word as the plain one does.
    const ended = made.replaceAll(/'\/srv\/shared'/g, '\u2018/srv\u2019; calc; \u2018y\u2019');
    assert.notEqual(ended, made);
    assert.equal(piece.read(ended, given), 'outdated');
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
      const made = writer('hooks:cursor').write(undefined, surroundings());
      const line: string = JSON.parse(made).hooks.preToolUse[0].command;
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
