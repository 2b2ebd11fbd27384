import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sentence } from '../core/sentence';
import { freshness, guardPlace, readGuardIndex } from '../guard/hooks';
import { Area, bytes } from './findings';
import type { DoctorFinding } from './model';
import { obstacleIn } from './remembered';
import type { DoctorSurroundings } from './surroundings';

const area = new Area('index');

/** What is kept beside the stores to be quick: what search knows, the local model, and what hooks answer from. */
export async function* checkIndex(around: DoctorSurroundings): AsyncGenerator<DoctorFinding> {
  const search = searchIndex(join(around.data, 'index'));
  if (search) yield search;
  yield await model(around.shared);
  const guard = await guardIndex(around);
  if (guard) yield guard;
}

/** Derived data: whatever is wrong with it, it is made anew from the files. Undefined where the store itself is closed. */
function searchIndex(directory: string): DoctorFinding | undefined {
  try {
    const sizes = readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(directory, name), { throwIfNoEntry: false }))
      .filter((stat) => stat?.isFile())
      .map((stat) => stat!.size);
    if (sizes.length === 0)
      return area.ok('search_index_empty', sentence('Nothing of search is kept yet: it is indexed when needed.'));
    return area.ok(
      'search_index',
      sentence('What search knows is kept ({0}).', bytes(sizes.reduce((sum, size) => sum + size, 0))),
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      return area.ok('search_index_empty', sentence('Nothing of search is kept yet: it is indexed when needed.'));
    if (!existsSync(directory)) return undefined;
    return area.note(
      'search_index_unreadable',
      sentence('What search keeps cannot be read ({0}): each start indexes anew.', code ?? 'unknown'),
      { sentence: sentence('Delete this folder; it is made anew when needed.'), folder: directory },
    );
  }
}

async function model(shared: string): Promise<DoctorFinding> {
  const { isLocalModelInstalled, isLocalModelSound, modelsIn } = await import('../kaizen');
  const models = modelsIn(shared);
  if (!isLocalModelInstalled(models))
    return area.ok(
      'model_none',
      sentence('No local model is installed: search goes by words alone, or asks an endpoint.'),
    );
  if (await isLocalModelSound(models))
    return area.ok('model_sound', sentence('The local model for search by meaning is whole.'));
  return area.problem(
    'model_damaged',
    sentence('Files of the local model for search by meaning are damaged or missing.'),
    {
      sentence: sentence('Install it anew.'),
      command: 'kaizen embeddings --install',
    },
  );
}

/** Undefined where there is nothing that a hook could answer from. */
async function guardIndex({ data, shared, project = '' }: DoctorSurroundings): Promise<DoctorFinding | undefined> {
  const place = guardPlace({ data, shared, project });
  if (!place) return undefined;
  const index = readGuardIndex(place);
  const isCurrent = index !== undefined && (await freshness(index, place.data)).holds !== 'nothing';
  // No call makes one then, which is told with the hooks.
  if (!isCurrent && obstacleIn(place.directory) !== undefined) return undefined;
  if (!index) {
    return area.ok(
      'guard_index_none',
      sentence('Hooks have no index yet, or none that can be read: the next call makes it, and takes longer.'),
    );
  }
  if (isCurrent) {
    return area.ok(
      'guard_index_current',
      sentence('The index of hooks is current (rules with a risk: {0}).', index.rules.length),
    );
  }
  return area.note(
    'guard_index_outdated',
    sentence(
      'The index of hooks is older than what is stored: the next call makes it anew, and takes longer. An open window or "kaizen mcp" keeps it current.',
    ),
  );
}
