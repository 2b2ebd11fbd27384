import { KaizenError } from './core/errors';
import { type Sentence, sentence } from './core/sentence';
import { Turns } from './core/turns';
import { agentWriting, type SecretPlace, WriteCheck, type WriteSafetyOptions } from './safety';
import { whereOf } from './stored-secrets';
import {
  type ImportedSecret,
  type ImportOptions,
  type ParsedRecord,
  storedAnyway,
  type TransferRecord,
} from './transfer';

/** Enough to be searched as one, and few enough for a turn. */
const CHECKED_AT_ONCE = 100;

/** What an import's secrets are looked for with. */
export interface SecretsLook {
  check: WriteCheck;
  policy?: WriteSafetyOptions['policy'];
  /** The lines of those records of which nothing would be stored: asked only where there is a secret. */
  kept: () => Promise<ReadonlySet<number>>;
}

/**
 * The records as they may be stored; their places are those of the file. What is there already is not looked at: an
 * export comes back as it went. Throws `secret_found`, and `cancelled` where a person who was asked gives up.
 */
export async function withoutSecrets(
  records: readonly ParsedRecord[],
  look: SecretsLook,
  options: ImportOptions,
): Promise<readonly ParsedRecord[]> {
  const { check, policy } = look;
  const suspects = await suspectsAmong(records, look, options);
  if (!suspects) return records;
  if (options.onSecrets && policy !== 'redact' && !agentWriting()) return asDecided(records, suspects, check, options);
  const { value, note } = await check.checked(suspects, '', options.signal, placesIn(options));
  return replacedBy(note === undefined ? value : await storedAnyway(value, check, options.signal), records);
}

/** Where secrets are in what would be stored, by the line of the file. */
export async function secretsAmong(
  records: readonly ParsedRecord[],
  look: SecretsLook,
  options: ImportOptions,
): Promise<readonly SecretPlace[]> {
  const suspects = await suspectsAmong(records, look, options);
  return suspects ? look.check.places(suspects, options.signal, placesIn(options)) : [];
}

type Suspects = Readonly<Record<string, TransferRecord>>;

/** What would be stored, by its line, where anything in the file looks like a secret; undefined where nothing does. */
async function suspectsAmong(
  records: readonly ParsedRecord[],
  { check, kept }: SecretsLook,
  { signal }: ImportOptions,
): Promise<Record<string, TransferRecord> | undefined> {
  const named = (some: readonly ParsedRecord[]) =>
    Object.fromEntries(some.map(({ line, record }) => [nameOf(line), record]));
  const turns = new Turns(signal);
  let isClean = true;
  for (let first = 0; isClean && first < records.length; first += CHECKED_AT_ONCE) {
    await turns.pause();
    const some = records.slice(first, first + CHECKED_AT_ONCE);
    isClean = (await check.places(named(some), signal)).length === 0;
  }
  if (isClean) return undefined;
  const left = await kept();
  return named(records.filter(({ line }) => !left.has(line)));
}

/** Asks once, for all records that hold one. */
async function asDecided(
  records: readonly ParsedRecord[],
  suspects: Suspects,
  check: WriteCheck,
  { onSecrets, signal }: ImportOptions,
): Promise<readonly ParsedRecord[]> {
  const { value: clean, taken = new Map() } = await new WriteCheck({ policy: 'redact' }).checked(suspects, '', signal);
  const lines = new Set([...taken.keys()].map(lineOf));
  if (lines.size === 0) return records;
  const found: ImportedSecret[] = [];
  for (const { line, record } of records) if (lines.has(line)) found.push(await told(line, record, check, signal));
  switch (await onSecrets?.(found)) {
    case 'store':
      return replacedBy(await storedAnyway(suspects, check, signal), records);
    case 'redact':
      return replacedBy(clean, records);
    case 'leave out':
      return records.flatMap(({ line, record }) => {
        if (!lines.has(line)) return [{ line, record }];
        const rest = restOf(record, clean[nameOf(line)]);
        return rest ? [{ line, record: rest }] : [];
      });
    default:
      throw new KaizenError('cancelled', sentence('Nothing was imported.'));
  }
}

/** What else stands in the file may belong to a scope: it stays, without what holds the secret. */
function restOf(record: TransferRecord, clean: TransferRecord | undefined): TransferRecord | undefined {
  if (record.type !== 'scope' || clean?.type !== 'scope' || clean.id !== record.id) return undefined;
  return { ...clean, description: clean.description === record.description ? record.description : null };
}

async function told(
  line: number,
  record: TransferRecord,
  check: WriteCheck,
  signal: AbortSignal | undefined,
): Promise<ImportedSecret> {
  const where: Sentence = whereOf(record);
  const places = await check.places(record, signal);
  // A name that holds a secret is not said, and comes back as another one.
  const [named] = await check.places(record, signal, () => String(where));
  return { line, where: named?.field === String(where) ? where : undefined, places };
}

/** What was kept is looked at by nobody, and not stored either. */
function replacedBy(stored: Suspects, records: readonly ParsedRecord[]): ParsedRecord[] {
  return records.map(({ line, record }) => ({ line, record: stored[nameOf(line)] ?? record }));
}

/** Found again by it, so that it holds nothing that could be taken for a secret, as a path may. */
function nameOf(line: number): string {
  return `record at line ${line}`;
}

function lineOf(field: string): number {
  return Number(/^record at line (\d+)/.exec(field)?.[1]);
}

/** How a field of such a record is called to a person. */
function placesIn({ placeOf }: ImportOptions): (field: string) => string {
  return (field) => {
    const [start, line, rest] = /^record at line (\d+)(?:\.|(?=, )|$)(.*)$/s.exec(field)?.slice(0, 3) ?? [];
    const place = start === undefined ? undefined : placeOf?.(Number(line));
    if (place === undefined) return field;
    return rest ? `${place}: ${rest.replace(/^, /, '')}` : place;
  };
}
