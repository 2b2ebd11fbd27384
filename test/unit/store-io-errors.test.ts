import assert from 'node:assert/strict';
import path from 'node:path';
import { ioError } from '../../src/store/io-errors';

describe('what an error of the file system is said to mean for a store', () => {
  const denied = (syscall: string, file: string) => {
    const fields = { code: 'EACCES', syscall, path: file };
    const error = Object.assign(new Error(`EACCES: permission denied, ${syscall} '${file}'`), fields);
    return ioError(error, '/srv/store').message;
  };

  it('tells looking from writing', () => {
    const [there, missing] = [path.resolve('package.json'), path.resolve('there-is-no-such-file')];
    for (const syscall of ['scandir', 'stat', 'read']) assert.match(denied(syscall, there), /cannot be read: EACCES/);
    for (const syscall of ['mkdir', 'link', 'write']) assert.match(denied(syscall, there), /cannot be written: EACCES/);
    // What may be read was to be written, and what is not there was to be made.
    assert.match(denied('open', there), /cannot be written: EACCES/);
    assert.match(denied('open', missing), /cannot be written: EACCES/);
  });
});
