// The reporter of every mocha run here: prints lines for people and keeps the report.
const { describe, report } = require('./report.cjs');

/** Lines of a stack that are the test framework's and Node's own tell nobody anything.
 * @param {string} line */
const isOurs = (line) => !/node:internal|node_modules[\\/]mocha/.test(line);

/** @param {{ message?: string, stack?: string, actual?: unknown, expected?: unknown, showDiff?: boolean } | undefined} error */
function explain(error) {
  const text = error?.stack ?? String(error?.message ?? error);
  const message = error?.message && !text.includes(error.message) ? `${error.message}\n${text}` : text;
  return message.split('\n').filter(isOurs).slice(0, 40).join('\n');
}

class Reporter {
  /**
   * @param {import('mocha').Runner} runner
   * @param {{ reporterOptions?: { reportFile?: string, print?: boolean } }} [options]
   */
  constructor(runner, options = {}) {
    const { reportFile, print = true } = options.reporterOptions ?? {};
    let depth = 0;
    /** @param {import('./report.cjs').ReportEvent} event */
    const tell = (event) => {
      report(event, reportFile);
      const line = describe(event);
      if (print && line !== undefined) console.log(line);
    };
    runner.on('suite', (suite) => {
      if (suite.title) tell({ event: 'suite', title: suite.title, depth });
      if (!suite.root) depth += 1;
    });
    runner.on('suite end', (suite) => {
      if (!suite.root) depth -= 1;
    });
    runner.on('pass', (test) =>
      tell({ event: 'pass', title: test.title, depth, milliseconds: test.duration ?? 0, file: test.file }),
    );
    runner.on('pending', (test) => tell({ event: 'skip', title: test.title, depth, file: test.file }));
    runner.on('fail', (test, error) =>
      tell({ event: 'fail', title: test.title, path: test.fullTitle(), depth, error: explain(error), file: test.file }),
    );
    runner.on('end', () => tell({ event: 'end' }));
  }
}

module.exports = Reporter;
