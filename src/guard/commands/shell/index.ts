/** A shell's line taken apart into the commands that it holds: nothing is evaluated, and nothing is run. */
export { type Dialect, type Redirection, type SimpleCommand, UNKNOWN } from './commands';
export { holdsDefault, variableOf, withoutDefaults } from './default-marks';
export { readShell } from './reader';
