// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as a shell has it
import assert from 'node:assert/strict';
import { readCommand } from '../../src/guard/commands';
import { checkForms, type Form } from '../support/command-forms';
import { askedBefore, fakeDisk, WORKSPACE } from '../support/guard';

describe('a default of a variable that the line sets', () => {
  describe('stands beside what the variable may hold', () => {
    checkForms([
      ...[
        'read -r F < list',
        'IFS= read -r F',
        'if read F; then :; fi',
        'mapfile -t F < list',
        'readarray F < list',
        'read -a F',
        'printf -v F %s x',
        'printf -vF %s x',
        'while getopts f F; do :; done',
        'F+=x',
        'F[0]=x',
        'F=a,b',
        'F=$(pwd)',
        'F=$PWD/x',
        'typeset F; read F',
      ].map((sets): Form => [`${sets}; rm "\${F:-x}"`, ['?x', '?${F}']]),
      ['while IFS=, read -r A F; do rm "${F:-x}"; done < list', ['?x', '?${F}']],
      ['select F in a b; do rm "${F:-x}"; done', ['a', 'b', '?x', '?${F}']],
      ['getopts f: o; rm "${OPTARG:-x}"', ['?x', '?${OPTARG}']],
      ['read; rm "${REPLY:-x}"', ['?x', '?${REPLY}']],
      ['mapfile; rm "${MAPFILE:-x}"', ['?x', '?${MAPFILE}']],
      ['read A B; rm ${A-x} ${B:=y}', ['?x', '?y', '?${A}', '?${B}']],
      ['read F; rm "${F:-x}/a.sql"', ['?x/a.sql', '?${F}/a.sql']],
      ['read F; rm "${G:-${F:-x}}"', ['?x', '?${F}']],
      ['read F; F=${F:-x}; rm "$F"', ['$F', '?x', '?${F}']],
      ['read F; F=${F%.bak}; rm "${F:-x}"', ['?x', '?${F}']],
      // In which order they stand is no matter: it may be in a loop.
      ['for i in 1 2; do rm "${F:-x}"; read F; done', ['1', '2', 'F', '?x', '?${F}']],
      // A line within another one.
      ['read F; export F; bash -c \'rm "${F:-x}"\'', ['?x', '?${F}']],
      ['env F=a sh -c \'rm "${F:-x}"\'', ['?x', '?${F}']],
      // What it is given.
      ['set -- a.sql; rm ${1:-x}', ['?x', '?${1}']],
      ['set a.sql; F=${1:-x}; rm $F', ['?x', '?${1}']],
      ['f() { rm "${1:-x}"; }; f', ['?x', '?${1}']],
      ['function f { rm "${2:-x}"; }', ['?x', '?${2}']],
      // Of what a command prints what it is given counts.
      ['F=$(ls db/*.sql); rm "${F:-x}"', ['db/*.sql', '?x']],
      ['F=`ls db/*.sql`; rm "${F:-x}"', ['db/*.sql', '?x']],
      ['F=($(ls db/*.sql)); rm "${F:-x}"', ['db/*.sql', '?x']],
      ['F=$(ls db/*.sql); rm "${F:-x}/a"', ['?x/a', '?${__}/a']],
      ['F=$(ls db/*.sql) sh -c \'rm "${F:-x}"\'', ['db/*.sql', '?x']],
      ['F=$(ls db/*.sql); G=${F%.sql}; rm "${G:-x}"', ['?x', '?${F}']],
      ['[ -n "$1" ] && F=$(ls db/*.sql); rm "${F:-x}"', ['$1', ']', 'db/*.sql', '?x']],
    ]);
  });

  describe('is meant alone where nothing is set', () => {
    checkForms([
      ['rm "${F:-x}"', ['?x']],
      ['F=${F:-x}; rm "$F"', ['?x']],
      ['F=${F-x}; rm "$F"', ['?x']],
      ['F=; rm "${F:-x}"', ['?x']],
      ['F=${1:-x}; rm "$F"', ['?x']],
      ['set -euo pipefail; rm "${1:-x}"', ['?x']],
      ['set -o errexit; rm "${1:-x}"', ['?x']],
      ['read G; rm "${F:-x}"', ['?x']],
      ['printf F; rm "${F:-x}"', ['?x']],
      ['rm F; rm "${F:-x}"', ['F', '?x']],
      ['f() { rm "${F:-x}"; }', ['?x']],
      ['sh -c "read F"; rm "${F:-x}"', ['?x']],
      // Where it is known what is set, that is.
      ['if x; then F=y; fi; rm "${F:-x}"', ['?x', '?y']],
      ['F=$(mktemp); rm "${F:-x}"', ['$TMPDIR/_']],
      // What it holds is not what is meant.
      ['read F; rm "${F:+x}"', ['?x']],
      ['read F; rm ${F:+-f} x', ['x']],
    ]);
  });

  describe('is one of the folders that a line goes to', () => {
    checkForms([
      ['read D; cd "${D:-db}"; rm a.sql', ['?a.sql', '?db/a.sql', '?${D}/a.sql']],
      ['D=$(git rev-parse --show-toplevel); cd "${D:-/}" && rm a.sql', ['?a.sql', '?/a.sql', '?${__}/a.sql']],
      ['for D in db; do cd "${D:-x}"; rm a.sql; done', ['db', '?a.sql', '?x/a.sql', '?${D}/a.sql']],
      ['D="${D:-db}"; cd "$D"; echo x > new.sql', ['?db/new.sql']],
      ['D="${D:-db}"; pushd "$D"; touch new', ['?db/new']],
      ['OUT=${1:-db}; cd "$OUT"; echo x > new.sql', ['?db/new.sql']],
      ['if x; then D=${1:-db}; fi; cd "$D"; touch new', ['new', '?db/new']],
      ['case $1 in a) D=a;; b) D=b;; c) D=c;; esac; cd "$D"; rm x', ['a', 'x', '?a/x', '?b/x', '?c/x']],
      ['if x; then D=a; else D=b; fi; cd "$D"; rm "${F:-x}"', ['?x', '?a/x', '?b/x']],
      ['cd "${D:-db}"; cd -; rm a.sql', ['a.sql']],
    ]);

    it('of a few of those that it may be', () => {
      const sets = Array.from({ length: 50 }, (_, at) => `D=d${at};`).join('');
      const { paths, guessed = [] } = readCommand(`${sets} cd "\${D:-db}"; cd "$D"; rm a.sql`);
      assert.deepEqual(paths, []);
      assert.ok(guessed.includes('db/a.sql') || guessed.includes('a.sql'));
      assert.ok(guessed.length < 20);
    });
  });

  it('asks about files of a rule', async () => {
    const names = ['db/schema.sql', 'README.md', 'none.txt', 'src/a.ts'];
    const disk = fakeDisk(Object.fromEntries(names.map((name) => [`${WORKSPACE}/${name}`, ''])));
    const asks = async (command: string) => (await askedBefore(command, 'db/**', disk)).length > 0;
    for (const line of [
      'F=$(ls db/*.sql | head -1); rm "${F:-none.txt}"',
      'F=$(git ls-files db | tail -1); sed -i s/a/b/ "${F:-README.md}"',
      'FILES=$(git ls-files db); rm ${FILES:-x}',
      'read -r F < list.txt; rm "${F:-none.txt}"',
      'mapfile -t A < list; rm "${A:-x}"',
      'set -- db/schema.sql; rm ${1:-x}',
      'ROOT=$(git rev-parse --show-toplevel); cd "${ROOT:-/}" && rm db/schema.sql',
      'ROOT=$(git rev-parse --show-toplevel 2>/dev/null); cd "${ROOT:-$HOME}" && rm db/schema.sql',
      'DIR=$(cd "$(dirname "$0")" && pwd); cd "${DIR:-/tmp}"; rm db/schema.sql',
      'D="${D:-db}"; cd "$D"; touch new.sql',
    ])
      assert.ok(await asks(line), line);
    for (const line of [
      'F=$(ls src/*.ts | head -1); rm "${F:-none.txt}"',
      'rm "${F:-none.txt}"',
      'cd "${ROOT:-/}" && rm db/schema.sql',
      'D="${D:-src}"; cd "$D"; touch new.sql',
    ])
      assert.ok(!(await asks(line)), line);
  });
});

