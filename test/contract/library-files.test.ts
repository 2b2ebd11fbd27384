import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readSource } from '../../src/library/reading';
import { Bench } from '../support/stores';

const FIXTURES = path.resolve('test/fixtures/library');

/** Files made on this machine, by the programs that are there: what they write differs by their versions. */
describe('what other programs make of a document', () => {
  const bench = new Bench();
  afterEach(() => bench.cleanUp());

  const read = (file: string) => readSource({ bytes: readFileSync(file), name: path.basename(file) }, () => {});
  const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.join(' ');

  /** Skips, and says so, where the program is not there. */
  function run(test: Mocha.Context, program: string, args: readonly string[]): void {
    try {
      execFileSync(program, args, { stdio: 'ignore', timeout: 50_000 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      console.log(`      (${program} is not installed)`);
      test.skip();
    }
  }

  it('reads the same of a PDF that Ghostscript wrote anew', async function () {
    const made = path.join(bench.directory(), 'made.pdf');
    run(this, 'gs', [
      '-q',
      '-dNOPAUSE',
      '-dBATCH',
      '-sDEVICE=pdfwrite',
      `-sOutputFile=${made}`,
      `${FIXTURES}/clauses.pdf`,
    ]);
    const [own, original] = [await read(made), await read(`${FIXTURES}/clauses.pdf`)];
    assert.equal(words(own.text), words(original.text));
    assert.equal(own.pages.length, original.pages.length);
  });

  it('reads the same of a PDF that qpdf put in another order', async function () {
    const made = path.join(bench.directory(), 'made.pdf');
    run(this, 'qpdf', ['--linearize', '--object-streams=generate', `${FIXTURES}/two-columns.pdf`, made]);
    assert.deepEqual(await read(made), await read(`${FIXTURES}/two-columns.pdf`));
  });

  it('reads the words of a Word document that pandoc makes of Markdown', async function () {
    const made = path.join(bench.directory(), 'made.docx');
    run(this, 'pandoc', [`${FIXTURES}/sources/acceptance-report.md`, '-o', made]);
    const [own, original] = [await read(made), await read(`${FIXTURES}/report.docx`)];
    assert.equal(words(own.text), words(original.text));
  });
});
