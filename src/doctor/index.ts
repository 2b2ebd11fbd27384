/** The doctor: looks at everything that has to be right for Kaizen to work, changes nothing, and says what mends it. */
export { diagnose } from './diagnosing';
export * from './model';
export { type DoctorPrivacy, doctorReport } from './report';
export type { DoctorSurroundings, DoctorVersions } from './surroundings';
