// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as a shell has it
import assert from 'node:assert/strict';
import { readCommand } from '../../src/guard/commands';
import { checkForms, type Form } from '../support/command-forms';
import { askedBefore, fakeDisk, WORKSPACE } from '../support/guard';

describe('a part of what a variable holds', () => {
  const held = (value: string, forms: readonly [written: string, word: string][]) =>
    forms.map(([written, word]): Form => [`F=${value}; rm "\${F${written}}"`, [word]]);
  checkForms([
    ...held('db/a.sql.bak', [
      ['%.bak', 'db/a.sql'],
      ['%.*', 'db/a.sql'],
      ['%%.*', 'db/a'],
      ['%/*', 'db'],
      ['#*/', 'a.sql.bak'],
      ['##*.', 'bak'],
      ['#db/', 'a.sql.bak'],
      ['%.txt', 'db/a.sql.bak'],
      ['%.b?k', 'db/a.sql'],
      ['%.[a-c]ak', 'db/a.sql'],
      ['%.[!a]ak', 'db/a.sql'],
      ['%.[[:alpha:]]ak', 'db/a.sql'],
      ['%".bak"', 'db/a.sql'],
      ["%'.bak'", 'db/a.sql'],
      ['%\\.bak', 'db/a.sql'],
      ['%"*"', 'db/a.sql.bak'],
      ['/.sql.bak/.sql', 'db/a.sql'],
      ['/.*', 'db/a'],
      ['//a/x', 'db/x.sql.bxk'],
      ['/#db/src', 'src/a.sql.bak'],
      ['/%.bak/.old', 'db/a.sql.old'],
      ['//\\//_', 'db_a.sql.bak'],
      ['/#/x/', 'x/db/a.sql.bak'],
      [':0:8', 'db/a.sql'],
      [':3', 'a.sql.bak'],
      [': -8:4', '.sql'],
      [':0:-4', 'db/a.sql'],
      [':(-3)', 'bak'],
      ['^^', 'DB/A.SQL.BAK'],
      ['^', 'Db/a.sql.bak'],
      ['^^[a-b]', 'dB/A.sql.BAk'],
      ['@U', 'DB/A.SQL.BAK'],
    ]),
    ['F=DB/A.SQL; rm ${F,,} ${F,}', ['db/a.sql', 'dB/A.SQL']],
    // What is written in the pattern may be a variable in turn.
    ['E=.bak; F=a.sql.bak; rm "${F%$E}"', ['a.sql']],
    ['E=.b*; F=a.sql.bak; rm ${F%$E} "${F%"$E"}"', ['a.sql', 'a.sql.bak']],
    ['F="$ROOT/db/a.sql"; rm "${F#$ROOT/}"', ['db/a.sql']],
    ['F=a.x; E=sql; rm ${F/x/$E}', ['a.sql']],
    ['F=a.x; rm ${F/x/${E:-sql}}', ['?a.sql']],
    // So is what is written with it.
    ['F=a.sql.bak; G=${F%.bak}; rm "$G"', ['a.sql']],
    ['F=db/a.sql; cd "${F%/*}" && rm b.sql', ['db/b.sql']],
    ['F=db/a.sql; echo x > "${F%.sql}.txt"', ['db/a.txt']],
    ['F=a.sql.bak; sh -c "rm ${F%.bak}"', ['a.sql']],
    ['F=a.sql.bak; cat "${F%.bak}"', 'reads'],
    ['files=(a.sql.bak b.sql.bak); rm "${files[@]%.bak}"', ['a.sql', 'b.sql']],
    ['files=(a.sql.bak b.sql.bak); rm "${files[1]%.bak}"', ['${files}', '?a.sql', '?b.sql']],
    // What is not known stays so, and what is known of it as well.
    ['F="$D/a.sql.bak"; rm "${F%.bak}"', ['$D/a.sql']],
    ['F="$D/a.sql.bak"; rm "db/${F##*/}"', ['db/a.sql.bak']],
    ['F="$D/a.sql.bak"; rm "${F%/*}"', ['$D']],
    ['F="$D/a.x"; rm "${F/.x/.sql}"', ['$D/a.sql']],
    ['F="db/$X.sql"; rm "${F%%.*}"', ['db/${F}']],
    ['F="$(date).sql.bak"; rm "${F%.bak}"', ['${__}.sql']],
    ['rm "${F%.bak}"', ['${F}']],
    ['rm "${F%/*}/a.sql"', ['${F}/a.sql']],
    ['rm db/${1#x}.sql', ['db/${1}.sql']],
    ['rm "${TMPDIR%/}/x"', ['${TMPDIR}/x']],
    ['mkdir "${PWD##*/}"', ['${PWD_}']],
    // A pattern that cannot be read.
    ['F=db/a.sql; rm "${F%$X}"', ['${F}', '?db/a.sql']],
    ['F=db/a.sql; rm "${F%$(rm b.sql)}"', ['${F}', '?db/a.sql', 'b.sql']],
    ['F=db/a.sql; rm "${F:n}"', ['${F}', '?db/a.sql']],
    ['F=db/a.sql; rm ${F%@(x|y)}', ['${F}', '?db/a.sql']],
    ['F=a.x; rm "${F/x/[&]}"', ['a.[&]', '?a.x']],
    // What it may hold, and what a default says.
    ['if x; then F=a.sql.bak; fi; rm "${F%.bak}"', ['${F}', '?a.sql']],
    ['F=a.sql.bak; F=${F%.bak}; rm "$F"', ['$F', '?a.sql.bak', '?${F}', '?a.sql']],
    ['f() { rm "${F%.bak}"; }; F=a.sql.bak; f', ['${F}', '?a.sql']],
    ['F=${1:-a.sql.bak}; rm "${F%.bak}"', ['?a.sql']],
    ['F=${1:-a.sql.bak}; rm "${F%$X}"', ['${F}', '?a.sql.bak']],
    ['D=${1:-db/}; rm "${D%/}/a.sql"', ['?db/a.sql']],
    ['F=\'a b.sql.bak\'; rm "${F%.bak}"', ['${F}', '?a b.sql']],
    ['F=a.x; rm ${F/x/b c}', ['a.b c', '?a.b', '?c']],
    // What a loop goes through.
    ['for f in a.sql.bak b.sql.bak; do mv "$f" "${f%.bak}"; done', ['a.sql.bak', 'b.sql.bak', '?a.sql', '?b.sql']],
    ['for f in db/*.sql.bak; do mv "$f" "${f%.bak}"; done', ['db/*.sql.bak', '?db/${__}.sql']],
    ['for f in *.bak; do cat "${f%.bak}"; done', 'reads'],
    ['for f in ${f%a}; do rm ${f%a}; done', ['${f}']],
    // Behind it the line is read on.
    ['echo "${F%"}"}"; rm a.sql', ['a.sql']],
    ['echo ${F%\\}}; rm a.sql', ['a.sql']],
    ['echo "${F%it\'s}"; rm a.sql', ['a.sql']],
    ['echo ${F%; rm a.sql', ['a.sql']],
  ]);

  it('asks for the file that it names', async () => {
    const files = fakeDisk({ [`${WORKSPACE}/migrations/1.sql`]: '', [`${WORKSPACE}/src/a.ts`]: '' });
    const ask = async (command: string) =>
      (await askedBefore(command, 'migrations/**', files)).map(({ path, guessed }) => [path, guessed]);
    assert.deepEqual(await ask('F=migrations/1.sql.bak; rm "${F%.bak}"'), [['migrations/1.sql', undefined]]);
    assert.deepEqual(await ask('F=src/1.sql; rm "${F/src/migrations}"'), [['migrations/1.sql', undefined]]);
    assert.deepEqual(await ask('rm "${F%.bak}"'), [['migrations/1.sql', true]]);
    assert.deepEqual(
      await ask('for f in migrations/*.new; do mv "$f" "${f%.new}"; done').then(([one]) => one?.[1]),
      true,
    );
    assert.deepEqual(await ask('F=${1:-src/a.ts}; rm "$F"'), []);
    assert.deepEqual(await ask('F=${1:-migrations/1.sql}; rm "$F"'), [['migrations/1.sql', true]]);
  });

  it('comes to an end', () => {
    const value = 'ab'.repeat(480);
    for (const part of [
      'rm ${F%a*b*c*d};',
      'rm ${F//a*b/c};',
      'rm ${F^^[a-z]};',
      'F=${F%a};',
      '${A%${B#',
      '${F/"',
      'for f in ${f%a}; do rm ${f%a}; done;',
      'G=${F%x}${F%y};H=${G%z}$G;rm $H;',
      'rm "${l[@]%a}";',
    ]) {
      const { paths, guessed = [] } = readCommand(`F=${value};l=(a b);${part.repeat(100_000 / part.length)}`);
      assert.ok(paths.length <= 500 && guessed.length <= 500, part);
    }
  });
});

