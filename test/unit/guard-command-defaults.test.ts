// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as a shell has it
import assert from 'node:assert/strict';
import { readCommand } from '../../src/guard/commands';
import { checkForms, type Form } from '../support/command-forms';
import { askedBefore, fakeDisk, WORKSPACE } from '../support/guard';

describe('what stands in a default of a shell', () => {
  checkForms([
    ...['${D:-db}', '${D-db}', '${D:=db}', '${D=db}', '${D:+db}', '"${D:-db}"', '${D:-"db"}', "${D:-'d'b}"].map(
      (written): Form => [`rm ${written}/a.sql`, ['?db/a.sql']],
    ),
    ['rm "${D:-$(git rev-parse --show-toplevel)}/a.sql"', ['rev-parse', '?${__}/a.sql']],
    ['if x; then D=src; fi; rm ${D:-db}/a.sql', ['?db/a.sql', '?src/a.sql']],
    [': ${F:=a.sql}; rm $F', ['?a.sql']],
    ['D="${1:-db}"; rm -r "$D"', ['?db']],
    ['if x; then D=${1:-db}; fi; rm -r $D', ['$D', '?db']],
    ['rm "${D:-${E:-db}}/a.sql"', ['?db/a.sql']],
    ['rm "${A:-${B:-${C:-db}}}/a.sql"', ['?db/a.sql']],
    ['rm "${D:-$HOME/x}/a.sql"', ['?$HOME/x/a.sql']],
    ['rm "${HOME:-/root}/x/a.sql"', ['${HOME}/x/a.sql', '?/root/x/a.sql']],
    ['rm "${F:-}"', ['${F}']],
    ['rm ${F:-a.sql b.sql}', ['?a.sql', '?b.sql', '?a.sql b.sql']],
    ['l=(a.sql b.sql); rm ${l:-c.sql}', ['?a.sql', '?b.sql', '?c.sql']],
    ['${RM:-rm -f} a.sql', ['a.sql']],
    ['${RM:-rm -f} Makefile', ['?Makefile']],
    ['echo x > ${OUT:-db/a.sql}', ['?db/a.sql']],
    ['rm "${D:-$TMPDIR}/x"', ['?$TMPDIR/x']],
    // Where it is known what the variable holds, that counts alone.
    ['D=db; rm ${D:-src}/a.sql', ['db/a.sql']],
    ['D=db; rm "${D:?is not set}/a.sql"', ['db/a.sql']],
    ['D=db; rm ${D:+src}/a.sql', ['src/a.sql']],
    ['rm "${D:?}/a.sql"', ['${D}/a.sql']],
    // Unless that is another variable, which may be empty.
    ['D=$1; rm -r ${D:-db}', ['?db']],
    ['D=$1; rm -r ${D:+db}', ['?db']],
    ['D=$TMPDIR; rm -r ${D:-db}/x', ['?db/x']],
    ['F=${F:-a.sql}; rm $F', ['?a.sql']],
    // An option, or nothing.
    ['rm ${FORCE:+-f} a.sql', ['a.sql']],
    ['cat "${1:-a.sql}"', 'reads'],
    ['for f in a.sql; do rm ${f:-b.sql}; done', ['a.sql']],
    // What stands behind it is read as before, and what is run in it as well.
    ['echo ${X:-"}"}; rm a.sql', ['a.sql']],
    ["echo ${X:-'}'}; rm a.sql", ['a.sql']],
    ['echo "${X:-it\'s}"; rm a.sql', ['a.sql']],
    ['echo "${X:-"}"}"; rm a.sql', ['a.sql']],
    ['echo ${X:-a;b}; rm a.sql', ['a.sql']],
    ['echo ${X:-`echo }`}; rm a.sql', ['a.sql']],
    ['echo ${X:-\\}}; rm a.sql', ['a.sql']],
    ['echo "${X:-it"; rm a.sql', ['a.sql']],
    ['cat ${X:-$(rm a.sql)}', ['a.sql']],
    ['cat ${X:-${Y:-$(rm a.sql)}}', ['a.sql']],
    ["echo '${D:-db}/a.sql'", 'reads'],
  ]);

  describe('is what a program is given', () => {
    checkForms([
      // A branch, a pack, a folder to test: as the same text would be without a variable.
      ['git checkout "${BRANCH:-main}"', ['checkout', '?main']],
      ['git rebase "${BASE:-origin/main}"', ['rebase', '?origin/main']],
      ['git checkout "${REF:-HEAD}" db/a.sql', ['checkout', 'db/a.sql', '?HEAD']],
      ['tar czf "${OUT:-/tmp/x.tgz}" db', ['?/tmp/x.tgz']],
      ['tar czf "${OUT:-db/x.tgz}" src', ['?db/x.tgz']],
      ['cp ${SRC:-db/a.sql} "${DST:-/tmp/x}"', ['?/tmp/x']],
      ['cp /tmp/x "${DST:-db/a.sql}"', ['?db/a.sql']],
      ['npx vitest run ${T:-src/a.test.ts}', []],
      ['npx vitest run ${T:-src/a.test.ts} -u', ['?src/a.test.ts']],
      ['pytest ${ARGS:--q} "${T:-tests/test_a.py}"', []],
      ['go test ${PKG:-./...}', []],
      ['npx prettier --check "${P:-src}/a.ts"', []],
      ['npx prettier --write "${P:-src}/a.ts"', ['?src/a.ts']],
      ['tsc -p "${TSCONFIG:-tsconfig.json}" --noEmit', []],
      ['cat "${F:-db/a.sql}" > /tmp/x', ['/tmp/x']],
      ['for f in ${FILES:-a.sql b.sql}; do cat $f; done', 'reads'],
      ['for f in ${FILES:-a.sql b.sql}; do rm $f; done', ['?a.sql', '?b.sql', '?a.sql b.sql']],
      ['ls ${D:-db} | xargs rm', ['?db']],
      ['echo ${F:-a.sql b.sql} | xargs touch', ['?a.sql', '?b.sql', '?a.sql b.sql']],
      // Programs that nobody knows.
      ['curl -o "${OUT:-db/a.sql}" http://x', ['?db/a.sql']],
      ['curl -o "${OUT:-page}" http://x', []],
      ['node gen.js --out=${OUT:-db/a.sql}', ['gen.js', '?db/a.sql']],
      ['make FILE="${F:-db/a.sql}"', ['?db/a.sql']],
      ['make ${TARGET:-all} CC="${CC:-gcc}"', []],
      ['./x.sh "${F:-db/a.sql}"', ['?db/a.sql']],
      ['./x.sh "${MODE:-fast}" "${TEXT:-see db/a and more}"', []],
      ['${SUDO:-} rm "${F:-db/a.sql}"', ['?db/a.sql']],
      ['F=${1:-db/a.sql}; ./x.sh "$F"', ['?db/a.sql']],
      // Options.
      ['sed ${I:--i} s/a/b/ db/a.sql', ['?db/a.sql', '?s/a/b/']],
      ['sed ${I:--n} s/a/b/ db/a.sql', 'reads'],
      ['find db ${A:--delete}', ['?db']],
      ['find db ${A:--print}', 'reads'],
      ['rm ${F:+-rf db}', ['?db']],
      ['F=x; rm ${F:+-rf db}', ['?db']],
    ]);
  });

  describe('is the folder that a line goes to', () => {
    checkForms([
      ['cd ${D:-db} && rm a.sql', ['?db/a.sql']],
      ['cd "${D:-db}" && rm -rf *', ['?db/*']],
      ['cd "${D:-/tmp/x}" && rm -rf *', ['?/tmp/x/*']],
      ['cd "${D:-$ROOT}" && rm a.sql', ['a.sql', '?$ROOT/a.sql']],
      ['if x; then D=src; fi; cd ${D:-db} && rm a.sql', ['?db/a.sql', '?src/a.sql']],
      ['cd ${D:-db}; cd -; rm a.sql', ['a.sql']],
      ['(cd ${D:-db}; rm a.sql); rm b.sql', ['b.sql', '?db/a.sql']],
      ['pushd ${D:-db}; rm a.sql; popd; rm b.sql', ['b.sql', '?db/a.sql']],
      ['cd ${D:-db} && ls', 'reads'],
      ['git -C "${D:-db}" checkout -- a.sql', ['?db', '?db/a.sql']],
    ]);
  });

  describe('runs what stands in it', () => {
    checkForms([
      ['echo ${A:-<(rm a.sql)}', ['a.sql']],
      ['echo ${A:-<(cat a.sql)}', 'reads'],
      ['echo "${A:-<(rm a.sql)}"', 'reads'],
      ['rm "${F:-$(ls db/*.sql; rm b.sql)}"', ['b.sql', 'db/*.sql']],
    ]);
  });

  it('is guessed at as well where there is too much of it', () => {
    const values = Array.from({ length: 41 }, (_, at) => `F=f${at};`).join('');
    const rest = ['rm ${F:-a.sql}', ...Array<string>(300).fill('rm ${G:-b.sql}'), 'rm ${H:-c.sql}'].join(';');
    const { paths, guessed = [] } = readCommand(`${values}${rest}`);
    assert.deepEqual(paths, []);
    for (const file of ['a.sql', 'b.sql', 'c.sql', 'f40']) assert.ok(guessed.includes(file), file);
  });

  it('is none in PowerShell', () => {
    assert.deepEqual(readCommand('rm ${D:-db}/a.sql', 'powershell').guessed, undefined);
  });
});

