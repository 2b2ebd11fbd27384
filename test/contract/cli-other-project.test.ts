import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { useScratch } from '../support/scratch';

describe('a folder whose project has another name than it', function () {
  this.timeout(60_000);
  const scratch = useScratch();
  let folder = '';

  beforeEach(() => {
    folder = path.join(scratch.root, 'proj');
    mkdirSync(path.join(folder, 'migrations'), { recursive: true });
    writeFileSync(path.join(folder, 'migrations', '1.sql'), 'a');
  });

  const kaizen = (...args: string[]) => scratch.kaizen(folder, ...args);
  const rule = (scope: string, ...more: string[]) =>
    kaizen(
      'store',
      scope,
      'db',
      'migrations',
      'DANGER: Never edit one.',
      '--meta',
      'APPLIES_TO=migrations/**',
      ...more,
    );

  function asks(...flags: string[]): boolean {
    const call = {
      ...{ session_id: 's', cwd: folder, hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_use_id: 't' },
      tool_input: { file_path: path.join(folder, 'migrations', '1.sql'), old_string: 'a', new_string: 'b' },
    };
    const { stdout } = spawnSync(process.execPath, [path.resolve('dist', 'cli.js'), 'hook', 'pre-tool-use', ...flags], {
      cwd: folder,
      env: scratch.environment,
      input: JSON.stringify(call),
      encoding: 'utf8',
    });
    return stdout.includes('"ask"');
  }

  it('is told which command defines the first scope', () => {
    const { code, stderr } = rule('shop');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /There is no scope "shop"\.\nNo scope is defined yet: .* "kaizen scopes define ID --tier PROJECT"\./,
    );
  });

  it('is told by whoever stores a rule there that nobody is asked by it, and what makes it ask', () => {
    kaizen('scopes', 'define', 'shop', '--tier', 'PROJECT');
    const { code, stdout, stderr } = rule('shop');
    assert.deepEqual([code, stdout], [0, 'migrations (db, shop) is stored.\n']);
    assert.match(
      stderr,
      /^kaizen: In this folder nobody is asked by it: the project here is "proj", which is not defined, /,
    );
    assert.match(stderr, /"kaizen setup", "kaizen hook" and "kaizen mcp" as well: --project shop\.\n$/);
    assert.deepEqual([asks(), asks('--project', 'shop')], [false, true]);
    // As it is said, it is done.
    assert.equal(rule('shop', '--overwrite', '--project', 'shop').stderr, '');
    const { notices } = JSON.parse(rule('shop', '--overwrite', '--json').stdout) as { notices: string[] };
    assert.match(notices.join(), /"shop" does not hold for that/);
    const { findings } = JSON.parse(kaizen('doctor', '--json').stdout) as {
      findings: { code: string; reason?: string; mend?: { command?: string } }[];
    };
    const note = findings.find((finding) => finding.code === 'project_undefined');
    assert.equal(note?.reason, 'The project here is proj; defined are: shop.');
    assert.equal(note?.mend?.command, 'kaizen setup --install all-detected --project shop');
  });

  it('is told nothing of what holds for it, of what is no rule, and of a folder that is no project', () => {
    kaizen('scopes', 'define', 'general', '--tier', 'GENERAL');
    assert.equal(rule('general').stderr, '');
    kaizen('scopes', 'define', 'shop', '--tier', 'PROJECT');
    assert.equal(kaizen('store', 'shop', 'db', 'plain', 'Text.', '--meta', 'APPLIES_TO=migrations/**').stderr, '');
    assert.equal(kaizen('store', 'shop', 'db', 'open', 'DANGER: Never.').stderr, '');
    folder = scratch.home;
    kaizen('scopes', 'define', 'shop', '--tier', 'PROJECT');
    assert.equal(rule('shop').stderr, '');
    folder = path.join(scratch.root, 'proj');
    kaizen('scopes', 'define', 'proj', '--tier', 'PROJECT');
    kaizen('scopes', 'define', 'team', '--tier', 'GROUP');
    const above = rule('team').stderr;
    assert.match(above, /the project here is "proj", and "team" does not hold for that\. .* --parent team"\.\n$/);
    kaizen('scopes', 'define', 'proj', '--tier', 'PROJECT', '--parent', 'team');
    assert.equal(rule('team', '--overwrite').stderr, '');
  });
});
