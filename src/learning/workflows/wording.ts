import { stemSequence } from './words';

/**
 * Words that people choose for the same thing when they tell of trouble with systems: those who stand before it in
 * everyday words, those who found its cause in technical ones. Each line is one group; an entry of several words is
 * found as a phrase. Words with several common meanings are left out where the wrong one would be the likelier.
 */
const GROUPS = `
twice, double, duplicate, two times, again, repeated, second time
charged, billed, debited, booked, paid
payment, order, checkout, transaction
refund, money back, reimbursement, credited
amount, sum, price, total, value
coupon, voucher, discount code, promotion code
invoice, bill, statement
slow, latency, delay, sluggish, takes long, lag
timeout, timed out, gave up, no answer, no response, waited too long
hang, freeze, stuck, unresponsive, blocked, waiting, does not respond
crash, dies, died, aborted, terminated, exits
down, outage, unavailable, offline, unreachable, dead, not available
restart, reboot, reset, came up again
retry, try again, repeat, resend
error, fault, failure, exception, broken, wrong
full, no space, exhausted, no room, used up, filled up
disk, storage, volume, drive, file system
memory, heap, ram
leak, grows, growing, increases steadily
load, traffic, requests, demand
spike, peak, burst, flood, storm, surge, rush
pool, connections
lock, locked, deadlock, mutex
race, at the same time, simultaneous, concurrent, parallel, at once
node, server, host, instance, box
master, primary, leader, main database
replica, secondary, follower, standby, slave, mirror, copy
backup, copy, dump, snapshot
restore, recover, bring back
stale, old, outdated, not current, obsolete, previous
cache, cached, kept, remembered
database, tables, rows, records, data
table, schema, column, field
migration, schema change, alter
query, statement, select, report, analysis
delete, remove, drop, wipe, lost, disappear, gone, vanish, missing
overwrite, replaced, clobbered
incomplete, partial, truncated, half, only part
deploy, release, rollout, roll out, new version, update, upgrade
rollback, roll back, revert
production, live, prod, live system
staging, test system, test environment, sandbox, trial
configuration, setting, config, parameter, option, flag, switch, toggle
secret, password, credential, token, key, api key
certificate, tls, ssl, handshake, trust chain, https
expired, ran out, no longer valid, lapsed, out of date
dns, name resolution, host name, domain name, lookup
network, link, connection, cable, line, packets
firewall, security group
load balancer, balancer, proxy, gateway, router
backend, upstream, service, server behind
external, third party, partner, supplier, vendor, provider
dependency, library, package, component
client, app, consumer, caller, user's device
older versions, app versions, not updated
interface, api, contract, endpoint, response
unit, euros, metres, feet, scale, factor
rounding, floating point, decimals
time zone, timezone, utc, local time, daylight saving, one hour
clock, time, date, calendar, leap, month end, end of month
schedule, cron, nightly, job, batch, run every
queue, backlog, messages, topic, broker
duplicate message, delivered twice, redelivered, at least once
order, sequence, out of order, wrong order
login, sign in, authentication, log in, session, account
permission, authorisation, access, rights, allowed, role
other users, somebody else, another customer
personal data, private, confidential, privacy, sensitive
attack, intruder, hacker, abuse, compromised, hijacked
log, trace, logging, log file
alert, alarm, notification, page
monitoring, health check, probe, observability, dashboard, metric
missed, ignored, nobody noticed, unnoticed
sensor, probe, measurement, reading, instrument
actuator, valve, motor, drive, pump
firmware, device software, image
device, unit, controller, gadget
bricked, dead, does not start, no longer boots
battery, power, supply, voltage, energy
encoding, charset, umlaut, unicode, special characters, character set, garbled
import, load, ingest, feed, file
export, report, output
pipeline, flow, etl, chain
limit, quota, rate limit, throttle, cap, maximum
overload, too much, overwhelmed, avalanche, cascade
intermittent, sometimes, now and then, flaky, sporadic, occasionally, rarely
wrong result, incorrect, false, mismatch, does not match, differs, off by
start, boot, begin, startup, come up
warm, cold
manual, by hand, by mistake, accidentally, typo, mistyped, human error
page, website, screen, front end, browser, site
mobile, phone, handset, app store
`;

/** A word or a phrase, as it is written, and its stems in order. */
export interface Term {
  text: string;
  stems: readonly string[];
}

/** Terms that are chosen for the same thing. */
export type Group = readonly Term[];

interface Groups {
  all: readonly Group[];
  /** By the first stem of a term: the term, and the number of the group that it is in. */
  byStem: ReadonlyMap<string, readonly { stems: readonly string[]; group: number }[]>;
}

function groupsOf(text: string): Groups {
  const all: Group[] = [];
  const byStem = new Map<string, { stems: readonly string[]; group: number }[]>();
  for (const line of text.trim().split('\n')) {
    const group = line.split(',').map((each) => ({ text: each.trim(), stems: stemSequence(each) }));
    for (const { stems } of group) {
      const known = byStem.get(stems[0]!) ?? [];
      known.push({ stems, group: all.length });
      byStem.set(stems[0]!, known);
    }
    all.push(group);
  }
  return { all, byStem };
}

let known: Groups | undefined;

/** The groups of which a text says something, given the stems of all its words in order; in the order of the list. */
export function groupsSaidIn(stems: readonly string[]): Group[] {
  known ??= groupsOf(GROUPS);
  const said = new Set<number>();
  for (const [at, stem] of stems.entries()) {
    for (const term of known.byStem.get(stem) ?? []) {
      if (term.stems.every((each, offset) => stems[at + offset] === each)) said.add(term.group);
    }
  }
  return [...said].sort((a, b) => a - b).map((group) => known!.all[group]!);
}
