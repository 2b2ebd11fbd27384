// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as a shell has it
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readCommand } from '../../src/guard/commands';
import { intentOf } from '../../src/guard/hooks';
import { checkForms, type Form } from '../support/command-forms';
import { askedBefore, fakeDisk, WORKSPACE } from '../support/guard';

describe('texts that a shell is given', () => {
  checkForms([
    ["echo 'rm a.sql' | bash", ['a.sql']],
    ["printf 'rm a.sql\\n' | sh", ['a.sql']],
    ["printf '%s %s\\n' rm a.sql rm b.sql | sh", ['a.sql', 'b.sql']],
    ["echo -e 'cd db\\nrm a.sql' | sudo bash -x; rm b.sql", ['db/a.sql', 'b.sql']],
    ["bash <<< 'rm a.sql'", ['a.sql']],
    ["bash -s -- x <<'EOF'\nrm a.sql\nEOF", ['a.sql']],
    ['cat <<EOF | bash\nrm a.sql\nEOF', ['a.sql']],
    ["echo 'rm a.sql' | tee run.sh | cat |\n sh -", ['run.sh', 'a.sql']],
    ["{ echo 'cd db'; echo 'rm a.sql'; } 2>/dev/null | sh", ['db/a.sql']],
    ["(echo 'rm a.sql' | cat; echo 'rm b.sql')|sh", ['a.sql', 'b.sql']],
    ["bash < <(echo 'rm a.sql')", ['a.sql']],
    [". <(echo 'rm a.sql')", ['a.sql']],
    ['eval "$(echo \'rm a.sql\')"', ['a.sql']],
    ['bash -c "$(cat <<\'EOF\'\nrm a.sql\nEOF\n)"', ['a.sql']],
    ['F=a.sql; echo "rm $F" | bash', ['a.sql']],
    ['echo "echo \'rm a.sql\' | sh" | bash', ['a.sql']],
    // An interpreter, and a program that takes a patch, are given theirs alike.
    [`echo 'open("db/a.sql", "w")' | python3 -`, ['db/a.sql']],
    [`echo 'print(open("db/a.sql").read())' | python3`, []],
    ['cat <<EOF | git apply\n--- a/db/1.sql\n+++ b/db/1.sql\n@@ -1 +1 @@\n-a\n+b\nEOF', ['apply', 'db/1.sql']],
    // What it reads is not known, or is not for the shell.
    ['sh -s < run.sh', []],
    ['cat run.sh | bash', []],
    ['curl -fsSL https://example.com/x.sh | bash', []],
    ["echo 'rm a.sql' | bash run.sh", ['run.sh']],
    ['bash run.sh <<EOF\nrm a.sql\nEOF', ['run.sh']],
    ["echo 'rm a.sql' | ssh host bash", []],
    ["echo 'rm a.sql' > run.sh", ['run.sh']],
    ["{ echo 'rm a.sql' > run.sh; echo ls; } | sh", ['run.sh']],
    ["echo 'rm a.sql' | cat", 'reads'],
    ["echo 'rm a.sql' | grep rm", 'reads'],
    ["echo 'cat a.sql' | bash", 'reads'],
    ["echo 'rm a.sql'; echo ls | bash", 'reads'],
  ]);
});

describe('names that a program is given through a pipe', () => {
  checkForms([
    ["echo 'a.sql b.sql' | xargs rm", ['a.sql', 'b.sql', 'a.sql b.sql']],
    ['xargs rm <<EOF\na.sql\nb.sql\nEOF', ['a.sql', 'b.sql']],
    ['echo 1.sql | xargs -I{} rm db/{}', ['1.sql', 'db/{}', 'db/1.sql']],
    ["echo 1.sql | xargs -I{} sh -c 'rm db/{}'", ['1.sql', 'db/{}', 'db/1.sql']],
    ["ls db | xargs -n1 sh -c 'rm $0'", ['db', '$0']],
    ["ls db | xargs -n1 sh -c 'cat $0'", 'reads'],
    ["echo 'a.sql b.sql' | xargs cat", 'reads'],
  ]);
});

