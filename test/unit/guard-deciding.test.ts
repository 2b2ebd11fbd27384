import assert from 'node:assert/strict';
import fc from 'fast-check';
import { appliesTo, filePath, parseAppliesTo } from '../../src/core/globs';
import type { Platform } from '../../src/core/locations';
import { decide, emptyState } from '../../src/guard/hooks';
import { globTexts } from '../../src/guard/hooks/glob-texts';
import { literalOf } from '../../src/guard/hooks/patterns';
import { occasionKey, occasionOf } from '../../src/guard/hooks/session-state';
import type { Disk } from '../../src/guard/hooks/workspace-files';
import type { GuardDecision, GuardRule, HookCall } from '../../src/guard/model';
import { fakeDisk, guardRule, LINUX, toolCall, WINDOWS, WORKSPACE } from '../support/guard';

const FILES = {
  [`${WORKSPACE}/migrations/1.sql`]: 'CREATE TABLE a;\nDROP TABLE b;\n',
  [`${WORKSPACE}/migrations/2.sql`]: 'SELECT 1;\n',
  [`${WORKSPACE}/src/a.ts`]: 'export const a = 1;\n',
  [`${WORKSPACE}/src/pay/b.ts`]: 'charge(1);\n',
};
const disk = fakeDisk(FILES, { [`${WORKSPACE}/linked`]: `${WORKSPACE}/migrations` });
const danger = guardRule('DANGER', 'migrations/**');

interface Around {
  disk?: Disk;
  platform?: Platform;
  workspace?: string;
  state?: ReturnType<typeof emptyState>;
}

async function outcome(call: HookCall, rules: GuardRule[], around: Around = {}): Promise<string> {
  const decision = await decide(call, rules, {
    workspace: WORKSPACE,
    state: emptyState(),
    disk,
    platform: LINUX,
    ...around,
  });
  const names = [...decision.asked, ...decision.told].map(({ rule, path }) => `${rule.keyword} ${path ?? ''}`.trim());
  return [outcomeOf(decision), ...names].join(', ');
}

function outcomeOf({ asked, told }: GuardDecision): string {
  return asked.length > 0 ? 'ask' : told.length > 0 ? 'tell' : 'none';
}

const edit = (file_path: string, more: Record<string, unknown> = {}) =>
  toolCall('pre-tool-use', 'Edit', { file_path, old_string: 'a', new_string: 'b', ...more });
const bash = (command: string, more: Partial<HookCall> = {}) => toolCall('pre-tool-use', 'Bash', { command }, more);