describe('a variable that is set by a default', () => {
  checkForms([
    ['F=${1:-a.sql}; rm "$F"', ['?a.sql']],
    ['F="${1-a.sql}" && rm $F', ['?a.sql']],
    ['export D=${D:-db}; rm -r "$D/x"', ['?db/x']],
    ['F=${D:-db}/a.sql; rm $F', ['?db/a.sql']],
    ['B=${1:-main}; git checkout "$B"', ['checkout', '?main']],
    ['D=${1:-db}; cd "$D" && rm -rf *', ['?db/*']],
    ['l=(${1:-a.sql} b.sql); rm "${l[@]}"', ['b.sql', '?a.sql']],
    [': "${F:=a.sql}"; rm "$F"', ['?a.sql']],
    // Set again it may hold anything.
    ['F=${1:-a.sql}; read F; rm "$F"', ['$F', '?a.sql']],
    ['if x; then : ${F:=a.sql}; fi; rm "$F"', ['$F', '?a.sql']],
    [': ${F:=a.sql} | cat; rm "$F"', ['$F', '?a.sql']],
    ['F=${1:-a.sql}; rm "${F:-b.sql}"', ['?a.sql', '?b.sql']],
  ]);
});

describe('paths of git', () => {
  checkForms([
    ["git rm ':(glob)**/*.sql'", ['**/*.sql']],
    ["git rm ':(top)db/a.sql' b.sql", ['b.sql', 'db/a.sql']],
    ['cd src && git rm :/db', ['db']],
    ["cd src && git rm ':(top,glob)db/*'", ['db/*']],
    ['cd src && git restore :/', ['.']],
    ["git rm ':(icase)db'", ['[dD][bB]']],
    ["git rm ':(literal)a*.sql'", ['a*.sql']],
    // A star goes deeper than that of a shell.
    ["git rm '*.sql'", ['*.sql', '*/**/*.sql']],
    ["git checkout main -- 'db/*'", ['main', 'db/*', 'db/*/**/*']],
    // What is left out is not touched, and alone it means all else.
    ["git checkout -- db ':!db/x'", ['db']],
    ["git checkout -- ':!x'", ['.']],
    ["git checkout main ':^x'", ['.', 'main']],
    ["git stash push -- ':(exclude)x'", ['.']],
    ["git -C src restore ':/db'", ['db', 'src']],
    ["git add ':/'", []],
    ["git diff ':!x'", 'reads'],
    ["git rm --cached ':/'", []],
  ]);
});
