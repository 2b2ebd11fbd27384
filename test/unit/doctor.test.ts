import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { apply, launcherCommand, plan } from '../../src/agents';
import { dataDirectories } from '../../src/core/locations';
import { isSentence, sentence } from '../../src/core/sentence';
import { type DoctorFinding, type DoctorSurroundings, diagnose, doctorReport } from '../../src/doctor';
import { rightsMend } from '../../src/doctor/rights';
import { checkRules } from '../../src/doctor/rules';
import { withToldFlags } from '../../src/doctor/told-flags';
import { appendRecord, guardPlace, remember } from '../../src/guard/hooks';
import { writeGuardIndex } from '../../src/guard/kept/index-writing';
import { Kaizen } from '../../src/kaizen';
import { ownIdentity } from '../../src/store/process-identity';
import { inGerman } from '../support/german';
import { fingerprint } from '../support/stores';

const isRoot = process.getuid?.() === 0;

describe('the doctor', function () {
  this.timeout(60_000);
  let root: string;
  let around: DoctorSurroundings;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'kaizen-doctor-'));
    const home = path.join(root, 'home');
    const workspace = path.join(root, 'work');
    mkdirSync(home);
    mkdirSync(workspace);
    // What clients start: something that answers as Kaizen does.
    const script = path.join(root, 'kaizen.cjs');
    writeFileSync(script, "console.log(process.argv[2] === '--version' ? '1.2.3' : '{}')\n");
    around = {
      ...{ workspace, data: path.join(root, 'data'), shared: path.join(root, 'shared'), project: 'shop' },
      platform: { platform: 'linux', env: { PATH: process.env.PATH, HOME: home }, home },
      versions: { kaizen: '1.2.3', node: '22.1.0', editor: undefined },
      kaizen: { command: process.execPath, args: [script], flags: [] },
      ...{ hooks: undefined, registry: undefined },
    };
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function store(entries = 3): Promise<void> {
    const kaizen = new Kaizen({
      data: around.data,
      shared: around.shared,
      project: 'shop',
      defineProject: true,
      ensureGeneral: true,
    });
    const { knowledge } = await kaizen.parts();
    for (let index = 0; index < entries; index++) {
      const entry = { target_scope_id: 'shop', category: 'git', keyword: `secret_keyword_${index}`, content: 'Text.' };
      await knowledge.storeOverwrite(entry, { author: 'adalbert' });
    }
    await kaizen.close();
    for (const directory of [around.data, around.shared]) chmodSync(directory, 0o700);
  }

  async function findings(more: Partial<DoctorSurroundings> = {}): Promise<DoctorFinding[]> {
    const found: DoctorFinding[] = [];
    for await (const finding of diagnose({ ...around, ...more })) found.push(finding);
    // The editor says each in its own language.
    for (const { message, reason, mend } of found)
      for (const said of [message, reason, mend?.sentence]) {
        if (said === undefined) continue;
        assert.ok(isSentence(said), `in English only: ${said}`);
        inGerman(said);
      }
    return found;
  }

  const codes = (found: DoctorFinding[], level: DoctorFinding['level']) =>
    found.filter((finding) => finding.level === level).map(({ code }) => code);
  const one = (found: DoctorFinding[], code: string): DoctorFinding => {
    const finding = found.find((each) => each.code === code);
    assert.ok(finding, `${code} among ${found.map((each) => each.code).join(', ')}`);
    return finding;
  };
  const journal = (directory: string) =>
    path.join(
      directory,
      readdirSync(directory)
        .filter((name) => /^journal-\d+$/.test(name))
        .sort()
        .at(-1)!,
    );

  it('finds nothing wrong with sound stores, and makes none where there are none', async () => {
    const before = await findings();
    assert.deepEqual(codes(before, 'problem'), []);
    assert.equal(before.filter(({ code }) => code === 'store_absent').length, 2);
    assert.ok(!existsSync(around.data) && !existsSync(around.shared));
    await store();
    const found = await findings();
    assert.deepEqual(codes(found, 'problem'), []);
    assert.equal(found.filter(({ code }) => code === 'store_sound').length, 2);
    for (const code of ['kaizen_version', 'node_version', 'locks_free', 'registry_none', 'launcher_runs'])
      one(found, code);
  });

  it('starts on Windows the shell that the system names, and nothing that lies in the workspace', async function () {
    if (process.platform === 'win32') this.skip();
    const shell = path.join(root, 'shell');
    writeFileSync(shell, `#!/bin/sh\npwd >>'${root}/started'\necho 1.2.3\n`, { mode: 0o755 });
    writeFileSync(path.join(around.workspace, 'cmd.exe'), `#!/bin/sh\ntouch '${root}/planted'\n`, { mode: 0o755 });
    const env = { ...around.platform.env, PATH: `${process.env.PATH}:${around.workspace}`, ComSpec: shell };
    const found = await findings({ platform: { ...around.platform, platform: 'win32', env } });
    one(found, 'launcher_runs');
    assert.ok(!existsSync(path.join(root, 'planted')));
    assert.ok(!readFileSync(path.join(root, 'started'), 'utf8').includes(around.workspace));
  });

  it('changes nothing, whatever it finds', async () => {
    await store();
    appendFileSync(journal(around.data), 'KJRN half a record');
    truncateSync(journal(around.shared), 10);
    const before = fingerprint(root);
    await findings();
    assert.deepEqual(fingerprint(root), before);
  });

  it('tells a write that was cut off from damage, and damage from what is lost', async () => {
    await store();
    const whole = readFileSync(journal(around.data));
    writeFileSync(journal(around.data), whole.subarray(0, whole.length - 5));
    const torn = await findings();
    assert.deepEqual(codes(torn, 'problem'), []);
    assert.match(`${one(torn, 'store_torn').message}`, /Nothing that was stored is lost/);

    const flipped = Buffer.from(whole);
    flipped[whole.length - 40]! ^= 0xff;
    writeFileSync(journal(around.data), flipped);
    const damaged = one(await findings(), 'store_damaged');
    assert.equal(damaged.level, 'problem');
    assert.match(`${damaged.message}`, /journal-\d+ is damaged at byte/);
    assert.ok(!`${damaged.message}`.includes(root), 'no folder is named');
    assert.match(`${damaged.mend?.sentence}`, /set aside, not deleted/);

    for (const name of readdirSync(around.data)) {
      if (/^(journal|snapshot)-/.test(name)) writeFileSync(path.join(around.data, name), 'no store');
    }
    const lost = one(await findings(), 'store_damaged');
    assert.match(`${lost.message}`, /nothing in it can be read/);
    assert.match(`${lost.mend?.sentence}`, /backup/);
  });

  it('says that a newer Kaizen wrote a store, and which parts an older one wrote', async () => {
    await store();
    const file = journal(around.data);
    const rewritten = (from: RegExp, to: string) => {
      const bytes = readFileSync(file);
      const length = bytes.readUInt32BE(8);
      const payload = Buffer.from(
        bytes
          .subarray(20, 20 + length)
          .toString()
          .replace(from, to),
      );
      const head = Buffer.alloc(20);
      bytes.copy(head, 0, 0, 20);
      head.writeUInt32BE(payload.length, 8);
      head.writeUInt32BE(crc32(Buffer.concat([head.subarray(8), payload])), 4);
      return Buffer.concat([head, payload, bytes.subarray(20 + length)]);
    };
    const before = readFileSync(file);
    writeFileSync(file, rewritten(/"knowledge":\d+/, '"knowledge":999'));
    const newer = one(await findings(), 'store_newer');
    assert.equal(newer.level, 'problem');
    assert.match(`${newer.mend?.sentence}`, /Update Kaizen/);
    writeFileSync(file, before);
  });

  it('says who holds a lock: the living at work, the dead, and who stands still', async () => {
    await store();
    const holder = (identity: object) =>
      writeFileSync(path.join(around.data, 'lock.7'), JSON.stringify({ ...identity, nonce: 'n' }));
    holder(ownIdentity());
    assert.equal(one(await findings(), 'lock_held').level, 'ok');
    holder({ ...ownIdentity(), start: 1 });
    assert.equal(one(await findings(), 'lock_abandoned').level, 'note');
    holder({ ...ownIdentity(), host: 'elsewhere' });
    assert.equal(one(await findings(), 'lock_foreign').level, 'note');
    writeFileSync(path.join(around.data, 'lock.7'), 'nonsense');
    assert.match(`${one(await findings(), 'lock_foreign').message}`, /does not say which/);
    holder(ownIdentity());
    const long = new Date(Date.now() - 600_000);
    utimesSync(path.join(around.data, 'lock.7'), long, long);
    const stuck = one(await findings(), 'lock_stuck');
    assert.equal(stuck.level, 'problem');
    assert.ok(existsSync(path.join(around.data, 'lock.7')), 'it takes no lock away');
  });

  it('says at once that a holder is stopped', async function () {
    if (process.platform !== 'linux') this.skip();
    await store();
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    try {
      const stat = () => {
        const text = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
        return text.slice(text.lastIndexOf(')') + 2).split(' ');
      };
      const identity = { ...ownIdentity(), pid: child.pid!, start: Number(stat()[19]) };
      writeFileSync(path.join(around.data, 'lock.7'), JSON.stringify({ ...identity, nonce: 'n' }));
      one(await findings(), 'lock_held');
      child.kill('SIGSTOP');
      while (stat()[0] !== 'T') await sleep(5);
      const stuck = one(await findings(), 'lock_stuck');
      assert.equal(stuck.level, 'problem');
      assert.equal(stuck.mend?.command, `kill -CONT ${child.pid}`);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('sees folders that others may look into, and that nothing can be written to', async () => {
    await store();
    chmodSync(around.data, 0o755);
    const found = await findings();
    const open = one(found, 'store_open_to_others');
    assert.equal(open.level, 'note');
    assert.match(open.mend?.command ?? '', /^chmod 700 /);
    if (isRoot) return;
    chmodSync(around.data, 0o500);
    assert.equal(one(await findings(), 'store_read_only').level, 'problem');
    chmodSync(around.data, 0o700);
    chmodSync(journal(around.data), 0o400);
    assert.match(one(await findings(), 'store_read_only').mend?.command ?? '', /^chmod -R u\+rwX /);
  });

  it('takes nothing amiss that goes while it looks', async function () {
    if (process.platform === 'win32') this.skip();
    await store();
    symlinkSync(path.join(root, 'gone'), path.join(around.data, 'lock.999'));
    assert.ok(!codes(await findings(), 'problem').includes('store_read_only'));
  });

  it('says that a store is of another account only where it is', function () {
    if (process.platform === 'win32') this.skip();
    mkdirSync(path.join(around.data, 'guard'), { recursive: true });
    const mend = () => rightsMend(around.data, 'linux').command ?? '';
    symlinkSync(path.join(root, 'gone'), path.join(around.data, 'lock.9'));
    assert.match(mend(), /^chmod -R u\+rwX /);
    symlinkSync('/etc/passwd', path.join(around.data, 'passwd'));
    symlinkSync('/etc', path.join(around.data, 'guard', 'etc'));
    assert.match(mend(), /^chmod -R u\+rwX /);
    if (!isRoot) return;
    writeFileSync(path.join(around.data, 'guard', 'theirs'), '');
    lchownSync(path.join(around.data, 'guard', 'theirs'), 12_345, 12_345);
    assert.match(mend(), /^sudo chown -R /);
  });

  it('tells a closed store once, and not again wherever it is looked for', async function () {
    if (isRoot) this.skip();
    await store();
    chmodSync(around.shared, 0o000);
    const found = await findings();
    chmodSync(around.shared, 0o700);
    assert.deepEqual(codes(found, 'problem'), ['store_unreadable']);
    assert.match(`${one(found, 'check_refused').mend?.sentence}`, /said of the stores/);
  });

  it('says where a file is in the place of a store', async () => {
    await store();
    const file = path.join(root, 'file');
    writeFileSync(file, '');
    const found = await findings({ data: file });
    assert.deepEqual(codes(found, 'problem'), ['store_no_folder']);
    assert.equal(one(found, 'store_no_folder').mend?.folder, file);
    assert.ok(!found.some(({ code }) => code.startsWith('search_index')));
  });

  it('sees that hooks cannot keep what they remember', async function () {
    if (isRoot) this.skip();
    await store();
    const guard = path.join(around.data, 'guard');
    mkdirSync(path.join(guard, 'sessions'), { recursive: true });
    assert.ok(!(await findings()).some(({ code }) => code === 'guard_read_only'));
    chmodSync(path.join(guard, 'sessions'), 0o500);
    assert.equal(one(await findings(), 'guard_read_only').level, 'problem');
    chmodSync(path.join(guard, 'sessions'), 0o700);
  });

  it("tells the editor's hooks that are on from those that the editor does not run", async () => {
    assert.equal(one(await findings({ hooks: true }), 'hooks_on').level, 'ok');
    const keptOff = await findings({ hooks: true, hooksKeptOffBy: 'chat.useHooks' });
    assert.match(`${one(keptOff, 'hooks_kept_off').message}`, /its setting chat\.useHooks is off/);
    assert.ok(!keptOff.some(({ code }) => code === 'hooks_on'));
  });

  it('finds files that were set aside, a broken model, an old Node', async () => {
    await store();
    mkdirSync(path.join(around.data, 'damaged-2026-01-01-abc'));
    const found = await findings({ versions: { ...around.versions, node: '18.20.1' } });
    assert.equal(one(found, 'store_set_aside').level, 'note');
    assert.equal(one(found, 'node_old').level, 'problem');
  });

  it('starts what clients start: well, of another version, broken, and gone', async () => {
    const script = around.kaizen.args[0]!;
    writeFileSync(script, "console.log('0.9.0')");
    assert.match(`${one(await findings(), 'launcher_other_version').message}`, /0\.9\.0.*1\.2\.3/);
    writeFileSync(script, 'process.exit(3)');
    assert.match(`${one(await findings(), 'launcher_broken').message}`, /exit code 3/);
    const gone = { command: path.join(root, 'gone'), args: [], flags: [] };
    assert.equal(one(await findings({ kaizen: gone }), 'launcher_missing').level, 'problem');
    assert.equal(one(await findings({ hooks: false }), 'hooks_off').level, 'note');
  });

  it('looks into what clients start: out of date, unreadable, gone, other stores, and right', async () => {
    const configure = (text: string) => writeFileSync(path.join(around.workspace, '.mcp.json'), text);
    const server = (command: string, ...args: string[]) =>
      configure(JSON.stringify({ mcpServers: { kaizen: { command, args } } }));
    configure('{ "mcpServers": ');
    const unreadable = one(await findings(), 'server_unreadable');
    assert.equal(unreadable.level, 'problem');
    assert.match(`${unreadable.reason}`, /^It is not JSON/);
    server('/gone/bin/kaizen', 'mcp');
    const gone = await findings();
    assert.deepEqual(codes(gone, 'problem'), ['server_gone'], 'one cause is one problem');
    assert.match(one(gone, 'server_gone').mend?.command ?? '', /^kaizen setup --install server:claude-code$/);
    const { command, args } = around.kaizen;
    const cli = path.join(root, 'dist', 'cli.js');
    mkdirSync(path.dirname(cli));
    writeFileSync(cli, readFileSync(args[0]!));
    const kaizen = { command, args: [cli], flags: [] };
    server(command, cli, 'mcp');
    const right = await findings({ kaizen });
    assert.deepEqual(codes(right, 'problem'), []);
    one(right, 'server_current');
    const env = { KAIZEN_DATA: '/elsewhere/private' };
    configure(JSON.stringify({ mcpServers: { kaizen: { command, args: [cli, 'mcp'], env } } }));
    const own = one(await findings({ kaizen }), 'server_own_settings');
    assert.equal(own.level, 'note');
    assert.doesNotMatch(`${own.message}`, /elsewhere\/private/);
    server(command, cli, 'mcp', '--data', path.join(root, 'other'), `--shared=${around.shared}`);
    const other = (await findings({ kaizen })).filter(({ code }) => code === 'server_other_stores');
    assert.equal(other.length, 1);
    assert.match(`${other[0]!.message}`, /--data names another store/);
  });

  it('tells of hooks that are set up for other stores, and of those that came with the folder itself', async () => {
    const { command, args } = around.kaizen;
    const cli = path.join(root, 'dist', 'cli.js');
    mkdirSync(path.dirname(cli));
    writeFileSync(cli, readFileSync(args[0]!));
    const kaizen = { command, args: [cli], flags: [] as string[] };
    const { workspace, platform } = around;
    const setUp = async (...flags: string[]) => {
      const agents = { workspace, project: undefined, platform, kaizen: { ...kaizen, flags } };
      await apply(await plan(agents, { install: ['hooks:claude-code'], remove: [] }), agents);
    };
    const elsewhere = path.join(root, 'ada', 'data');
    await setUp('--data', elsewhere, '--project', 'h1');
    const note = one(await findings({ kaizen }), 'hooks_other_stores');
    assert.equal(note.level, 'note');
    assert.ok(`${note.reason}`.includes(`the store in ${elsewhere} and the project h1`));
    assert.doesNotMatch(`${note.message}`, /ada/);
    const asked = await findings({ kaizen: { ...kaizen, flags: ['--project', 'h1', '--data', elsewhere] } });
    one(asked, 'hooks_current');
    assert.ok(!asked.some(({ code }) => code === 'hooks_other_stores'));
    await setUp('--data', './.evil', '--shared', path.join(workspace, '.evil'), '--project', 'x');
    const strange = one(await findings({ kaizen }), 'hooks_stores_inside');
    assert.equal(strange.level, 'problem');
    assert.match(`${strange.reason}`, /the store in \.\/\.evil/);
    const places = `--data ${around.data} --shared ${around.shared}`;
    if (process.platform !== 'win32')
      assert.equal(strange.mend?.command, `kaizen setup --install hooks:claude-code ${places} --project shop`);
    const again = await findings({
      kaizen,
      told: [
        ['--data', around.data],
        ['--project', 'shop'],
      ],
    });
    assert.equal(one(again, 'hooks_stores_inside').mend?.command?.split('--data').length, 2, 'told once');
    // A store that is the person's own may lie there.
    const own = await findings({ kaizen, data: path.join(workspace, '.evil'), shared: path.join(workspace, '.evil') });
    one(own, 'hooks_other_stores');
    if (process.platform !== 'win32') {
      mkdirSync(path.join(workspace, '.evil'));
      symlinkSync(path.join(workspace, '.evil'), path.join(root, 'link'));
      await setUp('--data', path.join(root, 'link'));
      one(await findings({ kaizen }), 'hooks_stores_inside');
    }
    await setUp('--budget', '500');
    one(await findings({ kaizen }), 'hooks_own_settings');
    await setUp('--bogus');
    assert.equal(one(await findings({ kaizen }), 'hooks_outdated').level, 'problem');
  });

  it('finds hooks right that name the stores that it is asked about, however it was told of them', async () => {
    const { workspace, platform, data, shared } = around;
    const cli = path.join(root, 'dist', 'cli.js');
    mkdirSync(path.dirname(cli));
    writeFileSync(cli, readFileSync(around.kaizen.args[0]!));
    const kaizen = { command: process.execPath, args: [cli], flags: [] as string[] };
    const setUp = async (args: string[], ...flags: string[]) => {
      const agents = { workspace, project: undefined, platform, kaizen: { ...kaizen, args, flags } };
      await apply(await plan(agents, { install: ['hooks:claude-code'], remove: [] }), agents);
    };
    await setUp([cli], '--data', data, '--shared', shared, '--project', 'shop');
    // Said by variables: what setting up would hand on has none of them.
    const right = await findings({ kaizen });
    one(right, 'hooks_current');
    assert.deepEqual(codes(right, 'problem'), []);
    one(await findings({ kaizen, project: 'work', isProjectGuessed: true }), 'hooks_current');
    const other = one(await findings({ kaizen, project: 'h2' }), 'hooks_other_stores');
    if (process.platform !== 'win32') {
      const asked = `--data ${data} --shared ${shared} --project h2`;
      assert.equal(other.mend?.command, `kaizen setup --install hooks:claude-code ${asked}`);
    }
    // Another program starts them: to have that mended is not to lose the stores.
    await setUp([path.join(root, 'old', 'dist', 'cli.js')], '--data', data, '--shared', shared, '--project', 'shop');
    const outdated = one(await findings({ kaizen }), 'hooks_outdated');
    assert.match(`${outdated.reason}`, /^They are set up for the store in /);
    assert.ok(outdated.mend?.command?.includes(' --data '));
    await setUp([cli], '--data', data, '--shared', shared, '--project', 'shop', '--budget', '500');
    assert.match(`${one(await findings({ kaizen }), 'hooks_own_settings').reason}`, /--budget 500/);
  });

  it('names no flags for stores that are where they are without any', async () => {
    const { workspace, platform } = around;
    const { data, shared } = dataDirectories(workspace, platform);
    const agents = { workspace, project: undefined, platform, kaizen: { ...around.kaizen, flags: ['--data', root] } };
    await apply(await plan(agents, { install: ['hooks:claude-code'], remove: [] }), agents);
    const note = one(await findings({ data, shared, project: 'work', isProjectGuessed: true }), 'hooks_other_stores');
    assert.equal(note.mend?.command, 'kaizen setup --install hooks:claude-code');
  });

  it('misses no launcher before the editor makes one, unless a client starts it', async () => {
    const { workspace, platform } = around;
    const kaizen = launcherCommand(platform);
    const missing = async (more: Partial<DoctorSurroundings>) =>
      (await findings({ hooks: true, kaizen, ...more })).filter(({ code }) => code.startsWith('launcher_'));
    const [none, ...others] = await missing({ launcher: 'unneeded' });
    assert.deepEqual([none?.code, none?.level, none?.mend, others], ['launcher_none', 'note', undefined, []]);
    const [restricted] = await missing({ launcher: 'restricted' });
    assert.deepEqual([restricted?.code, restricted?.level], ['launcher_restricted', 'note']);
    assert.match(`${restricted?.mend?.sentence}`, /^Trust the folder/);
    assert.deepEqual(await missing({ launcher: 'unneeded', hooks: false }), []);
    // By now the editor should have made it.
    const [due] = await missing({});
    assert.deepEqual([due?.code, due?.level], ['launcher_missing', 'problem']);
    assert.match(`${due?.mend?.sentence}`, /^Reload the window/);
    const agents = { workspace, project: undefined, platform, kaizen };
    await apply(await plan(agents, { install: ['hooks:claude-code'], remove: [] }), agents);
    for (const hooks of [true, false])
      for (const [launcher, mend] of [
        ['unneeded', /^Set agents up once more/],
        ['restricted', /^Trust the folder/],
      ] as const) {
        const [problem] = await missing({ launcher, hooks });
        assert.deepEqual([problem?.code, problem?.level], ['launcher_unmade', 'problem']);
        assert.match(`${problem?.mend?.sentence}`, mend);
      }
  });

  it('says that the project of the folder is none that the store has, and how to name one that is', async () => {
    await store();
    assert.ok(!(await findings()).some(({ code }) => code === 'project_undefined'));
    const guessed = { project: 'secret-folder', isProjectGuessed: true };
    const note = one(await findings(guessed), 'project_undefined');
    assert.equal(note.level, 'note');
    assert.doesNotMatch(`${note.message} ${note.mend?.sentence}`, /secret-folder|shop/);
    assert.equal(`${note.reason}`, 'The project here is secret-folder; defined are: shop.');
    assert.equal(note.mend?.command, 'kaizen setup --install all-detected --project shop');
    const { workspace, platform, kaizen } = around;
    const agents = { workspace, project: undefined, platform, kaizen };
    await apply(await plan(agents, { install: ['hooks:claude-code', 'instructions:AGENTS.md'], remove: [] }), agents);
    const told = one(await findings({ ...guessed, told: [['--data', '/d']] }), 'project_undefined');
    assert.equal(told.mend?.command, 'kaizen setup --install hooks:claude-code --project shop --data /d');
    const named = one(await findings({ project: 'x', told: [['--project', 'x']] }), 'project_undefined');
    assert.equal(named.mend?.command, undefined, 'two of one flag are none');
    const inEditor = one(await findings({ project: 'x', hooks: true }), 'project_undefined');
    assert.match(`${inEditor.mend?.sentence}`, /setting kaizen\.project/);
    const reported = { ...around, ...guessed };
    assert.doesNotMatch(doctorReport([note], reported, { user: 'u', host: 'h' }), /secret-folder|\bshop\b/);
  });

  it('tells all of a server that is set up for other stores, whatever flags it is given itself', async () => {
    const { command, args } = around.kaizen;
    const cli = path.join(root, 'dist', 'cli.js');
    mkdirSync(path.dirname(cli));
    writeFileSync(cli, readFileSync(args[0]!));
    const words = [cli, 'mcp', '--data', '/gone', '--registry', 'postgres://evil/x'];
    const entry = { command, args: words, env: { NODE_OPTIONS: '--require x' } };
    writeFileSync(path.join(around.workspace, '.mcp.json'), JSON.stringify({ mcpServers: { kaizen: entry } }));
    const kaizen = { command, args: [cli], flags: ['--data', around.data, '--shared', around.shared] };
    const found = await findings({ kaizen });
    one(found, 'server_own_settings');
    const others = found.filter(({ code }) => code === 'server_other_stores').map(({ message }) => `${message}`);
    assert.ok(others.some((message) => /--data names another store/.test(message)));
  });

  it('sees that Claude Code is told to run no hooks, and says so only where some of Kaizen are set up', async () => {
    const settings = (name: string) => path.join(around.workspace, '.claude', name);
    mkdirSync(path.dirname(settings('x')));
    writeFileSync(settings('settings.json'), '{ "disableAllHooks": true } // for now');
    assert.ok(!(await findings()).some(({ code }) => code === 'hooks_switched_off'));
    const command = 'kaizen hook stop';
    writeFileSync(
      settings('settings.local.json'),
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }),
    );
    assert.match(`${one(await findings(), 'hooks_switched_off').message}`, /\.claude\/settings\.json says so/);
  });

  it('counts the calls of hooks that failed lately, without what they were about', async () => {
    await store();
    const directory = path.join(around.data, 'guard');
    const record = (outcome: 'failed' | 'tell', at: string) =>
      appendRecord(directory, {
        ...{ at, event: 'pre-tool-use', client: 'claude-code', session_id: 's', tool: 'Edit', use_id: null, outcome },
        ...{ rules: [], paths: ['secret_path.ts'], message: 'secret_message' },
      });
    record('tell', new Date().toISOString());
    assert.equal(one(await findings(), 'hook_log').level, 'ok');
    record('failed', '2020-01-01T00:00:00.000Z');
    assert.deepEqual(codes(await findings(), 'problem'), []);
    record('failed', new Date().toISOString());
    const lasting = one(await findings(), 'hook_failures');
    assert.equal(lasting.level, 'problem');
    assert.match(
      `${lasting.message}`,
      /^Calls of hooks that failed since the log .* went well: 1, the latest \(pre-tool-use\)/,
    );
    assert.doesNotMatch(JSON.stringify(lasting), /secret_/);
    record('tell', new Date().toISOString());
    const failed = one(await findings(), 'hook_failures');
    // One call that nobody understood is no problem for a week.
    assert.equal(failed.level, 'note');
    assert.match(`${failed.message}`, /^Calls of hooks that failed in the last 7 days: 1,/);
    assert.doesNotMatch(JSON.stringify(failed), /secret_/);
  });

  it('takes a call of its own for one that went well', async () => {
    await store();
    const [at, place] = [new Date().toISOString(), guardPlace({ ...around, project: 'shop' })!];
    const kaizen = new Kaizen({ data: around.data, shared: around.shared, project: 'shop' });
    await writeGuardIndex(place, await kaizen.guardIndex(place));
    await kaizen.close();
    remember(place.directory, 's', [{ kind: 'began', at, sessions: '' }]);
    appendRecord(place.directory, {
      ...{ at, event: 'pre-tool-use', client: 'claude-code', session_id: 's', tool: 'Edit', use_id: null },
      ...{ outcome: 'failed', rules: [], paths: [] },
    });
    const found = await findings();
    assert.ok(found.some(({ code }) => /^hook_(time|slow)$/.test(code)));
    assert.equal(one(found, 'hook_failures').level, 'note');
    assert.equal(one(await findings({ hooks: true }), 'hook_failures').level, 'problem', 'where none could be made');
  });

  it('sees that nothing is kept where a link, or no folder, is in the place of what hooks remember', async function () {
    if (process.platform === 'win32') this.skip();
    await store();
    const [guard, elsewhere] = [path.join(around.data, 'guard'), path.join(root, 'elsewhere')];
    mkdirSync(elsewhere);
    const obstructed = async (obstacle: string) => {
      const found = await findings();
      assert.equal(one(found, 'guard_obstructed').level, 'problem');
      assert.equal(one(found, 'guard_obstructed').mend?.folder, obstacle);
      assert.ok(!found.some(({ code }) => /^guard_(index_none|read_only)$/.test(code)), 'no call makes an index');
    };
    for (const target of [elsewhere, path.join(root, 'gone')]) {
      symlinkSync(target, guard);
      await obstructed(guard);
      rmSync(guard);
    }
    writeFileSync(guard, '');
    await obstructed(guard);
    rmSync(guard);
    mkdirSync(guard);
    one(await findings(), 'guard_index_none');
    for (const name of ['sessions', 'decisions.jsonl']) {
      symlinkSync(elsewhere, path.join(guard, name));
      await obstructed(path.join(guard, name));
      rmSync(path.join(guard, name));
    }
  });

  it('asks a registry for at most some seconds, and says nothing of its address', async () => {
    const registry = { url: 'postgres://secret_user:secret_password@127.0.0.1:1/secret_database' };
    const found = await findings({ registry });
    assert.equal(one(found, 'registry_unreachable').level, 'problem');
    assert.doesNotMatch(JSON.stringify(found), /secret_/);
  });

  it('says that an address cannot be read, and no word of it', async () => {
    const found = await findings({ registry: { url: 'postgres://secret_user:pa/ss@db:5432/x' } });
    const { level, message } = one(found, 'registry_address');
    assert.equal(level, 'problem');
    assert.match(`${message}`, /malformed.*it cannot be read\./);
    assert.doesNotMatch(JSON.stringify(found), /secret_|pa\/ss/);
  });

  it('does not take npx for tried: it asks a registry of packages for a name', async () => {
    const kaizen = { command: 'npx', args: ['-y', 'kaizen-knowledge'], flags: [] };
    const npx = one(await findings({ kaizen }), 'launcher_npx');
    assert.equal(npx.level, 'note');
    assert.match(npx.mend?.command ?? '', /^npx --no kaizen-knowledge --version$/);
  });

  it('finds rules with a risk that cannot be read, in a store that it opens for nobody', async () => {
    await store();
    const kaizen = new Kaizen({ data: around.data, shared: around.shared, project: 'shop' });
    const { knowledge } = await kaizen.parts();
    const rule = (keyword: string, content: string, metaknowledge: Record<string, string>) =>
      knowledge.storeOverwrite(
        { target_scope_id: 'shop', category: 'db', keyword, content, metaknowledge },
        { author: 'adalbert' },
      );
    await rule('no_risk', 'Text.', { MATCHES: '(((' });
    await rule('fine', 'DANGER: no', { MATCHES: 'a+', APPLIES_TO: 'src/**' });
    for (let index = 10; index < 23; index++)
      await rule(`secret_${index}`, 'DANGER: secret_text\nno', { MATCHES: '(((' });
    await kaizen.close();
    const before = fingerprint(root);
    const found = (await findings()).filter(({ code }) => code === 'rule_unreadable');
    assert.deepEqual(fingerprint(root), before);
    assert.equal(found.length, 11);
    assert.match(`${found[0]?.reason}`, /secret_10 .*cannot be read/);
    assert.equal(found[0]?.mend?.command, 'kaizen get shop secret_10 --category db');
    assert.match(`${found[10]?.message}`, /more rules .*: 3\.$/);
    assert.doesNotMatch(doctorReport(found, around, { user: undefined, host: undefined }), /secret_/);
  });

  describe('gives for a rule that cannot be read', () => {
    const rule = (more: object) => ({
      ...{ scope_id: 'h1', category: 'db', keyword: 'k', content: 'DANGER: x' },
      ...{
        metaknowledge: { APPLIES_TO: 'src/**', MATCHES: '(((' },
        faults: [{ key: 'MATCHES', message: 'No.' } as const],
      },
      ...more,
    });
    const command = (more: object, platform: NodeJS.Platform = 'linux', told: [string, string][] = []) => {
      const [finding] = checkRules(sentence('The shared store'), [rule(more)], platform);
      return withToldFlags(finding!, { told, platform: { ...around.platform, platform } }).mend?.command;
    };
    const stored = "kaizen store --overwrite h1 db k 'DANGER: x' --meta 'APPLIES_TO=src/**'";

    it('what stores it again as it is, where it can do without the expression', () => {
      assert.equal(command({}), stored);
      assert.equal(command({}, 'win32'), stored.replaceAll("'", '"'));
    });

    it('nothing that would store a word in the place of what only a person knows', () => {
      const faults = [{ key: 'APPLIES_TO', message: 'No.' }];
      for (const more of [{ metaknowledge: { MATCHES: '(((' } }, { metaknowledge: { APPLIES_TO: '{' }, faults }]) {
        assert.equal(command(more), 'kaizen get h1 k --category db');
      }
    });

    it('no command on Windows that a shell there would run a part of', () => {
      for (const text of [
        '$(calc.exe)',
        '$env:X',
        '`n',
        '%PATH%',
        'a "b"',
        'x\u201D; calc; \u201C',
        '\u2019; calc',
        'a\\',
      ]) {
        assert.equal(command({ content: `DANGER: ${text}` }, 'win32'), 'kaizen get h1 k --category db', text);
        assert.equal(command({ content: 'DANGER: x', keyword: text }, 'win32'), undefined, text);
        assert.equal(command({}, 'win32', [['--data', `C:\\${text}`]]), undefined, text);
      }
      assert.match(command({}, 'win32', [['--data', 'C:\\my data']])!, / --data "C:\\my data"$/);
    });

    it('no command whose words are shown otherwise than they are', () => {
      for (const mark of ['\u202E', '\u200B', '\u2028', '\n']) {
        assert.equal(command({ content: `DANGER: x${mark}` }), 'kaizen get h1 k --category db');
        assert.equal(command({ keyword: `k${mark}` }), undefined);
      }
    });

    it('a command that takes a keyword with a dash at its beginning for none of its flags', () => {
      const told: [string, string][] = [['--data', '/its data']];
      assert.equal(
        command({ keyword: '-kw' }, 'linux', told),
        "kaizen store --data '/its data' --overwrite --meta 'APPLIES_TO=src/**' -- h1 db -kw 'DANGER: x'",
      );
      assert.equal(
        command({ keyword: '-kw', content: '-' }, 'linux', told),
        "kaizen get --data '/its data' --category db -- h1 -kw",
      );
    });
  });

  it('hides from a report what its commands name, also within quotes', async () => {
    const data = path.join(root, "it's hidden_name");
    const found = await findings({ told: [['--data', data]], kaizen: { ...around.kaizen, command: 'gone' } });
    assert.ok(one(found, 'launcher_missing').mend?.command?.endsWith(`it'\\''s hidden_name'`));
    const report = doctorReport(found, { ...around, data }, { user: undefined, host: undefined });
    assert.match(report, /--data '\\<workspace-store\\>'/);
    assert.doesNotMatch(report, /hidden_name/);
  });

  it('tells how far each area has come, in order, and stops when it is told to', async () => {
    const areas = (await findings()).map(({ area }) => area);
    assert.deepEqual([...new Set(areas)], ['versions', 'stores', 'locks', 'index', 'clients', 'hooks', 'registry']);
    const controller = new AbortController();
    const seen: string[] = [];
    await assert.rejects(async () => {
      for await (const { area } of diagnose({ ...around, signal: controller.signal })) {
        seen.push(area);
        controller.abort();
      }
    });
    assert.ok(!seen.includes('registry'));
  });

  it('takes no file for a problem that nobody has to have: another one says the same', async () => {
    const file = path.join(around.workspace, '.github', 'copilot-instructions.md');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, 'Mine.\n\n```js\n');
    assert.equal(one(await findings(), 'instructions_unreadable').level, 'problem');
    const { apply, inspect, plan } = await import('../../src/agents');
    await apply(await plan(around, { install: ['instructions:AGENTS.md'], remove: [] }), around);
    assert.ok((await inspect(around)).some(({ id, isThere }) => isThere && id === 'instructions:AGENTS.md'));
    assert.equal(one(await findings(), 'instructions_unreadable').level, 'note');
  });

  it('sees knowledge that was exported into a file of agents, which sets up none', async () => {
    const { writeKnowledgeSection } = await import('../../src/agents');
    const file = path.join(around.workspace, 'AGENTS.md');
    await writeKnowledgeSection(file, '# What is known\n');
    const found = await findings();
    assert.equal(
      String(one(found, 'knowledge_there').message),
      'Exported knowledge in AGENTS.md: there, as it was exported.',
    );
    assert.equal(one(found, 'clients_none').level, 'note');
    writeFileSync(file, '<!-- kaizen:knowledge:begin -->\n');
    const damaged = one(await findings(), 'knowledge_unreadable');
    assert.equal(damaged.level, 'note');
    assert.match(String(damaged.reason), /line 1/);
  });

  it('reports nothing of what configurations hold that cannot be read', async () => {
    const configure = (text: string, ...names: string[]) => {
      const file = path.join(around.workspace, ...names);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    };
    const platform = { ...around.platform, platform: 'win32' } as const;
    const kaizen = { command: 'C:\\Kaizen\\bin\\kaizen.cmd', args: [], flags: [] };
    const url = 'postgres://kz:p%40ss-Secret9@db.acme.example/x';
    const args = ['/c', 'C:\\old\\kaizen.cmd', 'mcp', '--registry', url];
    configure(JSON.stringify({ mcpServers: { kaizen: { command: 'cmd', args } } }), '.mcp.json');
    configure('{"mcpServers": {"acme-billing-prod": {}, "acme-billing-prod": {}}}', '.cursor', 'mcp.json');
    configure('{"hooks": {"acme-deploy": {}}}', '.claude', 'settings.local.json');
    const found = (await findings({ platform, kaizen })).filter(({ code }) => code.endsWith('_unreadable'));
    assert.deepEqual(found.map(({ code }) => code).sort(), [
      'hooks_unreadable',
      'server_unreadable',
      'server_unreadable',
    ]);
    const report = doctorReport(found, { ...around, platform }, { user: undefined, host: undefined });
    assert.doesNotMatch(report, /acme|Secret9|postgres/);
    assert.match(report, /Kaizen cannot read or change it/);
    const reasons = found.map(({ reason }) => `${reason}`).join('\n');
    assert.doesNotMatch(reasons, /Secret9|postgres/);
    assert.match(reasons, /what is said with --registry/);
  });

  it('reports without private content: whatever name is planted, none appears', async () => {
    const names = { user: 'zebulon', host: 'quirky-laptop', project: 'hush-project' };
    const home = path.join(root, 'zebulon');
    const places = {
      workspace: path.join(home, 'hush-project'),
      data: path.join(home, '.data', 'hush-project-abc', 'it’s "quoted" & odd'),
      shared: path.join(home, '.data', 'shared'),
      platform: { ...around.platform, home, env: { ...around.platform.env, HOME: home } },
      ...{ project: names.project, hooks: true },
      versions: { kaizen: '1.2.3', node: '16.0.0', editor: 'Editor 1.100.0' },
      registry: { url: 'postgres://zebulon:hunter2secret@quirky-laptop.invalid/hush-project' },
    };
    mkdirSync(places.workspace, { recursive: true });
    around = { ...around, ...places };
    await store();
    chmodSync(places.data, 0o755);
    writeFileSync(path.join(places.workspace, '.mcp.json'), '{ "hush-project": zebulon');
    mkdirSync(path.join(places.workspace, '.cursor'));
    writeFileSync(
      path.join(places.workspace, '.cursor', 'mcp.json'),
      '{"mcpServers":{"kaizen":{"command":"/home/zebulon/x"}}}',
    );
    const whole = readFileSync(journal(places.data));
    whole[whole.length - 40]! ^= 0xff;
    writeFileSync(journal(places.data), whole);
    const found = [
      ...(await findings()),
      // Whatever a sentence of the system holds.
      {
        ...({ area: 'stores', code: 'planted', level: 'problem' } as const),
        message: sentence(
          '{0} on QUIRKY-LAPTOP, hush-project, entry secret_keyword_1',
          `EACCES: open '${places.data}/x' by Zebulon`,
        ),
        mend: {
          sentence: sentence('See <script> [x](javascript:y) @someone.'),
          command: `chmod 700 '${places.workspace}'`,
        },
      },
    ];
    const privacy = { user: names.user, host: names.host, names: ['secret_keyword_1'] };
    const report = doctorReport(found, around, privacy);
    for (const name of [
      'zebulon',
      'quirky',
      'hush',
      'hunter2',
      'secret_keyword',
      'adalbert',
      root,
      homedir(),
      hostname(),
      userInfo().username,
    ]) {
      if (name.length < 3 || /^(root|node|runner|nobody)$/.test(name)) continue;
      assert.ok(!report.toLowerCase().includes(name.toLowerCase()), `${name} in ${report}`);
    }
    assert.match(report, /workspace-store/);
    assert.match(report, /\| Editor \| Editor 1\.100\.0 \|/);
    assert.match(report, /✖ `node_old`/);
    assert.match(report, /registry_unreachable/);
    assert.doesNotMatch(report, /[^\\]<script|[^\\]\[x\]|@someone/);
    assert.equal(report, doctorReport(found, around, privacy));
  });
});

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