describe('options and files that may be others', () => {
  const options = (...words: string[]) => `case $1 in ${words.map((word) => `${word}) O=${word};;`).join(' ')} esac`;
  const files = (count: number) => Array.from({ length: count }, (_, at) => `F=f${at}.sql;`).join('');

  checkForms([
    // Each option with each file.
    ['O=-n; x && O=-i; y && F=a.sql; sed ${O:--n} s/a/b/ ${F:-x.txt}', ['?s/a/b/', '?a.sql', '?x.txt']],
    ['if x; then I=-n; else I=-i; fi; y && F=a.sql; sed $I s/a/b/ ${F:-x.txt}', ['?s/a/b/', '?a.sql', '?x.txt']],
    ['O=-n; x && O=-s; y && F=a.sql; sed ${O:--n} s/a/b/ ${F:-x.txt}', []],
    ['bash ${OPT:--ec} "rm a.sql"', ['rm a.sql', '?a.sql']],
    ['bash ${OPT:--c} "rm ${F:-a.sql}"', ['?a.sql']],
    ['bash ${OPT:--x} -c "rm a.sql"', ['a.sql']],
    ['bash ${OPT:--c} "cat a.sql"', ['cat a.sql']],
  ]);

  it('are paired as well where there are too many of them', () => {
    const line = `${options('-n', '-s', '-E', '-u', '-i')}; ${files(30)} sed \${O:--r} s/a/b/ \${F:-x.sql}`;
    const { guessed = [], onlyReads } = readCommand(line);
    assert.equal(onlyReads, false);
    for (const file of ['f0.sql', 'f29.sql', 'x.sql']) assert.ok(guessed.includes(file), file);
  });

  it('come to an end', () => {
    const many = options(...Array.from({ length: 60 }, (_, at) => `-${at}`));
    for (const part of ['sed ${O:--n} ${F:-x} $O $F;', 'bash ${O:--c} "rm ${F:-x}";', 'cd ${O:-a}; rm ${F:-$O};']) {
      const { paths, guessed = [] } = readCommand(`${many}; ${files(60)} read G; ${part.repeat(2_000)}`);
      assert.ok(paths.length <= 500 && guessed.length <= 500, part);
    }
    const chained = Array.from({ length: 300 }, (_, at) => `A${at + 1}="\${A${at}%x}\${A${at}%y}";`).join('');
    assert.ok((readCommand(`A0=\${1%x};${chained} rm \${A300:-x}`).guessed ?? []).length > 0);
  });
});
