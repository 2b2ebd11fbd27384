/** What stands where a secret would stand, so that a reader sees the form: never a secret. */

/** References to a value that is kept elsewhere: `${VAR}`, `{{var}}`, `$(cmd)`, `<token>`, `%VAR%`, `$VAR`. */
const REFERENCE =
  /\$\{|\{\{|\$\(|<[^<>\n]{1,60}>|^%\w{1,60}%$|^\$\w{1,60}$|^\{\w{1,60}\}$|\b(?:process\.env|import\.meta\.env|os\.environ|os\.getenv|System\.getenv|ENV\[|secrets\.|vault:|op:\/\/|!Ref|!secret|env:|keyvault)/i;

/** Words that people write in place of a secret. Each is so long that chance does not write it. */
const WORDS =
  /example|placeholder|change.?me|dummy|redacted|replace.?(?:me|with|this)|insert.?(?:your|here)|(?:^|[-_. ])(?:your?|my|here|fake|sample|test(?:ing)?|demo|todo|foo|foobar|secret|token|password|passwort|geheim)(?:$|[-_. ])|^your|deadbeef|abc123|not.?a.?(?:real|secret)|s3cr3t|hunter2(?=$|[-_]|hunter2)|\.\.\.|…|\*{3}|x{6}|0{8}/i;

/** Published in documentation, and therefore nobody's. */
const DOCUMENTED: ReadonlySet<string> = new Set([
  'AKIAIOSFODNN7EXAMPLE',
  'AKIAI44QH8DHBEXAMPLE',
  'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  // AWS' signed example, and UUIDs that stand in as many documents.
  'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c031957d157751f604d404',
  '123e4567-e89b-12d3-a456-426614174000',
  '550e8400-e29b-41d4-a716-446655440000',
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  // Azurite's and the storage emulator's account, the same on every machine.
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  // The Cosmos DB emulator's.
  'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==',
  // Stripe's documentation, behind `sk_test_`.
  '4eC39HqLyjWDarjtT1zdp7dc',
  'BQokikJOvBiI2HlWgH4olfQ2',
]);

/** Below this many different characters a long text repeats itself as no random one does. */
const FEW_CHARACTERS = 6;
/** `12345678`, `abcdefgh`: so many in their order. */
const LONG_SEQUENCE = 8;

/** @param value what would be secret, without quotes */
export function isPlaceholder(value: string): boolean {
  return DOCUMENTED.has(value) || REFERENCE.test(value) || WORDS.test(value) || isRegular(value);
}

function isRegular(value: string): boolean {
  if (value.length >= 12 && new Set(value).size < FEW_CHARACTERS) return true;
  let run = 1;
  for (let at = 1; at < value.length; at++) {
    const [before, here] = [value.charCodeAt(at - 1), value.charCodeAt(at)];
    run = here === before + 1 || (before === 57 && here === 48) ? run + 1 : 1;
    if (run >= LONG_SEQUENCE) return true;
  }
  return false;
}

/** Shannon's entropy in bits for each character: 0 for `aaaa`, up to 6 for base64. */
export function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
