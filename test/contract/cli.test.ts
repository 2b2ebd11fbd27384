import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ResolvedEntry, Revision, ScopeListing } from '../../src/knowledge';
import { Lock } from '../../src/store/lock';
import type { ImportResult } from '../../src/transfer';

const CLI = resolve('dist/cli.js');
const EXAMPLE = resolve('examples/checkout-api/knowledge.jsonl');
const VERSION = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

describe('kaizen, at a terminal', function () {
  this.timeout(30_000);
  let root: string;
  let running: ChildProcess[];

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kaizen-cli-'));
    running = [];
    mkdirSync(join(root, 'work'));
  });
  afterEach(async () => {
    for (const child of running.filter((each) => each.exitCode === null && each.signalCode === null)) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(root, { recursive: true, force: true });
  });

  /** Nothing of the person who runs the tests: neither variables nor a home directory. */
  function environment(extra: Record<string, string> = {}): Record<string, string> {
    const home = join(root, 'home');
    const { PATH = '', SystemRoot = '' } = process.env;
    return { PATH, SystemRoot, HOME: home, USERPROFILE: home, XDG_DATA_HOME: home, LOCALAPPDATA: home, ...extra };
  }

  function start(args: string[], options: { cwd?: string; env?: Record<string, string> } = {}): ChildProcess {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: options.cwd ?? join(root, 'work'),
      env: environment(options.env),
      stdio: 'pipe',
    });
    running.push(child);
    return child;
  }

  async function kaizen(
    args: string[],
    options: { cwd?: string; env?: Record<string, string>; input?: string | Buffer } = {},
  ): Promise<Outcome> {
    const child = start(args, options);
    const outcome: Outcome = { code: null, stdout: '', stderr: '' };
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (outcome.stdout += text));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (outcome.stderr += text));
    child.stdin!.end(options.input ?? '');
    [outcome.code] = (await once(child, 'close')) as [number | null];
    assert.doesNotMatch(outcome.stderr, /^\s+at .+:\d+:\d+\)?$/m, 'no stack trace is shown to a person');
    return outcome;
  }

  async function succeed(args: string[], options: Parameters<typeof kaizen>[1] = {}): Promise<string> {
    const { code, stdout, stderr } = await kaizen(args, options);
    assert.equal(code, 0, `kaizen ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  async function json<T>(args: string[], options: Parameters<typeof kaizen>[1] = {}): Promise<T> {
    return JSON.parse(await succeed([...args, '--json'], options)) as T;
  }

  describe('help and wrong usage', () => {
    it('prints the version and nothing else', async () => {
      assert.deepEqual(await kaizen(['--version']), { code: 0, stdout: `${VERSION}\n`, stderr: '' });
    });

    it('names every command in its help, and each command has a help of its own', async () => {
      const help = await succeed(['--help']);
      for (const command of ['mcp', 'scopes', 'get', 'store', 'delete', 'history', 'import', 'export']) {
        assert.match(help, new RegExp(`^ {2}${command} `, 'm'));
        const own = await succeed([command, '--help']);
        assert.match(own, new RegExp(`^Usage: kaizen ${command}`, 'm'));
        assert.equal(await succeed([command, '-h']), own);
        assert.equal(await succeed(['help', command]), own);
      }
    });

    it('finds every command that the help of a group lists', async () => {
      for (const group of ['hook', 'safety', 'registry', 'relations']) {
        const listed = [...(await succeed([group, '--help'])).matchAll(/^ {2}(\S*) +[A-Z]/gm)].map(([, word]) => word!);
        assert.ok(listed.length > 0, group);
        for (const word of listed) {
          const own = await succeed([group, word, '--help']);
          assert.match(own, new RegExp(`^Usage: kaizen ${group} ${word}\\b`, 'm'));
        }
      }
    });

    it('offers what becomes of secrets where texts are stored, and nowhere else', async () => {
      for (const command of ['store', 'import']) assert.match(await succeed([command, '--help']), /--allow-secret/);
      for (const command of ['get', 'doctor']) assert.doesNotMatch(await succeed([command, '--help']), /secret/);
      assert.equal((await kaizen(['get', '--allow-secret'])).code, 2);
    });

    it('tells wrong usage (2) from what went wrong (1), each in a sentence with a hint', async () => {
      const wrong: [string[], RegExp][] = [
        [[], /Usage: kaizen COMMAND/],
        [['frobnicate'], /^kaizen: There is no command frobnicate\.\n.*--help/],
        [['help', 'frobnicate'], /^kaizen: There is no command frobnicate\.\n/],
        [['get', '--frobnicate'], /^kaizen: Unknown option '--frobnicate'\.\n.*get --help/],
        [['store', 'general'], /^kaizen: CATEGORY is missing\.\n/],
        [['delete', 'a', 'b', 'c', 'd'], /^kaizen: "d" is one word too many\./],
        [['scopes', 'define', 'x'], /^kaizen: --tier must be one of GENERAL, PRODUCT, GROUP, PROJECT\.\n/],
        [['history', 'a', 'b', 'c', '--restore', 'x'], /^kaizen: --restore needs the number/],
        [['scopes', '--data', ''], /^kaizen: --data needs a value that is not empty\.\n/],
        [['mcp', '--project', ''], /^kaizen: --project needs a value that is not empty\.\n/],
        [['mcp', '--http', '99999'], /^kaizen: --http needs a port/],
        [['mcp', '--token', 'x'], /^kaizen: --token only goes with --http/],
      ];
      for (const [args, expected] of wrong) {
        const { code, stdout, stderr } = await kaizen(args);
        assert.deepEqual([code, stdout], [2, ''], args.join(' '));
        assert.match(stderr, expected);
      }
      const failed = await kaizen(['get', 'anything']);
      assert.equal(failed.code, 1);
      assert.match(failed.stderr, /^kaizen: There is no scope "work"\./);
    });
  });

  describe('where it works', () => {
    it('keeps the data in the given directories and makes them; flags win over variables', async () => {
      const env = { KAIZEN_DATA: join(root, 'a/b/data'), KAIZEN_SHARED: join(root, 'a/b/shared'), KAIZEN_PROJECT: 'p' };
      await succeed(['scopes', 'define', 'p', '--tier', 'PROJECT'], { env });
      await succeed(['store', 'p', 'git', 'commit', 'from the variables'], { env });
      assert.ok(existsSync(join(root, 'a/b/data')) && existsSync(join(root, 'a/b/shared')));
      assert.ok(!existsSync(join(root, 'home')));
      const [entry] = await json<ResolvedEntry[]>(['get', 'commit'], { env });
      assert.equal(entry?.content, 'from the variables');

      const other = ['--data', join(root, 'other'), '--shared', join(root, 'other-shared'), '--project', 'q'];
      assert.deepEqual(await json(['scopes', ...other], { env }), []);
    });

    it('finds the same knowledge from every worktree of a repository, and other knowledge elsewhere', async () => {
      const main = join(root, 'checkout-api');
      const worktree = join(root, 'elsewhere');
      const git = (...args: string[]) => {
        const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid'];
        execFileSync('git', [...identity, '-C', main, ...args], { stdio: 'pipe' });
      };
      mkdirSync(main);
      git('init', '--quiet');
      git('commit', '--quiet', '--allow-empty', '-m', 'first');
      git('worktree', 'add', '--quiet', worktree);

      await succeed(['scopes', 'define', 'checkout-api', '--tier', 'PROJECT'], { cwd: main });
      await succeed(['store', 'checkout-api', 'git', 'commit', 'Say why.'], { cwd: main });
      const [entry] = await json<ResolvedEntry[]>(['get', 'commit'], { cwd: worktree });
      assert.equal(entry?.source_scope, 'checkout-api');
      assert.equal(entry?.content, 'Say why.');
      assert.deepEqual(await json(['scopes']), []);
      const named = await json<ScopeListing[]>(['scopes', '--workspace', worktree]);
      assert.deepEqual(
        named.map(({ scope_id, is_current_project }) => [scope_id, is_current_project]),
        [['checkout-api', true]],
      );
    });
  });

  describe('scopes, entries and their history', () => {
    beforeEach(async () => {
      await succeed(['scopes', 'define', 'general', '--tier', 'general', '--name', 'General']);
      await succeed(['scopes', 'define', 'shop', '--tier', 'PRODUCT']);
      await succeed(['scopes', 'define', 'work', '--tier', 'PROJECT', '--parent', 'shop']);
    });

    it('lists scopes by tier and marks the current project', async () => {
      const lines = (await succeed(['scopes'])).trimEnd().split('\n');
      assert.deepEqual(
        lines.map((line) => line.trim().split(/\s+/).slice(0, 3)),
        [
          ['SCOPE', 'TIER', 'ENTRIES'],
          ['general', 'GENERAL', '0'],
          ['shop', 'PRODUCT', '0'],
          ['*', 'work', 'PROJECT'],
        ],
      );
    });

    it('stores, resolves, overwrites, deletes and restores', async () => {
      await succeed([
        'store',
        'general',
        'git',
        'commit',
        'General.',
        '--meta',
        'REASON=a=b',
        '--meta',
        'SEVERITY=Low',
      ]);
      await succeed(['store', 'work', 'git', 'commit', '-'], { input: 'Own.\nTwo lines.\n' });
      const [own] = await json<ResolvedEntry[]>(['get', 'commit']);
      assert.deepEqual([own?.content, own?.source_scope], ['Own.\nTwo lines.', 'work']);
      const [general] = await json<ResolvedEntry[]>(['get', 'general', 'commit']);
      assert.deepEqual(general?.metaknowledge, { REASON: 'a=b', SEVERITY: 'Low' });

      await succeed(['store', 'work', 'git', 'commit', 'Newer.', '--overwrite', '--reason', 'it was wrong']);
      await succeed(['delete', 'work', 'git', 'commit', '--context', 'elsewhere']);
      const tied = ['store', 'work', 'db', 'migrations', 'DANGER: Never edit one.', '--overwrite'];
      assert.doesNotMatch((await kaizen([...tied, '--meta', 'APPLIES_TO=db/**'])).stderr, /tied/);
      assert.match((await kaizen(tied)).stderr, /what tied it to files; .*--meta.*\n {2}APPLIES_TO=db\/\*\*\n/);
      const [inherited] = await json<ResolvedEntry[]>(['get', 'commit']);
      assert.equal(inherited?.source_tier, 'GENERAL');
      await succeed(['history', 'work', 'git', 'commit', '--restore', '1']);

      const revisions = await json<Revision[]>(['history', 'work', 'git', 'commit']);
      assert.deepEqual(
        revisions.map(({ action, content, project_context }) => [action, content, project_context]),
        [
          ['create', 'Own.\nTwo lines.', 'work'],
          ['update', 'Newer.', 'work'],
          ['delete', null, 'elsewhere'],
          ['restore', 'Own.\nTwo lines.', 'work'],
        ],
      );
      assert.equal(revisions[1]?.reason, 'it was wrong');
      assert.match(
        await succeed(['history', 'work', 'git', 'commit']),
        /^2 {2}update .*\n {2}Reason: it was wrong\n {2}Newer\./m,
      );
    });

    it('stores what nobody is warned by as it stands, and says so beside success', async () => {
      const words = ['store', 'work', 'db', 'migrations', 'Never edit one.', '--meta', 'APPLIES_TO=migrations/**'];
      const label = await kaizen([...words, '--meta', 'DANGER=Never edit one.']);
      assert.deepEqual([label.code, label.stdout], [0, 'migrations (db, work) is stored.\n']);
      assert.equal(
        label.stderr,
        'kaizen: The metaknowledge "DANGER" warns nobody. A risk stands in the content, as in "DANGER: …".\n',
      );

      const broken = ['store', 'work', 'db', 'badre', 'DANGER: bad re', '--meta', 'MATCHES=((('];
      const stored = await kaizen(broken);
      assert.deepEqual([stored.code, stored.stdout], [0, 'badre (db, work) is stored.\n']);
      assert.match(
        stored.stderr,
        /^kaizen: MATCHES is not looked for\. .* cannot be read: .* told of once in each session/,
      );
      const replaced = await kaizen([...broken, '--meta', 'APPLIES_TO=src/b.ts', '--overwrite', '--json']);
      assert.equal(replaced.stderr, '');
      const { success, notices } = JSON.parse(replaced.stdout) as { success: boolean; notices: string[] };
      assert.equal(success, true);
      assert.match(notices.join(), /^MATCHES is not looked for\. .* wherever a file under APPLIES_TO is changed\.$/);
      assert.deepEqual(await json(['store', 'work', 'db', 'fine', 'DANGER: x', '--meta', 'MATCHES=x+']), {
        success: true,
      });
      assert.match(await succeed(['store', '--help']), /"DANGER: .*" --meta APPLIES_TO='migrations\/\*\*'/);
    });

    for (const [kind, name, directory, isLookedAt, words] of [
      ['an entry', 'lock', 'own data', true, ['store', 'shop', 'git', 'push', 'Small commits.']],
      ['a note', 'notes', 'own data', false, ['notes', 'create', 'retries', 'Retry twice.', '--type', 'concept']],
      ['a document', 'lock', 'shared/library', false, ['library', 'add', 'guide.md']],
    ] as const) {
      it(`says for whom it waits with ${kind}, on standard error, and goes on when that one is done`, async () => {
        const [data, shared] = [join(root, 'own data'), join(root, 'shared')];
        const places = ['--data', data, '--shared', shared];
        await succeed(['scopes', 'define', 'shop', '--tier', 'PROJECT', ...places]);
        writeFileSync(join(root, 'work', 'guide.md'), '# Guide\n\nRetry a payment twice.\n');
        mkdirSync(join(root, directory), { recursive: true });
        const lock = new Lock(join(root, directory), name);
        await lock.acquire();
        try {
          const child = start([...words, '--json', ...places]);
          const outcome = { stdout: '', stderr: '' };
          child.stdout!.setEncoding('utf8').on('data', (text: string) => (outcome.stdout += text));
          child.stdin!.end();
          const closed = once(child, 'close');
          let isTold = false;
          for await (const text of child.stderr!.setEncoding('utf8')) {
            outcome.stderr += text;
            if (isTold || !outcome.stderr.includes('what was stored stays')) continue;
            isTold = true;
            assert.equal(outcome.stdout, '', 'nothing is stored yet');
            lock.release();
          }
          assert.deepEqual(await closed, [0, null]);
          assert.doesNotThrow(() => JSON.parse(outcome.stdout));
          const said = [
            `kaizen: Waiting for process ${process.pid}, which holds the lock of ${join(root, directory)}. Ctrl+C ends the wait.`,
            'Where that process stands still, end it; what was stored stays.',
            ...(isLookedAt
              ? [
                  `"kaizen doctor --data '${data}' --shared ${shared}" says so, a minute after it came to a halt at the latest.`,
                ]
              : []),
          ];
          assert.deepEqual(outcome.stderr.split('\n').slice(0, said.length), said);
          assert.equal(outcome.stderr.includes('kaizen doctor'), isLookedAt);
          assert.equal(outcome.stderr.split('Waiting for').length, 2, 'once');
        } finally {
          lock.dispose();
        }
      });
    }

    it('leaves nothing behind where a command only reads, and makes the stores with the first write', async () => {
      const everything = () => readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
      const before = everything();
      for (const words of [
        ['scopes'],
        ['get', 'push'],
        ['check', 'main.ts'],
        ['search', 'push'],
        ['discover', 'push'],
        ['changes'],
        ['review'],
        ['export'],
        ['bases'],
        ['notes', 'list'],
        ['library', 'list'],
        ['library', 'search', 'push'],
        ['learn', 'search', 'push'],
        ['doctor'],
        ['scopes', 'delete', 'nothing'],
      ]) {
        const { stderr } = await kaizen(words);
        assert.doesNotMatch(stderr, /ENOENT|cannot be used/, words.join(' '));
        assert.deepEqual(everything(), before, words.join(' '));
      }
      await succeed(['scopes', 'define', 'work', '--tier', 'PROJECT']);
      assert.match(await succeed(['scopes']), /work/);
      await succeed(['library', 'add', '-'], { input: '# Guide\n\nRetry a payment twice.\n' });
      assert.match(await succeed(['library', 'search', 'retry']), /payment twice/);
    });

    it('keeps what is there unless told otherwise, says so, and exits with 1', async () => {
      await succeed(['store', 'work', 'git', 'commit', 'First.']);
      const { code, stdout, stderr } = await kaizen(['store', 'work', 'git', 'commit', 'Second.']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /exists already and was kept:\n {2}First\.\n.*--overwrite/);
      const conflict = await kaizen(['store', 'work', 'git', 'commit', 'Second.', '--json']);
      assert.equal(conflict.code, 1);
      assert.deepEqual(JSON.parse(conflict.stdout), {
        success: false,
        existing_content: 'First.',
        existing_metaknowledge: {},
      });
    });

    it('refuses text that is not UTF-8 rather than to store it maimed', async () => {
      const latin1 = Buffer.from('caf\xe9', 'latin1');
      const typed = await kaizen(['store', 'work', 'git', 'commit', '-'], { input: latin1 });
      assert.deepEqual([typed.code, typed.stdout], [1, '']);
      assert.match(typed.stderr, /^kaizen: Standard input is not UTF-8 text\.\n/);
      const file = join(root, 'latin1.jsonl');
      const entry = { type: 'entry', scope: 'work', category: 'git', keyword: 'commit', content: 'caf\xe9' };
      writeFileSync(file, ['{"type":"kaizen","format":1}', JSON.stringify(entry)].join('\n'), 'latin1');
      assert.match((await kaizen(['import', file])).stderr, /^kaizen: .*latin1\.jsonl is not UTF-8 text\.\n/);
      assert.deepEqual(await json(['get', 'commit']), []);
    });

    it('shows what stands in an entry without letting it steer the terminal', async () => {
      const content = 'a\u001B[2Jb\u001B]0;title\u0007c\rd\u009Be\r\nf\tg';
      await succeed(['store', 'work', 'git', 'commit', content]);
      assert.ok(
        (await succeed(['get', 'commit'])).includes('a\uFFFD[2Jb\uFFFD]0;title\uFFFDc\uFFFD  d\uFFFDe\r\n  f\tg'),
      );
      const [entry] = await json<ResolvedEntry[]>(['get', 'commit']);
      assert.equal(entry?.content, content, 'programs get it as it is');
      const out = join(root, 'out.jsonl');
      await succeed(['export', out]);
      assert.equal(await succeed(['export']), readFileSync(out, 'utf8'));
    });

    it('asks for --yes before a scope is deleted with its entries', async () => {
      await succeed(['store', 'shop', 'git', 'commit', 'x']);
      const refused = await kaizen(['scopes', 'delete', 'shop']);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /--yes/);
      await succeed(['scopes', 'delete', 'shop', '--yes']);
      assert.deepEqual(
        (await json<ScopeListing[]>(['scopes'])).map(({ scope_id }) => scope_id),
        ['general', 'work'],
      );
    });

    it('names the nearest scopes when there is none of that id', async () => {
      const { code, stderr } = await kaizen(['store', 'shpo', 'git', 'commit', 'x']);
      assert.equal(code, 1);
      assert.match(stderr, /^kaizen: There is no scope "shpo"\.\n.*shop/);
    });
  });

  describe('the example', () => {
    const project = ['--project', 'checkout-api'];

    it('comes out of a store byte for byte as it went in, revisions included', async () => {
      const first = await json<ImportResult>(['import', EXAMPLE]);
      assert.ok(first.entry.added >= 64);
      const out = join(root, 'out.jsonl');
      await succeed(['export', out]);
      assert.ok(readFileSync(out).equals(readFileSync(EXAMPLE)), 'export(import(file)) is the file');
      assert.equal(await succeed(['export']), readFileSync(EXAMPLE, 'utf8'));

      const again = await json<ImportResult>(['import', '-'], { input: readFileSync(EXAMPLE, 'utf8') });
      for (const counts of Object.values(again))
        assert.deepEqual([counts.added, counts.kept, counts.overwritten], [0, 0, 0]);
      assert.equal(await succeed(['export', '-']), readFileSync(EXAMPLE, 'utf8'));
    });

    it('shows the risks first and in words, then what holds and where it comes from', async () => {
      await succeed(['import', EXAMPLE]);
      const text = await succeed(['get', 'checkout-api', 'refund_amounts', 'tokens', 'timeouts']);
      assert.match(text, /^\d risks to know of first:\n {2}DANGER: A positive refund line/);
      assert.match(text, /^ {2}LAST TIME: 38 customers/m);
      assert.ok(text.indexOf('DANGER: Always name') < text.indexOf('refund_amounts  validation'));
      assert.match(text, /^tokens {2}api\.auth, from auth \(GROUP\), by claude-code \(agent\)$/m);
      assert.match(text, /^ {2}INCIDENT_ID +REF-2026-003$/m);
      assert.ok(!text.includes('\u001B'), 'no colour where nobody sees it');
    });

    it('resolves conflicts and overrides as the specification says', async () => {
      await succeed(['import', EXAMPLE]);
      const keywords = ['tokens', 'commit', 'push', 'user_table', 'timeouts', 'logs', 'comments'];
      const entries = await json<ResolvedEntry[]>(['get', 'checkout-api', ...keywords]);
      const source = Object.fromEntries(entries.map(({ keyword, source_scope }) => [keyword, source_scope]));
      assert.deepEqual(source, {
        tokens: 'auth',
        commit: 'checkout-api',
        push: 'webapp',
        user_table: 'checkout-api',
        timeouts: 'mobile',
        logs: 'checkout-api',
        comments: 'general',
      });
      for (const keyword of ['logs', 'comments']) {
        assert.deepEqual(entries.find((entry) => entry.keyword === keyword)?.risks, [], 'what is in code is no risk');
      }
      const [payments] = await json<ResolvedEntry[]>(['get', 'payments', 'timeouts']);
      assert.deepEqual([payments?.category, payments?.also_in], ['api', ['payments.provider']]);
      const narrowed = ['get', 'payments', 'timeouts', '--category', 'payments.provider'];
      assert.match((await json<ResolvedEntry[]>(narrowed))[0]?.content ?? '', /^Give the provider 20 seconds/);
    });

    it('lists categories with what they are about and the keywords they hold', async () => {
      await succeed(['import', EXAMPLE]);
      const text = await succeed(['get', ...project]);
      assert.match(text, /^checkout-api \(PROJECT\) inherits from auth, mobile, payments, web, webapp, general\n/);
      assert.match(
        text,
        /^database {2}PROJECT {2}PostgreSQL: schema, migrations, locks\n {2}connections, locks, migrations, user_table$/m,
      );
    });

    it('is kept, counted or overwritten where something else is there already', async () => {
      await succeed(['import', EXAMPLE]);
      const changed = [
        'store',
        'checkout-api',
        'validation',
        'refund_window',
        'Thirty days.',
        '--overwrite',
        ...project,
      ];
      await succeed(changed);
      const kept = await json<ImportResult>(['import', EXAMPLE]);
      assert.deepEqual([kept.entry.kept, kept.entry.overwritten, kept.entry.added], [1, 0, 0]);
      assert.match((await kaizen(['import', EXAMPLE])).stderr, /--overwrite/);

      const replaced = await json<ImportResult>(['import', EXAMPLE, '--overwrite']);
      assert.deepEqual([replaced.entry.kept, replaced.entry.overwritten], [0, 1]);
      const [entry] = await json<ResolvedEntry[]>(['get', 'checkout-api', 'refund_window']);
      assert.match(entry?.content ?? '', /^Refunds are possible for 180 days/);
      const revisions = await json<Revision[]>(['history', 'checkout-api', 'validation', 'refund_window']);
      assert.ok(
        revisions.some(({ content }) => content === 'Thirty days.'),
        'what was replaced is in the history',
      );
    });

    it('leaves everything as it is when one line of the file is wrong', async () => {
      await succeed(['import', EXAMPLE]);
      const file = join(root, 'wrong.jsonl');
      const wrong: [object, RegExp][] = [
        [{ type: 'scope', id: 'new', tier: 'TEAM' }, /"tier" must be one of/],
        [{ type: 'entry', scope: 'nowhere', category: 'git', keyword: 'x', content: 'x' }, /nowhere/],
        [{ type: 'entry', scope: 'general', category: 'git..x', keyword: 'x', content: 'x' }, /empty part/],
        [{ type: 'entry', scope: 'general', category: 'git', keyword: 'x', content: '' }, /content is empty/],
        [{ type: 'scope', id: 'new', tier: 'GROUP', parents: ['checkout-api'] }, /checkout-api/],
        [{ type: 'overview', project: 'general', purpose: 'x' }, /general/],
      ];
      for (const [record, expected] of wrong) {
        const good = { type: 'entry', scope: 'general', category: 'git', keyword: 'good', content: 'x' };
        writeFileSync(file, ['{"type":"kaizen","format":1}', JSON.stringify(good), JSON.stringify(record)].join('\n'));
        const { code, stderr } = await kaizen(['import', file]);
        assert.equal(code, 1, JSON.stringify(record));
        assert.match(stderr, /^kaizen: .*wrong\.jsonl, line 3: /);
        assert.match(stderr, expected);
      }
      assert.equal(await succeed(['export']), readFileSync(EXAMPLE, 'utf8'));
    });

    it('says what is wrong with a file that is not there or is something else', async () => {
      assert.match((await kaizen(['import', 'nothing.jsonl'])).stderr, /^kaizen: There is no .*nothing\.jsonl\.\n$/);
      assert.match((await kaizen(['import', root])).stderr, /folder/);
      assert.match((await kaizen(['import', '-'], { input: '{}' })).stderr, /line 1: this is not a Kaizen export file/);
    });

    it('minds nobody who stops reading', async function () {
      if (process.platform === 'win32') this.skip();
      await succeed(['import', EXAMPLE]);
      const child = start(['export']);
      let stderr = '';
      child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.stdout!.destroy();
      const [code] = (await once(child, 'close')) as [number | null];
      assert.deepEqual([code, stderr], [0, '']);
    });
  });

  describe('kaizen mcp', () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a-client', version: '1' } },
    };
    const call = (id: number, name: string, args: object) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: args },
    });
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

    it('speaks nothing but the protocol on stdout and ends when stdin closes, every call answered', async () => {
      const args = ['--data', join(root, 'd'), '--shared', join(root, 's'), '--project', 'shop-api'];
      const input = lines(
        initialize,
        initialized,
        call(2, 'store_knowledge_if_missing', {
          target_scope_id: 'shop-api',
          category: 'git',
          keyword: 'commit',
          content: 'Say why.',
          project_context: 'shop-api',
        }),
      );
      const { code, stdout, stderr } = await kaizen(['mcp', ...args], { input });
      assert.deepEqual([code, stderr], [0, '']);
      const answers = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: number; error?: unknown });
      assert.deepEqual(
        answers.map(({ id, error }) => [id, error]),
        [
          [1, undefined],
          [2, undefined],
        ],
      );
      assert.match(stdout, /shop-api/, 'the instructions name the project');
      const revisions = await json<Revision[]>(['history', 'shop-api', 'git', 'commit', ...args]);
      assert.deepEqual(
        revisions.map(({ author }) => author),
        ['a-client'],
      );
    });

    it('offers what it is told to, and refuses toolsets that it does not know', async () => {
      const listing = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
      const names = async (...args: string[]) => {
        const stdout = await succeed(['mcp', ...args], { input: lines(initialize, initialized, listing) });
        const answer = JSON.parse(stdout.trimEnd().split('\n')[1]!) as { result: { tools: { name: string }[] } };
        return answer.result.tools.map(({ name }) => name);
      };
      const all = await names('--toolsets', 'all');
      const reading = await names('--toolsets', 'protocol', '--read-only');
      assert.ok(all.includes('store_knowledge_overwrite') && all.includes('get_knowledge'));
      assert.ok(!reading.includes('store_knowledge_overwrite') && reading.includes('get_knowledge'));
      const unknown = await kaizen(['mcp', '--toolsets', 'frobnicate']);
      assert.equal(unknown.code, 1);
      assert.match(unknown.stderr, /^kaizen: There is no toolset frobnicate\.\n.*protocol/);
    });

    for (const token of [undefined, 'a-token-of-my-own']) {
      it(`serves HTTP on a free port with ${token ? 'the given' : 'a new'} token and ends in order`, async function () {
        if (process.platform === 'win32') this.skip();
        const child = start(['mcp', '--http', '0', ...(token ? ['--token', token] : [])]);
        let stderr = '';
        const pattern = token ? /^listening on (\S+)\n()/ : /^listening on (\S+)\ntoken: (\S+)\n/;
        const [, url, made] = await new Promise<RegExpExecArray>((found, fail) => {
          child.stderr!.setEncoding('utf8').on('data', (text: string) => {
            stderr += text;
            const match = pattern.exec(stderr);
            if (match) found(match);
          });
          child.once('exit', () => fail(new Error(stderr)));
        });
        assert.match(url!, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
        const post = (authorization: string) =>
          fetch(url!, {
            method: 'POST',
            headers: {
              authorization,
              'content-type': 'application/json',
              accept: 'application/json, text/event-stream',
            },
            body: JSON.stringify(initialize),
          });
        assert.equal((await post('Bearer wrong')).status, 401);
        const answer = await post(`Bearer ${token ?? made}`);
        assert.equal(answer.status, 200);
        await answer.text();
        if (token) assert.ok(!stderr.includes(token), 'a given token is not printed');

        child.kill('SIGTERM');
        const [code] = (await once(child, 'exit')) as [number | null];
        assert.equal(code, 0);
      });
    }

    it("keeps a repository's data under the platform's data directory when nothing else is said", async () => {
      await succeed(['mcp', '--project', 'work'], {
        input: lines(initialize, initialized, call(2, 'list_scopes', {})),
      });
      const home = readdirSync(join(root, 'home'), { recursive: true, encoding: 'utf8' });
      assert.ok(
        home.some((path) => /workspaces[\\/]work-[0-9a-f]{12}$/.test(path)),
        home.join('\n'),
      );
      assert.ok(home.some((path) => /shared$/.test(path)));
    });
  });
});
