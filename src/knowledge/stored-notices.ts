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
  const consequence = parseRisks(content).length === 0 ? '' : ` ${untilMended(metaknowledge.APPLIES_TO)}`;
  const notices = [
    ...faults.map(({ key, message }) =>
      key === 'MATCHES' ? `MATCHES is not looked for. ${message}${consequence}` : `${key}: ${message}`,
    ),
    ...labels.map(({ message }) => String(message)),
  ];
  return { notices };
}

function untilMended(appliesTo: string | undefined): string {
  return appliesTo === undefined
    ? 'Until that is mended, the rule is told of once in each session of an agent, and nothing is asked about.'
    : 'Until that is mended, the rule speaks wherever a file under APPLIES_TO is changed.';
}
