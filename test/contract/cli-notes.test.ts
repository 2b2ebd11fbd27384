import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const CLI = resolve('dist/cli.js');

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Written {
  status: string;
  zettel_id: string;
  location: string;
  path: string;
  also?: string[];
}

describe('kaizen notes', function () {
  this.timeout(60_000);
  let root: string;
  let work: string;
  let user: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kaizen-cli-notes-'));
    work = join(root, 'work');
    user = join(root, 'home', '.knowledge-kiwi');
    mkdirSync(work);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function kaizen(args: string[], { input = '', env = {} as Record<string, string> } = {}): Promise<Outcome> {
    const home = join(root, 'home');
    const { PATH = '', SystemRoot = '' } = process.env;
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: work,
      env: { PATH, SystemRoot, HOME: home, USERPROFILE: home, XDG_DATA_HOME: home, LOCALAPPDATA: home, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(input);
    const outcome: Outcome = { code: null, stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (outcome.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (outcome.stderr += text));
    [outcome.code] = (await once(child, 'close')) as [number | null];
    assert.doesNotMatch(outcome.stderr, /^\s+at .+:\d+:\d+\)?$/m, 'no stack trace is shown to a person');
    return outcome;
  }

  async function json<Result>(args: string[], options: Parameters<typeof kaizen>[1] = {}): Promise<Result> {
    const { code, stdout, stderr } = await kaizen([...args, '--json'], options);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as Result;
  }

  function put(file: string, text: string): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  const project = (file: string) => join(work, '.ai', 'knowledge', file);
  const NOTE = ['notes', 'create', '042-email', 'Warm up slowly.', '--type', 'pattern', '--title', 'Email'];

  it('says what to do in the words of the command line', async () => {
    const env = { KAIZEN_REGISTRY_URL: 'postgres://127.0.0.1:1/notes' };
    assert.equal((await kaizen(NOTE)).code, 0);
    const searched = await kaizen(['notes', 'search', 'chromodynamics'], { env });
    assert.match(searched.stderr, /With --source local --source registry the team's registry is asked/);
    const version = await kaizen(['notes', 'get', '042-email', '--version', '1.0.0']);
    assert.match(version.stderr, /^Name it: --source registry\.$/m);
    assert.match((await kaizen(['notes', 'get', 'nothing'])).stderr, /^"kaizen notes search" finds notes/m);
  });

  it('makes a note as a file of the project, finds it again, and prints it', async () => {
    const made = await json<Written>([...NOTE, '--tag', 'email', '--tag', 'infrastructure']);
    assert.equal(made.status, 'success');
    assert.equal(made.location, 'project');
    assert.equal(made.path.replaceAll('\\', '/'), '.ai/knowledge/patterns/042-email.md');
    const text = readFileSync(project('patterns/042-email.md'), 'utf8');
    assert.match(
      text,
      /^---\nzettel_id: 042-email\ntitle: Email\nentry_type: pattern\ntags: \[email, infrastructure\]\n/,
    );
    assert.match(text, /\n---\n\nWarm up slowly\.\n$/);

    const listed = await kaizen(['notes', 'list', '--tag', 'email']);
    assert.match(listed.stdout, /042-email\s+Email\s+pattern #email #infrastructure\s+project/);
    const found = await json<{ results: { zettel_id: string; source_location: string }[] }>([
      'notes',
      'search',
      'warm up',
    ]);
    assert.deepEqual(
      found.results.map(({ zettel_id, source_location }) => [zettel_id, source_location]),
      [['042-email', 'project']],
    );
    const printed = await kaizen(['notes', 'get', '042-email']);
    assert.match(printed.stdout, /^Email\n.*\n?id +042-email\nfound in +project, /);
    assert.match(printed.stdout, /Warm up slowly\.\n$/);
    assert.match((await kaizen(['search', 'warm up slowly'])).stdout, /Email/, 'found beside everything else, too');
  });

  it('keeps what is there when a note is made twice, and says so', async () => {
    await json(NOTE);
    const again = await kaizen(['notes', 'create', '042-EMAIL', 'Other.', '--type', 'concept']);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /042-email/);
    assert.match(readFileSync(project('patterns/042-email.md'), 'utf8'), /Warm up slowly/);
    assert.ok(!existsSync(project('concepts/042-EMAIL.md')));
  });

  it('answers from the project before the person, and writes where it is told', async () => {
    await json(NOTE);
    const mine = await json<Written>([...NOTE.slice(0, 3), 'Mine.', '--type', 'learning', '--in', 'user']);
    assert.equal(mine.location, 'user');
    assert.ok(existsSync(join(user, 'learnings', '042-email.md')));
    assert.equal((await json<{ source_location: string }>(['notes', 'get', '042-email'])).source_location, 'project');
    await json(['notes', 'update', '042-email', '--title', 'My email', '--in', 'user']);
    assert.match(readFileSync(join(user, 'learnings', '042-email.md'), 'utf8'), /^title: My email$/m);
    assert.match(readFileSync(project('patterns/042-email.md'), 'utf8'), /^title: Email$/m);
  });

  it('changes only what is named', async () => {
    const before =
      '---\r\nzettel_id: a\r\n# mine\r\ntitle: "A"\r\nentry_type: concept\r\nfoo: {x: 1}\r\n---\r\n\r\nText\r\n';
    put(project('concepts/a.md'), before);
    await json(['notes', 'update', 'a', '--tag', 'new']);
    const after = readFileSync(project('concepts/a.md'), 'utf8');
    assert.match(after, /\r\n# mine\r\ntitle: "A"\r\nentry_type: concept\r\n/);
    assert.match(after, /foo: \{x: 1\}/);
    assert.match(after, /tags: \[new\]\r\n/);
    assert.doesNotMatch(after, /[^\r]\n/);
  });

  it('relates notes, renames one with its links following, and takes both back', async () => {
    await json(NOTE);
    await json(['notes', 'create', '043-spf', 'See [[042-email|the pattern]].', '--type', 'reference']);
    await json(['notes', 'link', '043-spf', '042-email', '--type', 'extends']);
    const again = await json<{ changed: boolean }>(['notes', 'link', '043-spf', '042-email', '--type', 'extends']);
    assert.equal(again.changed, false);
    const shown = await kaizen(['notes', 'links', '042-email']);
    assert.match(shown.stdout, /← +extends +043-spf/);
    assert.match(shown.stdout, /← +references +043-spf/);

    const renamed = await json<Written>(['notes', 'rename', '042-email', '050-mail']);
    assert.equal(renamed.also?.length, 1);
    const text = readFileSync(project('references/043-spf.md'), 'utf8');
    assert.match(text, /\[\[050-mail\|the pattern\]\]/);
    assert.match(text, /extends: ?\n? *(- |\[)050-mail/);
    assert.ok(!existsSync(project('patterns/042-email.md')));

    await json(['notes', 'undo']);
    assert.match(readFileSync(project('references/043-spf.md'), 'utf8'), /\[\[042-email\|the pattern\]\]/);
    assert.ok(existsSync(project('patterns/042-email.md')));
    const changes = await json<{ action: string }[]>(['notes', 'changes', '--limit', '2']);
    assert.deepEqual(
      changes.map(({ action }) => action),
      ['undo', 'rename'],
    );
  });

  it('deletes only when somebody agrees, and brings it back', async () => {
    await json(NOTE);
    assert.equal((await kaizen(['notes', 'delete', '042-email'])).code, 2);
    assert.ok(existsSync(project('patterns/042-email.md')));
    const before = readFileSync(project('patterns/042-email.md'));
    await json(['notes', 'delete', '042-email', '--yes']);
    assert.ok(!existsSync(project('patterns/042-email.md')));
    await json(['notes', 'undo']);
    assert.deepEqual(readFileSync(project('patterns/042-email.md')), before);
  });

  it('collects notes in an order', async () => {
    await json(NOTE);
    await json(['notes', 'create', '043-spf', 'SPF.', '--type', 'reference', '--title', 'SPF']);
    const made = await json<{ path: string; collection: { id: string } }>([
      'notes',
      'collect',
      'Email Infrastructure',
      '043-spf',
      '042-email',
      '--type',
      'learning_path',
    ]);
    assert.equal(made.collection.id, 'email-infrastructure');
    assert.match(
      readFileSync(project('collections/email-infrastructure.md'), 'utf8'),
      /- \[\[043-spf\]\] SPF\n- \[\[042-email\]\] Email\n$/,
    );
    const shown = await kaizen(['notes', 'collections', 'email-infrastructure']);
    assert.match(shown.stdout, /^Email Infrastructure +learning_path, project\n +1 +043-spf\n +2 +042-email\n$/);
    await json(['notes', 'collect', 'email-infrastructure', '043-spf', '--remove']);
    await json(['notes', 'collect', 'email-infrastructure', '043-spf', '--add']);
    assert.deepEqual((await json<{ zettel_ids: string[] }[]>(['notes', 'collections']))[0]?.zettel_ids, [
      '042-email',
      '043-spf',
    ]);
    await json(['notes', 'collections', 'email-infrastructure', '--delete']);
    assert.deepEqual(await json(['notes', 'collections']), []);
    assert.equal((await json<unknown[]>(['notes', 'list'])).length, 2, 'the notes stay');
  });

  it('says what is wrong with notes, with file and line, and ends with 1', async () => {
    put(project('patterns/a.md'), '---\nzettel_id: a\ntitle: A\nentry_type: patern\n---\n\nSee [[nowhere]].\n');
    const { code, stdout } = await kaizen(['notes', 'check']);
    assert.equal(code, 1);
    assert.match(stdout, /project patterns\/a\.md:4 .*pattern/);
    assert.match(stdout, /project patterns\/a\.md:7 .*nowhere/);
    put(project('patterns/a.md'), '---\nzettel_id: a\ntitle: A\nentry_type: pattern\n---\n\nText.\n');
    assert.equal((await kaizen(['notes', 'check'])).code, 0);
  });

  it('brings the old layout over, after saying what it would do', async () => {
    const old = '---\nid: 007-retries\ntitle: Retries\ntype: pattern\ntags: [http]\n---\n\nThree times.\n';
    put(join(work, 'knowledge', 'base', 'patterns', '007-retries.md'), old);
    const dry = await kaizen(['notes', 'migrate']);
    assert.equal(dry.code, 0, dry.stderr);
    assert.match(dry.stderr, /1 note would be written; --apply does it\./);
    assert.ok(!existsSync(project('patterns/007-retries.md')));
    assert.equal((await json<{ written: number }>(['notes', 'migrate', '--apply'])).written, 1);
    assert.match(readFileSync(project('patterns/007-retries.md'), 'utf8'), /^zettel_id: 007-retries$/m);
    assert.equal(readFileSync(join(work, 'knowledge', 'base', 'patterns', '007-retries.md'), 'utf8'), old);
  });

  it('asks the registry only where the call names it', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const env = { KAIZEN_REGISTRY_URL: `postgres://reader:s3cret@127.0.0.1:${port}/registry` };
    try {
      await json(NOTE, { env });
      await json(['notes', 'get', '042-email'], { env });
      await json(['notes', 'search', 'warm'], { env });
      await json(['search', 'warm'], { env });
      assert.equal((await kaizen(['notes', 'get', '999-none'], { env })).code, 1);
      assert.equal(connections, 0);
      const asked = await kaizen(['notes', 'get', '999-none', '--source', 'registry'], { env });
      assert.equal(asked.code, 1);
      assert.ok(connections > 0);
      assert.doesNotMatch(asked.stderr + asked.stdout, /s3cret/);
    } finally {
      server.close();
    }
    const without = await kaizen(['notes', 'search', 'warm', '--source', 'registry']);
    assert.equal(without.code, 1);
    assert.match(without.stderr, /KAIZEN_REGISTRY_URL|--registry/);
  });

  it('says how a command is called', async () => {
    const help = await kaizen(['notes', '--help']);
    assert.match(help.stdout, /^Keep notes as Markdown files/);
    assert.match(help.stdout, /^ {2}publish +Publish a note to the registry/m);
    assert.match((await kaizen(['help', 'notes', 'publish'])).stdout, /Usage: kaizen notes publish ID/);
    assert.equal((await kaizen(['notes'])).code, 2);
    const unknown = await kaizen(['notes', 'frob']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /There is no command notes frob\.\n"kaizen notes --help" lists the commands\./);
    assert.equal((await kaizen(['notes', 'list', '--project-notes', ''])).code, 2);
  });
});
