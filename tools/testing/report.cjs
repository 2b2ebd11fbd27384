// What a run of tests has to say, one JSON line an event, so that even a run that was killed leaves what it had done.
const { appendFileSync, existsSync, readFileSync } = require('node:fs');

/**
 * @typedef {{ event: 'suite', title: string, depth: number }
 *   | { event: 'pass', title: string, depth: number, milliseconds: number, file?: string }
 *   | { event: 'skip', title: string, depth: number, file?: string }
 *   | { event: 'fail', title: string, path: string, depth: number, error: string, file?: string }
 *   | { event: 'end' }} ReportEvent
 *
 * @typedef {object} Report
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {boolean} ended whether the run came to its end; without it the counts are of what was seen
 * @property {ReportEvent[]} events
 */

/** Names the file that a run reports to. */
const REPORT_VARIABLE = 'KAIZEN_TEST_REPORT';

/** Adds an event to the report, where one is kept.
 * @param {ReportEvent} event
 * @param {string | undefined} [file] */
function report(event, file = process.env[REPORT_VARIABLE]) {
  if (file) appendFileSync(file, `${JSON.stringify(event)}\n`);
}

/** @param {string} file
 * @returns {Report} empty when there is no such file; a line that was cut short is left out */
function readReport(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return summarize(lines.map((line) => /** @type {ReportEvent} */ (JSON.parse(line))));
}

/** @param {ReportEvent[]} events
 * @returns {Report} */
function summarize(events) {
  /** @param {ReportEvent['event']} kind */
  const count = (kind) => events.filter(({ event }) => event === kind).length;
  return { passed: count('pass'), failed: count('fail'), skipped: count('skip'), ended: count('end') > 0, events };
}

/** @param {ReportEvent} event */
const fileOf = (event) => ('file' in event ? event.file : undefined);

/** @param {Report} report
 * @returns {string[]} the files whose tests or hooks failed; none when a failure belongs to no file */
function failedFiles({ events }) {
  const files = events.filter(({ event }) => event === 'fail').map(fileOf);
  return files.includes(undefined) ? [] : /** @type {string[]} */ ([...new Set(files)]);
}

/** @param {Report} report
 * @param {Report} later what some of its files said in a later run
 * @returns {Report} the report with what the later one says of its files */
function replaceFiles(report, later) {
  const again = new Set(later.events.map(fileOf).filter((file) => file !== undefined));
  const kept = report.events.filter((event) => {
    const file = fileOf(event);
    return file === undefined || !again.has(file);
  });
  return summarize([...kept, ...later.events.filter((event) => fileOf(event) !== undefined)]);
}

/** @param {ReportEvent} event
 * @returns {string | undefined} what a person reads, or nothing */
function describe(event) {
  if (event.event === 'end') return undefined;
  const indent = '  '.repeat(event.depth);
  switch (event.event) {
    case 'suite':
      return `${indent}${event.title}`;
    case 'pass':
      return `${indent}✓ ${event.title}${event.milliseconds >= 100 ? ` (${event.milliseconds} ms)` : ''}`;
    case 'skip':
      return `${indent}- ${event.title}`;
    case 'fail':
      return [`${indent}✗ ${event.title}`, ...event.error.split('\n').map((line) => `${indent}    ${line}`)].join('\n');
  }
}

/** @param {Report} report
 * @returns {string[]} each failure with its whole path, its file and the first lines of what was wrong */
function describeFailures({ events }) {
  return events.flatMap((event) => {
    if (event.event !== 'fail') return [];
    const lines = event.error.split('\n').slice(0, 15);
    return [[`${event.path} (${event.file ?? 'of no file'})`, ...lines.map((line) => `    ${line}`)].join('\n')];
  });
}

module.exports = { REPORT_VARIABLE, report, readReport, describe, describeFailures, failedFiles, replaceFiles };
