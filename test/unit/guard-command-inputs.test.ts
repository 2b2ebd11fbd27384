// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as a shell has it
import assert from 'node:assert/strict';
import { readCommand } from '../../src/guard/commands';
import { readAwkScript } from '../../src/guard/commands/awk-scripts';
import { filterOf } from '../../src/guard/commands/filters';
import { readSedScript } from '../../src/guard/commands/sed-scripts';
import { checkForms, type Form } from '../support/command-forms';

describe('what a shell with a line of its own reads', () => {
  checkForms([
    ['echo "- moved a > db/x" | bash -c "cat >> LOG.md"', ['LOG.md']],
    ['echo "Removed: rm a.sql" | sh -c \'tee -a docs/x.md\'', ['docs/x.md']],
    [`printf 'a\\n' | sh -c 'while read f; do wc -l "$f"; done'`, 'reads'],
    // But the programs of that line are given it.
    ["echo 'rm a.sql' | sh -c bash", ['a.sql']],
    ["echo 'rm a.sql' | sh -c 'cat | sh'", ['a.sql']],
    ["echo a.sql | sh -c 'xargs rm'", ['a.sql']],
    ["echo 'rm a.sql' | sh -c 'echo ls | sh; sh < x'", []],
    // What stands in the line for it counts, as does what PowerShell is told to read.
    ["sh -c 'sh' <<E\nrm a.sql\nE", ['a.sql']],
    ["echo 'rm a.sql' | pwsh -NoProfile -Command -", ['a.sql']],
    ["echo 'rm a.sql' | pwsh -c 'cat b.sql'", 'reads'],
    ["powershell -exec bypass -c 'rm a.sql'", ['a.sql']],
  ]);
});

describe('a shell whose words name no file', () => {
  const document = "<<'E'\nrm a.sql\nE";
  checkForms([
    ...[
      '"$@"',
      '$OPTS',
      '"${OPTS[@]}" -x',
      '/dev/fd/0',
      '/dev/stdin',
      '/proc/self/fd/0',
      '-',
      '-o pipefail',
      '+x -s -- x',
    ].map((words): Form => [`bash ${words} ${document}`, ['a.sql']]),
    [`pwsh -ExecutionPolicy Bypass - ${document}`, ['a.sql']],
    [`powershell -NoProfile -ep Bypass -WindowStyle hidden ${document}`, ['a.sql']],
    [`sudo -u app bash ${document}`, ['a.sql']],
    // Here one is named.
    [`bash run.sh ${document}`, ['run.sh']],
    [`bash $OPTS run.sh -s ${document}`, ['run.sh']],
    [`bash "$DIR/run.sh" ${document}`, ['$DIR/run.sh']],
    [`pwsh -ExecutionPolicy Bypass -File run.ps1 ${document}`, ['run.ps1']],
  ]);
});

describe('options of what starts another program', () => {
  checkForms([
    ['ls db | xargs -I {} cat db/{}', 'reads'],
    ['ls db | xargs -I % cat db/%', 'reads'],
    ["ls db | xargs -0 -n 1 -P 4 -L 2 -s 99 -E end -d '\\n' cat", 'reads'],
    ['xargs -a list.txt --max-args 2 cat', 'reads'],
    ["ls db | xargs -I {} sh -c 'rm x/{}'", ['db', 'x/{}']],
    ["ls db | xargs -I{} sh -c 'rm x/{}'", ['db', 'x/{}']],
    ["ls db | xargs -rI % sh -c 'rm x/%'", ['db', 'x/{}']],
    ['echo 1.sql | xargs -I % rm db/%', ['db/1.sql', 'db/{}', '1.sql']],
    ['echo 1.sql | xargs --replace=NAME rm db/NAME', ['db/1.sql', 'db/{}', '1.sql']],
    ['echo a.sql,b.sql | xargs -d , rm', ['a.sql', 'b.sql', 'a.sql,b.sql']],
    ['ls db | parallel -j 4 cat db/{}', 'reads'],
    ['sudo -u postgres -n cat db/a.sql', 'reads'],
    ['sudo -Eu postgres env -u X timeout -s KILL 5m rm db/a.sql', ['db/a.sql']],
  ]);
});

