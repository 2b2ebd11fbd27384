import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { SERVER_WRITERS, serverSnippet } from '../../src/agents/clients';
import { variable } from '../../src/agents/clients/command-line';
import type { AgentSurroundings } from '../../src/agents/model';
import type { PieceWriter } from '../../src/agents/piece';

const linux: AgentSurroundings = {
  workspace: '/home/ada/shop',
  project: 'shop',
  platform: { platform: 'linux', env: {}, home: '/home/ada' },
  kaizen: { command: '/home/ada/.local/share/kaizen/bin/kaizen', args: [], flags: [] },
};
const windows: AgentSurroundings = {
  workspace: 'C:\\Users\\Ada L\\shop',
  project: 'shop',
  platform: {
    platform: 'win32',
    env: { APPDATA: 'C:\\Users\\Ada L\\AppData\\Roaming' },
    home: 'C:\\Users\\Ada L',
  },
  kaizen: { command: 'C:\\Users\\Ada L\\AppData\\Local\\Kaizen\\bin\\kaizen.cmd', args: [], flags: [] },
};
const npx: AgentSurroundings = { ...linux, kaizen: { command: 'npx', args: ['-y', 'kaizen-knowledge'], flags: [] } };

function writerOf(client: string): PieceWriter {
  const writer = SERVER_WRITERS.find((each) => each.client === client);
  assert.ok(writer);
  return writer;
}

/** The client and the key of its servers, of those that take JSON. */
const JSON_CLIENTS = [
  ['claude-code', 'mcpServers'],
  ['claude-desktop', 'mcpServers'],
  ['cursor', 'mcpServers'],
  ['vscode', 'servers'],
  ['copilot-cli', 'mcpServers'],
] as const;

