import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import type { Session } from '../../postgres';
import { idKey } from '../format/ids';
import type { PublishOutcome, PublishRequest, RegistryEntry, RegistryVersion } from './model';
import { entryOf, MAX_DOCUMENT, milliseconds, timeOf, type VersionRow, versionColumns } from './rows';
import { compareVersions, FIRST_VERSION, nextVersion, readVersion } from './versions';

export async function findEntry(
  session: Session,
  zettelId: string,
  version?: string,
): Promise<RegistryEntry | undefined> {
  const [row] = await session.query<VersionRow>(
    version === undefined
      ? `SELECT ${versionColumns('v')} FROM kaizen.knowledge_entries e
         JOIN kaizen.knowledge_entry_versions v ON v.zettel_id = e.zettel_id AND v.version = e.version
         WHERE e.zettel_id = $1`
      : `SELECT ${versionColumns('v')} FROM kaizen.knowledge_entry_versions v WHERE v.zettel_id = $1 AND v.version = $2`,
    version === undefined ? [zettelId] : [zettelId, version],
  );
  if (row && row.zettel_id !== zettelId) {
    throw new KaizenError(
      'registry_failed',
      sentence('The registry was asked for "{0}" and answered with another note.', zettelId),
      sentence('Ask who runs the registry.'),
    );
  }
  return row && entryOf(row);
}

/** Latest first: every version was higher than those before it. */
export async function listVersions(session: Session, zettelId: string): Promise<RegistryVersion[]> {
  const rows = await session.query<{ version: string; published_by: string; published_ms: number }>(
    `SELECT version, published_by, ${milliseconds('published_at')} AS published_ms
     FROM kaizen.knowledge_entry_versions WHERE zettel_id = $1 ORDER BY number DESC`,
    [zettelId],
  );
  return rows.map(({ version, published_by, published_ms }) => ({
    version,
    published_by,
    published_at: timeOf(published_ms) ?? '',
  }));
}

/**
 * Publishes, or says why not. The entry's row is locked to the end of the transaction, so that of two at once the
 * second sees what the first published. Two first versions at once meet in the unique index: see `isTakenMeanwhile`.
 */
export async function publishEntry(session: Session, request: PublishRequest): Promise<PublishOutcome> {
  const { zettel_id } = request.fields;
  const wanted = request.version === undefined ? undefined : readVersion(request.version).version;
  const there = await lockEntry(session, zettel_id);
  const latest = there ? await findEntry(session, zettel_id) : undefined;
  if (!latest) return insert(session, request, wanted ?? FIRST_VERSION, true);

  const says = { version: latest.version, published_by: latest.published_by, published_at: latest.published_at };
  const conflict = (reason: (PublishOutcome & { status: 'conflict' })['reason'], existing: RegistryEntry) =>
    ({ status: 'conflict', reason, existing, latest: says }) as const;

  const isSame = latest.content_hash === request.content_hash && latest.category === request.category;
  if (isSame && (wanted ?? latest.version) === latest.version) {
    return { status: 'unchanged', version: latest.version, document: latest.document };
  }
  if (wanted !== undefined) {
    const same = await findEntry(session, zettel_id, wanted);
    if (same) return conflict('version_exists', same);
    if (compareVersions(wanted, latest.version) < 0) return conflict('newer_version', latest);
  }
  const isBasedOnLatest = request.base === latest.version || latest.content_hash === request.content_hash;
  if (!isBasedOnLatest && !request.confirmed) {
    return conflict(request.base === undefined ? 'never_seen' : 'changed_since', latest);
  }
  return insert(session, request, wanted ?? nextVersion(latest.version), false);
}

/**
 * Whether somebody else published the same note's first version in between: asking again shows it. Ids that differ by
 * case alone never come to this.
 */
export function isTakenMeanwhile(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return (
    code === '23505' &&
    typeof constraint === 'string' &&
    /^idx_knowledge_zettel_id|_zettel_id_version_key$/.test(constraint)
  );
}

/** Throws `conflict` for an id that another one differs from by case alone: they would be one file on many machines. */
async function lockEntry(session: Session, zettelId: string): Promise<boolean> {
  const rows = await session.query<{ zettel_id: string }>(
    `SELECT zettel_id FROM kaizen.knowledge_entries
     WHERE zettel_id = $1 OR lower(zettel_id) = lower($1) FOR UPDATE`,
    [zettelId],
  );
  const alike = rows.length > 0 ? rows : await alikeIn(session, zettelId);
  const other = alike.find(({ zettel_id }) => zettel_id !== zettelId);
  if (!other) return rows.length > 0;
  throw new KaizenError(
    'conflict',
    sentence('The registry has a note "{0}", which differs from "{1}" by case alone.', other.zettel_id, zettelId),
    sentence('Rename one of them.'),
  );
}