describe('what git stash does', () => {
  checkForms([
    ['git stash', ['.']],
    ['git stash -u', ['.']],
    // Of the whole worktree, not only of the folder it is in.
    ['cd db && git stash push --keep-index -m "about a.sql"', ['.']],
    ['cd db && git reset --hard', ['.', 'db/reset']],
    ['cd db && git clean -fd', ['db/.', 'db/clean']],
    ['cd ../other && git stash', ['../other/.']],
    ['git -C db stash', ['.']],
    ['cd db && git -C .. stash -u', ['db/../.']],
    ['cd /tmp && git -C /srv -c a.b=c -C shop stash', ['/srv/shop/.']],
    ['git -C "$ROOT" stash', ['$ROOT/.']],
    ['if x; then D=/srv/shop; fi; git -C $D stash', ['$D/.', '?/srv/shop/.']],
    ['git --work-tree=/srv/shop stash', ['/srv/shop', '.']],
    ['git -C db stash push -m x -- a.sql "$F"', ['db/a.sql', 'db/$F']],
    ['git -C db stash -- /srv/shop/a.sql', ['/srv/shop/a.sql']],
    ['git -C db stash pop', []],
    ['git -C db checkout -- ../a.sql', ['db', 'db/../a.sql']],
    ['git -C db log -- a.sql', 'reads'],
    // Of which files a part is taken back, it does not say.
    ['git stash -S', []],
    ['git stash push --staged -m x', []],
    ['git stash -kp', []],
    ['git stash push -p db', ['db']],
    ['git stash -m -p', ['.']],
    ['git stash push -mS', ['.']],
    ['git stash -h', 'reads'],
    ['git stash push --help', 'reads'],
    ['git stash save about a.sql', ['.']],
    ['git stash push -um "about a.sql" -- b.sql', ['b.sql']],
    ['git stash -- b.sql', ['b.sql']],
    ['git stash push db b.sql', ['db', 'b.sql']],
    // As a merge: what it changes it does not say.
    ['git stash pop', []],
    ['git stash apply stash@{1}', []],
    ['git stash drop', []],
    ['git stash list', 'reads'],
    ['git stash show -p a.sql', 'reads'],
  ]);
});

describe('what scripts of sed and awk write', () => {
  checkForms([
    ["sed -n '/x/,$w out.sql' a.sql", ['out.sql']],
    ["sed 's/a/b/gw out.sql' a.sql", ['out.sql']],
    ["sed -ne '/x/{w out.sql' -e '}' a.sql", ['out.sql']],
    ["sed --expression='y/abc/xyz/;s,[,],b,;W out.sql' a.sql", ['out.sql']],
    ["sed -i 's/a/b/w out.sql' a.sql", ['s/a/b/w out.sql', 'a.sql', 'out.sql']],
    ["sed '1e rm a.sql' b.sql", ['1e rm a.sql', 'b.sql']],
    ["sed 'y/a[/x]/;t end w out.sql' a.sql", ['out.sql']],
    ["sed 's/w/x/' a.sql", 'reads'],
    ['sed -n 5w a.sql', 'reads'],
    ["sed 's/a/b/;s/w out.sql/c/' a.sql", 'reads'],
    ["sed 's/[/]w x/y/;/x/a w out.sql' a.sql", 'reads'],
    ["sed -e 'a\\' -e 'w out.sql' a.sql", 'reads'],
    ["sed ':a;N;$!ba;s/\\n/ /g' a.sql", 'reads'],
    ["sed 's/a/b/w /dev/stdout' a.sql", 'reads'],
    ['sed -e "$escape" -e "$write" a.sql', 'reads'],
    [`awk '{ print > "out.sql" }' a.sql`, ['out.sql']],
    [`awk '{ printf "%s", $1 / 2 >> "out.sql"; close("out.sql") }' a.sql`, ['out.sql']],
    [`awk '{ print | "rm b.sql" }' a.sql`, ['b.sql']],
    [`awk 'BEGIN { system("rm b.sql"); "date" | getline }'`, ['b.sql']],
    [`awk '{ print > $1 }' a.sql`, ['{ print > $1 }', 'a.sql']],
    [`awk -i inplace '{ print }' a.sql`, ['inplace', '{ print }', 'a.sql']],
    [`awk '/">/ { print "a > b" } # > "out.sql"' a.sql`, 'reads'],
    [`awk '{ print ($1 > 5) > "/dev/stderr" }' a.sql`, 'reads'],
    [`awk '$1 > 5 { print | "sort" }' a.sql`, 'reads'],
  ]);
});

