import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readSource } from '../../src/library/reading';
import { Bench } from '../support/stores';
import { definition, list, numbered, paragraph, startingAt, style, styled, wordDocument } from '../support/word';

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

  it('reads the numbers that LibreOffice shows, of a Word document and of what it makes of it', async function () {
    this.timeout(120_000);
    const directory = bench.directory();
    const made = path.join(directory, 'numbered.docx');
    writeFileSync(made, NUMBERED);
    const own = await read(made);
    assert.match(own.text, /^# 2 Terms$/m);
    for (const [kind, format] of [
      ['docx', 'docx:MS Word 2007 XML'],
      ['pdf', 'pdf:writer_pdf_Export'],
    ] as const) {
      const folder = path.join(directory, kind);
      mkdirSync(folder);
      const profile = `-env:UserInstallation=file://${directory}/profile`;
      run(this, 'soffice', [profile, '--headless', '--convert-to', format, '--outdir', folder, made]);
      const theirs = await read(path.join(folder, `numbered.${kind}`));
      if (kind === 'docx') assert.equal(theirs.text, own.text);
      else assert.equal(words(theirs.text), words(own.text));
    }
  });

  it('reads footnotes, running lines and two columns of a page that pdflatex sets', async function () {
    const directory = bench.directory();
    writeFileSync(path.join(directory, 'page.tex'), SET);
    run(this, 'pdflatex', [
      '-interaction=batchmode',
      `-output-directory=${directory}`,
      path.join(directory, 'page.tex'),
    ]);
    const { text } = await read(path.join(directory, 'page.pdf'));
    assert.match(text, /needs difficult affixes\.\[1\] The operator/);
    assert.match(text, /^\[1\] The footnote says that efficiency shall be measured in parcels\.$/m);
    assert.match(text, /who nevertheless go on with what they began before the page turned\./);
    assert.doesNotMatch(text, /Belt standard|Draft 3/);
    assert.match(text, /^- first thing, .*\n- second thing\.$/m);
    assert.match(text, /\| North \| 30 kg \|/);
  });
});

const HEADING = (at: number) =>
  style(`h${at + 1}`, `heading ${at + 1}`, `<w:pPr>${numbered(1, at)}<w:outlineLvl w:val="${at}"/></w:pPr>`);

/** Clauses, letters below them, an annex, lists that go on and that begin anew. */
const NUMBERED = wordDocument({
  styles: [
    HEADING(0),
    HEADING(1),
    HEADING(2),
    style('annex', 'Annex', `<w:pPr>${numbered(2)}<w:outlineLvl w:val="0"/></w:pPr>`),
  ],
  numbering: [
    definition(
      0,
      ['decimal', '%1', '<w:pStyle w:val="h1"/>'],
      ['decimal', '%1.%2', '<w:pStyle w:val="h2"/>'],
      ['decimal', '%1.%2.%3', '<w:pStyle w:val="h3"/>'],
      ['lowerLetter', '%4)'],
    ),
    definition(1, ['upperLetter', 'Annex %1', '<w:pStyle w:val="annex"/>']),
    definition(2, ['decimal', '%1.'], ['upperRoman', '%2.']),
    list(1, 0),
    list(2, 1),
    list(3, 2),
    list(4, 2, startingAt(0, 5)),
  ],
  body: [
    paragraph('Scope', styled('h1')),
    paragraph('The belt shall run.'),
    paragraph('Terms', styled('h1')),
    paragraph('General', styled('h2')),
    paragraph('Depth', styled('h3')),
    paragraph('The operator shall stop the belt at once.', numbered(1, 2)),
    paragraph('by the switch', numbered(1, 3)),
    paragraph('by the cord', numbered(1, 3)),
    paragraph('Readers', styled('h2')),
    paragraph('by hand', numbered(1, 3)),
    paragraph('Then it goes on.'),
    paragraph('first', numbered(3)),
    paragraph('second', numbered(3)),
    paragraph('within', numbered(3, 1)),
    paragraph('Something stands between.'),
    paragraph('third', numbered(3)),
    paragraph('Something stands between.'),
    paragraph('fifth', numbered(4)),
    paragraph('sixth', numbered(4)),
    paragraph('Sources', styled('annex')),
    paragraph('Forms', styled('annex')),
  ],
});

const SET = String.raw`\documentclass[10pt]{article}
\usepackage{fancyhdr,multicol}
\pagestyle{fancy}\lhead{Belt standard}\rhead{\thepage}\cfoot{Draft 3, page \thepage}
\begin{document}
\section{Scope}
The first field officer needs difficult affixes.\footnote{The footnote says that efficiency shall be measured in parcels.}
The operator shall stop the belt before cleaning it.
\begin{itemize}\item first thing, which is long enough to need a second line in the list of this document here;\item second thing.\end{itemize}
\begin{tabular}{ll}Belt & Load \\ North & 30 kg \\ South & 45 kg \\ East & 12 kg\end{tabular}
\vspace*{\fill}

Whatever the misinterpretation of requirements leads to, there are unacceptable consequences for maintenance personnel, who nevertheless
\vadjust{\break}go on with what they began before the page turned.
\section{Columns}
\begin{multicols}{2}
${'The left column of this page tells of the inspection of belts by means of light barriers. '.repeat(9)}
\end{multicols}
\newpage
\section{Last}
Few words.
\end{document}
`;