/** Whether letters beyond ASCII have case is the locale's affair: a database in "C" takes each for another letter. */
async function alikeIn(session: Session, zettelId: string): Promise<{ zettel_id: string }[]> {
  if (/^\p{ASCII}*$/u.test(zettelId)) return [];
  const rows = await session.query<{ zettel_id: string }>(
    'SELECT zettel_id FROM kaizen.knowledge_entries WHERE octet_length(zettel_id) <> char_length(zettel_id)',
  );
  return rows.filter(({ zettel_id }) => idKey(zettel_id) === idKey(zettelId));
}

async function insert(
  session: Session,
  request: PublishRequest,
  version: string,
  isNew: boolean,
): Promise<PublishOutcome> {
  const { fields, category, content, author } = request;
  const document = request.document(version);
  requireStorable(request, document);
  const entry = [
    fields.zettel_id,
    version,
    fields.title,
    category,
    fields.entry_type,
    fields.tags,
    fields.source_type ?? null,
    fields.source_url ?? null,
    storableTime(fields.created_at),
    storableTime(fields.updated_at),
  ];
  await session.change(isNew ? INSERT_ENTRY : UPDATE_ENTRY, [...entry, content]);
  await session.change(INSERT_VERSION, [...entry, document, content.length, request.content_hash, author]);
  await replaceRelationships(session, request);
  return { status: 'published', version, document };
}

const COLUMNS =
  'zettel_id, version, title, category, entry_type, tags, source_type, source_url, created_at, updated_at';
const INSERT_ENTRY = `
  INSERT INTO kaizen.knowledge_entries (${COLUMNS}, content)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9::timestamptz, now()), coalesce($10::timestamptz, now()), $11)`;
const UPDATE_ENTRY = `
  UPDATE kaizen.knowledge_entries SET (${COLUMNS}, content) =
    ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9::timestamptz, created_at), coalesce($10::timestamptz, now()), $11)
  WHERE zettel_id = $1`;
const INSERT_VERSION = `
  INSERT INTO kaizen.knowledge_entry_versions
    (${COLUMNS}, document, content_length, content_hash, published_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;

/** What the text says now instead of what it said before; what was linked in the registry itself stays. */
async function replaceRelationships(session: Session, request: PublishRequest): Promise<void> {
  const { zettel_id } = request.fields;
  const { relationships, author } = request;
  await session.change('DELETE FROM kaizen.knowledge_relationships WHERE from_zettel_id = $1 AND is_published', [
    zettel_id,
  ]);
  if (relationships.length === 0) return;
  await session.change(
    `INSERT INTO kaizen.knowledge_relationships
       (from_zettel_id, to_zettel_id, relationship_type, is_published, created_by)
     SELECT $1, other, type, true, $4 FROM unnest($2::text[], $3::text[]) AS outgoing (other, type)
     ON CONFLICT DO NOTHING`,
    [
      zettel_id,
      relationships.map((each) => each.to_zettel_id),
      relationships.map((each) => each.relationship_type),
      author,
    ],
  );
}

/** Throws `invalid_argument`. */
function requireStorable({ fields, category, content, author }: PublishRequest, document: string): void {
  const refuse = (message: Sentence, hint: Sentence) => {
    throw new KaizenError(
      'invalid_argument',
      sentence('The note "{0}" cannot be published: {1}.', fields.zettel_id, message),
      hint,
    );
  };
  if (fields.entry_type === undefined) {
    refuse(sentence('it has no entry_type'), sentence('Its front matter is to say one, such as entry_type: pattern.'));
  }
  if (document.length > MAX_DOCUMENT) {
    refuse(
      sentence('it has {0} characters, {1} are possible', document.length, MAX_DOCUMENT),
      sentence('Split it into several.'),
    );
  }
  if (!document.endsWith(content)) {
    refuse(sentence('its text is not the end of its file'), sentence('Read the note again.'));
  }
  const texts = [fields.zettel_id, fields.title, category, fields.source_url ?? '', author, document, ...fields.tags];
  if (texts.some((text) => text.includes('\0'))) {
    refuse(sentence('it holds the character U+0000, which PostgreSQL cannot store'), sentence('Take it out.'));
  }
}

/** Undefined for what PostgreSQL would not read as a time, such as the year 20255. */
function storableTime(text: string | undefined): string | null {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return time >= Date.UTC(1, 0) && time < Date.UTC(10_000, 0) ? new Date(time).toISOString() : null;
}
