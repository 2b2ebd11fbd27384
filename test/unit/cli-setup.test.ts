import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeKnowledgeSection } from '../../src/agents';
import { helpOf, readArguments } from '../../src/cli/command';
import { setup } from '../../src/cli/commands/setup';
import type { Terminal } from '../../src/cli/terminal';
import { useScratch } from '../support/scratch';

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
  const scratch = useScratch();
  const { tree } = scratch;
  const inWork = (name: string) => path.join(scratch.root, 'work', name);
  const former = new Map<string, string | undefined>();
  const script = process.argv[1]!;

  beforeEach(() => {
    // What clients are to start is what this was started with.
    process.argv[1] = path.join(scratch.root, 'dist', 'cli.js');
    for (const name of VARIABLES) {
      former.set(name, process.env[name]);
      process.env[name] = scratch.home;
    }
    delete process.env.COPILOT_HOME;
    mkdirSync(inWork('.claude'), { recursive: true });
    writeFileSync(inWork('AGENTS.md'), 'Mine.\n');
  });
  afterEach(() => {
    process.argv[1] = script;
    for (const [name, value] of former) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  const run = (words: string[], terminal: Terminal) =>
    setup.run(readArguments(setup, [...words, '--workspace', inWork('')]), terminal);

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

  it('lists knowledge that was exported, and takes it away with all else', async () => {
    await writeKnowledgeSection(inWork('AGENTS.md'), '# What is known\n');
    const { said, terminal } = person(true);
    assert.equal(await run([], terminal), 0);
    assert.match(said.out, /\n {2}instructions:AGENTS\.md +no section yet; used here +AGENTS\.md\n/);
    assert.match(said.out, /\nExported knowledge: .*\n {2}knowledge:AGENTS\.md +there +AGENTS\.md — Put there by /);
    const removed = person(true);
    assert.equal(await run(['--remove', 'all'], removed.terminal), 0);
    assert.match(removed.said.out, /\n-<!-- kaizen:knowledge:begin -->\n/);
    assert.match(removed.said.out, /\nWritten: AGENTS\.md\.\n$/);
    assert.equal(readFileSync(inWork('AGENTS.md'), 'utf8'), 'Mine.\n');
    const none = person(true);
    await run([], none.terminal);
    assert.doesNotMatch(none.said.out, /Exported knowledge/);
  });

  it('leaves exported knowledge alone, damaged or not, when it sets up what is used here', async () => {
    writeFileSync(inWork('CLAUDE.md'), '<!-- kaizen:knowledge:end -->\n');
    const { said, terminal } = person(true);
    assert.equal(await run(['--install', 'all-detected'], terminal), 0);
    assert.doesNotMatch(said.error, /cannot be changed/);
  });

  it('does not call well what it could not change', async () => {
    writeFileSync(inWork('.mcp.json'), '{ "mcpServers": { broken');
    const before = tree();
    const { said, terminal } = person(true);
    assert.equal(await run(['--install', 'server:claude-code'], terminal), 1);
    assert.match(said.error, /^\.mcp\.json cannot be changed\. It is not JSON/);
    assert.equal(said.out, 'Nothing was written.\n');
    assert.deepEqual(tree(), before);
  });

  it('names what is used here and cannot be set up, and what is not there at all', async () => {
    writeFileSync(inWork('.mcp.json'), '{ "mcpServers": { broken');
    // The same program's, which are set up by name only.
    writeFileSync(inWork('.claude/settings.json'), '{ broken');
    const first = person(true);
    assert.equal(await run(['--install', 'all-detected'], first.terminal), 1);
    assert.match(first.said.error, /^\.mcp\.json cannot be changed\. It is not JSON.*\n$/);
    assert.match(first.said.out, /\nWritten: AGENTS\.md, CLAUDE\.md, /);
    const second = person(true);
    assert.equal(await run(['--install', 'all-detected'], second.terminal), 1);
    assert.match(second.said.error, /^\.mcp\.json cannot be changed\./);
    assert.equal(second.said.out, 'Nothing was written.\n');
  });

  it('does not call well a folder in which nothing is used, nor one from which nothing can be taken away', async () => {
    for (const name of ['AGENTS.md', '.claude']) rmSync(inWork(name), { recursive: true });
    for (const [words, said] of [
      [['--install', 'all-detected'], /^No program of agents seems to be used here\. .* Nothing was written\.\n$/],
      [['--remove', 'all'], /^Nothing of Kaizen's is there\. Nothing was written\.\n$/],
    ] as const) {
      const { said: told, terminal } = person(true);
      assert.equal(await run([...words], terminal), 0);
      assert.match(told.out, said);
    }
  });

  for (const trace of ['.claude', '.claude.json', '.cursor', '.copilot/config.json', '.continue', '.codex']) {
    it(`has nothing to do the second time where ${trace} in the home directory tells what is used`, async () => {
      for (const name of ['AGENTS.md', '.claude']) rmSync(inWork(name), { recursive: true });
      const there = path.join(scratch.home, trace);
      mkdirSync(trace.includes('json') ? path.dirname(there) : there, { recursive: true });
      writeFileSync(trace.includes('json') ? there : path.join(there, 'state.json'), '{}');
      assert.equal(await run(['--install', 'all-detected'], person(true).terminal), 0);
      const again = person(true);
      assert.equal(await run(['--install', 'all-detected'], again.terminal), 0);
      assert.equal(again.said.out, 'Everything is as it should be. Nothing was written.\n');
    });
  }

  it('says what it could not look into when all is to go', async () => {
    await run(['--install', 'instructions:AGENTS.md'], person(true).terminal);
    writeFileSync(inWork('.mcp.json'), '{ "mcpServers": { broken');
    const { said, terminal } = person(true);
    assert.equal(await run(['--remove', 'all', '--yes'], terminal), 1);
    assert.match(said.error, /^\.mcp\.json cannot be changed\. It is not JSON/);
    assert.match(said.out, /\nWritten: AGENTS\.md\.\n$/);
    const again = person(true);
    assert.equal(await run(['--remove', 'all', '--yes'], again.terminal), 1);
    assert.equal(again.said.out, 'Nothing was written.\n');
  });

  it('takes no folder for a sign of a program that is left of what it wrote itself', async () => {
    for (const name of ['AGENTS.md', '.claude']) rmSync(inWork(name), { recursive: true });
    const before = tree().length;
    const pieces = 'server:claude-desktop,server:copilot-cli,hooks:copilot-cli,hooks:claude-code-user';
    assert.equal(await run(['--install', pieces], person(true).terminal), 0);
    assert.equal(await run(['--remove', 'all'], person(true).terminal), 0);
    assert.ok(tree().length > before, 'empty folders of the person stay');
    const { said, terminal } = person(true);
    assert.equal(await run(['--install', 'all-detected'], terminal), 0);
    assert.match(said.out, /^No program of agents seems to be used here\./);
  });

  it('has nothing to take away of what somebody else put into its place', async () => {
    rmSync(inWork('.claude'), { recursive: true });
    writeFileSync(inWork('.mcp.json'), '{"mcpServers": {"kaizen": {"command": "python", "args": ["-m", "kaizen"]}}}');
    mkdirSync(inWork('.continue/mcpServers'), { recursive: true });
    writeFileSync(inWork('.continue/mcpServers/kaizen.yaml'), 'mcpServers:\n  - name: other\n    command: other\n');
    const before = tree();
    const { said, terminal } = person(true);
    assert.equal(await run(['--remove', 'all', '--yes'], terminal), 0);
    assert.deepEqual([said.error, said.out], ['', "Nothing of Kaizen's is there. Nothing was written.\n"]);
    // Who names it is told why nothing happens.
    const named = person(true);
    assert.equal(await run(['--remove', 'server:claude-code', '--yes'], named.terminal), 1);
    assert.match(named.said.error, /does not start Kaizen/);
    assert.deepEqual(tree(), before);
  });

  it('does not show the secrets of what stands beside its own', async () => {
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const servers = { github: { command: 'github', env: { GITHUB_TOKEN: token } } };
    writeFileSync(inWork('.mcp.json'), JSON.stringify({ mcpServers: servers }, null, 2));
    const { said, terminal } = person(true);
    assert.equal(await run(['--install', 'server:claude-code', '--dry-run'], terminal), 0);
    assert.match(said.out, /"GITHUB_TOKEN": "\[redacted: GitHub token\]"/);
    assert.ok(!said.out.includes(token));
    const told: unknown[] = [];
    const asJson = { ...terminal, isJson: true, json: (value: unknown) => told.push(value) };
    assert.equal(await run(['--install', 'server:claude-code', '--yes', '--json'], asJson), 0);
    const text = JSON.stringify(told);
    assert.ok(!text.includes(token) && text.includes('redacted: GitHub token'));
    assert.ok(readFileSync(inWork('.mcp.json'), 'utf8').includes(token), 'the file keeps it');
  });

  it('says where a file that others may share would hold a path of this machine', async () => {
    const data = path.join(scratch.root, 'elsewhere');
    const pieces = ['--install', 'hooks:cursor,server:cursor,hooks:claude-code', '--dry-run'];
    const { said, terminal } = person(true);
    assert.equal(await run([...pieces, '--data', data, '--project', 'shop'], terminal), 0);
    const told = /^(.*): .*holds a path of this machine \(--data\)/gm;
    assert.deepEqual(
      [...said.error.matchAll(told)].map(([, file]) => file),
      [path.join('.cursor', 'mcp.json'), path.join('.cursor', 'hooks.json')],
    );
    const without = person(true);
    assert.equal(await run([...pieces, '--project', 'shop'], without.terminal), 0);
    assert.doesNotMatch(without.said.error, /path of this machine/);
  });

  it('lets no line that was there lead its hooks elsewhere, and says what would be changed by name', async () => {
    const file = inWork('.claude/settings.local.json');
    const stranger = { type: 'command', command: ': kaizen hook stop --data ./.evil --shared ./.evil --project x' };
    writeFileSync(file, JSON.stringify({ hooks: { Stop: [{ hooks: [stranger] }] } }));
    const before = readFileSync(file, 'utf8');
    const found = person(true);
    assert.equal(await run(['--install', 'all-detected', '--yes'], found.terminal), 0);
    assert.match(
      found.said.error,
      /settings\.local\.json: These hooks are out of date, and set up for the store in \.\/\.evil and the shared store in \.\/\.evil and the project x;/,
    );
    assert.equal(readFileSync(file, 'utf8'), before, 'what has other flags is left to whoever names it');
    assert.equal(await run(['--install', 'hooks:claude-code', '--yes'], person(true).terminal), 0);
    const plain = readFileSync(file, 'utf8');
    assert.doesNotMatch(plain, /evil|--project/);
    // Set up for other stores, and whole: only whoever names it turns it round.
    const flags = ['--data', path.join(scratch.root, 'her data'), '--project', 'shop'];
    const there = person(true);
    assert.equal(await run(['--install', 'hooks:claude-code', '--yes', ...flags], there.terminal), 0);
    const other = readFileSync(file, 'utf8');
    assert.match(
      there.said.error,
      /Until now these hooks are set up for the stores of the folder that is worked in; set up by name they are for the store in .*her data and the project shop from then on\. To keep that, give none of these flags\./,
    );
    const all = person(true);
    assert.equal(await run(['--install', 'all-detected', '--yes'], all.terminal), 0);
    assert.match(all.said.error, /settings\.local\.json: Until now these hooks are set up for the store in /);
    assert.equal(readFileSync(file, 'utf8'), other);
    const listed = person(true);
    await run([], listed.terminal);
    assert.match(listed.said.out, /hooks:claude-code +up to date, with other flags .*her data/);
    const told: { warned: { id: string; problem: string }[] }[] = [];
    const { said, terminal } = person(true);
    const asJson = { ...terminal, isJson: true, json: (value: unknown) => told.push(value as (typeof told)[number]) };
    assert.equal(await run(['--install', 'hooks:claude-code', '--yes', '--json'], asJson), 0);
    const kept =
      /her data and the project shop; .*To keep that, give "kaizen setup" the same flags: --data .*--project shop\./;
    assert.match(said.error, kept);
    assert.equal(told[0]?.warned[0]?.id, 'hooks:claude-code');
    assert.match(told[0]?.warned[0]?.problem ?? '', kept);
    assert.equal(readFileSync(file, 'utf8'), plain);
  });

  it('takes no stores from hooks whose program is another one by now, unless they are named', async () => {
    const file = inWork('.claude/settings.local.json');
    const [data, shared] = [path.join(scratch.root, 'her data'), path.join(scratch.root, 'shared')];
    const flags = ['--data', data, '--shared', shared];
    const hooks = ['--install', 'hooks:claude-code', '--yes', ...flags];
    assert.equal(await run(hooks, person(true).terminal), 0);
    const made = readFileSync(file, 'utf8');
    const old = made.replaceAll(JSON.stringify(process.argv[1]).slice(1, -1), '/opt/kaizen-0.0.9/cli.js');
    assert.notEqual(old, made);
    writeFileSync(file, old);
    const told =
      /These hooks are out of date, and set up for the store in .*her data and the shared store in .*shared; set up by name, and only so, .* for the stores of the folder that is worked in from then on\. To keep that, give "kaizen setup" the same flags: --data .*her data.* --shared /;
    const listed = person(true);
    assert.equal(await run([], listed.terminal), 0);
    assert.match(listed.said.out, /hooks:claude-code +out of date, with other flags /);
    assert.match(listed.said.out, told);
    // The rest is set up; then there is nothing left but what waits for its name.
    const first = person(true);
    assert.equal(await run(['--install', 'all-detected', '--yes'], first.terminal), 0);
    const { said, terminal } = person(true);
    assert.equal(await run(['--install', 'all-detected', '--yes'], terminal), 0);
    assert.match(said.error, told);
    assert.equal(said.out, 'What has other flags stays as it is until it is named. Nothing was written.\n');
    assert.equal(readFileSync(file, 'utf8'), old);
    const asJson: { warned: { id: string; problem: string }[] }[] = [];
    const json = (value: unknown) => asJson.push(value as (typeof asJson)[number]);
    await run(['--install', 'all-detected', '--dry-run', '--json'], { ...terminal, isJson: true, json });
    assert.deepEqual(
      asJson[0]?.warned.map(({ id }) => id),
      ['hooks:claude-code'],
    );
    assert.match(asJson[0]?.warned[0]?.problem ?? '', told);
    // With the same flags they are only brought up to date, whoever asks for it.
    assert.equal(await run(['--install', 'all-detected', '--yes', ...flags], person(true).terminal), 0);
    assert.equal(readFileSync(file, 'utf8'), made);
  });

  it('leaves hooks with a budget and without a reminder as they are, and says how to keep them', async () => {
    const file = inWork('.claude/settings.local.json');
    const flags = ['--data', path.join(scratch.root, 'hers')];
    assert.equal(await run(['--install', 'hooks:claude-code', '--yes', ...flags], person(true).terminal), 0);
    const own = readFileSync(file, 'utf8')
      .replace('hook session-start', 'hook session-start --budget 3000')
      .replace('hook stop', 'hook stop --no-reminder');
    writeFileSync(file, own);
    const listed = person(true);
    await run(flags, listed.terminal);
    assert.match(
      listed.said.out,
      /hooks:claude-code +up to date, with other flags .*--budget 3000 and .*hers and --no-reminder;/,
    );
    assert.equal(await run(['--install', 'all-detected', '--yes', ...flags], person(true).terminal), 0);
    assert.equal(readFileSync(file, 'utf8'), own);
    const old = own.replaceAll(JSON.stringify(process.argv[1]).slice(1, -1), '/opt/kaizen-0.0.9/cli.js');
    writeFileSync(file, old);
    const { said, terminal } = person(true);
    assert.equal(await run(['--install', 'all-detected', '--yes', ...flags], terminal), 0);
    assert.match(
      said.error,
      /same flags \(--data .*hers.*\), and put this into their lines again afterwards: --budget 3000 --no-reminder\./,
    );
    assert.equal(readFileSync(file, 'utf8'), old);
  });

  it('has nothing to take away of a file with nothing but comments', async () => {
    writeFileSync(inWork('.mcp.json'), '// only\n');
    const { said, terminal } = person(true);
    assert.equal(await run(['--remove', 'all', '--yes'], terminal), 0);
    assert.equal(said.error, '');
    assert.equal(await run(['--remove', 'server:claude-code', '--yes'], person(true).terminal), 1);
  });

  it('does not show what is a secret by its name', async () => {
    const env = { 'primary key': 'shown', keyboard: 'shown too', MY_TOKEN: '$' + '{MY_TOKEN}', DB_PASSWORD: 'x1' };
    const servers = { db: { command: 'db', args: ['--api-key', 'y2', '--token=z3', '--port', '5432'], env } };
    writeFileSync(inWork('.mcp.json'), JSON.stringify({ mcpServers: servers }, null, 2));
    const { said, terminal } = person(true);
    const told: unknown[] = [];
    const asJson = { ...terminal, isJson: true, json: (value: unknown) => told.push(value) };
    // In a difference only what is near.
    assert.equal(await run(['--install', 'server:claude-code', '--dry-run', '--json'], asJson), 0);
    assert.equal(await run(['--install', 'server:claude-code', '--dry-run'], terminal), 0);
    const text = JSON.stringify(told);
    assert.doesNotMatch(text + said.out, /x1|y2|z3/);
    for (const kept of ['shown', 'shown too', '5432', '$' + '{MY_TOKEN}']) assert.ok(text.includes(kept), kept);
    assert.match(said.out, /"DB_PASSWORD": "\[redacted: by its name\]"/);
  });

  it('does not show what is a secret by the names that programs have for it', async () => {
    const hidden = ['PGPASSWORD', 'MYSQL_PWD', 'apiKey', 'api-key', 'AccessKey', 'privatekey', 'GPG_PASSPHRASE'];
    hidden.push('db_passwd', 'clientSecret', 'authToken', 'GH_PAT', 'SIGNING_KEY', 'spring.datasource.password');
    const shown = ['PWD', 'OLDPWD', 'maxTokens', 'keyboard', 'NODE_COMPAT', 'PASSWORD_FILE'];
    const env = Object.fromEntries([
      ...hidden.map((name, at) => [name, `hush${at}`] as const),
      ...shown.map((name, at) => [name, `seen${at}.`] as const),
    ]);
    const args = [
      'run',
      '-e',
      'PGPASSWORD=hush90',
      '-e',
      'PWD=/seen90.',
      '--db-passwd',
      'hush91',
      '--passphrase=hush92',
    ];
    const servers = { db: { command: 'docker', args, env } };
    writeFileSync(inWork('.mcp.json'), JSON.stringify({ mcpServers: servers }));
    const { said, terminal } = person(true);
    const told: unknown[] = [];
    const asJson = { ...terminal, isJson: true, json: (value: unknown) => told.push(value) };
    assert.equal(await run(['--install', 'server:claude-code', '--dry-run', '--json'], asJson), 0);
    assert.equal(await run(['--install', 'server:claude-code', '--dry-run'], terminal), 0);
    const text = JSON.stringify(told);
    assert.doesNotMatch(text + said.out, /hush/);
    for (const at of [...shown.keys(), 90]) assert.ok(text.includes(`seen${at}.`), `seen${at}`);
    assert.match(said.out, /PGPASSWORD\W+\[redacted: by its name\]/);
  });

  it('promises no variables of the terminal to what others start', () => {
    const help = helpOf(setup);
    assert.doesNotMatch(help, /\(KAIZEN_(?:DATA|SHARED)\)/);
    assert.match(help, /KAIZEN_DATA, KAIZEN_SHARED and KAIZEN_PROJECT of this terminal are not/);
  });

  it('takes no project that can be none', async () => {
    const before = tree();
    for (const words of [['--show', 'claude-code'], ['--install', 'hooks:claude-code', '--yes'], []])
      await assert.rejects(run([...words, '--project', 'bad scope; rm'], person(true).terminal), {
        code: 'invalid_argument',
        message: '"bad scope; rm" is not a scope id.',
      });
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
