import type { Sentence } from '../core/sentence';

/** What the doctor looks at, in the order of its report. */
export const DOCTOR_AREAS = ['versions', 'stores', 'locks', 'index', 'clients', 'hooks', 'registry'] as const;
export type DoctorArea = (typeof DOCTOR_AREAS)[number];

export interface DoctorMend {
  sentence: Sentence;
  folder?: string | undefined;
  command?: string | undefined;
  /** Whether the command quotes what a person stored, so that it is no part of the report. */
  isPrivate?: boolean | undefined;
}

export interface DoctorFinding {
  area: DoctorArea;
  /** Stable: `store_damaged`, `client_outdated`. */
  code: string;
  /** `ok`: looked at and well; `note`: worth knowing; `problem`: something does not work. */
  level: 'ok' | 'note' | 'problem';
  /** A sentence without private content: no names of people, projects, entries; paths shortened (`paths`). */
  message: Sentence;
  /** Why, for the person who looks: may quote a configuration of theirs, so that it is no part of the report. */
  reason?: Sentence | undefined;
  /** What mends it: what a person does, the folder that it is about, the command that does it where there is one. */
  mend?: DoctorMend | undefined;
}
