/** What the doctor looks at, in the order of its report. */
export const DOCTOR_AREAS = ['versions', 'stores', 'locks', 'index', 'clients', 'hooks', 'registry'] as const;
export type DoctorArea = (typeof DOCTOR_AREAS)[number];

export interface DoctorFinding {
  area: DoctorArea;
  /** Stable: `store_damaged`, `client_outdated`. */
  code: string;
  /** `ok`: looked at and well; `note`: worth knowing; `problem`: something does not work. */
  level: 'ok' | 'note' | 'problem';
  /** A sentence without private content: no names of people, projects, entries; paths shortened (`paths`). */
  message: string;
  /** What mends it: what a person does, and the command that does it where there is one. */
  mend?: { sentence: string; command?: string | undefined } | undefined;
}
