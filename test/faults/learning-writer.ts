// Captures, rates, relates and imports until it is killed, and says of each step that it is done once that was promised:
//   node learning-writer.js DIRECTORY NAME
import { writeSync } from 'node:fs';
import { learningUri } from '../../src/core/knowledge-uri';
import { type LearningExport, type LearningPart, learningSchema, openLearning } from '../../src/learning';
import { openRelations, type RelationsPart, relationsSchema } from '../../src/relations';
import { Store } from '../../src/store';

/** More than one transaction takes. */
export const IMPORTED = 45;
const PERSON = 'ada';
/** One that comes with the product. */
export const CAUSE = learningUri('pattern', 'pat-blame-culture');

/** What was done in round `n` of a writer. */
export type Said =
  | { n: number; step: 'captured' | 'finished'; id: string }
  | { n: number; step: 'rated'; id: string }
  | { n: number; step: 'related'; id: string }
  | { n: number; step: 'imported' }
  | { error: string };

/** Straight to the pipe: what was said stands even when the process is gone in the next instant. */
function say(value: Said): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}

/** The parts on the store of a directory, which has no other ones. */
export async function openLearned(directory: string): Promise<{
  learning: LearningPart;
  relations: RelationsPart;
  close(): Promise<void>;
}> {
  const clock = { now: () => Date.now() };
  const store = await Store.open(directory, {
    ...{ schemas: [learningSchema, relationsSchema], clock, checkpointBytes: 60_000 },
    onReport: (error) => say({ error }),
  });
  const learning = openLearning({ store, clock, person: PERSON, counts: true });
  const resolve = async (uri: string) => {
    const found = learning.find(uri);
    return found ? { uri: found.uri, title: found.id, kind: found.kind } : ('gone' as const);
  };
  const ends = {
    ...{ resolve, locate: async (id: string) => learning.find(id)?.uri, isOfWorkspace: () => false, sources: [] },
    onDidChange: () => ({ dispose: () => {} }),
  };
  const relations = openRelations({ stores: { workspace: store, shared: store }, ends, clock });
  return {
    learning,
    relations,
    close: async () => {
      await relations.close();
      await learning.close();
      await store.close();
    },
  };
}

export function lessonsOf(name: string, n: number): [string, string] {
  return [`First lesson of ${name} ${n}.`, `Second lesson of ${name} ${n}.`];
}

/** As a file has them: lessons with ids that tell the round. */
export function fileOf(name: string, n: number): Pick<LearningExport, 'records'> {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    records: Array.from({ length: IMPORTED }, (_, number) => ({
      kind: 'lesson',
      record: {
        ...{ id: `less-${name}-${n}-${number}`, created_at: at, updated_at: at, author: name, visibility: 'team' },
        ...{ title: `Imported ${number}`, context: '', lesson: 'x'.repeat(3_000), recommendation: '', sources: [] },
        owner: PERSON,
      },
    })) as unknown as LearningExport['records'],
  };
}

async function main(directory: string, name: string): Promise<void> {
  const { learning, relations } = await openLearned(directory);
  const by = { author: name };
  for (let n = 1; ; n++) {
    const project = { name: `${name}-${n}`, description: 'x'.repeat(10_000) };
    const { id } = (await learning.write({ operation: 'capture_project', project }, by)).record;
    say({ n, step: 'captured', id });
    const outcome = { success_rating: 0.9, lessons_learned: lessonsOf(name, n) };
    await learning.write({ operation: 'capture_outcome', project_id: id, outcome }, by);
    say({ n, step: 'finished', id });
    const rated = { operation: 'rate', artifact_id: id, artifact_type: 'project', rating: 0.5 } as const;
    say({ n, step: 'rated', id: (await learning.feedback(rated, by)).feedback_id });
    const said = { source: CAUSE, target: learningUri('project', id), type: 'causes', evidence: [CAUSE] } as const;
    say({ n, step: 'related', id: (await relations.add(said, by)).relation.id });
    await learning.import(fileOf(name, n), {}, by);
    say({ n, step: 'imported' });
  }
}

const [directory, name] = process.argv.slice(2);
if (require.main === module && directory && name) main(directory, name).catch((error) => say({ error: String(error) }));
