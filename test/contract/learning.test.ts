import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLIENTS, type ContractClient } from './support/clients';
import { type Stores, temporaryStores } from './support/kaizen-process';

const CLI = path.resolve('dist/cli.js');
const PLANNING = 'knowledge_planning_support';
const FEEDBACK = 'knowledge_feedback';
const ADMIN = 'knowledge_admin';

interface Envelope {
  success: boolean;
  // Each operation has its own.
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it by what it asked for
  result: any;
  error: string | null;
  error_code: string | null;
}

async function ask(client: ContractClient, tool: string, args: Record<string, unknown>): Promise<Envelope> {
  const { text, isError, structured } = await client.call(tool, args);
  assert.deepEqual(structured, JSON.parse(text));
  const envelope = structured as Envelope;
  assert.equal(isError, envelope.error !== null, text);
  return envelope;
}

async function use(client: ContractClient, tool: string, args: Record<string, unknown>) {
  const envelope = await ask(client, tool, args);
  assert.equal(envelope.success, true, `${tool} ${args.operation}: ${envelope.error}`);
  return envelope.result;
}

describe('learning, from outside', function () {
  this.timeout(180_000);
  let stores: Stores;

  beforeEach(() => {
    stores = temporaryStores();
  });
  afterEach(() => stores.remove());

  function run(args: string[], expected = 0): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args, ...stores.flags], {
      encoding: 'utf8',
    });
    assert.equal(status, expected, `${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  /** Two templates that say the same, from two projects. */
  async function twoTemplates(client: ContractClient): Promise<[string, string]> {
    const ids: string[] = [];
    for (const name of ['Alpha', 'Beta']) {
      const project = { name: `${name} project`, project_type: 'migration', tasks: [{ name: 'Move the data' }] };
      const { project_id } = await use(client, PLANNING, { operation: 'capture_project', project });
      const template = { operation: 'capture_template', project_id, template_name: `${name} project template` };
      ids.push((await use(client, PLANNING, template)).template_id);
    }
    return ids as [string, string];
  }

  // The oldest protocol that is served, and the newest.
  for (const { name, connect } of [CLIENTS[0]!, CLIENTS.at(-1)!]) {
    it(`moves what worked to the top: the learning loop of seed 003, 10.2 (${name})`, async () => {
      const client = await connect([...stores.flags, '--toolsets', 'workflows,learning']);
      try {
        const [, beta] = await twoTemplates(client);
        const found = async () => {
          const asked = {
            operation: 'find_templates',
            project_type: 'migration',
            project_description: 'project template',
          };
          return (await use(client, PLANNING, asked)).results as { id: string; effectiveness_score: number }[];
        };
        const [first, second] = await found();
        assert.equal(first?.effectiveness_score, second?.effectiveness_score);
        // Whichever comes second by its words alone is the one that serves.
        const [good, bad] = [second!.id, first!.id];
        assert.ok([good, bad].includes(beta));
        for (const [template, rating, outcome_type] of [
          [good, 0.9, 'project_success'],
          [bad, 0.3, 'project_failure'],
        ] as const) {
          const project = { name: `Made from ${template}`, source_template_id: template };
          const { project_id } = await use(client, PLANNING, { operation: 'capture_project', project });
          const said = { artifact_id: project_id, artifact_type: 'project' };
          const given = await use(client, FEEDBACK, { operation: 'report_outcome', ...said, outcome_type, rating });
          assert.deepEqual(given.propagation.propagated_to, [`knowledge://learning/template/${template}`]);
          await use(client, FEEDBACK, { operation: 'rate', ...said, rating });
        }
        const after = (await found()).filter(({ id }) => [good, bad].includes(id));
        assert.deepEqual(
          after.map(({ id }) => id),
          [good, bad],
        );
        assert.ok(after[0]!.effectiveness_score > after[1]!.effectiveness_score);
      } finally {
        await client.close();
      }
    });
  }

  it('takes every kind of feedback, and lets a person recompute the score', async () => {
    const client = await CLIENTS[0]!.connect([...stores.flags, '--toolsets', 'workflows,learning']);
    try {
      const [template] = await twoTemplates(client);
      const on = { artifact_id: template, artifact_type: 'template', usage_context: 'Moving a shop' };
      for (const said of [
        { operation: 'rate', helpful: true },
        { operation: 'rate_specific', aspect_ratings: { relevance: 0.8, usefulness: 1 } },
        {
          operation: 'report_outcome',
          outcome_type: 'estimates_inaccurate',
          outcome_details: { estimate_delta_percent: 40 },
        },
        { operation: 'suggest_improvement', suggestions: ['Say who decides.'], missing_elements: ['A rollback'] },
      ]) {
        const given = await use(client, FEEDBACK, { ...on, ...said });
        assert.match(given.feedback_id, /^fb-/);
        assert.ok(given.message);
      }
      const { score, samples, steps } = await use(client, ADMIN, {
        operation: 'scores_explain',
        artifact_id: template,
      });
      const weights = { relevance: 0.15, effectiveness: 0.3, accuracy: 0.2, completeness: 0.15, user_rating: 0.2 };
      const raw = Object.entries(weights).reduce((sum, [factor, weight]) => {
        const own = samples.filter((sample: { factor: string }) => sample.factor === factor);
        const total = own.reduce(
          (all: number, each: { weight: number; times: number }) => all + each.weight * each.times,
          0,
        );
        const mean = own.reduce(
          (all: number, each: { value: number; weight: number; times: number }) =>
            all + each.value * each.weight * each.times,
          0,
        );
        return sum + weight * (total > 0 ? mean / total : 0.5);
      }, 0);
      assert.ok(Math.abs(raw - score.raw_score) < 1e-6, `${raw} is ${score.raw_score}: ${steps.join('; ')}`);
      const viewed = await use(client, ADMIN, { operation: 'scores_view' });
      assert.equal(viewed.results[0].artifact_id, `knowledge://learning/template/${template}`);
      assert.deepEqual((await use(client, ADMIN, { operation: 'scores_recalculate' })).changed, []);
      for (const operation of ['rate', 'rate_specific', 'report_outcome', 'suggest_improvement']) {
        const { error, error_code } = await ask(client, FEEDBACK, { operation, ...on });
        assert.equal(error_code, 'invalid_argument');
        assert.match(error ?? '', new RegExp(`^${operation} needs `));
      }
    } finally {
      await client.close();
    }
  });

  it('reports, looks again, and moves what was learned to a file and back', async () => {
    const workspace = realpathSync.native(mkdtempSync(path.join(tmpdir(), 'kaizen-contract-learning-')));
    const client = await CLIENTS[0]!.connect([
      ...stores.flags,
      ...['--workspace', workspace, '--library', path.join(workspace, '.library')],
      ...['--toolsets', 'workflows,learning'],
    ]);
    try {
      const [template] = await twoTemplates(client);
      await use(client, FEEDBACK, {
        operation: 'rate',
        artifact_id: template,
        artifact_type: 'template',
        helpful: true,
      });
      const problem_description = 'Nobody has ever captured xylophones';
      await use(client, 'knowledge_rcca_support', { operation: 'find_similar', problem_description });

      const { status, learning, recommendations } = await use(client, ADMIN, { operation: 'health_report' });
      assert.ok(['healthy', 'attention', 'problems'].includes(status), status);
      assert.ok(learning && Array.isArray(recommendations));
      const { unanswered } = await use(client, ADMIN, { operation: 'usage_analytics' });
      assert.deepEqual(
        unanswered.map(({ query }: { query: string }) => query),
        [problem_description],
      );
      const { documents, scores } = await use(client, ADMIN, { operation: 'stale_content', max_age_days: 1 });
      assert.deepEqual([documents, scores], [[], []]);
      const { checked, failed } = await use(client, ADMIN, { operation: 'refresh_web' });
      assert.deepEqual([checked, failed], [0, 0]);

      for (const format of ['json', 'parquet']) {
        const file = { path: `learned.${format}` };
        const exported = await use(client, ADMIN, { operation: 'export', format, include_personal: true, ...file });
        assert.ok(exported.counts.templates === 2, JSON.stringify(exported.counts));
        const { counts } = await use(client, ADMIN, { operation: 'import', ...file });
        assert.deepEqual([counts.added, counts.updated, counts.feedback], [0, 0, 0]);
      }
      for (const [operation, needed] of [
        ['export', 'path'],
        ['import', 'path'],
        ['scores_explain', 'artifact_id'],
      ]) {
        const { error, error_code } = await ask(client, ADMIN, { operation });
        assert.equal(error_code, 'invalid_argument');
        assert.match(error ?? '', new RegExp(`^${operation} needs ${needed}`));
      }
    } finally {
      await client.close();
      rmSync(workspace, { recursive: true, force: true, maxRetries: 3 });
    }
  });

  it('waits for a person where agents’ writes are reviewed', async () => {
    const flags = [...stores.flags, '--toolsets', 'workflows,learning'];
    const client = await CLIENTS[0]!.connect([...flags, '--agent-writes', 'review']);
    try {
      const lesson = { title: 'Ask first', lesson: 'Ask whoever runs the gateway.' };
      const held = await ask(client, PLANNING, { operation: 'capture_lesson', lesson });
      assert.deepEqual([held.success, held.error, held.result.status], [false, null, 'pending']);
      assert.match(run(['review', '--show', '1']), /capture the lesson Ask first[\s\S]*Ask whoever runs the gateway\./);
      run(['review', '--accept', '1']);
      const found = await use(client, 'knowledge_rcca_support', {
        operation: 'find_similar',
        problem_description: 'Nobody asked whoever runs the gateway.',
      });
      const { uri } = found.results.find(({ title }: { title: string }) => title === 'Ask first');
      const rating = { operation: 'rate', artifact_id: uri, artifact_type: 'chunk', rating: 0.9 };
      await ask(client, FEEDBACK, rating);
      assert.match(run(['review']), /feedback on Ask first/);
      run(['review', '--accept', '2']);
      const viewed = await use(client, ADMIN, { operation: 'scores_view' });
      assert.deepEqual(
        viewed.results.map(({ artifact_id }: { artifact_id: string }) => artifact_id),
        [uri],
      );
    } finally {
      await client.close();
    }
  });
});
