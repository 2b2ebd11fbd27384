import assert from 'node:assert/strict';
import picomatch from 'picomatch';
import { appliesTo, filePath, parseAppliesTo } from '../../src/core/globs';
import { ApplicabilityIndex } from '../../src/knowledge/applicability-index';
import { seededRandom } from '../support/hall';

function applies(globs: string, path: string): boolean {
  return appliesTo(parseAppliesTo(globs), filePath(path));
}

describe('globs of APPLIES_TO', () => {
  const table: [globs: string, yes: string[], no: string[]][] = [
    [
      'src/payments/refunds.ts',
      ['src/payments/refunds.ts'],
      ['lib/src/payments/refunds.ts', 'src/payments/refunds.tsx'],
    ],
    ['src/payments/*.ts', ['src/payments/a.ts', 'src/payments/.ts'], ['src/payments/deep/a.ts', 'src/payments/a.tsx']],
    ['src/**', ['src/a', 'src/a/b/c.ts', 'src/.env'], ['src', 'lib/src/a']],
    ['src/**/*.ts', ['src/a.ts', 'src/a/b/c.ts'], ['a.ts', 'src/a.js']],
    ['**/generated/**', ['generated/a', 'src/generated/deep/a.ts'], ['generated', 'src/generator/a']],
    ['*.sql', ['a.sql', 'db/migrations/0001.sql'], ['a.sql.bak', 'a.sql/b']],
    ['Dockerfile', ['Dockerfile', 'services/api/Dockerfile'], ['Dockerfile.dev', 'Dockerfile/x']],
    ['/README.md', ['README.md'], ['docs/README.md']],
    ['./README.md', ['README.md'], ['docs/README.md']],
    ['./src/a.ts', ['src/a.ts'], ['x/src/a.ts']],
    [
      'db/migrations',
      ['db/migrations/1.sql', 'db/migrations/old/1.sql'],
      ['x/db/migrations/1.sql', 'db/migrations2/1'],
    ],
    ['db/migrations/', ['db/migrations/1.sql', 'db/migrations/old/1.sql'], ['db/migrations', 'db/1.sql']],
    ['migrations/', ['migrations/1.sql', 'db/migrations/old/1.sql'], ['migrations', 'db/migrations.sql']],
    ['src\\payments\\*.ts', ['src/payments/a.ts', 'src\\payments\\a.ts'], ['src/payments/deep/a.ts']],
    ['src/a.ts, *.sql', ['src/a.ts', 'x.sql'], ['b.ts']],
    ['src/a.ts\n*.sql', ['src/a.ts', 'x.sql'], ['b.ts']],
    [' , src/a.ts,, ', ['src/a.ts'], ['b.ts']],
    ['src/**/*.{ts,tsx}', ['src/a.ts', 'src/b/a.tsx'], ['src/a.js', 'src/a.{ts,tsx}']],
    ['{src,test}/{a,b{1,2}}.ts', ['src/a.ts', 'test/b2.ts'], ['src/b.ts', 'lib/a.ts']],
    ['src/**, !src/generated/**', ['src/a.ts'], ['src/generated/a.ts']],
    ['!*.test.ts, *.ts', ['a.ts', 'src/a.ts'], ['a.test.ts', 'src/a.test.ts']],
    ['src/?.ts', ['src/a.ts'], ['src/.ts', 'src/ab.ts', 'src//.ts']],
    ['[a-c]x.ts', ['ax.ts', 'd/cx.ts'], ['dx.ts', 'Ax.ts']],
    ['[!a-c]x.ts', ['dx.ts'], ['ax.ts', 'x.ts']],
    ['[]]', [']'], ['[]]']],
    ['SRC/a.ts', ['SRC/a.ts'], ['src/a.ts']],
    ['app/(shop)/page.tsx', ['app/(shop)/page.tsx'], ['app/shop/page.tsx']],
    ['.env*', ['.env', 'services/.env.local'], ['env']],
    ['*.*', ['a.b', '.env'], ['Makefile']],
    ['**', ['a', 'a/b/c'], []],
    ['a/**/b/**/c', ['a/b/c', 'a/x/b/y/z/c', 'a/b/b/c'], ['a/c', 'a/b', 'b/c']],
    ['*a*b*c', ['abc', 'xaxbxc', 'aabbcc'], ['acb', 'ab']],
    ['src/über/*.ts', ['src/über/a.ts'], ['src/uber/a.ts']],
    ['every service', [], ['src/service.ts']],
  ];
  for (const [globs, yes, no] of table) {
    it(`"${globs.replaceAll('\n', '⏎')}" applies to what it names and to nothing else`, () => {
      assert.deepEqual(parseAppliesTo(globs).faults, []);
      for (const path of yes) assert.ok(applies(globs, path), `${path} is meant`);
      for (const path of no) assert.ok(!applies(globs, path), `${path} is not meant`);
    });
  }

  it('a path that leads out of the folder, or none, is meant by nothing', () => {
    for (const path of ['', '/', '..', '../a.ts', 'src/../../a.ts', 'a'.repeat(5_000)]) {
      assert.ok(!applies('**', path), path.slice(0, 20));
    }
  });

  it('agrees with picomatch on what both understand', () => {
    const random = seededRandom(3);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const pieces = ['a', 'b', 'ab', '*', '?', 'a*', '*b', '*.ts', 'a.ts', '[ab]', '{a,b}', '{a*,b.ts}', '.a', '*a*b*'];
    const names = ['a', 'b', 'ab', 'ba', 'a.ts', 'b.ts', 'aab', '.a', 'abab', '.b.ts', 'bab'];
    let matched = 0;
    for (let round = 0; round < 20_000; round++) {
      const parts = Array.from({ length: 2 + Math.floor(random() * 3) }, () => (random() < 0.2 ? '**' : pick(pieces)));
      // A literal end stands for a folder as well, which picomatch does not know.
      const glob = [...parts, pick(['*', '*.ts', 'a*', '**/*'])].join('/');
      const path = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(names)).join('/');
      const expected = picomatch.isMatch(path, glob, { dot: true, nonegate: true, strictSlashes: true });
      assert.equal(applies(glob, path), expected, `${glob} and ${path}`);
      if (expected) matched++;
    }
    assert.ok(matched > 500, `${matched} matches compared`);
  }).timeout(120_000);

  it('says what is wrong with a glob, and applies it to nothing', () => {
    const faulty: [globs: string, fault: RegExp][] = [
      ['src/{a,b', /"src\/\{a,b" has a "\{" that is not closed/],
      ['src/a}', /"\}" that was not opened/],
      ['src/[ab', /"\[" that is not closed/],
      ['../secrets/**', /leads out of the workspace folder/],
      ['/', /names no file/],
      ['', /no glob/],
      ['!src/**', /nothing to exclude from/],
      ['x'.repeat(501), /501 characters; the limit is 500/],
      [Array.from({ length: 101 }, (_, i) => `f${i}`).join(), /101 globs; the limit is 100/],
      ['{a,b}'.repeat(7), /more than 100 globs/],
      ['{'.repeat(400), /not closed/],
      [Array.from({ length: 9 }, () => '{a,b,c,d}{a,b,c,d}{a,b,c,d}x').join(), /more than 500 globs/],
    ];
    for (const [globs, fault] of faulty) {
      assert.match(parseAppliesTo(globs).faults.join('\n'), fault);
      for (const path of ['a', 'src/a', 'aaax', 'f1']) assert.ok(!applies(globs, path), `${globs} and ${path}`);
    }
  });

  it('one faulty glob leaves the others their effect', () => {
    assert.ok(applies('src/{a, lib/*.ts', 'lib/a.ts') === false, 'a brace that is open takes what follows it');
    assert.ok(applies('src/[a, lib/*.ts', 'lib/a.ts'));
  });

  it('hostile globs and paths cost little', () => {
    const hostile = [
      `${'*a'.repeat(240)}b`,
      `${'**/'.repeat(160)}b`,
      `${'**/*a/'.repeat(80)}b`,
      `${'?*'.repeat(240)}b`,
      `${'[a-z]*'.repeat(80)}!`,
      `${'{a,b}'.repeat(6)}${'*a'.repeat(200)}b`,
      `${'+(a|'.repeat(100)}`,
      `!(${'a*'.repeat(200)})`,
    ];
    const paths = ['a'.repeat(4_000), 'a/'.repeat(2_000), `${'a'.repeat(200)}/`.repeat(20), `${'ab/'.repeat(1_300)}a`];
    // What tries one way after the other would never end.
    for (const glob of hostile) for (const path of paths) applies(`${glob}, **`, path);
  });
});