interface Entry {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

const entryIn = (text: string, key: string) => (parse(text) as Record<string, Record<string, Entry>>)[key]?.kaizen;

describe("clients' configurations", () => {
  it('are where each client looks for them', () => {
    const files = SERVER_WRITERS.map((writer) => [writer.client, writer.place(linux)?.file]);
    assert.deepEqual(Object.fromEntries(files), {
      'claude-code': '/home/ada/shop/.mcp.json',
      'claude-desktop': '/home/ada/.config/Claude/claude_desktop_config.json',
      cursor: '/home/ada/shop/.cursor/mcp.json',
      vscode: '/home/ada/shop/.vscode/mcp.json',
      continue: '/home/ada/shop/.continue/mcpServers/kaizen.yaml',
      'copilot-cli': '/home/ada/.copilot/mcp-config.json',
    });
    const desktop = writerOf('claude-desktop');
    const mac = { ...linux, platform: { platform: 'darwin' as const, env: {}, home: '/Users/ada' } };
    assert.equal(desktop.place(mac)?.file, '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json');
    assert.ok(desktop.place(windows)?.file.startsWith('C:\\Users\\Ada L\\AppData\\Roaming'));
    const moved = {
      ...linux,
      platform: { ...linux.platform, env: { COPILOT_HOME: '/etc/copilot', XDG_CONFIG_HOME: '/cfg' } },
    };
    assert.equal(writerOf('copilot-cli').place(moved)?.file, '/etc/copilot/mcp-config.json');
    assert.equal(desktop.place(moved)?.file, '/cfg/Claude/claude_desktop_config.json');
  });

  it('name the launcher by what the client puts in for the home, and the folder where the client does not start there', () => {
    const launcher = '/.local/share/kaizen/bin/kaizen';
    const commands = JSON_CLIENTS.map(([client, key]) => [
      client,
      entryIn(writerOf(client).write(undefined, linux), key),
    ]);
    assert.deepEqual(Object.fromEntries(commands), {
      'claude-code': { command: variable('HOME') + launcher, args: ['mcp'] },
      'claude-desktop': { command: `/home/ada${launcher}`, args: ['mcp', '--workspace', '/home/ada/shop'] },
      cursor: { command: variable('userHome') + launcher, args: ['mcp', '--workspace', variable('workspaceFolder')] },
      vscode: {
        type: 'stdio',
        command: variable('userHome') + launcher,
        args: ['mcp', '--workspace', variable('workspaceFolder')],
      },
      'copilot-cli': { type: 'local', command: `/home/ada${launcher}`, args: ['mcp'], tools: ['*'] },
    });
  });

  it('leave out what is no home of the person: a folder whose name only begins alike', () => {
    const other = { ...linux, kaizen: { command: '/home/adam/kaizen', args: [], flags: [] } };
    assert.equal(entryIn(writerOf('cursor').write(undefined, other), 'mcpServers')?.command, '/home/adam/kaizen');
  });

  it('start scripts by cmd on Windows, so that a path with spaces stays one word', () => {
    const code = entryIn(writerOf('claude-code').write(undefined, windows), 'mcpServers');
    assert.deepEqual(code, {
      command: 'cmd',
      args: ['/d', '/c', 'call', `${variable('USERPROFILE')}\\AppData\\Local\\Kaizen\\bin\\kaizen.cmd`, 'mcp'],
    });
    const node = { ...windows, kaizen: { command: 'C:\\node.exe', args: ['C:\\k\\cli.js'], flags: [] } };
    assert.equal(entryIn(writerOf('claude-code').write(undefined, node), 'mcpServers')?.command, 'C:\\node.exe');
    const onNpx = { ...windows, kaizen: npx.kaizen };
    assert.deepEqual(entryIn(writerOf('copilot-cli').write(undefined, onNpx), 'mcpServers')?.args.slice(0, 5), [
      '/d',
      '/c',
      'call',
      'npx',
      '-y',
    ]);
  });

  it('are not made on Windows where its shell would take a part of a path for a command', () => {
    for (const workspace of ['C:\\srv\\shop&calc', 'C:\\work\\%TEMP%', 'C:\\work\\a^b']) {
      const around = { ...windows, workspace };
      for (const client of ['claude-desktop', 'continue', 'cursor']) {
        const reading = writerOf(client).read(undefined, around);
        assert.ok(typeof reading === 'object' && /shell/.test(`${reading.unreadable}`), `${client} in ${workspace}`);
        // What is as it should be can be taken away.
        assert.equal(writerOf(client).read(writerOf(client).write(undefined, around), around), 'current');
      }
    }
    // Programs put quotation marks around what has a space.
    assert.equal(writerOf('claude-desktop').read(undefined, { ...windows, workspace: 'C:\\R & D' }), 'absent');
    assert.equal(writerOf('claude-desktop').read(undefined, { ...linux, workspace: '/srv/shop&calc' }), 'absent');
  });

  it('carry the flags that were given, paths among them as variables', () => {
    const flags = ['--data', '/home/ada/shop/.kaizen', '--shared', '/home/ada/kaizen', '--project', 'shop'];
    const around = { ...linux, kaizen: { ...linux.kaizen, flags } };
    assert.deepEqual(entryIn(writerOf('cursor').write(undefined, around), 'mcpServers')?.args, [
      'mcp',
      '--workspace',
      variable('workspaceFolder'),
      '--data',
      `${variable('workspaceFolder')}/.kaizen`,
      '--shared',
      `${variable('userHome')}/kaizen`,
      '--project',
      'shop',
    ]);
    assert.equal(entryIn(writerOf('claude-code').write(undefined, around), 'mcpServers')?.args[2], './.kaizen');
  });

  for (const [client, key] of JSON_CLIENTS) {
    const writer = writerOf(client);

    describe(client, () => {
      it('goes from absent over outdated to current, and keeps what a person added', () => {
        const old = { ...linux, kaizen: { command: '/usr/bin/node', args: ['/old/dist/cli.js'], flags: [] } };
        assert.equal(writer.read(undefined, linux), 'absent');
        const written = writer.write(undefined, old);
        assert.equal(writer.read(written, old), 'current');
        assert.equal(writer.read(written, linux), 'outdated');
        const document = JSON.parse(written) as Record<string, { kaizen: Entry }>;
        document[key]!.kaizen.args.push('--toolsets', 'all', '--read-only');
        document[key]!.kaizen.env = { KAIZEN_REGISTRY_URL: 'postgres://x' };
        const own = JSON.stringify(document, null, '\t');
        assert.equal(writer.read(own, old), 'current');
        const updated = writer.write(own, linux);
        assert.equal(writer.read(updated, linux), 'current');
        assert.equal(writer.write(updated, linux), updated);
        const entry = entryIn(updated, key);
        assert.deepEqual(entry?.args.slice(-3), ['--toolsets', 'all', '--read-only']);
        assert.deepEqual(entry?.env, { KAIZEN_REGISTRY_URL: 'postgres://x' });
      });

      it('names what is in it that Kaizen did not write, without the values', () => {
        const document = JSON.parse(writer.write(undefined, linux)) as Record<string, { kaizen: Entry }>;
        const { kaizen } = document[key]!;
        const named = () => writer.ownSettings?.(JSON.stringify(document), linux);
        assert.deepEqual(named(), []);
        kaizen.env = {};
        assert.deepEqual(named(), []);
        kaizen.env = { KAIZEN_DATA: '/elsewhere' };
        Object.assign(kaizen, { cwd: '/elsewhere', type: 'stdio' });
        kaizen.args.push('--data=/elsewhere', '--shared', '/elsewhere', '--read-only', 'a word');
        assert.deepEqual(named(), ['--data', '--shared', '--read-only', 'KAIZEN_DATA', 'cwd']);
        const foreign = JSON.stringify({ [key]: { kaizen: { command: 'python', env: { A: '1' } } } });
        assert.deepEqual(writer.ownSettings?.(foreign, linux), []);
      });

      it('cannot be changed where another server has the name, or the file is not what the client takes', () => {
        const refuse = (text: string) => {
          const reading = writer.read(text, linux);
          assert.ok(
            typeof reading === 'object' && /[.]$/.test(`${reading.unreadable}`),
            `${text}: ${JSON.stringify(reading)}`,
          );
        };
        refuse(`{"${key}": {"kaizen": {"command": "python", "args": ["-m", "kaizen"]}}}`);
        refuse(`{"${key}": {"kaizen": {"url": "https://kaizen.example/mcp"}}}`);
        refuse(`{"${key}": {"kaizen": "kaizen mcp"}}`);
        refuse(`{"${key}": []}`);
        refuse(`{"${key}": null}`);
        refuse('[]');
        refuse('{');
        refuse(`{"${key}": {"a": {}}, "${key}": {}}`);
        refuse('{"a": '.repeat(50_000));
        refuse('<<<<<<< HEAD\n{}\n');
      });

      it('is taken out of the file that was made for it with the file', () => {
        assert.equal(writer.remove(writer.write(undefined, linux), linux), undefined);
      });

      it('gives the same bytes back when it is put in and taken out, whatever the file holds', () => {
        fc.assert(
          fc.property(configurations(key), (text) => {
            assert.equal(writer.read(text, linux), 'absent', text);
            const written = writer.write(text, linux);
            assert.equal(writer.read(written, linux), 'current', written);
            assert.equal(writer.write(written, linux), written);
            const [before, after] = [parse(withoutMark(text)), parse(withoutMark(written))] as Record<
              string,
              Record<string, unknown> | undefined
            >[];
            assert.deepEqual({ ...after![key], kaizen: undefined }, { ...before![key], kaizen: undefined });
            assert.deepEqual({ ...after, [key]: undefined }, { ...before, [key]: undefined });
            assert.equal(writer.remove(written, linux), text);
          }),
          { numRuns: 300 },
        );
      });
    });
  }

  it('start the package of a project without the path of a person where a team shares the file', () => {
    const script = '/home/ada/shop/node_modules/kaizen-knowledge/dist/cli.js';
    const kaizen = { command: '/home/ada/.nvm/node', args: [script], flags: [], ofProject: true };
    const started = (client: string) =>
      writerOf(client).started!(writerOf(client).write(undefined, { ...linux, kaizen }));
    const within = `${variable('workspaceFolder')}/node_modules/kaizen-knowledge/dist/cli.js`;
    for (const [client, path] of [
      ['claude-code', './node_modules/kaizen-knowledge/dist/cli.js'],
      ['cursor', within],
      ['vscode', within],
    ] as const)
      assert.deepEqual([started(client)?.command, started(client)?.args.slice(0, 2)], ['node', [path, 'mcp']]);
    for (const client of ['claude-desktop', 'copilot-cli', 'continue'])
      assert.deepEqual(
        [started(client)?.command, started(client)?.args.slice(0, 2)],
        [kaizen.command, [script, 'mcp']],
      );
    for (const writer of SERVER_WRITERS) {
      const text = writer.write(undefined, { ...linux, kaizen });
      assert.equal(writer.read(text, { ...linux, kaizen }), 'current');
    }
  });

  describe('continue', () => {
    const writer = writerOf('continue');

    it('is a file of its own: current, outdated, and gone when it is taken away', () => {
      const around = { ...linux, kaizen: { command: '/a "b" \\c/kaizen', args: [], flags: [] } };
      const written = writer.write(undefined, around);
      assert.equal(writer.read(undefined, around), 'absent');
      assert.equal(writer.read(written, around), 'current');
      assert.equal(writer.read(written, npx), 'outdated');
      assert.equal(writer.read(writer.write(written, npx), npx), 'current');
      assert.equal(writer.remove(written, around), undefined);
      assert.match(written, /^name: Kaizen\nversion: 1\.0\.0\nschema: v1\nmcpServers:$/m);
    });

    it('says what goes with it where somebody put more into it', () => {
      const own = `${writer.write(undefined, linux)}    env:\n      KAIZEN_DATA: /elsewhere\n    cwd: /elsewhere\nrules:\n  - x\n`;
      assert.equal(writer.read(own, linux), 'current');
      assert.deepEqual(writer.ownSettings?.(own, linux), ['rules', 'KAIZEN_DATA', 'cwd']);
      assert.doesNotMatch(
        writer
          .notes?.(own, linux)
          .map(({ sentence }) => sentence)
          .join(' ') ?? '',
        /goes when/,
      );
      assert.equal(writer.read(own, npx), 'outdated');
      assert.match(
        writer
          .notes?.(own, npx)
          .map(({ sentence }) => sentence)
          .join(' ') ?? '',
        /goes when/,
      );
    });

    it('is left alone when it holds anything else', () => {
      for (const text of [
        'name: x\n',
        '- a\n',
        'a: [\n',
        'mcpServers:\n  - name: other\n    command: python\n',
        `${writer.write(undefined, linux)}  - name: other\n    command: kaizen\n`,
        'mcpServers: &a\n  - *a\n',
      ]) {
        assert.equal(typeof writer.read(text, linux), 'object', text);
      }
    });
  });

  it('can be shown whole, to be copied', () => {
    assert.equal(serverSnippet('continue', linux)?.language, 'yaml');
    const snippet = serverSnippet('claude-desktop', npx);
    assert.equal(snippet?.file, '/home/ada/.config/Claude/claude_desktop_config.json');
    assert.deepEqual(JSON.parse(snippet?.text ?? ''), {
      mcpServers: {
        kaizen: { command: 'npx', args: ['-y', 'kaizen-knowledge', 'mcp', '--workspace', '/home/ada/shop'] },
      },
    });
  });
});

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

/** Texts of configurations as people write them: comments and commas anywhere, any line ends, with and without servers. */
function configurations(key: string): fc.Arbitrary<string> {
  const eols = fc.constantFrom('\n', '\r\n');
  return eols.chain((eol) => {
    const gap = fc.constantFrom(
      '',
      ' ',
      eol,
      `${eol}  `,
      `${eol}\t`,
      `${eol}${eol}    `,
      '/* a, } */',
      ` // "c" }, ${eol}`,
      `/*${eol}*/ `,
    );
    const leaf = fc.constantFrom('1', '"x"', 'null', 'true', '[]', '{}', '[1, 2]', '"// no comment }"', '{"a": [{}]}');
    const members = (value: fc.Arbitrary<string>, names: readonly string[]) =>
      fc
        .tuple(
          fc.subarray([...names]),
          fc.array(fc.tuple(gap, gap, gap, value), { minLength: 5, maxLength: 5 }),
          gap,
          fc.boolean(),
        )
        .map(([chosen, parts, last, comma]) => {
          const written = chosen.map((name, index) => {
            const [lead, beforeColon, beforeValue, text] = parts[index]!;
            return `${lead}"${name}"${beforeColon}:${beforeValue}${text}`;
          });
          return `{${written.join(',')}${comma && written.length > 0 ? ',' : ''}${last}}`;
        });
    const servers = members(leaf, ['git', 'playwright', 'fetch']);
    const withServers = fc
      .tuple(members(leaf, ['theme', 'inputs']), servers, gap, gap, fc.boolean())
      .map(([root, object, lead, between, isFirst]) => {
        const property = `${lead}"${key}":${between}${object}`;
        const isEmpty = !/"(?:theme|inputs)"/.test(root);
        if (isFirst) return `{${property}${isEmpty ? '' : ','}${root.slice(1)}`;
        return `${isEmpty ? '{' : root.slice(0, 1)}${property}${isEmpty ? '' : ','}${root.slice(1)}`;
      });
    return fc
      .tuple(
        fc.constantFrom('', '\ufeff'),
        gap,
        fc.oneof(withServers, members(leaf, ['theme', 'inputs', 'other'])),
        gap,
      )
      .map(([mark, lead, object, tail]) => `${mark}${lead}${object}${tail}`);
  });
}
