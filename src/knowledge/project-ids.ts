import type { Reader } from '../store';

/** Scope ids of the projects of one store, in order. */
export function projectIds(reader: Pick<Reader, 'all'>): string[] {
  return reader.all<{ id: string }>("SELECT id FROM scope WHERE tier = 'PROJECT' ORDER BY id").map(({ id }) => id);
}
