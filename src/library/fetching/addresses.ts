import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { type Sentence, sentence } from '../../core/sentence';

const NO_ADDRESS = sentence('no address');
const PRIVATE = sentence('a private network');
const THIS_MACHINE = sentence('this machine');
const LOCAL_LINK = sentence('the local link');
const RESERVED = sentence('a reserved network');
const DOCUMENTATION = sentence('a network for documentation');
const MANY = sentence('many machines at once');

/** Networks that are nobody's on the Internet (IANA's special-purpose registries, RFC 6890), and what they are. */
const IPV4: readonly (readonly [network: string, bits: number, what: Sentence])[] = [
  ['0.0.0.0', 8, NO_ADDRESS],
  ['10.0.0.0', 8, PRIVATE],
  ['100.64.0.0', 10, sentence("a provider's own network")],
  ['127.0.0.0', 8, THIS_MACHINE],
  ['169.254.0.0', 16, LOCAL_LINK],
  ['172.16.0.0', 12, PRIVATE],
  ['192.0.0.0', 24, RESERVED],
  ['192.0.2.0', 24, DOCUMENTATION],
  ['192.88.99.0', 24, sentence('a relay that is no more')],
  ['192.168.0.0', 16, PRIVATE],
  ['198.18.0.0', 15, sentence('a network for measurements')],
  ['198.51.100.0', 24, DOCUMENTATION],
  ['203.0.113.0', 24, DOCUMENTATION],
  ['224.0.0.0', 4, MANY],
  ['240.0.0.0', 4, RESERVED],
];

/** Only 2000::/3 is given out at all (RFC 4291); within it these are not, or lead back into IPv4. */
const IPV6: readonly (readonly [network: string, bits: number, what: Sentence])[] = [
  ['2001::', 23, RESERVED],
  ['2001:db8::', 32, DOCUMENTATION],
  ['3fff::', 20, DOCUMENTATION],
];

const rulesOf = (networks: typeof IPV4, family: 'ipv4' | 'ipv6') =>
  networks.map(([network, bits, what]) => {
    const list = new BlockList();
    list.addSubnet(network, bits, family);
    return { what, has: (address: string) => list.check(address, family) };
  });
const IPV4_RULES = rulesOf(IPV4, 'ipv4');
const IPV6_RULES = rulesOf(IPV6, 'ipv6');

/**
 * What an IP address leads to other than to a machine on the Internet, in words; undefined for one that is public. Forms of
 * IPv6 that carry an IPv4 address (mapped, compatible, NAT64, 6to4) are what that is.
 */
export function privateNetwork(address: string): Sentence | undefined {
  const plain = address.replace(/%.*$/, '');
  if (isIPv4(plain)) return IPV4_RULES.find(({ has }) => has(plain))?.what;
  if (!isIPv6(plain)) return NO_ADDRESS;
  const groups = groupsOf(plain);
  const carried = carriedBy(groups);
  if (carried !== undefined) return privateNetwork(carried);
  if (groups.every((group, at) => group === (at === 7 ? 1 : 0))) return THIS_MACHINE;
  const [first] = groups as [number];
  if (first >= 0xfe80 && first <= 0xfebf) return LOCAL_LINK;
  if (first >= 0xfc00 && first <= 0xfdff) return PRIVATE;
  if (first >= 0xff00) return MANY;
  if (first < 0x2000 || first > 0x3fff) return RESERVED;
  return IPV6_RULES.find(({ has }) => has(plain))?.what;
}

/** The IPv4 address in an IPv6 one. */
function carriedBy(groups: readonly number[]): string | undefined {
  const is = (...beginning: readonly number[]) => beginning.every((group, at) => groups[at] === group);
  // ::ffff:0:0/96 (RFC 4291, 2.5.5.2), ::ffff:0:0:0/96 (RFC 2765), ::/96 (2.5.5.1), 64:ff9b::/96 (RFC 6052)
  if (is(0, 0, 0, 0, 0, 0xffff) || is(0, 0, 0, 0, 0xffff, 0) || is(0x64, 0xff9b, 0, 0, 0, 0)) return dotted(groups, 6);
  if (is(0, 0, 0, 0, 0, 0)) return groups[6] === 0 && groups[7]! <= 1 ? undefined : dotted(groups, 6);
  // 2002::/16 (RFC 3056)
  return groups[0] === 0x2002 ? dotted(groups, 1) : undefined;
}

function dotted(groups: readonly number[], at: number): string {
  return [groups[at]!, groups[at + 1]!].flatMap((group) => [group >> 8, group & 255]).join('.');
}

/** The eight groups of an IPv6 address that is known to be one. */
function groupsOf(address: string): number[] {
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
  const [before = '', after] = plain.split('::');
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [head, tail] = [read(before), read(after ?? '')];
  return after === undefined ? head : [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
