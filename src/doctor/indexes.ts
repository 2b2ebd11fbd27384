import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { freshness, guardPlace, readGuardIndex } from '../guard/hooks';
import { Area, bytes } from './findings';
import type { DoctorFinding } from './model';
import type { DoctorSurroundings } from './surroundings';

const area = new Area('index');

/** What is kept beside the stores to be quick: what search knows, the local model, and what hooks answer from. */
export async function* checkIndex(around: DoctorSurroundings): AsyncGenerator<DoctorFinding> {
  yield searchIndex(join(around.data, 'index'));
  yield await model(around.shared);
  const guard = await guardIndex(around);
  if (guard) yield guard;
}

/** Derived data: whatever is wrong with it, it is made anew from the files. */
function searchIndex(directory: string): DoctorFinding {
  try {
    const sizes = readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(directory, name), { throwIfNoEntry: false }))
      .filter((stat) => stat?.isFile())
      .map((stat) => stat!.size);
    if (sizes.length === 0)
      return area.ok('search_index_empty', 'Nothing of search is kept yet: it is indexed when needed.');
    return area.ok('search_index', `What search knows is kept (${bytes(sizes.reduce((sum, size) => sum + size, 0))}).`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      return area.ok('search_index_empty', 'Nothing of search is kept yet: it is indexed when needed.');
    return area.note(
      'search_index_unreadable',
      `What search keeps cannot be read (${code ?? 'unknown'}): each start indexes anew.`,
      {
        sentence: 'Delete the folder "index" beside the workspace\'s store; it is made anew.',
        command: 'kaizen index',
      },
    );
  }
}

async function model(shared: string): Promise<DoctorFinding> {
  const { isLocalModelInstalled, isLocalModelSound, modelsIn } = await import('../kaizen');
  const models = modelsIn(shared);
  if (!isLocalModelInstalled(models))
    return area.ok('model_none', 'No local model is installed: search goes by words alone, or asks an endpoint.');
  if (await isLocalModelSound(models)) return area.ok('model_sound', 'The local model for search by meaning is whole.');
  return area.problem('model_damaged', 'Files of the local model for search by meaning are damaged or missing.', {
    sentence: 'Install it anew.',
    command: 'kaizen embeddings --install',
  });
}

/** Undefined where there is nothing that a hook could answer from. */
async function guardIndex({ data, shared, project = '' }: DoctorSurroundings): Promise<DoctorFinding | undefined> {
  const place = guardPlace({ data, shared, project });
  if (!place) return undefined;
  const index = readGuardIndex(place);
  if (!index) {
    return area.ok(
      'guard_index_none',
      'Hooks have no index yet, or none that can be read: the next call makes it, and takes longer.',
    );
  }
  if ((await freshness(index, place.data)).holds !== 'nothing') {
    return area.ok('guard_index_current', `The index of hooks is current (${index.rules.length} rules with a risk).`);
  }
  return area.note(
    'guard_index_outdated',
    'The index of hooks is older than what is stored: the next call makes it anew, and takes longer. An open window or "kaizen mcp" keeps it current.',
  );
}
