#!/usr/bin/env node
import { failBySystem, main } from './cli/index';

/** The terminal's door: hands over what was typed and keeps the streams in order. */

// Whoever reads has had enough (`kaizen get | head`): no fault, and nobody is left to tell. The command runs to its
// end all the same, because what it writes to the stores is not to be cut in the middle.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exitCode = failBySystem(error);
});
process.stderr.on('error', () => {});

// Not process.exit: what was written to a pipe may still be on its way.
main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
