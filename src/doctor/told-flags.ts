import { quoted } from './findings';
import type { DoctorFinding } from './model';
import type { DoctorSurroundings } from './surroundings';

/** Only these commands ask a registry. */
const KNOWS_REGISTRY = /^kaizen (?:registry|doctor) /;

/** The finding with a command that speaks of what the doctor was asked about, by the same flags. */
export function withToldFlags(
  finding: DoctorFinding,
  { told = [], platform }: Pick<DoctorSurroundings, 'told' | 'platform'>,
): DoctorFinding {
  const { mend } = finding;
  const command = mend?.command;
  if (!mend || !command?.startsWith('kaizen ')) return finding;
  const flags = told
    .filter(([flag]) => flag !== '--registry' || KNOWS_REGISTRY.test(command))
    .map(([flag, value]) => `${flag} ${quoted(value, platform.platform)}`);
  return { ...finding, mend: { ...mend, command: [command, ...flags].join(' ') } };
}
