/** A shell's line taken apart into the commands that it holds: nothing is evaluated, and nothing is run. */
export { ChangedValues } from './changed-values';
export { type Dialect, type Redirection, type SimpleCommand, UNKNOWN } from './commands';
export { defaultsIn, holdsDefault, variableOf, withoutDefaults } from './default-marks';
export { readShell } from './reader';
export { ARGUMENTS } from './setting-programs';