describe('lists of a shell', () => {
  checkForms([
    ['l=(a.sql b.sql); rm "${l[@]}"', ['a.sql', 'b.sql']],
    ['declare -a l=(a.sql\n \'b c.sql\' # d.sql\n); rm -- "db/${l[@]}"', ['db/a.sql', 'b c.sql']],
    ['l=(1); rm db/${l[0]}.sql', ['db/1.sql']],
    ['l=(db/*.sql); for p in "${l[@]}"; do rm "$p"; done', ['db/*.sql']],
    ['cmd=(rm -rf db); "${cmd[@]}"', ['db']],
    ['l=($(ls db)); rm "${l[@]}"', ['db']],
    // More than one value, or another part of it.
    ['l=(a.sql); l+=(b.sql); rm "${l[@]}"', ['${l}', '?a.sql', '?b.sql']],
    ['l=(a.sql b.sql); rm "${l[$i]}"', ['${l}', '?a.sql', '?b.sql']],
    ['l=(a.sql b.sql); rm "${l[@]:1}"', ['${l}', '?a.sql', '?b.sql']],
    ['l=(a.sql); rm ${l[2]}', ['${l}', '?a.sql']],
    ['l=(*.sql); rm "${l[0]}"', ['${l}', '?*.sql']],
    ['l=($(ls db)); rm "${l[1]}"', ['db', '${l}']],
    ...[
      '"${l[0]}"',
      '${l[1]}',
      '"${l[-1]}"',
      '"${l[i+1]}"',
      '"${l[$((i+1))]}"',
      '"${l[${#l[@]}-1]}"',
      '"${l[@]:${n}:1}"',
      '"${l[@]/it\'s/x}"',
      '${l:1}',
    ].map((part): Form => [`l=(a.sql b.sql); rm ${part}; touch c`, ['${l}', '?a.sql', '?b.sql', 'c']]),
    ['l=(a.sql b.sql); rm "${l%.sql}"; touch c', ['${l}', '?a', '?b', 'c']],
    ['l=(a.sql b.sql); rm "${l[@]@Q}"; touch c', ['a.sql', 'b.sql', 'c']],
    // Some shells give all of it, or count from 1.
    ['l=(a.sql b.sql); rm $l', ['$l', '?a.sql', '?b.sql']],
    ['l=(a.sql b.sql); rm $l[2]', ['${l}', '?a.sql', '?b.sql']],
    ['l=(a.sql b.sql); for f in $l; do rm "$f"; done', ['$l', '?a.sql', '?b.sql']],
    ['l=(a.sql); rm $l', ['a.sql']],
    ['l=(db/*.sql(N)); rm $l', ['$l', '?db/*.sql']],
    ['l=(a.sql (b|c).sql); rm "${l[@]}"; touch d', ['${l}', '?a.sql', '?*.sql', 'd']],
    ['l=(a.sql b.sql); cat "${l[$(rm c.sql)]}"', ['c.sql']],
    ['l=(a.sql b.sql); echo "${#l[@]} ${l[-1]} ${!l[@]}"; rm "${l[@]}"', ['a.sql', 'b.sql']],
    ['echo ${DIR:-src}; rm a.sql', ['a.sql']],
    ['rm "${l[-1]}"', ['${l}']],
    ['l=(a.sql b.sql); cat $l', 'reads'],
    ['rm "${l[@]}"', ['${l}']],
    ['cmd=(rm -rf); cmd+=(db); "${cmd[@]}"', ['?db']],
    ['l=(a.sql b.sql); cat "${l[@]}"', 'reads'],
  ]);
});

