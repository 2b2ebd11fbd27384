import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readCommand } from '../../src/guard/commands';
import { readShell } from '../../src/guard/commands/shell';

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

  describe('in a script that stands in it', () => {
    const scripts: [line: string, paths: string[]][] = [
      [`python3 -c "open('migrations/1.sql','w').write(text)"`, ['migrations/1.sql']],
      [`python3 -Wignore -c "open('migrations/1.sql','a')"`, ['migrations/1.sql']],
      [`python -c "from pathlib import Path; Path('migrations/1.sql').write_text('a b')"`, ['migrations/1.sql']],
      ["python3 - <<'EOF'\nimport os\nos.remove('migrations/1.sql')\nEOF", ['migrations/1.sql']],
      [`cd db && node -e "require('fs').writeFileSync('1.sql', 'x')"`, ['db/1.sql']],
      [`node --input-type=module -e 'import { rmSync } from "node:fs"; fs.rm("./a.ts")'`, ['./a.ts']],
      ["node <<EOF\nfs.appendFileSync(`a/b.ts`, '')\nEOF", ['a/b.ts']],
      [`deno eval 'await Deno.remove("src/a.ts")'`, ['src/a.ts']],
      [`ruby -e 'File.open("db/schema.rb", "w") { |f| f.puts 1 }'`, ['db/schema.rb']],
      [`perl -e 'open(F, ">", "a/b.txt"); unlink "c.txt"'`, ['a/b.txt', 'c.txt']],
      [`php -r 'file_put_contents("a/b.txt", "x");'`, ['a/b.txt']],
      [`python3 -c "import subprocess; subprocess.run(['rm', 'migrations/1.sql'])"`, ['migrations/1.sql']],
      // What it gives to a shell is a line as well.
      [`python3 -c 'import os; os.system("rm migrations/1.sql")'`, ['migrations/1.sql']],
      [`python3 -c 'subprocess.run("cd db && rm 1.sql", shell=True); open("a/b", "w")'`, ['db/1.sql', 'a/b']],
      [`cd db; python3 -c 'os.system("(cd a; rm 1.sql")'; rm 2.sql`, ['db/a/1.sql', 'db/2.sql']],
      [`node -e 'require("child_process").execSync("rm -rf migrations")'`, ['migrations']],
      [`node -e 'import { execSync as x, exec } from "child_process"; exec("cat a/b > \\"c d\\"")'`, ['c d']],
      [`ruby -e 'system "rm migrations/1.sql"'`, ['migrations/1.sql']],
      [`php -r 'exec("rm a/b.txt"); shell_exec("touch Dockerfile");'`, ['a/b.txt', 'Dockerfile']],
      [`python3 -c 'import os; os.system("cat migrations/1.sql"); os.system("npm test")'`, []],
      // Other ways to write.
      [`perl -e 'open(F,">migrations/1.sql")'`, ['migrations/1.sql']],
      [`perl -e 'open F, ">> Dockerfile"'`, ['Dockerfile']],
      [`node -e 'fs.writeFileSync("app/(auth)/page.tsx", "x")'`, ['app/(auth)/page.tsx']],
      [`node -e 'fs.createWriteStream("a/b.ts")'`, ['a/b.ts']],
      [`node -e 'const { rmSync, cp } = require("fs"); rmSync("a/b.ts")'`, ['a/b.ts']],
      [`python3 -c 'from os import remove; remove("migrations/1.sql")'`, ['migrations/1.sql']],
      [`python3 -c 'Path("a/b.txt").replace("c/d.txt")'`, ['a/b.txt', 'c/d.txt']],
      [`ruby -r fileutils -e 'FileUtils.rm_rf("migrations")'`, ['migrations']],
      [`perl -0777 -p -e 's/a/b/' -e 'unlink "a/b.txt"'`, ['a/b.txt']],
      [`node --import ./setup.mjs -e 'fs.rmSync("a/b.ts")'`, ['a/b.ts', './setup.mjs']],
      ["python3 - src/a.ts <<'EOF'\nopen('a/b', 'w')\nEOF", ['a/b', 'src/a.ts']],
      // A script in a file has options of its own.
      ['python fix.py -c migrations/1.sql', ['fix.py', 'migrations/1.sql']],
      ['node t.js -p migrations/1.sql', ['t.js', 'migrations/1.sql']],
      ['node t.js -file migrations/1.sql', ['t.js', 'migrations/1.sql']],
      [`python3 -c 'import sys' -c migrations/1.sql`, ['migrations/1.sql']],
      ['node -- t.js -e migrations/1.sql', ['t.js', 'migrations/1.sql']],
      // What only reads, and what is no path.
      [`python3 -c "print(open('migrations/1.sql').read().replace('a', 'b'))"`, []],
      [`python3 -c "names = os.listdir('db/migrations'); names.remove('.git')"`, []],
      [`python3 -c "print(open('migrations/1.sql').read(), 'do not overwrite it')"`, []],
      [`node -e "console.log(/rm (.*)/.exec('rm src/a.ts'), 'the run of rm (1)')"`, []],
      [`node -e "db.run('rm src/a.ts'); fs.writeFileSync('out.txt', '')"`, ['out.txt']],
      [`python3 -c "print('the operating system runs', 'src/a.ts')"`, []],
      [`python3 -c "print(open('migrations/1.sql').read())"`, []],
      [`python3 -c "import json; print(json.load(open('package.json','r'))['version'])"`, []],
      [`node -p "require('./package.json').version"`, []],
      [`node -e "process.stdout.write(require('fs').readFileSync('migrations/1.sql','utf8'))"`, []],
      [`python3 -c "open('x','w').write('Do not touch the files below migrations/ today, e.g. 1.sql.')"`, ['x']],
      [`python3 -c "import shutil; d['scripts'] = 1; shutil.rmtree('migrations')"`, ['migrations']],
      [`node -e "fs.rmSync('Dockerfile', { force: true, encoding: 'utf8' })"`, ['Dockerfile']],
      [`python3 -c "import os.path; print('hello world')"`, []],
      // A script in a file of its own, and what it is given.
      ["python3 fill.py <<'EOF'\nwrite 'migrations/1.sql'\nEOF", ['fill.py']],
    ];
    for (const [line, paths] of scripts) {
      it(`"${line.replaceAll('\n', '⏎')}" touches ${paths.join(', ') || 'nothing'}`, () => {
        assert.deepEqual(readCommand(line), { onlyReads: false, paths });
      });
    }
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
    '(cd migrations && cat 1.sql); ls',
    'find . -name "*.sql" -exec grep -n x {} +',
    'sh -c "cat migrations/1.sql"',
    'xargs cat < list.txt',
    'fd -e sql -x wc -l',
    'fd -tx . migrations',
    "yq -o=json '.a' config/prod.yml",
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
    ['find migrations -name "*.sql" -delete', ['migrations/**/*.sql']],
    ["find src lib/ -type f -name '*.js' -delete", ['src/**/*.js', 'lib/**/*.js']],
    // What runs may change other files than those that are found.
    ["find . -type f -name '*.log' -exec rm {} +", ['.', 'f', '*.log', 'rm', '{}', '+']],
    ["find src lib/ -name '*.js' | xargs rm", ['src', 'lib/', '*.js']],
    ["find migrations/* -name '0*' -delete", ['migrations/*', '0*']],
    ["find a.d -name 'a' -delete", ['a.d', 'a']],
    ["find . -name '[[:digit:]]*.sql' -delete", ['.', '[[:digit:]]*.sql']],
    ["find . -name '{a,b}' -delete", ['.', '{a,b}']],
    ["find . ! -name '*.log' -delete", ['.', '!', '*.log']],
    ["find migrations -delete -name '*.log'", ['migrations', '*.log']],
    ["find migrations -exec rm {} \\; -name '*.log'", ['migrations', 'rm', '{}', ';', '*.log']],
    ["find migrations -print0 -name '*.log' | xargs rm", ['migrations', '*.log']],
    ["find migrations -name 'mig*' -exec rm {} +", ['migrations', 'mig*', 'rm', '{}', '+']],
    ["find -name '*.sql' -delete", ['./**/*.sql']],
    ['cd db; find -type f -delete', ['db/.', 'db/f']],
    ["find . -name '*.log' -o -name '*.sql' -delete", ['.', '*.log', '*.sql']],
    ['find migrations -exec rm {} \\;', ['migrations', 'rm', '{}', ';']],
    ['find migrations -type f -exec env rm {} +', ['migrations', 'f', 'env', 'rm', '{}', '+']],
    ['find migrations -exec command rm {} +', ['migrations', 'command', 'rm', '{}', '+']],
    ['fd --exec=rm cat ./migrations', ['./migrations']],
    ['fd -Hx rm ./migrations/1.sql', ['./migrations/1.sql']],
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
    ['git restore --staged migrations', []],
    ['git restore -S migrations', []],
    ['git restore migrations', ['migrations', 'restore']],
    ['git restore --staged -W migrations/1.sql', ['migrations/1.sql', 'restore']],
    ['git restore -SW migrations/1.sql', ['migrations/1.sql', 'restore']],
    ['git restore --staged --work migrations/1.sql', ['migrations/1.sql', 'restore']],
    ['git reset HEAD migrations/1.sql', []],
    ['git commit -am "about migrations/1.sql"', []],
    ['npm test', []],
    ['npx eslint .', []],
    ['node scripts/migrate.js --out=migrations/3.sql', ['scripts/migrate.js', 'migrations/3.sql']],
    ['dd if=/dev/zero of=migrations/1.sql', ['/dev/zero', 'migrations/1.sql']],
    ['for f in migrations/*.sql; do rm "$f"; done', ['migrations/*.sql']],
    ['if true; then rm migrations/1.sql; fi', ['migrations/1.sql']],
    ['(cd db && mv migrations old)', ['db/migrations', 'db/old']],
    ['(cd db && npm i) && rm Dockerfile', ['Dockerfile']],
    ['rm $(cd db; ls) Dockerfile', ['Dockerfile']],
    ['bash -c "cd db; rm 1.sql"; rm Dockerfile', ['db/1.sql', 'Dockerfile']],
    ['cd db; (cd a; rm x); f() { rm y; }; rm z', ['db/a/x', 'db/y', 'db/z']],
    ['(cd db; case x in x) rm 1.sql;; esac); rm Dockerfile', ['db/x', 'db/1.sql', 'Dockerfile']],
    ['(cd db; case x in (a) (cd a; rm 1);; b) rm 2;; esac; rm 3); rm 4', ['db/a/1', 'db/2', 'db/3', '4']],
    ["apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: db/1.sql\n*** End Patch\nEOF", ['db/1.sql']],
    ['patch -p1 <<EOF\n--- a/db/1.sql\n+++ b/db/1.sql\n@@ -1 +1 @@\n-a\n+b\nEOF', ['db/1.sql']],
    ['true && { rm migrations/1.sql; }', ['migrations/1.sql']],
    ['rm migrations/\\\n1.sql', ['migrations/1.sql']],
    ["rm 'it'\\''s.sql'", ["it's.sql"]],
    ['curl -o migrations/1.sql https://example.com/x.sql', ['migrations/1.sql']],
    ['curl https://example.com/x.sql -omigrations/1.sql', ['migrations/1.sql']],
    // Where a path begins with the folder that the line is in.
    ['rm "$(pwd)/migrations/1.sql"', ['./migrations/1.sql']],
    ['cd db && rm "$PWD/1.sql"', ['db/./1.sql']],
    ['cd db && rm "$(pwd)/1.sql" $HOME/x $TMPDIR/y', ['db/./1.sql', '$HOME/x', '$TMPDIR/y']],
    ['cd "$PWD/migrations" && rm 1.sql', ['./migrations/1.sql']],
    ['cd "$(git rev-parse --show-toplevel)" && rm a.sql', ['a.sql']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell has it
    ['cd "$(git rev-parse --show-toplevel)/db" && rm a.sql', ['${__}/db/a.sql']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell has it
    ['touch "migrations/$(date +%s)_x.sql"', ['+%s', 'migrations/${__}_x.sql']],
    ['T=$(mktemp -d); cp -r migrations "$T/"; rm -rf "$T/migrations"', ['$TMPDIR/_/migrations']],
    ['cd "$(mktemp -d)" && rm -rf migrations', ['$TMPDIR/_/migrations']],
    ['cd "$TMPDIR" && rm -rf migrations', ['$TMPDIR/migrations']],
    ['F=$(ls migrations/*.sql | tail -1); rm "$F"', ['migrations/*.sql']],
    ['V=$(cat migrations/VERSION); npm version "$V"', []],
    // There and back.
    ['cd db && cd - && rm a.sql', ['a.sql']],
    ['pushd db; pushd x; rm a; popd; rm b; popd; rm c', ['db/x/a', 'db/b', 'c']],
    ['cd a; (cd b); cd -; rm x', ['x']],
    ['pushd a; (pushd b); popd; rm x', ['x']],
    ['cd $TMPDIR; cd $OLDPWD; rm migrations/1.sql', ['migrations/1.sql']],
    ['cd "$(mktemp -d)"; rm x; cd "$(git rev-parse --show-toplevel)" && rm -r db', ['$TMPDIR/_/x', 'db']],
    ['cd $TMPDIR; cd "$A$B"; rm x', ['x']],
    // What is assigned in quotes, or not as it stands there.
    ['F="migrations/1.sql"; rm $F', ['migrations/1.sql']],
    ['F=tmp/a; F="migrations/1.sql"; rm $F', ['$F']],
    // Nor is what may be another value by then.
    ['F="migrations/1.sql"; [ -e tmp ] && F="tmp/x"; rm "$F"', ['$F']],
    ['F=""; read -r F < l; rm "$F"', ['$F']],
    ['F="tmp/x"; F+="/../../migrations/1.sql"; rm "$F"', ['$F']],
    ['F="tmp/x"; export F="migrations/1.sql"; rm "$F"', ['$F']],
    ['F="tmp/x"; printf -v F %s migrations/1.sql; rm "$F"', ['$F']],
    ['F=migrations; x=$(F=tmp; echo $F); rm -r $F', ['$F']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell has it
    ['F="tmp/x"; : ${F:=migrations/1.sql}; rm "$F"', ['$F']],
    ['ROOT=$(pwd); cd src; rm -rf $ROOT/migrations', ['$ROOT/migrations']],
    ["F=tmp/a; F='b c'; rm $F", ['$F']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell has it
    ['D="${1:-src}"; rm -rf "$D"', []],
    // What takes back more than it names.
    ['git checkout -f main', ['.', 'checkout', 'main']],
    ['git checkout --force main -- a.sql', ['a.sql', 'checkout', 'main']],
    ['git clean -fdx -e .env', ['.', '.env', 'clean']],
    ['git clean -fd build', ['build', 'clean']],
    ['git reset --hard origin/main', ['.', 'origin/main', 'reset']],
    ['git checkout -f', ['.', 'checkout']],
    ['git switch --discard-changes main', ['.', 'main', 'switch']],
    ['git pull --force', ['pull']],
    ['git rm --cached migrations/1.sql', []],
    // What only looks at the files that it is given, and what writes there.
    ['npx eslint src/a.ts', []],
    ['npx --yes eslint@9 --max-warnings 0 src/a.ts', []],
    ['npx eslint --fix src/a.ts', ['src/a.ts']],
    ['pnpm exec prettier --write migrations', ['migrations']],
    ['yarn prettier --write migrations', ['migrations']],
    ['yarn prettier --check a/b.ts', ['a/b.ts']],
    ['npx prettier --check migrations/1.sql', []],
    ['npx prettier --check --write a/b.ts', ['a/b.ts']],
    ['npx prettier --write .', []],
    ['pnpm vitest run src/a.test.ts', []],
    ['npx vitest run -u src/a.test.ts', ['src/a.test.ts']],
    ['npm test -- src/a.test.ts', []],
    ['npm test -- -u', []],
    ['npm run test:unit -- src/a.test.ts', []],
    ['npm test -- -u src/a.test.ts', ['src/a.test.ts']],
    // A script of such a name often mends what it finds.
    ['npm run lint -- src/a.ts', ['src/a.ts']],
    ['npm run lint:js:fix -- src/a.ts', ['src/a.ts']],
    ['npm run generate src/a.ts', ['src/a.ts']],
    ['uv run python -m pytest tests/a.py', []],
    ['python3 -m black tests/a.py', ['tests/a.py']],
    ['black migrations', ['migrations']],
    ['black --check migrations', []],
    ['ruff check migrations', []],
    ['ruff format migrations', ['migrations']],
    ['ruff format --check migrations', []],
    ['go test ./migrations/...', []],
    ['go run ./tools/wipe migrations/1.sql', ['./tools/wipe', 'migrations/1.sql']],
    ['node --test src/a.test.ts', []],
    ['npx @biomejs/biome check src/a.ts', []],
    ['npx @biomejs/biome@2.1.0 check --write src', ['src']],
    ['npx @somebody/eslint src/a.ts', ['@somebody/eslint', 'src/a.ts']],
    ['isort --check-only a/b.py', []],
    ['npx tsc --noEmit a/b.ts', []],
    // Not the program that is meant, but what an option is given.
    ['npx -p eslint rimraf migrations/1.sql', ['migrations/1.sql']],
    ['npx --package prettier -- rm -rf migrations/1.sql', ['migrations/1.sql']],
    ['uv run --with ruff python fix.py migrations/1.sql', ['fix.py', 'migrations/1.sql']],
    ['npm --prefix test run migrate -- migrations/1.sql', ['migrations/1.sql']],
    ['python - pytest <<EOF\nopen("migrations/1.sql", "w")\nEOF', ['migrations/1.sql']],
    ['npx eslint $FLAGS a/b.ts', ['$FLAGS', 'a/b.ts']],
    ['UPDATE=1 go test ./migrations/...', ['./migrations/...']],
    ['export UPDATE=1; pytest migrations/1.sql', ['migrations/1.sql']],
    ["git difftool -y -x 'cp $REMOTE' HEAD -- migrations", ['HEAD', 'cp $REMOTE', 'difftool', 'migrations']],
    // Options that are not known to leave everything as it is.
    ['ruff check --add-noqa a/b.py', ['a/b.py']],
    ['rubocop -x a/b.rb', ['a/b.rb']],
    ['rubocop --auto-gen-config a/b.rb', ['a/b.rb']],
    ['pytest --snapshot-update a/b.py', ['a/b.py']],
    ['pytest --inline-snapshot=fix a/b.py', ['fix', 'a/b.py']],
    ['pytest --basetemp migrations', ['migrations']],
    ['pytest --junitxml=a/b.xml', ['a/b.xml']],
    ['go test -update ./a', ['./a']],
    ['go build -o=a/b', ['a/b']],
    ['go test -coverprofile=a/b.out', ['a/b.out']],
    ['node --test --test-update-snapshots a/b.ts', ['a/b.ts']],
    ['phpunit --log-junit a/b.xml', ['a/b.xml']],
    ['jest -cu a/b.ts', ['a/b.ts']],
    ['prettier -wl a/b.ts', ['a/b.ts']],
    ['tsc a/b.ts', ['a/b.ts']],
    ['tsc --noEmit false a/b.ts', ['false', 'a/b.ts']],
    ["yq -y --in-place '.a=1' config/prod.yml", ['.a=1', 'config/prod.yml']],
    ["yq -s '.name' config/prod.yml", ['.name', 'config/prod.yml']],
    ["find config -type f -exec yq --in-place '.a=1' {} +", ['config', 'f', 'yq', '.a=1', '{}', '+']],
    ['tar czf /tmp/all.tgz migrations', ['/tmp/all.tgz']],
    ['tar xzf /tmp/all.tgz -C migrations', ['/tmp/all.tgz', 'migrations', 'xzf']],
    // What is said about a file is none.
    ['gh pr create --title "About the files" --body "a/b.sql is changed."', []],
    ['gh issue create -t x "The file a/b.sql is slow"', []],
    ['npx generate "my docs/a b.md"', ['my docs/a b.md']],
    ['mytool --output="My Docs/Makefile"', ['My Docs/Makefile']],
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

  it('sees what PowerShell hands on, and what .NET writes', () => {
    const paths = (line: string) => readCommand(line, 'powershell').paths;
    assert.deepEqual(paths('Get-ChildItem migrations | Remove-Item -Force'), ['migrations']);
    assert.deepEqual(paths('gci migrations | ri'), ['migrations']);
    assert.ok(paths('gci migrations | ForEach-Object { Set-Content $_.FullName x }').includes('migrations'));
    assert.deepEqual(paths('$x = Get-Content migrations/1.sql; $x.Count'), []);
    assert.deepEqual(paths("$f = 'migrations/1.sql'; Get-Content $f"), []);
    assert.deepEqual(paths("$f = 'migrations/1.sql'; Remove-Item $f"), ['migrations/1.sql']);
    assert.deepEqual(paths('Get-Content migrations/1.sql; Remove-Item a.txt'), ['a.txt']);
    for (const end of [
      'ri -ErrorAction Stop',
      'Set-Content -Value x',
      'clear-content',
      '\n Move-Item -Destination a',
    ]) {
      assert.ok(paths(`gci migrations | ${end}`).includes('migrations'), end);
    }
    assert.deepEqual(paths('Get-Content migrations/1.sql | Set-Content a.txt'), ['a.txt']);
    assert.deepEqual(paths('gci migrations; remove-item old'), ['old']);
    assert.deepEqual(paths("[IO.File]::WriteAllText('migrations/1.sql', $text)"), ['migrations/1.sql']);
    assert.equal(readCommand("[IO.File]::ReadAllText('a.sql')", 'posix').paths.length, 0);
  });

  it('knows what a variable of PowerShell holds, where it is set but once', () => {
    const paths = (line: string) => readCommand(line, 'powershell').paths;
    for (const [set, held] of [
      ["$f='migrations/1.sql'", 'migrations/1.sql'],
      ['$f = "migrations/1.sql"', 'migrations/1.sql'],
      ["$F = 'migrations/1.sql'", 'migrations/1.sql'],
      ['$f = Get-Item migrations/1.sql', '$f'],
      ['$f = Get-Date', '$f'],
      ["$f += '.bak'", '$f'],
      ["$f = 'b.txt', 'c.txt'", '$f'],
      ["$f = 'b' | Resolve-Path", '$f'],
      ["$f = (Join-Path db '1.sql')", '$f'],
      ["[string]$f = 'b.txt'", 'b.txt'],
    ] as const) {
      assert.equal(paths(`${set}; Remove-Item $f`).at(-1), held, set);
    }
    for (const again of [
      "$f = 'migrations/1.sql'",
      '$f = Get-Item migrations/1.sql',
      "$F += '.bak'",
      "if ($x) { $f = 'b.txt' }",
      '$f, $g = gci migrations',
      'Get-ChildItem migrations -OutVariable f',
      "$script:f = 'migrations/1.sql'",
      'foreach ($f in gci db) { ri $f }',
    ]) {
      const touched = paths(`$f='tmp/a.txt'; ${again}; Remove-Item $f`);
      assert.ok(touched.includes('$f') && !touched.includes('tmp/a.txt'), again);
    }
  });

  it('starts in the folder that it is given', () => {
    assert.deepEqual(readCommand('rm 1.sql; cd ..; rm a.txt /b.txt', 'posix', 'db').paths, [
      'db/1.sql',
      'db/../a.txt',
      '/b.txt',
    ]);
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

  it('comes to an end for scripts, names and folders of any length', () => {
    for (const part of [
      'open',
      'open(',
      "open('",
      "open(''r",
      'system(',
      'system("',
      "exec('\\",
      'Path(',
      'write',
      '"(a)',
    ]) {
      for (const quote of ["'", '"']) {
        const script = part.repeat(190_000 / part.length).replaceAll(quote, '');
        readCommand(`python3 -c ${quote}import subprocess; ${script}${quote}`);
      }
    }
    const long = 'a'.repeat(190_000);
    assert.deepEqual(readCommand(`cp ${long}/b x/`).paths, ['x/b']);
    readCommand(`cd ${'/'.repeat(190_000)}a; rm x`);
    readCommand(`cd ${long.slice(0, 90_000)}; rm ${'x '.repeat(50_000)}`);
    assert.deepEqual(readCommand(`cd ${'a'.repeat(90)};`.repeat(1_000)).paths, []);
    assert.equal(readCommand(`find . ${'-exec find '.repeat(15_000)}`).onlyReads, false);
    assert.deepEqual(readCommand(`${'. '.repeat(90_000)}rm x`).paths, ['x']);
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
    readCommand(`tar -${'c'.repeat(190_000)}`);
    readCommand(`git checkout -${'f'.repeat(190_000)}!`);
    readCommand('find a -name "{a,b}{a,b}{a,b}{a,b}{a,b}" -delete;'.repeat(3_000));
    readCommand('a=b; rm $a;'.repeat(15_000));
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