describe('a text that may be more than one word', () => {
  checkForms([
    ["CMD='rm a.sql'; $CMD", ['?a.sql']],
    ['CMD="rm -rf"; $CMD db', ['?db']],
    ["RM='rm -f'; sudo ${RM} Makefile", ['?Makefile']],
    ["export CMD='rm a.sql'\n$CMD", ['?a.sql']],
    ['F=a.sql; CMD="rm \'$F\' $F"; $CMD', ["?'a.sql'", '?a.sql']],
    ["if x; then CMD='rm a.sql'; else CMD='rm b.sql'; fi; $CMD", ['?a.sql', '?b.sql']],
    ['CMD=\'cd db && rm a.sql\'; eval "$CMD"', ['?db/a.sql']],
    ['CMD=\'rm a.sql\'; bash -c "$CMD"', ['?a.sql']],
    ['CMD=\'rm a.sql\'; echo "$CMD" | sh', ['?a.sql']],
    // Where it is no program, some shells take it apart, others do not.
    ["FILES='a.sql b.sql'; rm $FILES", ['$FILES', '?a.sql', '?b.sql', '?a.sql b.sql']],
    ["FILES='a.sql\nb.sql'; rm $FILES", ['$FILES', '?a.sql', '?b.sql']],
    ['D=\'my db\'; rm "$D/a.sql"', ['$D/a.sql', '?my db/a.sql']],
    // In quotes it is one.
    ['F="a b.sql"; rm "$F"', ['$F', '?a b.sql']],
    ['F="a b.sql"; rm "${F}" $F', ['$F', '${F}', '?a b.sql', '?a', '?b.sql']],
    ['F=$1; rm ${F:-a b.sql}', ['?a b.sql', '?a', '?b.sql']],
    ['rm "${F:-a b.sql}"', ['?a b.sql']],
    ['MSG="about db/a.sql and more"; git merge x -m "$MSG"', ['$MSG', 'merge', 'x', '?about db/a.sql and more']],
    ['F="a.sql b.sql"; echo "$F" | xargs rm', ['$F', '?a.sql', '?b.sql', '?a.sql b.sql']],
    // To programs that nobody knows each counts as it would alone.
    ['F="db/a.sql db/b.sql"; ./x.sh $F', ['?db/a.sql', '?db/b.sql']],
    ['F="fast now"; ./x.sh $F', []],
    ['TEXT="see db/a.sql"; ./say.sh "$TEXT"', []],
    ['x "$D"; if y; then D=db; fi; rm "$D"', ['$D', '?db']],
    // They may be options.
    ['OPTS="-i -e"; sed $OPTS s/a/b/ a.sql', ['?a.sql', '?s/a/b/']],
    ['OPTS="-n -e"; sed $OPTS s/a/b/ a.sql', 'reads'],
    ['OPTS=${1:--i}; sed $OPTS s/a/b/ a.sql', ['?a.sql', '?s/a/b/']],
    ['if x; then I=-i; fi; sed $I s/a/b/ a.sql', ['?a.sql', '?s/a/b/']],
    ["CMD='git commit'; $CMD -m x a.sql", ['a.sql']],
    ['MSG=\'about db/a.sql\'; git commit -m "$MSG"', []],
    ['MSG=\'about db/a.sql\'; gh pr create --body "$MSG"', []],
    ["MSG='about db/a.sql'; echo $MSG", 'reads'],
  ]);

  it('asks as a guess, beside what was asked about without it', async () => {
    const files = fakeDisk({ [`${WORKSPACE}/migrations/1.sql`]: '', [`${WORKSPACE}/src/a.ts`]: '' });
    const ask = async (command: string) =>
      (await askedBefore(command, 'migrations/**', files)).map(({ path, guessed }) => [path, guessed]);
    assert.deepEqual(await ask("CMD='rm migrations/1.sql'; $CMD"), [['migrations/1.sql', true]]);
    assert.deepEqual(await ask('rm -r "${DIR:-migrations}"'), [['migrations/1.sql', true]]);
    assert.deepEqual(await ask('touch ${DIR:-migrations}/2.sql').then(([first]) => first?.[1]), true);
    assert.deepEqual(await ask('DIR=src; rm -r ${DIR:-migrations}'), []);
    // A default that says something else asks nothing.
    assert.deepEqual(await ask('git checkout "${BRANCH:-main}"'), []);
    assert.deepEqual(await ask('tar czf "${OUT:-/tmp/x.tgz}" migrations'), []);
    assert.deepEqual(await ask('cd "${DIR:-/tmp/x}" && rm -rf *'), []);
    assert.deepEqual(await ask('cd "${DIR:-migrations}" && rm -rf *'), [['migrations/1.sql', true]]);
    assert.deepEqual(await ask('curl -o "${OUT:-migrations/1.sql}" http://x'), [['migrations/1.sql', true]]);
  });
});