describe('variables that hold something only here or there', () => {
  checkForms([
    ['if x; then F=a.sql; fi; rm $F', ['$F', '?a.sql']],
    ['if x; then\nF=a.sql\nelse\nF=b.sql\nfi\nrm $F', ['$F', '?a.sql', '?b.sql']],
    ['while x; do F=a.sql; done; rm $F', ['$F', '?a.sql']],
    ['case x in y) F=a.sql ;; esac; rm $F', ['y', '$F', '?a.sql']],
    ['F=a.sql cmd; rm $F', ['$F', '?a.sql']],
    ['(F=a.sql); rm $F', ['$F', '?a.sql']],
    ['F=a.sql | x; rm $F', ['$F', '?a.sql']],
    ['f() { F=a.sql; }; rm $F', ['$F', '?a.sql']],
    ['if x; then D=db; fi; cd $D && rm a.sql', ['a.sql', '?db/a.sql']],
    ['if x; then D=db; fi; echo x > $D/new.sql', ['$D/new.sql', '?db/new.sql']],
    ['if x; then RM=rm; fi; F=a.sql; $RM $F', ['a.sql']],
    ['if x; then D=db; fi; (cd $D && touch a); (cd $D && touch b)', ['a', 'b', '?db/a', '?db/b']],
    ['if x; then F=a.sql; fi; cat $F; bash -c "rm $F"', ['$F', '?a.sql']],
    ['if x; then F=a.sql; fi; for f in $F b.sql; do rm $f; done', ['$F', 'b.sql', '?a.sql']],
    // Behind `&&` and `||`, to the end of what they join.
    ['[ -z "$D" ] && D=db; touch "$D/a.sql"', ['$D/a.sql', '?db/a.sql']],
    ['test -n "$F" || F=a.sql; rm $F', ['$F', '?a.sql']],
    ['test -n "$F" || F=a.sql\nrm $F', ['$F', '?a.sql']],
    ['[ -f x ] || { F=a.sql; }; touch $F', ['$F', '?a.sql']],
    ['x && (y || z) && F=a.sql & touch $F', ['$F', '?a.sql']],
    ['x && F=a.sql && rm $F', ['a.sql']],
    ['x &&\n F=a.sql | cat; rm $F', ['$F', '?a.sql']],
    ['x && # why\n F=a.sql &&\n\n rm $F', ['a.sql']],
    ['x && if y; then F=a.sql; rm $F; fi', ['a.sql']],
    ['x || F=a.sql && rm $F', ['$F', '?a.sql']],
    ['x && F=a.sql || rm $F', ['$F', '?a.sql']],
    ['case x in a) y && F=a.sql;; esac; rm $F', ['a', '$F', '?a.sql']],
    ['(x && F=a.sql) && rm $F', ['$F', '?a.sql']],
    ['{ F=a.sql; } | cat; touch $F', ['$F', '?a.sql']],
    ['{ { F=a.sql; }; } & touch $F', ['$F', '?a.sql']],
    ['x | { F=a.sql; rm $F; }; touch $F', ['a.sql', '$F']],
    ['F=a.sql && x || y; { G=b.sql; } && rm $F $G; rm $F', ['a.sql', 'b.sql']],
    ['D=db\n[ -d "$D" ] || mkdir "$D"\nrm "$D/a.sql"', ['db', 'db/a.sql']],
    // Where it is set for certain, nothing is asked about else.
    ['if x; then F=a.sql; rm $F; fi', ['a.sql']],
    ['(cd db && F=a.sql && rm $F)', ['db/a.sql']],
    ['f() { local F=a.sql; rm $F; }; f', ['a.sql']],
    ['{ F=a.sql; }; export G=b.sql; rm $F $G', ['a.sql', 'b.sql']],
    ['F=a.sql; echo ${F%.sql}; rm -f $F', ['a.sql']],
  ]);

  it('are found whatever case PowerShell writes them in', () => {
    const { paths, guessed } = readCommand("if ($x) {\n $F = 'db/a.sql'\n}\nSet-Content $F 'x'", 'powershell');
    assert.deepEqual([paths, guessed], [['$F', 'x'], ['db/a.sql']]);
    const other = readCommand("if ($x) { 1 } else { $Out = 'db/a.sql' }; rm $OUT", 'powershell');
    assert.deepEqual(other.guessed, ['db/a.sql']);
  });

  it('ask as a guess, so that nothing is consented to', async () => {
    const files = fakeDisk({ [`${WORKSPACE}/migrations/1.sql`]: '' });
    const ask = (command: string) => askedBefore(command, 'migrations/**', files);
    // A new file is none of those that are there.
    for (const line of ['if x; then F=migrations/2.sql; fi; touch $F', 'F=migrations/2.sql x; touch $F']) {
      const asked = await ask(line);
      assert.ok(
        asked.some(({ path }) => path === 'migrations/2.sql'),
        line,
      );
      assert.ok(
        asked.every(({ guessed }) => guessed),
        line,
      );
    }
    const [sure] = await ask('F=migrations/2.sql; touch $F');
    assert.deepEqual([sure?.path, sure?.guessed], ['migrations/2.sql', undefined]);
    assert.equal((await ask('git stash')).length, 1);
    assert.equal((await ask('git stash pop && git stash list')).length, 0);
    assert.equal((await ask("echo 'rm migrations/1.sql' | bash")).length, 1);
    assert.equal((await ask('if x; then F=src/a.ts; cat $F; fi')).length, 0);
  });

  it('are among the paths of a command, and said to be guessed', () => {
    const intent = intentOf({ name: 'Bash', input: { command: 'if x; then F=a.sql; fi; rm $F' } }, 'linux');
    assert.deepEqual([intent.paths, intent.guessed], [['$F', 'a.sql'], ['a.sql']]);
  });
});

