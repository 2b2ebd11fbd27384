import type { Collection, CollectionInput, EntryType, NoteFields, Relationship, RelationshipType } from '../vocabulary';

/** What a team shares of its notes: PostgreSQL, with every version that was ever published (seed 004, "Registry"). */

export interface RegistryOptions {
  /** `postgres://user:password@host:port/database`; a secret. */
  url: string;
  /** TLS without looking at the certificate, because a person says so. Loopback needs none. */
  allowUnverifiedTls?: boolean | undefined;
}

export interface RegistryVersion {
  version: string;
  published_by: string;
  /** ISO 8601. */
  published_at: string;
}

/** A note as the registry has it. */
export interface RegistryEntry extends NoteFields {
  version: string;
  category: string;
  /** Below the front matter. */
  content: string;
  /** The whole file as it was published: a download is this, byte for byte. */
  document: string;
  /** SHA-256, hex, of the document without its `version` and `updated_at`. */
  content_hash: string;
  published_by: string;
  /** ISO 8601. */
  published_at: string;
}

export interface RegistrySearchRequest {
  query: string;
  category?: string | undefined;
  entry_type?: EntryType | undefined;
  /** All of them. */
  tags?: readonly string[] | undefined;
  /** 1 to 100. */
  limit: number;
}

export interface RegistryHit extends NoteFields {
  version: string;
  category: string;
  /** 0 to 1, comparable with those of the spaces. */
  relevance_score: number;
  /** Plain text. */
  snippet: string;
}

export interface PublishRequest {
  fields: NoteFields;
  category: string;
  /** Below the front matter: the end of the document. */
  content: string;
  /** The whole file as it is to be published, with this version in its front matter. */
  document: (version: string) => string;
  /** SHA-256, hex, of the document without its `version` and `updated_at`: those with the same say the same. */
  content_hash: string;
  /** Semver; the latest one's next patch, or 1.0.0, unless told. */
  version?: string | undefined;
  /** The version that the text is based on; undefined when it comes from none. */
  base?: string | undefined;
  /** Outgoing, replacing those that the note published before. */
  relationships: readonly { to_zettel_id: string; relationship_type: RelationshipType }[];
  /** Publish although the registry has something that the text is not based on; the version must be a higher one. */
  confirmed?: boolean | undefined;
  author: string;
}

export type PublishOutcome =
  | { status: 'published' | 'unchanged'; version: string; document: string }
  | {
      status: 'conflict';
      reason: 'version_exists' | 'newer_version' | 'changed_since' | 'never_seen';
      /** What the registry has; of `version_exists` that version. */
      existing: RegistryEntry;
      latest: RegistryVersion;
    };

export interface RegistryStatus {
  /** Without the secret: `host:port/database as user`. */
  server: string;
  /** 15.8 */
  postgres: string;
  /** Of the registry's schema; 0 before `init`. */
  schema: number;
  /** Whether the schema is the one that this version works with. */
  state: 'ready' | 'missing' | 'older' | 'newer';
  tls: 'verified' | 'unverified' | 'none';
  entries: number;
  /** Whether the role may publish. */
  canPublish: boolean;
}

/**
 * One connection pool to a registry. Every call answers or throws within 5 seconds: `registry_unreachable`,
 * `registry_refused` (password, role), `registry_not_initialised`, `registry_newer`, `registry_failed`, `cancelled`. No
 * message holds the password.
 */
export interface Registry {
  status(signal?: AbortSignal): Promise<RegistryStatus>;
  /** Creates or migrates the schema; several at once do it once. Answers the versions before and after. */
  init(signal?: AbortSignal): Promise<{ from: number; to: number }>;
  search(request: RegistrySearchRequest, signal?: AbortSignal): Promise<{ hits: RegistryHit[]; total: number }>;
  /** The latest version unless told. */
  get(zettelId: string, version?: string, signal?: AbortSignal): Promise<RegistryEntry | undefined>;
  /** Latest first; empty when there is no such note. */
  versions(zettelId: string, signal?: AbortSignal): Promise<RegistryVersion[]>;
  /** In one transaction: either all of it is there, or nothing. Asking again after a lost connection is safe. */
  publish(request: PublishRequest, signal?: AbortSignal): Promise<PublishOutcome>;
  /** Removes the note with all of its versions and relationships. False when there was none. */
  remove(zettelId: string, signal?: AbortSignal): Promise<boolean>;
  relationships(zettelId: string, signal?: AbortSignal): Promise<Relationship[]>;
  /** False when it was there already. Throws `unknown_note` when the note it starts from is not there. */
  link(from: string, to: string, type: RelationshipType, author: string, signal?: AbortSignal): Promise<boolean>;
  /** False when there was none. */
  unlink(from: string, to: string, type: RelationshipType, signal?: AbortSignal): Promise<boolean>;
  collections(signal?: AbortSignal): Promise<Collection[]>;
  collection(idOrName: string, signal?: AbortSignal): Promise<Collection | undefined>;
  /** Throws `conflict` when there is one of that name. */
  createCollection(input: CollectionInput, author: string, signal?: AbortSignal): Promise<Collection>;
  close(): Promise<void>;
}