describe('the index of globs', () => {
  it('finds exactly what trying every glob finds', () => {
    const random = seededRandom(5);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const pieces = ['src', 'lib', 'a', '**', '*', 'a*', '*.ts', 'x.ts', '{a,b}', '[ab]', '?', '*a*', 'index.{ts,js}'];
    const names = ['src', 'lib', 'a', 'b', 'ab', 'x.ts', 'a.ts', 'index.js', 'index.ts', 'ba', 'c'];
    const index = new ApplicabilityIndex<{ id: number; applies_to: ReturnType<typeof parseAppliesTo> }>();
    const rules = Array.from({ length: 2_000 }, (_, id) => {
      const glob = () => Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(pieces)).join('/');
      const text = [glob(), ...(random() < 0.3 ? [glob(), `!${glob()}`] : [])].join(', ');
      return { id, applies_to: parseAppliesTo(text) };
    });
    for (const rule of rules) index.add(rule);
    for (let round = 0; round < 300; round++) {
      const path = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(names)).join('/');
      const expected = rules.filter(({ applies_to }) => appliesTo(applies_to, filePath(path))).map(({ id }) => id);
      const found = index.matching(path).map(({ id }) => id);
      assert.deepEqual(
        found.sort((a, b) => a - b),
        expected,
        path,
      );
    }
  });

  it('tries few of 10,000 rules for a file, even where globs look alike', () => {
    const kinds = [
      (i: number) => `src/area-${i % 10}/module-${i}/**`,
      (i: number) => `src/payments/*-${i}.ts`,
      (i: number) => `**/*.part-${i}.ts`,
      (i: number) => `**/deep-${i}/**`,
      (i: number) => `src/**/handler-${i}.{ts,tsx}, !**/*.test.ts`,
    ];
    let tried = 0;
    const index = new ApplicabilityIndex<{ applies_to: ReturnType<typeof parseAppliesTo> }>();
    for (let i = 0; i < 10_000; i++) {
      const applies_to = parseAppliesTo(kinds[i % kinds.length]!(i));
      index.add({
        get applies_to() {
          tried++;
          return applies_to;
        },
      });
    }
    tried = 0;
    let found = 0;
    for (let i = 0; i < 2_000; i++) {
      found += index.matching(`src/payments/lib/handler-${i * 5 + 4}.ts`).length;
    }
    assert.equal(found, 2_000);
    assert.ok(tried <= 5 * 2_000, `${tried} rules were tried for 2,000 files`);
  });
});