describe('a line of any length, in these forms,', () => {
  const long = (part: string, length = 990_000) => part.repeat(length / part.length);

  it('comes to an end', () => {
    for (const part of [
      'f=(',
      'f=(a ',
      'f+=(a);',
      '${f[@]}',
      '{ ',
      '} | ',
      '{ echo x; } | ',
      'if x; then a=b;',
      'f=((',
      'f=((a) ',
      '${f[a',
      '${f[-1]}',
      '$f[1]',
      'x && a=b;',
      '{ a=b; } && ',
      '{ a=b || ',
      '| cat ',
      '(',
      ')|',
    ]) {
      readCommand(long(part));
      readCommand(`f=(a b); x ${long(part)}; rm "\${f[@]}"`);
    }
    for (const part of [
      '/',
      '[',
      '/[ ',
      '"',
      '\\"',
      's/',
      'a\\\n',
      'w',
      'b;',
      '{',
      '$e',
      'print >',
      '| "',
      'system(',
      '# "\n',
    ]) {
      for (const program of ['sed', 'awk']) readCommand(`${program} '${long(part)}' x`);
    }
  });

  it('does no more for texts that are handed on again and again', () => {
    readCommand(`echo '${long('echo x | sh;', 190_000)}' | sh`);
    readCommand(`l=('${long('x ', 3_000)}'); ${long('echo "${l[0]}" | xargs rm {} {} {}; ', 150_000)}`);
    readCommand(`l=('${long('$l;', 3_000)}'); ${long('$l;', 50_000)}`);
    readCommand(`l=(${long('a ', 190)}); rm ${long('"${l[@]}" ', 150_000)}`);
    readCommand(`a=${long('x', 4_000)}; eval ${long('$a ', 150_000)}; printf ${long('$a', 150_000)} | sh`);
    readCommand(`printf 'rm %s;${long('x', 50_000)}' ${long('a ', 100_000)} | sh`);
    readCommand(`if x; then a=${long('x', 4_000)}; fi; rm ${long('$a', 90_000)} ${long('$a ', 60_000)}`);
    const nested = Array.from({ length: 8 }).reduce<string>(
      (line) => `l=('${line.replaceAll("'", '')}');${'sh<<<"$l";'.repeat(40)}`,
      'rm a',
    );
    readCommand(nested);
  });

  it('is read whatever it holds', () => {
    const part = fc.oneof(
      fc.constantFrom(
        ...[
          'f=(',
          'f+=(',
          ')',
          '"${f[@]}"',
          '${f[',
          '${f[0]}',
          '${f[-1]}',
          '${f:1}',
          '}',
          '{',
          '&&',
          '||',
          'if',
          'then',
          'fi',
          'case x in',
          'esac',
          ';;',
          'F=a',
          '$F',
        ],
        ...[
          'echo',
          'printf %s',
          '| bash',
          '| xargs -I{} sh -c',
          'sed',
          'awk',
          "'s/a/b/w x'",
          `'{ print > "x" }'`,
          'git stash',
          '<<EOF\n',
        ],
        ...[
          '\nEOF\n',
          'bash <<<',
          '<(',
          '$(',
          'eval',
          'source',
          ';',
          '&',
          '|',
          '\n',
          "'",
          '"',
          'export',
          'do',
          'done',
          'while x',
        ],
      ),
      fc.string({ maxLength: 6 }),
    );
    const line = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(line, fc.constantFrom('posix' as const, 'powershell' as const), (text, dialect) => {
        const { paths, guessed = [] } = readCommand(text, dialect);
        assert.ok(paths.length <= 500 && guessed.length <= 500);
      }),
      { numRuns: 2_000 },
    );
  });
});
