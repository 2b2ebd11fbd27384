import assert from 'node:assert/strict';
import { openTerminal } from '../../src/cli/terminal';

describe('a terminal with colours', () => {
  /** What is written on standard output, as if that were a person's terminal. */
  function written(write: (terminal: ReturnType<typeof openTerminal>) => void): string {
    const { isTTY, write: real } = process.stdout;
    const { NO_COLOR, TERM } = process.env;
    const texts: string[] = [];
    process.stdout.isTTY = true;
    process.env.TERM = 'xterm';
    delete process.env.NO_COLOR;
    process.stdout.write = (text: string | Uint8Array) => {
      texts.push(String(text));
      return true;
    };
    try {
      write(openTerminal(false));
    } finally {
      process.stdout.write = real;
      process.stdout.isTTY = isTTY;
      Object.assign(process.env, { ...(TERM === undefined ? {} : { TERM }), ...(NO_COLOR ? { NO_COLOR } : {}) });
    }
    return texts.join('');
  }

  it('paints, and lets no text hide itself or move the cursor', () => {
    const shown = written((terminal) => {
      terminal.out(
        `${terminal.paint('red', 'Now:')} a\u001B[8mhidden\u001B[0m \u001B[30mblack\u001B[2J\u001B]0;title\u0007\rb`,
      );
    });
    assert.equal(
      shown,
      '\u001B[31mNow:\u001B[39m a\uFFFDhidden\uFFFD \uFFFDblack\uFFFD[2J\uFFFD]0;title\uFFFD\uFFFDb\n',
    );
  });

  it('shows the marks that turn the direction of writing, and leaves texts in such languages as they are', () => {
    const marks = [
      ...['\u061C', '\u200E', '\u200F', '\u202A', '\u202B', '\u202C', '\u202D', '\u202E'],
      ...['\u2066', '\u2067', '\u2068', '\u2069'],
    ];
    for (const mark of marks) {
      assert.equal(
        written((terminal) => terminal.out(`delete ${mark}lla`)),
        'delete \uFFFDlla\n',
        `U+${mark.charCodeAt(0).toString(16).toUpperCase()}`,
      );
    }
    const said = 'אין למחוק: src/db.ts — می‌خواهم, لا تحذف 👩‍💻';
    assert.equal(
      written((terminal) => terminal.out(said)),
      `${said}\n`,
    );
  });
});
