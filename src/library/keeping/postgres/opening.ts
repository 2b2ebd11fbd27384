import { isKaizenError, KaizenError } from '../../../core/errors';
import { sentence } from '../../../core/sentence';
import { Connections, type DatabaseOptions, readAddress, schemaVersion, setUpTables } from '../../../postgres';
import { POSTGRES_LIMITS } from './limits';
import { LIBRARY, LIBRARY_TABLES } from './schema';

export function connectionsOf(options: DatabaseOptions): Connections {
  return new Connections(readAddress(options, LIBRARY), LIBRARY);
}

/** Makes the tables or brings them forward. Answers the versions before and after. */
export async function initialise(options: DatabaseOptions): Promise<{ from: number; to: number }> {
  const connections = connectionsOf(options);
  try {
    return await setUp(connections);
  } finally {
    await connections.close();
  }
}

/** Whether there is a library: one that may be made is made. Tables of another version are told by the next call. */
export async function findTables(connections: Connections, mayCreate: boolean): Promise<boolean> {
  const version = await connections.call((session) => schemaVersion(session, LIBRARY), {
    reads: true,
    anySchema: true,
  });
  if (version >= LIBRARY.version) return true;
  if (mayCreate) await create(connections);
  return mayCreate || version > 0;
}

async function create(connections: Connections): Promise<void> {
  try {
    await setUp(connections);
  } catch (error) {
    if (!isKaizenError(error) || error.code !== 'registry_refused') throw error;
    throw new KaizenError(
      'registry_not_initialised',
      sentence(
        'The library at {0} has no tables that this version of Kaizen works with, and this role may not make them.',
        connections.label,
      ),
      sentence('Somebody who may create tables runs "{0}" once.', LIBRARY.init),
    );
  }
}

function setUp(connections: Connections): Promise<{ from: number; to: number }> {
  return setUpTables(connections, LIBRARY_TABLES, { patience: POSTGRES_LIMITS.reading });
}
