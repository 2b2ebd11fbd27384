import type { StartingPattern } from './model';

export const INTEGRATION: readonly StartingPattern[] = [
  {
    id: 'pat-breaking-interface-change',
    name: 'Interface changed under its users',
    pattern_type: 'failure_mode',
    domain: 'integration',
    severity: 'high',
    description: 'A field is renamed, removed or takes on another meaning while others still rely on the old one.',
    indicators: [
      'Partners learn of changes from their error logs',
      'No version in the interface',
      'Nobody knows who uses a field',
      'A release of one side needs the other at the same minute',
    ],
    consequences: ['Outages at partners', 'Wrong data that nobody notices'],
    root_causes: [
      'Users of the interface are not known',
      'No contract is tested',
      'Changing in place was easier than adding',
    ],
    mitigations: [
      'Only add; remove after a time that was announced and when nobody uses it',
      'Have the users’ expectations run as tests with the provider',
      'Count the use of what is deprecated',
    ],
    keywords: ['breaking change', 'api versioning', 'contract test', 'backward compatibility', 'deprecation'],
  },
  {
    id: 'pat-unit-mismatch',
    name: 'Both sides mean another unit',
    pattern_type: 'failure_mode',
    domain: 'integration',
    severity: 'critical',
    description:
      'A number crosses an interface without its unit, and the sides take it for cents or euros, feet or metres, seconds or milliseconds.',
    indicators: [
      'Fields called amount, length, timeout or weight, without a unit',
      'Values that are wrong by a factor of 10, 100, 1000 or 2.54',
      'The unit stands only in a document',
    ],
    consequences: ['Wrong payments, wrong doses, lost vehicles', 'Errors that look plausible'],
    root_causes: ['The unit was clear to everybody', 'Interfaces are tested by each side with its own data'],
    mitigations: [
      'Put the unit into the name or the type',
      'Check for plausible ranges at the border',
      'Test end to end with a known quantity',
    ],
    keywords: ['units', 'conversion', 'interface control', 'cents', 'milliseconds', 'metric imperial'],
  },
  {
    id: 'pat-silent-truncation',
    name: 'Data cut off without a word',
    pattern_type: 'failure_mode',
    domain: 'integration',
    severity: 'high',
    description:
      'Text, precision, rows or character sets do not fit the other side, and what does not fit is dropped silently.',
    indicators: [
      'Names with question marks or without accents',
      'Exactly 255, 1000 or 65,536 rows or characters',
      'Sums that differ by cents',
      'Identifiers that lose leading zeros or their last digits',
    ],
    consequences: ['Data is damaged for good before anybody sees it', 'Reconciliation by hand'],
    root_causes: [
      'Limits of the other side were not asked for',
      'Errors are suppressed to keep the run going',
      'Spreadsheets in between',
    ],
    mitigations: [
      'Refuse what does not fit, with the record named',
      'Compare counts and sums on both sides after each run',
      'Test with the longest, the strangest and the most numerous',
    ],
    keywords: ['truncation', 'encoding', 'character set', 'precision loss', 'row limit', 'csv', 'rounding'],
  },
  {
    id: 'pat-partial-failure-across',
    name: 'Half done across two systems',
    pattern_type: 'failure_mode',
    domain: 'integration',
    severity: 'high',
    description:
      'One action writes to two systems one after the other; when it ends in between, they contradict each other.',
    indicators: [
      'A database write followed by a message or a call',
      'Jobs that compare two systems and correct differences',
      'Orders without payment, payments without order',
    ],
    consequences: ['States that should not exist', 'Corrections by hand, with mistakes of their own'],
    root_causes: ['Success of the second step was assumed', 'There is no transaction over both'],
    mitigations: [
      'Write the intent in the same transaction as the change, and deliver it afterwards until it is confirmed',
      'Make each step repeatable, and define how to take it back',
      'Stop the process at each point in a test',
    ],
    keywords: ['dual write', 'outbox', 'saga', 'eventual consistency', 'reconciliation', 'distributed transaction'],
  },
  {
    id: 'pat-vendor-lock-unexamined',
    name: 'Dependence on a supplier that nobody looked at',
    pattern_type: 'antipattern',
    domain: 'integration',
    severity: 'medium',
    description:
      'A service, library or part is built in deeply without knowing its limits, its future, its licence or how to leave it.',
    indicators: [
      'Quotas and prices are found out by reaching them',
      'The last release of a library is years old, or it has one maintainer',
      'Nobody has a plan for the supplier’s outage or end',
    ],
    consequences: ['Costs rise without a choice', 'The end of a product becomes one’s own emergency'],
    root_causes: ['The choice was made by the first example that worked', 'No exit was priced'],
    mitigations: [
      'Look at limits, support, licence, security record and exit before choosing',
      'Keep it behind an interface of one’s own where leaving is likely',
      'Watch versions and announcements, with an owner',
    ],
    keywords: ['vendor lock-in', 'third party', 'dependency', 'obsolescence', 'quota', 'supply chain', 'licence'],
  },
  {
    id: 'pat-contract-first',
    name: 'Agree on the interface first, and test both sides against it',
    pattern_type: 'best_practice',
    domain: 'integration',
    severity: 'low',
    description:
      'The interface is written down in a form that machines read; both sides are built and tested against it, with errors and limits in it.',
    indicators: ['Two teams or companies build at the same time', 'An interface that will outlive one release'],
    consequences: ['Skipped, the sides meet for the first time in integration'],
    benefits: ['Both work in parallel', 'A break is found in the build and not at the partner'],
    prerequisites: ['One place for the contract, with versions', 'Somebody who decides on changes'],
    root_causes: ['Both sides begin with what they know'],
    mitigations: ['Write errors, limits, units, order and repetition into it, not only the good case'],
    keywords: ['contract first', 'openapi', 'schema', 'consumer driven contract', 'interface agreement'],
  },
];