describe('options of awk', () => {
  const script = `'{ print > "out.sql" }'`;
  checkForms([
    ...[
      `--source=${script}`,
      `--source ${script}`,
      `-e${script}`,
      `--assign n=3 ${script}`,
      `-v n=3 -F , ${script}`,
      `--field-separator , ${script}`,
      `-i lib ${script}`,
      `-l time ${script}`,
      `-f lib.awk -e ${script}`,
      // GNU's programs take an option by its beginning.
      `--sou=${script}`,
      `--sourc ${script}`,
      `--ass n=3 ${script}`,
      `--field , ${script}`,
      `--fil lib.awk --sou ${script}`,
      `-W source=${script}`,
      `-Wsource=${script}`,
    ].map((words): Form => [`awk ${words} a.sql`, ['out.sql']]),
    [`awk -oout.sql ${script.replace('out', 'b')} a.sql`, ['b.sql', 'out.sql']],
    [`gawk --dump-variables=out.sql '{ print }' a.sql`, ['out.sql']],
    ['awk --file lib.awk a.sql', 'reads'],
    ['awk --fil lib.awk a.sql', 'reads'],
    [`awk --fi lib.awk a.sql ${script}`, 'reads'],
    [`gawk --dump=out.sql '{ print }' a.sql`, ['out.sql']],
    ["awk --inc inplace '{ print }' a.sql", ['inplace', '{ print }', 'a.sql']],
    ["awk -i inplace '{ print }' a.sql", ['inplace', '{ print }', 'a.sql']],
    ["sed --expr='w out.sql' a.sql", ['out.sql']],
    ["sed --expr 'w out.sql' a.sql", ['out.sql']],
    ['sed --in-p s/a/b/ a.sql', ['s/a/b/', 'a.sql']],
    ['sed --fil x.sed a.sql', 'reads'],
    [`awk -f lib.awk a.sql ${script}`, 'reads'],
    [`awk --assign n=3 '{ print n }' a.sql`, 'reads'],
  ]);
});

describe('a line of any length, with defaults and texts,', () => {
  it('comes to an end', () => {
    const long = (part: string, length = 190_000) => part.repeat(length / part.length);
    for (const part of [
      '${A:-',
      '${A:-b} ',
      '"${A:-b',
      '${A:-"',
      '${A:-`',
      '${A:-$(',
      '${A:-${B:-',
      'rm ${A:=b}/c;',
      "C='rm a'; $C;",
      "A='$A $B';B='$A $B'; rm $A $B;",
      "A='eval $A'; eval $A;",
      "F='a b c d'; rm $F;",
      'rm $A ',
      'rm $A;',
      'rm ${A:-b};',
      'rm ${A:--b} ${B:-$A};',
      "sh -c 'rm ${A:-b}';",
      'cd ${A:-b};',
      '${A:-rm} ${B:-${A:-$B}} ',
      "O='-a b'; x $O;",
    ]) {
      const { paths, guessed = [] } = readCommand(`A='${long('x ', 3_000)}'; ${long(part)}; rm $A; eval $A`);
      assert.ok(paths.length <= 500 && guessed.length <= 500, part);
    }
  });
});
