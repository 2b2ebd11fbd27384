// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as a shell has it
import assert from 'node:assert/strict';
import { readCommand } from '../../src/guard/commands';
import { decide, emptyState } from '../../src/guard/hooks';
import { checkForms, type Form } from '../support/command-forms';
import { fakeDisk, guardRule, LINUX, toolCall, WORKSPACE } from '../support/guard';

describe('what stands in a default of a shell', () => {
  checkForms([
    ...['${D:-db}', '${D-db}', '${D:=db}', '${D=db}', '${D:+db}', '"${D:-db}"', '${D:-"db"}', "${D:-'d'b}"].map(
      (written): Form => [`rm ${written}/a.sql`, ['${D}/a.sql', '?db/a.sql']],
    ),
    ['rm "${D:-$(git rev-parse --show-toplevel)}/a.sql"', ['${D}/a.sql', 'rev-parse', '?${__}/a.sql']],
    ['if x; then D=src; fi; rm ${D:-db}/a.sql', ['${D}/a.sql', '?db/a.sql', '?src/a.sql']],
    [': ${F:=a.sql}; rm $F', ['$F', '?a.sql']],
    ['cd ${D:-db} && rm a.sql', ['a.sql', '?db/a.sql']],
    ['D="${1:-db}"; rm -r "$D"', ['${1}', '?db']],
    ['if x; then D=${1:-db}; fi; rm -r $D', ['$D', '?${1}', '?db']],
    ['rm "${D:-${E:-db}}/a.sql"', ['${D}/a.sql', '?${E}/a.sql', '?db/a.sql']],
    ['rm "${D:-$HOME/x}/a.sql"', ['${D}/a.sql', '?$HOME/x/a.sql']],
    ['rm ${F:-a.sql b.sql}', ['${F}', '?a.sql', '?b.sql', '?a.sql b.sql']],
    ['l=(a.sql b.sql); rm ${l:-c.sql}', ['${l}', '?a.sql', '?b.sql', '?c.sql']],
    ['${RM:-rm -f} a.sql', ['a.sql']],
    ['${RM:-rm -f} Makefile', ['?Makefile']],
    ['echo x > ${OUT:-db/a.sql}', ['${OUT}', '?db/a.sql']],
    ['rm "${D:-$TMPDIR}/x"', ['${D}/x', '?$TMPDIR/x']],
    // Where it is known what the variable holds, that counts alone.
    ['D=db; rm ${D:-src}/a.sql', ['db/a.sql']],
    ['D=db; rm "${D:?is not set}/a.sql"', ['db/a.sql']],
    ['D=db; rm ${D:+src}/a.sql', ['src/a.sql']],
    ['rm "${D:?}/a.sql"', ['${D}/a.sql']],
    // Unless that is another variable, which may be empty.
    ['D=$1; rm -r ${D:-db}', ['$1', '?db']],
    ['D=$1; rm -r ${D:+db}', ['${D}', '?$1', '?db']],
    ['D=$TMPDIR; rm -r ${D:-db}/x', ['$TMPDIR/x', '?db/x']],
    ['F=${F:-a.sql}; rm $F', ['${F}', '?a.sql']],
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
    ["CMD='git commit'; $CMD -m x a.sql", ['a.sql']],
    ['MSG=\'about db/a.sql\'; git commit -m "$MSG"', []],
    ['MSG=\'about db/a.sql\'; gh pr create --body "$MSG"', []],
    ["MSG='about db/a.sql'; echo $MSG", 'reads'],
  ]);

  it('asks as a guess, beside what was asked about without it', async () => {
    const files = fakeDisk({ [`${WORKSPACE}/migrations/1.sql`]: '', [`${WORKSPACE}/src/a.ts`]: '' });
    const ask = async (command: string) => {
      const call = toolCall('pre-tool-use', 'Bash', { command });
      const around = { workspace: WORKSPACE, state: emptyState(), disk: files, platform: LINUX };
      const { asked } = await decide(call, [guardRule('DANGER', 'migrations/**')], around);
      return asked.map(({ path, guessed }) => [path, guessed]);
    };
    assert.deepEqual(await ask("CMD='rm migrations/1.sql'; $CMD"), [['migrations/1.sql', true]]);
    assert.deepEqual(await ask('rm -r "${DIR:-migrations}"'), [['migrations/1.sql', true]]);
    assert.deepEqual(await ask('touch ${DIR:-migrations}/2.sql').then(([first]) => first?.[1]), true);
    assert.deepEqual(await ask('DIR=src; rm -r ${DIR:-migrations}'), []);
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
    ].map((words): Form => [`awk ${words} a.sql`, ['out.sql']]),
    [`awk -oout.sql ${script.replace('out', 'b')} a.sql`, ['b.sql', 'out.sql']],
    [`gawk --dump-variables=out.sql '{ print }' a.sql`, ['out.sql']],
    ['awk --file lib.awk a.sql', 'reads'],
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
    ]) {
      const { paths, guessed = [] } = readCommand(`A='${long('x ', 3_000)}'; ${long(part)}; rm $A; eval $A`);
      assert.ok(paths.length <= 500 && guessed.length <= 500, part);
    }
  });
});
