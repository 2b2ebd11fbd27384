import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type DiscoverRequest, type DiscoverResult, TASK_TYPES } from '../../src/discovery';
import { HARBOUR } from '../support/base-folders';
import { type Hall, TestClock, useHalls } from '../support/hall';

const FOLDER = path.resolve('test/unit/golden');
/** Scores may differ by so much, and what is so near to another may stand before or behind it. */
const TOLERANCE = 0.1;
/** `KAIZEN_RENEW_GOLDEN=1 npm test -- unit` writes the files anew: look at the difference before you keep it. */
const renew = process.env.KAIZEN_RENEW_GOLDEN === '1';

interface Task {
  /** Of the golden file. */
  name: string;
  request: DiscoverRequest;
  /** What a person would say must be given, whatever the golden file says. */
  needs: string[];
  /** A rule with a risk that must be warned of. */
  warns?: string;
}

const TASKS: Task[] = [
  {
    name: 'implement-authentication',
    request: { task_description: 'Implement user authentication with JWT tokens', task_type: 'implement' },
    needs: ['guidelines.security.authentication'],
  },
  {
    name: 'implement-endpoint',
    request: {
      task_description: 'Add a paginated endpoint that lists parcels and returns proper error responses',
      task_type: 'implement',
      current_file: 'src/api/parcels.ts',
    },
    needs: ['guidelines.api'],
    warns: 'knowledge://scopes/harbour-app/api.parcels/parcel-ids',
  },
  {
    name: 'debug-production',
    request: { task_description: 'Debug why notifications are slow in production', task_type: 'debug' },
    needs: ['protocols.incident'],
  },
  {
    name: 'refactor-safely',
    request: { task_description: 'Refactor the order module safely in small steps', task_type: 'refactor' },
    needs: ['skills.refactoring'],
  },
  {
    name: 'document-terms',
    request: { task_description: 'Document what a parcel, a scan and an ETA are', task_type: 'document' },
    needs: ['context.glossary'],
  },
  {
    name: 'review-change',
    request: { task_description: 'Review a change: what should I look for, and in which order?', task_type: 'review' },
    needs: ['skills.review'],
  },
  {
    name: 'design-event-store',
    request: { task_description: 'Design the schema of the new event store', task_type: 'design' },
    needs: ['plans.event_store'],
  },
  {
    name: 'test-flaky',
    request: { task_description: 'Fix flaky unit tests and their test data', task_type: 'test' },
    needs: ['guidelines.testing'],
  },
  {
    name: 'migrate-database',
    request: { task_description: 'Write a database migration that drops a column' },
    needs: ['context.database'],
    warns: 'knowledge://scopes/harbour-app/database/drop-column',
  },
  {
    name: 'no-match',
    request: { task_description: 'Tune a harpsichord for baroque chamber music', task_type: 'implement' },
    needs: [],
  },
];

async function fill(hall: Hall): Promise<void> {
  await hall.define('general', 'GENERAL');
  await hall.define('harbour-app', 'PROJECT');
  const put = (
    ...entry: [category: string, keyword: string, content: string, metaknowledge?: Record<string, string>]
  ) => hall.put('harbour-app', ...entry);
  await hall.put('general', 'git.workflows', 'branch-naming', 'Branches are named feature/<ticket>-<words>.');
  await hall.put('general', 'git.workflows', 'commit-messages', 'A summary in the imperative, then a reason.');
  await hall.put('general', 'code.style', 'error-handling', 'Errors say what happened and what to do next.');
  await put('api.parcels', 'parcel-ids', 'WARNING: the id of a parcel is no number: leading zeros count.', {
    APPLIES_TO: 'src/api/parcels*.ts',
  });
  await put('api.parcels', 'page-size', 'Lists of parcels have 50 rows a page, 200 at most.');
  await put('database', 'drop-column', 'DANGER: dropping a column while old servers run breaks them. Two releases.');
  await put('notifications', 'retry-policy', 'Notifications are sent three times, with growing pauses.');
  await put('testing', 'clock', 'Tests never read the system clock.', { REASON: 'Flaky builds in spring' });
}

/** What a golden file holds. */
function essence({ recommendations, warnings, total_available, message }: DiscoverResult) {
  return {
    recommendations: recommendations.map(({ id, type, relevance_score }) => ({ id, type, relevance_score })),
    warnings: warnings.map(({ id, relevance_score }) => ({ id, relevance_score })),
    total_available,
    message: message ?? null,
  };
}

type Row = { id: string; type?: string; relevance_score: number };

function assertNear(actual: readonly Row[], golden: readonly Row[]): void {
  const ids = (rows: readonly Row[]) => rows.map(({ id }) => id).sort();
  // What stands at the threshold, or at the end of the list, may come or go.
  const last = Math.min(...[...actual, ...golden].map(({ relevance_score }) => relevance_score)) + TOLERANCE;
  const sure = (rows: readonly Row[], others: readonly Row[]) =>
    ids(rows.filter(({ id, relevance_score }) => relevance_score > last || others.some((other) => other.id === id)));
  assert.deepEqual(sure(actual, golden), sure(golden, actual));
  for (const { id, type, relevance_score } of actual) {
    const other = golden.find((row) => row.id === id);
    if (!other) continue;
    assert.equal(type, other.type, id);
    assert.ok(Math.abs(relevance_score - other.relevance_score) <= TOLERANCE, `${id}: ${relevance_score}`);
  }
  for (const [index, row] of actual.entries()) {
    for (const behind of actual.slice(index + 1)) {
      const [a, b] = [row, behind].map(({ id }) => golden.find((other) => other.id === id)?.relevance_score);
      if (a !== undefined && b !== undefined) assert.ok(b - a <= TOLERANCE, `${row.id} before ${behind.id}`);
    }
  }
}

describe('golden recommendations', () => {
  const open = useHalls();

  it('are there for each task type', () => {
    const covered = new Set(TASKS.map(({ request }) => request.task_type));
    for (const type of TASK_TYPES) assert.ok(covered.has(type), type);
  });

  for (const { name, request, needs, warns } of TASKS) {
    it(`of ${name}`, async () => {
      const clock = new TestClock(Date.parse('2026-01-20T09:00:00.000Z'));
      const bases = [{ name: 'harbour', root: HARBOUR }];
      const hall = await open({ project: 'harbour-app', bases, clock });
      await fill(hall);
      const result = await hall.discovery.discover(request);
      const given = result.recommendations.map(({ id }) => id);
      const covers = (id: string) => given.some((each) => each === id || each.startsWith(`${id}.`));
      for (const id of needs) assert.ok(covers(id), `${id} among ${given.join(', ')}`);
      if (warns !== undefined)
        assert.ok(
          result.warnings.some(({ id }) => id === warns),
          `a warning of ${warns}`,
        );
      const file = path.join(FOLDER, `${name}.json`);
      const actual = essence(result);
      if (renew) writeFileSync(file, `${JSON.stringify(actual, null, 2)}\n`);
      assert.ok(existsSync(file), `${file} is missing`);
      const golden = JSON.parse(readFileSync(file, 'utf8')) as typeof actual;
      assertNear(actual.recommendations, golden.recommendations);
      assertNear(actual.warnings, golden.warnings);
      assert.equal(actual.total_available, golden.total_available);
      assert.equal(actual.message, golden.message);
    });
  }
});
