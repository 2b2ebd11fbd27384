import { parseAppliesTo } from '../core/globs';
import { applicabilityFaults } from './applicability';
import { labelNotices } from './label-notices';
import type { Metaknowledge, StoredNotices } from './model';
import { parseRisks } from './risk';

/** See `StoredNotices`. */
export function storedNotices({
  content,
  metaknowledge,
}: {
  content: string;
  metaknowledge: Metaknowledge;
}): StoredNotices {
  const faults = applicabilityFaults(metaknowledge);
  const labels = labelNotices(metaknowledge, content);
  if (faults.length + labels.length === 0) return {};
  const isRule = parseRisks(content).length > 0;
  const { APPLIES_TO } = metaknowledge;
  const ofGlobs = faults.filter(({ key }) => key === 'APPLIES_TO').map(({ message }) => `APPLIES_TO: ${message}`);
  if (isRule && APPLIES_TO !== undefined && ofGlobs.length > 0)
    ofGlobs.push(`${ofGlobs.pop()} ${globsUntilMended(APPLIES_TO)}`);
  const ofPattern = faults
    .filter(({ key }) => key === 'MATCHES')
    .map(({ message }) => `MATCHES is not looked for. ${message}${isRule ? patternUntilMended(APPLIES_TO) : ''}`);
  const notices = [...ofGlobs, ...ofPattern, ...labels.map(({ message }) => String(message))];
  return { notices };
}

/** What the guard goes by meanwhile. */
function globsUntilMended(appliesTo: string): string {
  if (appliesTo.trim() === '') return 'Until that is mended, the rule holds as if it had no APPLIES_TO.';
  return parseAppliesTo(appliesTo).included.length === 0
    ? 'Until that is mended, the rule speaks of no file, and nothing is asked about.'
    : 'Until that is mended, the rule holds as if what cannot be read did not stand there.';
}

/** The same of MATCHES; nothing where the rule speaks of no file anyway. */
function patternUntilMended(appliesTo: string | undefined): string {
  if (appliesTo === undefined || appliesTo.trim() === '') {
    return ' Until that is mended, the rule is told of once in each session of an agent, and nothing is asked about.';
  }
  return parseAppliesTo(appliesTo).included.length === 0
    ? ''
    : ' Until that is mended, the rule speaks wherever a file under APPLIES_TO is changed.';
}
