import type { Row } from '../protocol/entry';
import { t } from '../shared/l10n';
import type { Suggestion } from '../shared/suggest-field';

/** What helps with the value of a key. */
export interface KeyHelp {
  hint?: string;
  /** Something that will not do what it looks like. */
  warning?: string;
  /** Values to choose from; others may be typed. */
  values?: readonly Suggestion[];
}

/** The keys that Kaizen knows something about, then those that entries use; not those that this entry has. */
export function keySuggestions(knownKeys: readonly string[], rows: readonly Row[]): Suggestion[] {
  const used = new Set(rows.map(({ key }) => key));
  const explained: Suggestion[] = [
    { value: 'REASON', description: t('Why the rule holds') },
    { value: 'DATE_ADDED', description: t('Since when') },
    { value: 'SEVERITY', description: t('How bad it is') },
    { value: 'INCIDENT_ID', description: t('Where it went wrong') },
    { value: 'APPLIES_TO', description: t('Files to warn in') },
    { value: 'MATCHES', description: t('Lines to warn at') },
  ];
  const own = knownKeys
    .filter((key) => !explained.some(({ value }) => value === key))
    .map((value) => ({ value, description: t('Used before') }));
  return [...explained, ...own].filter(({ value }) => !used.has(value));
}

export function keyHelp({ key, value }: Row, hasRisk: boolean): KeyHelp {
  switch (key) {
    case 'REASON':
      return value ? {} : { hint: t('Why the rule holds. It stands in the warning’s hover.') };
    case 'DATE_ADDED':
      return { values: [{ value: today(), description: t('Today') }] };
    case 'SEVERITY':
      return {
        values: ['Low', 'Medium', 'High', 'Critical'].map((each) => ({ value: each })),
      };
    case 'INCIDENT_ID':
      return value ? {} : { hint: t('The number of the incident or ticket, such as INC-2041.') };
    case 'APPLIES_TO':
      return {
        hint: t(
          'Globs of the files to warn in, separated by commas: src/**/*.ts, *.sql. One * stays within a folder, ** goes into all.',
        ),
        ...(!hasRisk &&
          value !== '' && { warning: t('Nothing is shown in these files as long as the content holds no risk.') }),
      };
    case 'MATCHES':
      return {
        hint: t(
          'A regular expression. The warning stands at each place within a line that it finds; without it, at the file’s first line.',
        ),
      };
    default:
      return {};
  }
}

/** In the person's own time zone, as YYYY-MM-DD. */
function today(): string {
  const now = new Date();
  const two = (number: number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
