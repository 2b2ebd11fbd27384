import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readCommand } from '../../src/guard/hooks/commands';
import { readShell } from '../../src/guard/hooks/shell';

describe('what a shell line does to files', () => {
  it('copies from what it leaves as it is', () => {
    assert.deepEqual(readCommand('cp migrations/1.sql src/2.sql /tmp/all').paths, ['/tmp/all']);
    assert.deepEqual(readCommand('cp -r migrations backup/').paths, ['backup/migrations']);
    assert.deepEqual(readCommand('cp /tmp/a.txt .').paths, ['./a.txt']);
    assert.deepEqual(readCommand('mv src/a.ts ../').paths, ['src/a.ts', '../a.ts']);
    assert.deepEqual(readCommand('cp -r new/. src/').paths, ['src/']);
    assert.deepEqual(readCommand('rsync -av migrations/ host:/srv').paths, ['host:/srv']);
    assert.deepEqual(readCommand('cp /tmp/1.sql migrations/1.sql').paths, ['migrations/1.sql']);
    // Where a folder is named by an option, or the files go away, all are touched.
    assert.deepEqual(readCommand('cp -t migrations a.sql').paths, ['migrations', 'a.sql']);
    assert.deepEqual(readCommand('rsync --remove-source-files a.sql b.sql').paths, ['a.sql', 'b.sql']);
    assert.deepEqual(readCommand('mv migrations/1.sql /tmp/1.sql').paths, ['migrations/1.sql', '/tmp/1.sql']);
  });

  const reads = [
    'cat src/a.ts',
    'ls -la migrations && head -n 5 migrations/1.sql',
    'grep -rn "rm -rf" . | wc -l',
    'rg "DROP TABLE" --glob "*.sql" 2>/dev/null',
    'git status',
    'git -C sub --no-pager log --oneline -5 -- migrations/1.sql',
    'git diff HEAD~1 -- migrations > /dev/null 2>&1',
    'git branch --list',
    'git branch -a',
    'git stash list',
    'find migrations -name "*.sql" | sort',
    "sed -n '1,10p' migrations/1.sql",
    "sed -n '/error/p' migrations/1.sql",
    "awk '$1 > 5 {print $2}' migrations/1.sql",
    'cat <<EOF\nrm -rf migrations\nEOF',
    'echo "rm migrations/1.sql"',
    'cd migrations && cat 1.sql; stat 1.sql',
    'for f in migrations/*.sql; do wc -l "$f"; done',
    'if [ -f migrations/1.sql ]; then cat migrations/1.sql; fi',
    'cat migrations/1.sql 2>&1 | less',
    'sudo cat migrations/1.sql',
    'sh -c "cat migrations/1.sql"',
    'xargs cat < list.txt',
    'FOO=1 env | grep FOO',
    '# rm -rf migrations',
    '',
  ];
  for (const line of reads) {
    it(`"${line.replaceAll('\n', '⏎')}" only reads`, () => {
      assert.equal(readCommand(line).onlyReads, true);
    });
  }

  const touches: [line: string, paths: string[]][] = [
    ['rm -rf migrations/', ['migrations/']],
    ['rm Dockerfile', ['Dockerfile']],
    ['sudo rm -f a.sql b.sql', ['a.sql', 'b.sql']],
    ['echo x > migrations/1.sql', ['migrations/1.sql']],
    ['echo x >>"my file.sql"', ['my file.sql']],
    ["cat > migrations/2.sql <<'EOF'\nrm -rf other\nEOF", ['migrations/2.sql']],
    ['cat a.sql &> out.log', ['out.log']],
    ['cat a.sql | tee migrations/1.sql', ['migrations/1.sql']],
    ['ls migrations | xargs rm', ['migrations']],
    ['find migrations -name "*.sql" -delete', ['migrations', '*.sql']],
    ['find migrations -exec rm {} \\;', ['migrations', 'rm', '{}', ';']],
    ['rm $(git ls-files migrations)', ['ls-files', 'migrations']],
    ['rm `ls migrations/1.sql`', ['migrations/1.sql']],
    ['cd db && rm -rf migrations', ['db/migrations']],
    ['cd db; cd migrations; rm 1.sql', ['db/migrations/1.sql']],
    ['F=migrations/1.sql; rm $F', ['migrations/1.sql']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell has it
    ['F=migrations; rm "${F}/1.sql"', ['migrations/1.sql']],
    ["sed -i 's/a/b/' migrations/1.sql", ['s/a/b/', 'migrations/1.sql']],
    ['bash -c "rm migrations/1.sql"', ['migrations/1.sql']],
    ['bash <<EOF\nrm migrations/1.sql\nEOF', ['migrations/1.sql']],
    ['eval "rm migrations/1.sql"', ['migrations/1.sql']],
    ['git rm -r migrations', ['rm', 'migrations']],
    ['git checkout -- migrations/1.sql', ['checkout', 'migrations/1.sql']],
    ['git clean -fd', ['.', 'clean']],
    ['git push --force', []],
    ['git commit -am "about migrations/1.sql"', []],
    ['npm test', []],
    ['npx eslint .', []],
    ['node scripts/migrate.js --out=migrations/3.sql', ['scripts/migrate.js', 'migrations/3.sql']],
    ['dd if=/dev/zero of=migrations/1.sql', ['/dev/zero', 'migrations/1.sql']],
    ['for f in migrations/*.sql; do rm "$f"; done', ['migrations/*.sql']],
    ['if true; then rm migrations/1.sql; fi', ['migrations/1.sql']],
    ['(cd db && mv migrations old)', ['db/migrations', 'db/old']],
    ['true && { rm migrations/1.sql; }', ['migrations/1.sql']],
    ['rm migrations/\\\n1.sql', ['migrations/1.sql']],
    ["rm 'it'\\''s.sql'", ["it's.sql"]],
    ['curl -o migrations/1.sql https://example.com/x.sql', ['migrations/1.sql']],
  ];
  for (const [line, paths] of touches) {
    it(`"${line.replaceAll('\n', '⏎')}" does more than read`, () => {
      const { onlyReads, paths: found } = readCommand(line);
      assert.equal(onlyReads, false);
      assert.deepEqual(found.toSorted(), paths.toSorted());
    });
  }

  it('keeps the backslashes of PowerShell', () => {
    assert.deepEqual(readCommand('Remove-Item -Recurse .\\migrations\\old', 'powershell'), {
      onlyReads: false,
      paths: ['.\\migrations\\old'],
    });
    assert.equal(readCommand('Get-Content .\\migrations\\1.sql | Select-String x', 'powershell').onlyReads, true);
    assert.deepEqual(readCommand('"x" | Out-File migrations\\1.sql', 'powershell').paths, ['migrations\\1.sql']);
  });

  const fragment = fc.oneof(
    fc.constantFrom(
      ...[
        '"',
        "'",
        '`',
        '$(',
        ')',
        '(',
        '{',
        '}',
        '<<EOF',
        '<<<',
        '>',
        '>>',
        '&>',
        '<(',
        '|',
        '||',
        '&&',
        ';',
        '\n',
        '\\',
      ],
      ...[
        'EOF',
        'rm',
        'cat',
        'xargs',
        'sh -c',
        'eval',
        'cd',
        'for f in',
        'git',
        'find',
        '$',
        '$a',
        'a=b',
        '#',
        ' ',
        '*',
        '2>&1',
      ],
    ),
    fc.string({ maxLength: 8 }),
  );

  it('reads whatever it is given, and comes to an end', () => {
    const line = fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(line, fc.constantFrom('posix' as const, 'powershell' as const), (text, dialect) => {
        const { paths } = readCommand(text, dialect);
        assert.ok(paths.length <= 500);
      }),
      { numRuns: 2_000 },
    );
  });

  it('comes to an end for what is nested or long without measure', () => {
    for (const text of ['$('.repeat(50_000), '"$('.repeat(50_000), "sh -c '".repeat(20_000), '`'.repeat(100_001)]) {
      assert.ok(readShell(text).length <= 2_000);
      readCommand(text);
    }
    assert.ok(readCommand('rm a b;'.repeat(100_000)).paths.length <= 500);
  });

  it('is not stopped by variables that hold themselves twice', () => {
    const doubled = Array.from({ length: 60 }, () => 'a=$a$a').join('; ');
    const { onlyReads, paths } = readCommand(`a=xx; ${doubled}; echo "$a"; rm migrations/1.sql $a`);
    assert.equal(onlyReads, false);
    assert.ok(paths.includes('migrations/1.sql'));
    assert.ok(
      paths.some((path) => path.startsWith('$a')),
      'what is too long may be anything',
    );
    readCommand(`a=${'x'.repeat(4_000)}; rm ${'$a'.repeat(90_000)}`);
  });

  it('looks through long scripts of sed and awk', () => {
    for (const [line, onlyReads] of [
      [`awk '{ ${'print '.repeat(30_000)} }' x`, true],
      [`awk '{ ${'print '.repeat(30_000)} > "x" }' x`, false],
      [`sed 's${'/'.repeat(100_000)}' x`, true],
      [`sed 's/a/b/ge' x`, false],
      [`sed 's|a|b|e' x`, false],
      [`sed 's/here/there/g' x`, true],
    ] as const) {
      assert.equal(readCommand(line).onlyReads, onlyReads, line.slice(0, 40));
    }
  });

  it('takes a line of readers, whatever their words are, for reading', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9_./-]{1,12}$/).filter((text) => !text.startsWith('-'));
    const reader = fc
      .tuple(fc.constantFrom('cat', 'ls', 'head', 'wc', 'grep', 'git log', 'git diff', 'stat', 'diff'), fc.array(word))
      .map(([program, words]) => [program, ...words].join(' '));
    const line = fc
      .tuple(fc.array(reader, { minLength: 1, maxLength: 5 }), fc.constantFrom(' | ', ' && ', '; ', ' || ', '\n'))
      .map(([commands, between]) => commands.join(between));
    fc.assert(
      fc.property(line, (text) => {
        assert.equal(readCommand(text).onlyReads, true);
      }),
    );
  });
});
