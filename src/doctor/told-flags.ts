import { shellWord } from '../core/shell-words';
import type { DoctorFinding } from './model';
import type { DoctorSurroundings } from './surroundings';

/** Only these commands ask a registry. */
const KNOWS_REGISTRY = /^kaizen (?:registry|doctor) /;

/**
 * The finding with a command that speaks of what the doctor was asked about, by the same flags; with none where one of these
 * cannot be written in a command.
 */
export function withToldFlags(
  finding: DoctorFinding,
  { told = [], platform }: Pick<DoctorSurroundings, 'told' | 'platform'>,
): DoctorFinding {
  const { mend } = finding;
  const command = mend?.command;
  if (!mend || !command?.startsWith('kaizen ')) return finding;
  const flags = told
    .filter(([flag]) => flag !== '--registry' || KNOWS_REGISTRY.test(command))
    .map(([flag, value]) => [flag, shellWord(value, platform.platform)] as const);
  if (flags.some(([, word]) => word === undefined)) return { ...finding, mend: { ...mend, command: undefined } };
  const words = flags.map((flag) => flag.join(' '));
  // Behind a `--` nothing is a flag.
  const [, verb = command, rest = ''] = /^(kaizen \S+)( .* -- .*)$/.exec(command) ?? [];
  return { ...finding, mend: { ...mend, command: `${[verb, ...words].join(' ')}${rest}` } };
}
