import type { StartingPattern } from './model';

export const RELIABILITY: readonly StartingPattern[] = [
  {
    id: 'pat-retry-storm',
    name: 'Retries that bring down what was slow',
    pattern_type: 'failure_mode',
    domain: 'reliability',
    severity: 'critical',
    description:
      'Clients repeat failed calls at once and on several layers, so that a slow service gets many times its load and does not recover.',
    indicators: [
      'Load rises when a service gets slow',
      'Retries on more than one layer of a call',
      'All clients retry after the same interval',
      'The service falls over again as soon as it is back',
    ],
    consequences: ['A short disturbance becomes a long outage', 'Other services fall with it'],
    root_causes: ['Retries without a limit, wait or jitter', 'No way to refuse load early'],
    mitigations: [
      'Retry on one layer, few times, with exponential wait and jitter',
      'Give the whole of retries a budget, and open a circuit breaker beyond it',
      'Shed load early, with an answer that says when to come back',
    ],
    keywords: ['retry storm', 'thundering herd', 'exponential backoff', 'jitter', 'circuit breaker', 'overload'],
  },
  {
    id: 'pat-not-idempotent',
    name: 'Repeating does it twice',
    pattern_type: 'failure_mode',
    domain: 'reliability',
    severity: 'critical',
    description:
      'An operation with an effect is repeated after a timeout or a redelivery, and takes effect a second time.',
    indicators: [
      'Double charges, mails or orders after a disturbance',
      'Timeouts on calls that write',
      'A queue that delivers at least once',
      'No key by which a request is known again',
    ],
    consequences: ['Money or goods move twice', 'Data has to be put right by hand'],
    root_causes: ['A timeout was taken for a failure', 'Exactly-once delivery was assumed'],
    mitigations: [
      'Let the client name the request by a key, and answer the second with the result of the first',
      'Keep the key with the effect in one transaction',
      'Test with each message delivered twice and out of order',
    ],
    keywords: ['idempotency', 'idempotency key', 'duplicate', 'at least once', 'double charge', 'timeout'],
  },
  {
    id: 'pat-no-timeout',
    name: 'Waiting without an end',
    pattern_type: 'antipattern',
    domain: 'reliability',
    severity: 'high',
    description:
      'Calls to other systems have no timeout, or one longer than anybody waits, so that all places are taken by calls that never return.',
    indicators: [
      'All threads or connections are busy, and the processor is idle',
      'The library’s default timeout, or none',
      'A slow partner stops functions that have nothing to do with it',
    ],
    consequences: ['One slow partner stops everything', 'Restarting helps for minutes'],
    root_causes: ['Defaults were taken', 'Only failing partners were tested, never slow ones'],
    mitigations: [
      'Give each call a deadline from that of the request it serves',
      'Separate pools for each partner',
      'Test with a partner that accepts and never answers',
    ],
    keywords: ['timeout', 'hang', 'thread pool exhaustion', 'connection pool', 'deadline', 'bulkhead'],
  },
  {
    id: 'pat-untested-backup',
    name: 'Backups that nobody has restored',
    pattern_type: 'failure_mode',
    domain: 'reliability',
    severity: 'critical',
    description:
      'Backups are made, and whether they can be restored, how long that takes and what is missing is not known.',
    indicators: [
      'The backup job is green and nobody has restored one',
      'Restore time is an estimate',
      'Keys, configuration or files beside the database are in no backup',
      'The backup can be deleted with the rights of the system it saves',
    ],
    consequences: ['Data is lost for good', 'The outage takes days'],
    root_causes: ['The backup is the task, not the restore', 'Restoring needs an environment that does not exist'],
    mitigations: [
      'Restore regularly and automatically, and check the content',
      'Measure how long it takes and how much is lost, against what was promised',
      'Keep a copy that cannot be deleted from the system itself',
    ],
    keywords: ['backup', 'restore', 'disaster recovery', 'recovery time', 'recovery point', 'ransomware'],
  },
  {
    id: 'pat-resource-leak',
    name: 'Slow leak',
    pattern_type: 'failure_mode',
    domain: 'reliability',
    severity: 'high',
    description:
      'Memory, handles, connections, disk space or table rows grow until the system stops, days or months later.',
    indicators: [
      'Restarts at regular intervals are part of operation',
      'A curve that only rises',
      'Failures after a weekend, or some weeks after a release',
      'Logs, temporary files or queues that nothing removes',
    ],
    consequences: ['Outages with no change near them', 'The cause is hidden by the restart'],
    root_causes: [
      'What is opened is not closed on the error path',
      'Caches and logs without a bound',
      'Tests are shorter than the leak',
    ],
    mitigations: [
      'Bound everything that grows, and say what goes first',
      'Run a long test with compressed load, and watch the slope',
      'Alarm on the time until full, not on full',
    ],
    keywords: ['memory leak', 'disk full', 'file handles', 'unbounded cache', 'log rotation', 'connection leak'],
  },
  {
    id: 'pat-cache-stampede',
    name: 'All miss the cache at once',
    pattern_type: 'failure_mode',
    domain: 'reliability',
    severity: 'high',
    description:
      'When a frequently used value expires or the cache is emptied, all requests compute it at the same time and overload what is behind.',
    indicators: [
      'Peaks of load on the database at round times',
      'An outage after restarting the cache',
      'The same query hundreds of times in one second',
    ],
    consequences: ['The database falls over', 'A restart makes it worse'],
    root_causes: ['Equal lifetimes', 'No limit on who computes', 'The system cannot carry its load without the cache'],
    mitigations: [
      'Let one compute, and the others wait or take the old value',
      'Spread lifetimes by chance, refresh before the end',
      'Warm up before taking load, and test with an empty cache',
    ],
    keywords: ['cache stampede', 'dogpile', 'cold cache', 'expiry', 'ttl', 'warm-up'],
  },
  {
    id: 'pat-clock-assumption',
    name: 'Trusting the clock',
    pattern_type: 'failure_mode',
    domain: 'reliability',
    severity: 'high',
    description:
      'Order, expiry or uniqueness rests on clocks that jump, differ between machines, or change with daylight saving.',
    indicators: [
      'Failures on the nights when clocks change, on leap days, at the year’s end',
      'Sorting or merging by local time',
      'Durations from the wall clock',
      'Certificates and tokens that are not yet or no longer valid on some machines',
    ],
    consequences: ['Records are lost or doubled', 'Jobs run twice or never', 'Logins fail everywhere at once'],
    root_causes: ['Local time was stored', 'Clock skew was not considered', 'Nobody owns the expiry dates'],
    mitigations: [
      'Store UTC, and measure durations by a monotonic clock',
      'Order by sequence numbers, not by time',
      'Watch skew and expiry dates, with weeks of warning',
      'Test with a clock that jumps both ways',
    ],
    keywords: ['daylight saving', 'time zone', 'clock skew', 'leap year', 'certificate expiry', 'utc', 'ntp'],
  },
];
