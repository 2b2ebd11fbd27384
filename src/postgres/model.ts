import type { Sentence } from '../core/sentence';

/** What somebody keeps on a server, as errors and hints name it. */
export interface DatabaseUse {
  /** `registry`: errors speak of "the registry at host:port/database". */
  noun: Sentence;
  /** The table of the versions that the tables were brought to, with its schema. */
  versionTable: string;
  /** The version that this program works with. */
  version: number;
  /** What whoever may create tables runs once. */
  init: string;
  /** What prints the rights that readers and writers are granted. */
  roles: string;
  /** What says more about the server. */
  status: string;
  /** The variable by which a person says that TLS need not be proven. */
  unverifiedTls: string;
  /** What to do about a text with more different words than can be indexed. */
  tooManyWords: Sentence;
}

/** Where a database is, as a person says it. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`; a secret. */
  url: string;
  /** TLS without looking at the certificate, because a person says so. Loopback needs none. */
  allowUnverifiedTls?: boolean | undefined;
}