describe('programs that a variable may hold', () => {
  const log = 'if [ -t 1 ]; then LOG=echo; else LOG=:; fi; ';
  checkForms([
    [`${log}$LOG "wrote > db/a.sql"`, ['wrote > db/a.sql']],
    [`${log}$LOG "it's; rm b.sql now"`, []],
    ['if x; then RM=rm; else RM=shred; fi; sudo $RM Makefile', ['?Makefile', '?shred']],
    ['if x; then RM=rm; fi; echo Makefile | xargs $RM', ['Makefile']],
    ['if x; then SH=bash; else SH=sh; fi; echo "rm a.sql" | $SH', ['?a.sql']],
    ['c=("rm -f"); c+=(a.sql); ${c[@]}', ['?a.sql']],
  ]);

  it('touch no more than other programs do', () => {
    const files = Array.from({ length: 2_000 }, (_, at) => `a${at}`).join(' ');
    const { paths, guessed } = readCommand(`c=(touch); c+=(x); "\${c[@]}" ${files}`);
    assert.deepEqual([paths.length, guessed?.length], [0, 500]);
  });
});

describe('a slash in a script of awk', () => {
  const long = `/${Array.from({ length: 90 }, () => 'some|thing').join('|')}/`;
  checkForms([
    ["awk '{ print /a|b/ ? 1 : 0 }' a.sql", 'reads'],
    ["awk 'function f() { return /a|b/ } f()' a.sql", 'reads'],
    ["awk '{ if (/x/) n++; else /b|c/ }' a.sql", 'reads'],
    [`awk '${long}' a.sql`, 'reads'],
    [`awk '{ n++ / 2; print > "out/a.sql" }' a.sql`, ['out/a.sql']],
    [`awk '{ n = $1 / 2; print > "out/a.sql" }' a.sql`, ['out/a.sql']],
  ]);

  it('that ends nothing is looked for only so often', () => {
    assert.equal(readAwkScript('(/[').isOpen, false);
    assert.equal(readAwkScript('(/['.repeat(10_000)).isOpen, true);
    assert.deepEqual(readSedScript('s/[/x/;'.repeat(10_000))?.files, []);
  });
});

describe('a script that variables make long', () => {
  const uses = (text: string, use: string, times: number) => `V='${text}';${use.repeat(times)}`;
  const long = '$V'.repeat(48);

  it('is read no more than so often, and may then do anything', () => {
    const few = readCommand(`${uses(';'.repeat(1_000), `awk "${'$V'.repeat(4)}" a.sql;`, 5)}`);
    const many = readCommand(`${uses(';'.repeat(4_000), `awk "${long}" a.sql;`, 60)}`);
    assert.deepEqual([few.onlyReads, few.paths], [true, []]);
    assert.deepEqual([many.onlyReads, many.paths], [false, ['a.sql']]);
    const sed = readCommand(`${uses('{'.repeat(4_000), `sed "${long}" a.sql;`, 60)}`);
    assert.deepEqual([sed.onlyReads, sed.paths], [false, ['a.sql']]);
    const found = readCommand(`${uses('{'.repeat(4_000), `find db -exec sed "${long}" {} \\;;`, 60)}`);
    assert.deepEqual([found.onlyReads, found.paths.includes('db')], [false, true]);
  });

  it('is not even looked at where that is used up', () => {
    const asked: number[] = [];
    const filter = filterOf('awk', ['{ print > "x" }', 'a'], (length) => asked.push(length) === 0);
    assert.deepEqual([filter, asked], [{ files: [], lines: [], isOpen: true }, [16]]);
  });

  it('leaves what the line writes itself as it is', () => {
    const write = (at: number) => `awk '{ print > "${at}.sql" }' x; python3 -c 'open("p${at}.sql", "w")'; `;
    const line = Array.from({ length: 200 }, (_, at) => write(at)).join('');
    assert.equal(readCommand(line).paths.length, 400);
    const script = `${'x = 1\n'.repeat(30_000)}open("db/a.sql", "w")`;
    assert.deepEqual(readCommand(`python3 <<'E'\n${script}\nE`).paths, ['db/a.sql']);
    assert.deepEqual(readCommand(`python3 -c '${script}'`).paths, ['db/a.sql']);
  });

  it('is left out behind them, and what is piped alike', () => {
    const python = readCommand(uses('open(0);'.repeat(500), `python -c "${long};open('a.sql','w')";`, 60));
    assert.equal(python.onlyReads, false);
    const piped = readCommand(
      `${uses('\\n'.repeat(2_000), `printf "${long}"|xargs rm;`, 60)}echo 'b.sql c.sql' | xargs rm`,
    );
    // As a word that was read and handed on.
    assert.deepEqual([piped.onlyReads, piped.paths], [false, ['b.sql c.sql']]);
    const few = readCommand(`${uses('\\n'.repeat(20), `printf "${long}"|xargs rm;`, 5)}echo 'b.sql c.sql' | xargs rm`);
    assert.ok(['b.sql', 'c.sql'].every((path) => few.paths.includes(path)));
  });
});
