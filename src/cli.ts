#!/usr/bin/env node
/** The terminal's door: hands over what was typed and keeps the streams in order. */

const [first, event = '', ...words] = process.argv.slice(2);
const isHook =
  first === 'hook' && event !== 'log' && /^[a-z]/.test(event) && !words.some((word) => /^(--help|-h)$/.test(word));

if (isHook) {
  // Streams are not even made for it: it is started before each thing that an agent does.
  end(import('./cli/hook').then(({ hookMain }) => hookMain(event, words)));
} else {
  const commands = import('./cli/index');
  // Whoever reads has had enough (`kaizen get | head`): no fault, and nobody is left to tell. The command runs to its
  // end all the same, because what it writes to the stores is not to be cut in the middle.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') void commands.then(({ failBySystem }) => (process.exitCode = failBySystem(error)));
  });
  process.stderr.on('error', () => {});
  end(commands.then(({ main }) => main(process.argv.slice(2))));
}

/** Not process.exit: what was written to a pipe may still be on its way. */
function end(done: Promise<number>): void {
  void done.then((code) => {
    process.exitCode = code;
  });
}