describe('what the guard says before a tool is used', () => {
  it('asks before an edit under DANGER, tells of WARNING and LAST TIME, and says nothing elsewhere', async () => {
    const rules = [guardRule('WARNING', 'src/**'), guardRule('LAST TIME', 'src/pay/**'), danger];
    assert.equal(await outcome(edit(`${WORKSPACE}/migrations/1.sql`), rules), 'ask, RULE_DANGER migrations/1.sql');
    assert.equal(await outcome(edit('src/a.ts'), rules), 'tell, RULE_WARNING src/a.ts');
    assert.equal(
      await outcome(edit('src/pay/b.ts'), rules),
      'tell, RULE_WARNING src/pay/b.ts, RULE_LAST_TIME src/pay/b.ts',
    );
    assert.equal(await outcome(edit('README.md'), rules), 'none');
    assert.equal(await outcome(toolCall('pre-tool-use', 'Read', { file_path: 'migrations/1.sql' }), rules), 'none');
  });

  it('puts DANGER first, whatever else holds', async () => {
    const rules = [guardRule('WARNING', 'migrations/**', { keyword: 'A' }), { ...danger, keyword: 'Z' }];
    assert.equal(await outcome(edit('migrations/1.sql'), rules), 'ask, Z migrations/1.sql, A migrations/1.sql');
  });

  it('asks no second time for the same file and revision, and asks for another file, another revision and commands', async () => {
    const state = emptyState();
    state.consented.add(occasionKey(occasionOf({ rule: danger, path: 'migrations/1.sql' })));
    assert.equal(await outcome(edit('migrations/1.sql'), [danger], { state }), 'tell, RULE_DANGER migrations/1.sql');
    assert.match(await outcome(edit('migrations/2.sql'), [danger], { state }), /^ask/);
    assert.match(await outcome(edit('migrations/1.sql'), [{ ...danger, revision: 2 }], { state }), /^ask/);
    assert.match(await outcome(bash('rm migrations/1.sql'), [danger], { state }), /^ask/);
  });

  it('asks before a script that stands in a command writes such a file, and not before it is read', async () => {
    const rules = [danger, guardRule('DANGER', '*', { keyword: 'ANY' })];
    const script = (text: string) => outcome(bash(`python3 -c "${text}"`), rules);
    assert.equal(
      await script("open('migrations/1.sql','w')"),
      'ask, ANY migrations/1.sql, RULE_DANGER migrations/1.sql',
    );
    assert.equal(await script("print(open('migrations/1.sql').read())"), 'none');
    assert.equal(await script("print('nothing of migrations/1.sql', 'hello world.')"), 'none');
  });

  it('tells a WARNING of a file once', async () => {
    const state = emptyState();
    const warning = guardRule('WARNING', 'src/**');
    state.told.add(occasionKey(occasionOf({ rule: warning, path: 'src/a.ts' })));
    assert.equal(await outcome(edit('src/a.ts'), [warning], { state }), 'none');
    assert.match(await outcome(edit('src/pay/b.ts'), [warning], { state }), /^tell/);
  });

  it('asks before a tool takes away a folder with such a file', async () => {
    const call = toolCall('pre-tool-use', 'mcp__filesystem__delete_directory', { path: `${WORKSPACE}/migrations` });
    assert.match(await outcome(call, [guardRule('DANGER', '*.sql')]), /^ask, RULE_DANGER migrations\/1.sql/);
  });

  it('tells, and never asks, for tools that it does not know', async () => {
    const call = toolCall('pre-tool-use', 'mcp__lint__check', { path: 'migrations/1.sql' });
    assert.equal(await outcome(call, [danger]), 'tell, RULE_DANGER migrations/1.sql');
  });

  describe('paths', () => {
    const same: [written: string, more?: Partial<HookCall>][] = [
      ['migrations/1.sql'],
      ['./src/../migrations/1.sql'],
      [`${WORKSPACE}/migrations/1.sql`],
      [`file://${WORKSPACE}/migrations/1.sql`],
      [`${WORKSPACE}/linked/1.sql`],
      ['linked/new/3.sql'],
      ['../migrations/1.sql', { cwd: `${WORKSPACE}/src` }],
    ];
    for (const [written, more] of same) {
      it(`"${written}" is under the rule`, async () => {
        assert.match(await outcome({ ...edit(written), ...more }, [danger]), /^ask/);
      });
    }

    for (const written of [
      '/elsewhere/migrations/1.sql',
      '../shop2/migrations/1.sql',
      '~/migrations/1.sql',
      'https://example.com/migrations/1.sql',
      'vscode-userdata://x/migrations/1.sql',
    ]) {
      it(`"${written}" is not of the workspace`, async () => {
        assert.equal(await outcome(edit(written), [danger]), 'none');
      });
    }

    it('understands home folders, links outside and a workspace that is itself a link', async () => {
      const home = fakeDisk({ '/data/shop/migrations/1.sql': '' }, { '/home/maria/shop': '/data/shop' });
      const around = { disk: home, workspace: '/home/maria/shop' };
      assert.match(await outcome(edit('~/shop/migrations/1.sql'), [danger], around), /^ask/);
      assert.match(await outcome(edit('/data/shop/migrations/1.sql'), [danger], around), /^ask/);
      assert.match(await outcome(edit('/home/maria/shop/migrations/9.sql'), [danger], around), /^ask/);
    });

    it('understands paths of Windows', async () => {
      const nothing: Disk = {
        realPath: () => undefined,
        kindOf: () => undefined,
        read: () => undefined,
        below: () => ({ files: [], complete: true }),
      };
      const around = { disk: nothing, platform: WINDOWS, workspace: 'C:\\srv\\shop' };
      for (const written of [
        'migrations\\1.sql',
        'C:\\srv\\shop\\migrations\\1.sql',
        'c:/srv/shop/migrations/1.sql',
        'file:///c%3A/srv/shop/migrations/1.sql',
        '/c:/srv/shop/migrations/1.sql',
        '/c/srv/shop/migrations/1.sql',
        '\\\\?\\C:\\srv\\shop\\migrations\\1.sql',
      ]) {
        assert.match(await outcome({ ...edit(written), cwd: 'C:\\srv\\shop' }, [danger], around), /^ask/, written);
      }
      for (const written of ['D:\\srv\\shop\\migrations\\1.sql', '\\\\server\\share\\migrations\\1.sql']) {
        assert.equal(await outcome({ ...edit(written), cwd: 'C:\\srv\\shop' }, [danger], around), 'none', written);
      }
    });
  });

  it('looks at a few folders only of paths without end', async () => {
    let looked = 0;
    const files = fakeDisk({ [`${WORKSPACE}/src/a.ts`]: '' }, { [`${WORKSPACE}/link`]: `${WORKSPACE}/migrations` });
    const realPath = (path: string) => {
      looked++;
      return path === `${WORKSPACE}/link` ? `${WORKSPACE}/migrations` : files.realPath(path);
    };
    const disk: Disk = { ...files, realPath };
    const deep = Array.from({ length: 50 }, (_, at) => ({ path: `${at}/${'a/'.repeat(2_000)}x`, old_string: 'a' }));
    const edits = [...deep, { path: `link/${'b/'.repeat(100)}1.sql`, old_string: 'a' }];
    const call = toolCall('pre-tool-use', 'Edit', { edits });
    assert.match(await outcome(call, [danger], { disk }), /^ask/);
    assert.ok(looked < 2_000, `${looked}`);
  });

  it('asks no other computer for the files that an agent names', async () => {
    const asked: string[] = [];
    const ask = (path: string) => {
      asked.push(path);
      return undefined;
    };
    const disk: Disk = { realPath: ask, kindOf: ask, read: ask, below: () => ({ files: [], complete: true }) };
    const call = { ...edit('\\\\server\\share\\migrations\\1.sql'), cwd: 'C:\\srv\\shop' };
    const around = { disk, platform: WINDOWS, workspace: 'C:\\srv\\shop' };
    assert.equal(await outcome(call, [danger], around), 'none');
    assert.deepEqual(
      asked.filter((path) => !path.startsWith('C:')),
      [],
    );
    // Where the workspace lies there, its files are its files.
    const there = { ...around, workspace: '\\\\Server\\share' };
    assert.match(await outcome({ ...call, cwd: there.workspace }, [danger], there), /^ask/);
  });

  describe('commands', () => {
    const asks = [
      'rm -rf migrations/',
      'rm -rf migrations',
      'rm -rf .',
      'rm -rf *',
      'rm migrations/*.sql',
      'rm migr*/1.sql',
      'mv migrations old',
      'cp new.sql migrations/',
      'mkdir -p migrations/new',
      'echo x > migrations/3.sql',
      'cd migrations && rm 1.sql',
      'find . -name "*.sql" -delete',
      'ls migrations/*.sql | xargs rm',
      'git checkout -- migrations',
      'rm "$DIR"/1.sql',
      'rm -r linked',
      'for f in migrations/*; do rm "$f"; done',
      'git ls-files | while read f; do rm "$f"; done',
      'rm "$PWD/migrations/1.sql"',
      'rm "$(pwd)/migrations/1.sql"',
      'rm "$(git rev-parse --show-toplevel)/migrations/1.sql"',
      'echo x > "$ROOT/migrations/new.sql"',
      'cd "$(git rev-parse --show-toplevel)/migrations" && rm 1.sql',
    ];
    for (const line of asks) {
      it(`"${line}" asks`, async () => assert.match(await outcome(bash(line), [danger]), /^ask/));
    }

    for (const line of [
      'cat migrations/1.sql',
      'ls -R .',
      'npm test',
      'rm -rf src',
      'git add migrations && git commit -m x',
      'npx eslint .',
      'rm ../elsewhere/migrations/1.sql',
      'rm -rf dist/*',
      'for f in src/*.ts; do rm "$f"; done',
      'rm -rf "$TMPDIR/x" "$HOME/migrations"',
      'T=$(mktemp -d) && cp -r migrations "$T/" && rm -rf "$T/migrations"',
      'npx eslint migrations/1.sql',
      "find . -name '*.log' -delete",
      "find migrations -name '*.log' -delete",
      'rm -f migrations/*.bak',
    ]) {
      it(`"${line}" says nothing`, async () => assert.equal(await outcome(bash(line), [danger]), 'none'));
    }

    it('takes brackets for a name where no file is of the pattern', async () => {
      const app = guardRule('DANGER', 'app/**');
      const disk = fakeDisk({ ...FILES, [`${WORKSPACE}/app/[id]/page.tsx`]: '' });
      assert.match(await outcome(bash("rm 'app/[id]/page.tsx'"), [app], { disk }), /^ask.*page\.tsx/);
      assert.match(await outcome(bash("echo x > 'app/[slug]/new.tsx'"), [app], { disk }), /^ask.*new\.tsx/);
    });

    it('takes what is not known for the name of a new file', async () => {
      const empty = guardRule('DANGER', 'empty/**');
      assert.equal(await outcome(bash('echo x > "empty/$(date +%s).sql"'), [empty]), 'ask, RULE_DANGER empty/*.sql');
      assert.match(await outcome(bash('echo x > "empty/$NAME.sql"'), [empty]), /^ask/);
      assert.equal(
        await outcome(bash('touch "migrations/$(date +%s)_x.sql"'), [danger]),
        'ask, RULE_DANGER migrations/*_x.sql',
      );
    });

    it('looks for files of a name in a folder that goes', async () => {
      const env = guardRule('DANGER', '*.env, Dockerfile');
      const withEnv = fakeDisk({ ...FILES, [`${WORKSPACE}/deploy/prod.env`]: '' });
      assert.match(
        await outcome(bash('rm -rf deploy'), [env], { disk: withEnv }),
        /^ask, RULE_DANGER deploy\/prod.env/,
      );
      assert.equal(await outcome(bash('rm -rf src'), [env], { disk: withEnv }), 'none');
    });

    it('asks for patterns in a workspace with more files than it looks at', async () => {
      const many = Object.fromEntries(Array.from({ length: 2_100 }, (_, at) => [`${WORKSPACE}/a/f${at}.txt`, '']));
      const around = { disk: fakeDisk({ ...many, [`${WORKSPACE}/db/migrations/1.sql`]: '' }) };
      const rule = guardRule('DANGER', 'db/**');
      for (const line of [
        "find . -name '*.sql' -delete",
        "find . -name '*.sql' | xargs rm",
        'find . -type d -name migrations -exec rm -rf {} +',
        'rm **/*.sql',
        'rm -r d*',
      ]) {
        assert.equal(await outcome(bash(line), [rule], around), 'ask, RULE_DANGER .', line);
      }
      for (const line of ['rm *.log', 'rm a/*.sql', "find a -name '*.sql' -delete"]) {
        assert.equal(await outcome(bash(line), [rule], around), 'none', line);
      }
    });

    it('takes a folder with more files than it looks at for one that holds what the rule names', async () => {
      const many = Object.fromEntries(Array.from({ length: 4_100 }, (_, at) => [`${WORKSPACE}/src/f${at}.txt`, '']));
      const rule = guardRule('DANGER', 'src/zz/*.key');
      assert.match(await outcome(bash('rm -rf src'), [rule], { disk: fakeDisk(many) }), /^ask, RULE_DANGER src/);
      assert.equal(
        await outcome(bash('rm -rf src'), [guardRule('DANGER', 'lib/*.key')], { disk: fakeDisk(many) }),
        'none',
      );
    });
  });

  describe('MATCHES', () => {
    const matching = (pattern: string, globs: string | null = null) =>
      guardRule('DANGER', globs, { matches: pattern, needs: literalOf(pattern) });
    const force = matching('push\\s.*--force');
    const drop = matching('(?i)drop table', 'migrations/**');

    it('without APPLIES_TO is looked for in commands and in what is written', async () => {
      assert.equal(await outcome(bash('git add . && git push -u origin --force'), [force]), 'ask, RULE_DANGER');
      assert.equal(await outcome(bash('grep "git push --force" docs'), [force]), 'none');
      assert.match(
        await outcome(edit('deploy.sh', { new_string: 'x\ngit push origin --force' }), [force]),
        /^ask, RULE_DANGER deploy.sh/,
      );
      assert.equal(
        await outcome(edit('/elsewhere/deploy.sh', { new_string: 'git push origin --force' }), [force]),
        'none',
      );
    });

    it('with APPLIES_TO is looked for in what is written and replaced there', async () => {
      assert.match(await outcome(edit('migrations/2.sql', { old_string: 'Drop Table x' }), [drop]), /^ask/);
      assert.equal(await outcome(edit('migrations/1.sql'), [drop]), 'none');
      assert.equal(await outcome(edit('src/a.ts', { new_string: 'drop table' }), [drop]), 'none');
    });

    it('is looked for in a stored file that goes as a whole', async () => {
      assert.match(await outcome(bash('rm migrations/1.sql'), [drop]), /^ask, RULE_DANGER migrations\/1.sql$/);
      assert.equal(await outcome(bash('rm migrations/2.sql'), [drop]), 'none');
      assert.match(await outcome(bash('rm -rf migrations'), [drop]), /^ask, RULE_DANGER migrations\/1.sql$/);
      const deletion = toolCall('pre-tool-use', 'apply_patch', { input: '*** Delete File: migrations/1.sql' });
      assert.match(await outcome(deletion, [drop]), /^ask/);
      const overwriting = toolCall('pre-tool-use', 'Write', { file_path: 'migrations/1.sql', content: '' });
      assert.match(await outcome(overwriting, [drop]), /^ask/);
    });

    it('without APPLIES_TO is not looked for in what is stored', async () => {
      const any = matching('(?i)drop table');
      assert.equal(await outcome(bash('rm migrations/1.sql'), [any]), 'none');
      const overwriting = toolCall('pre-tool-use', 'Write', { file_path: 'migrations/1.sql', content: 'x' });
      assert.equal(await outcome(overwriting, [any]), 'none');
    });

    it('is found in a line that is too long for a person', async () => {
      assert.match(await outcome(edit('a.sql', { new_string: `${'x'.repeat(5_990)}push --force` }), [force]), /^ask/);
    });

    describe('that cannot be read', () => {
      for (const [why, pattern] of [
        ['as an expression', '((('],
        ['for its length', `drop ${'x'.repeat(500)}`],
        ['for what it repeats', 'drop (a{900}){900}'],
      ] as const) {
        const unreadable = (level: 'DANGER' | 'WARNING', globs: string | null) =>
          guardRule(level, globs, { matches: pattern, needs: null });

        it(`${why} counts as if it were not there, where the rule names files`, async () => {
          const rule = unreadable('DANGER', 'migrations/**');
          const removal = toolCall('pre-tool-use', 'delete_file', { path: 'migrations/new.sql' });
          for (const call of [edit('migrations/2.sql'), bash('rm migrations/2.sql'), removal]) {
            assert.match(await outcome(call, [rule]), /^ask, RULE_DANGER migrations\/\w+\.sql$/);
          }
          assert.equal(await outcome(edit('src/a.ts'), [rule]), 'none');
          const warning = unreadable('WARNING', 'migrations/**');
          assert.equal(await outcome(edit('migrations/2.sql'), [warning]), 'tell, RULE_WARNING migrations/2.sql');
        });

        it(`${why} is told of once, and asks nothing, where the rule names none`, async () => {
          const rule = unreadable('DANGER', null);
          const state = emptyState();
          assert.equal(await outcome(edit('src/a.ts'), [rule], { state }), 'tell, RULE_DANGER');
          assert.equal(await outcome(bash('rm src/a.ts'), [rule], { state }), 'tell, RULE_DANGER');
          state.told.add(occasionKey(occasionOf({ rule, path: undefined })));
          assert.equal(await outcome(edit('src/a.ts'), [rule], { state }), 'none');
          assert.equal(await outcome(edit('/elsewhere/a.ts'), [rule]), 'none');
          assert.equal(await outcome(bash('cat src/a.ts'), [rule]), 'none');
        });
      }
    });

    describe('for more than is searched', () => {
      const big = (tail = '') => `${'select 1 from some_table where drop;\n'.repeat(40_000)}${tail}`;
      const unlike = matching('drop.*gone', 'migrations/**');

      it('counts as if it were not there, where the rule names files', async () => {
        const writing = (content: string) =>
          toolCall('pre-tool-use', 'Write', { file_path: 'migrations/9.sql', content });
        assert.equal(await outcome(writing(big()), [unlike]), 'ask, RULE_DANGER migrations/9.sql');
        assert.equal(await outcome(writing(big().slice(0, 900_000)), [unlike]), 'none');
        assert.equal(await outcome(writing(big(`${'drop it'}`)), [matching('drop it', 'src/**')]), 'none');
      });

      it('does so where earlier rules used up what is searched of one call', async () => {
        const rules = ['a', 'b', 'c'].map((name) => ({
          ...matching(`drop.*no${name}`, 'migrations/**'),
          keyword: name,
        }));
        const content = big().slice(0, 900_000);
        const writing = toolCall('pre-tool-use', 'Write', { file_path: 'migrations/9.sql', content });
        assert.equal(await outcome(writing, rules), 'ask, c migrations/9.sql');
      });

      it('does so for a stored file that is longer than what is read of it', async () => {
        const files = { [`${WORKSPACE}/migrations/big.sql`]: 'select 1;\n'.repeat(100_000) };
        const around = { disk: fakeDisk(files) };
        assert.match(await outcome(bash('rm migrations/big.sql'), [drop], around), /^ask/);
      });

      it('does so for a folder of more files than are looked into', async () => {
        const folder = (count: number) =>
          Object.fromEntries(Array.from({ length: count }, (_, at) => [`${WORKSPACE}/migrations/${at}.sql`, 'a']));
        for (const [count, says] of [
          [40, 'none'],
          [60, 'ask'],
          [2_100, 'ask'],
        ] as const) {
          const said = await outcome(bash('rm -rf migrations'), [drop], { disk: fakeDisk(folder(count)) });
          assert.equal(said.split(',')[0], says, `${count} files`);
        }
      });

      it('is told of once, where the rule names none', async () => {
        const rule = matching('drop.*gone');
        const state = emptyState();
        const writing = toolCall('pre-tool-use', 'Write', { file_path: 'src/a.ts', content: big() });
        assert.equal(await outcome(writing, [rule], { state }), 'tell, RULE_DANGER');
        state.told.add(occasionKey(occasionOf({ rule, path: undefined })));
        assert.equal(await outcome(writing, [rule], { state }), 'none');
      });
    });
  });

  it('asks for any edit of any file under a glob of level DANGER, unless that was consented to', async () => {
    const name = fc.stringMatching(/^[a-z]{1,3}$/);
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    const glob = fc
      .array(fc.oneof(name, fc.constantFrom('*', '**', 'a*', '?b')), { minLength: 1, maxLength: 4 })
      .map((names) => names.join('/'));
    const tool = fc.constantFrom(
      'Edit',
      'Write',
      'create_file',
      'replace_string_in_file',
      'NotebookEdit',
      'mcp__fs__edit_file',
    );
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(glob, { minLength: 1, maxLength: 3 }),
        path,
        tool,
        fc.boolean(),
        async (globs, file, tool, consented) => {
          const rule = guardRule('DANGER', globs.join(', '));
          const call = toolCall('pre-tool-use', tool, { path: `${WORKSPACE}/${file}`, content: 'x' });
          const state = emptyState();
          if (consented) state.consented.add(occasionKey(occasionOf({ rule, path: file })));
          const holds = appliesTo(parseAppliesTo(rule.applies_to!), filePath(file));
          const expected = holds ? (consented ? 'tell' : 'ask') : 'none';
          if (expected === 'ask') asked++;
          const decision = await decide(call, [rule], {
            workspace: WORKSPACE,
            state,
            disk: fakeDisk({}),
            platform: LINUX,
          });
          assert.equal(outcomeOf(decision), expected);
        },
      ),
      { numRuns: 500 },
    );
    assert.ok(asked > 20, 'the property was put to the test');
  });

  it('reads no globs where a path has none of the texts that they need', () => {
    const part = fc.constantFrom(
      'a',
      'bc',
      '*',
      '**',
      '?',
      '/',
      '.',
      '{a,b}',
      '{a,{b,c}}',
      '[ab]',
      '[!a]',
      '[]]',
      ',',
      '\n',
      '!',
      '\\',
      ' ',
    );
    const globs = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    const path = fc
      .array(fc.constantFrom('a', 'b', 'bc', '.a', 'ab', ']'), { minLength: 1, maxLength: 4 })
      .map((names) => names.join('/'));
    let applied = 0;
    fc.assert(
      fc.property(globs, path, (written, file) => {
        if (!appliesTo(parseAppliesTo(written), filePath(file))) return;
        applied++;
        const texts = globTexts(written);
        assert.ok(texts === null || texts.some((text) => file.includes(text)), `${texts} for ${written} and ${file}`);
      }),
      { numRuns: 5_000 },
    );
    assert.ok(applied > 100, 'the property was put to the test');
    assert.deepEqual(globTexts('src/pkg7/**/*.ts, lib/{a,b}/x.sql, !c'), ['pkg7', 'x.sql']);
  });

  it('never asks for a line of readers', async () => {
    const reader = fc
      .tuple(
        fc.constantFrom('cat', 'ls', 'grep x', 'git diff', 'head -n 3', 'wc -l'),
        fc.constantFrom('migrations/1.sql', '.', 'migrations', '*'),
      )
      .map(([program, path]) => `${program} ${path}`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(reader, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(' | ', ' && ', '; '),
        async (lines, between) => {
          assert.equal(await outcome(bash(lines.join(between)), [danger, guardRule('DANGER', '**')]), 'none');
        },
      ),
    );
  });
});
