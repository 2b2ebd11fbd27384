export * from './model';
export type { NotesOptions } from './notes';
export type {
  PublishRequest,
  Registry,
  RegistryEntry,
  RegistryHit,
  RegistryOptions,
  RegistrySearchRequest,
  RegistryStatus,
} from './registry/model';
export { notesSchema } from './schema';
export { nearIds } from './spaces/near';

import type { NotesPart } from './model';
import { Notes, type NotesOptions } from './notes';

/** Nothing is read before `start`, nothing connected to before the registry is asked. Throws `invalid_argument`. */
export function openNotes(options: NotesOptions): NotesPart {
  return new Notes(options);
}

/** Reading and editing the text of a note, whoever holds it: a bundle of its own, because it brings YAML with it. */
export function noteFormat() {
  return import('./format');
}
