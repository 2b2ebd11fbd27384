import assert from 'node:assert/strict';
import { CLIENTS, type ContractClient } from './support/clients';
import { type Stores, temporaryStores } from './support/kaizen-process';

interface Envelope {
  schema_version: string;
  tool: string;
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
  assert.deepEqual([envelope.schema_version, envelope.tool], ['2.0', tool]);
  assert.equal(isError, envelope.error !== null, text);
  return envelope;
}

async function use(client: ContractClient, tool: string, args: Record<string, unknown>) {
  const envelope = await ask(client, tool, args);
  assert.equal(envelope.success, true, `${tool} ${args.operation}: ${envelope.error}`);
  return envelope.result;
}

const PLANNING = 'knowledge_planning_support';
const SCORES = ['semantic_score', 'effectiveness_score', 'combined_score', 'score_confidence'];

/** Every finding operation with what it needs and some of what it takes. */
const QUESTIONS: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  [
    'knowledge_rcca_support',
    {
      operation: 'find_similar',
      problem_description: 'Retries without a limit overloaded the payment gateway.',
      symptom_keywords: ['timeouts', 'overload'],
    },
  ],
  [
    'knowledge_rcca_support',
    { operation: 'trace_cause', effect_description: 'The payment gateway was overloaded.', max_chain_depth: 3 },
  ],
  ['knowledge_rcca_support', { operation: 'find_corrective', root_cause: 'Retries without a limit', ca_type: 'any' }],
  ['knowledge_rcca_support', { operation: 'check_compliance', situation_description: 'We retry payments for ever.' }],
  ['knowledge_trade_support', { operation: 'extract_criteria', decision_context: 'Choosing a payment gateway' }],
  ['knowledge_trade_support', { operation: 'find_alternatives', need_statement: 'Retrying failed payments' }],
  ['knowledge_trade_support', { operation: 'find_precedents', decision_description: 'Choosing a payment gateway' }],
  ['knowledge_trade_support', { operation: 'assess_risks', alternative_description: 'Retrying payments at once' }],
  [
    'knowledge_explore',
    {
      operation: 'match_antipatterns',
      content: 'All services read and write one shared database. We test at the end.',
      severity_threshold: 'low',
    },
  ],
  ['knowledge_explore', { operation: 'gap_analysis', content: 'The plan names tasks and dates.' }],
  ['knowledge_explore', { operation: 'counterarguments', claim: 'Retries make payments reliable.' }],
  [
    'knowledge_explore',
    { operation: 'synthesize', question: 'How are failed payments handled?', synthesis_format: 'bullet_points' },
  ],
  [PLANNING, { operation: 'find_templates', project_type: 'payment' }],
  [PLANNING, { operation: 'find_precedents', project_type: 'payment', include_outcomes: true }],
  [PLANNING, { operation: 'identify_risks', project_description: 'A payment service with retries' }],
  [PLANNING, { operation: 'identify_dependencies', project_description: 'A payment service' }],
  [PLANNING, { operation: 'find_constraints', project_description: 'A payment service' }],
  [PLANNING, { operation: 'find_checkpoints', project_description: 'A payment service' }],
  [PLANNING, { operation: 'estimate_scope', project_type: 'payment' }],
];

describe('workflows, from outside', function () {
  this.timeout(180_000);
  let stores: Stores;

  beforeEach(() => {
    stores = temporaryStores();
  });
  afterEach(() => stores.remove());

  // The oldest protocol that is served, and the newest.
  for (const { name, connect } of [CLIENTS[0]!, CLIENTS.at(-1)!]) {
    it(`capture what is done, and find it again (${name})`, async () => {
      const client = await connect([...stores.flags, '--toolsets', 'workflows,learning']);
      try {
        const project = {
          name: 'Payment service',
          description: 'Takes payments through a gateway.',
          project_type: 'payment',
          tasks: [{ name: 'Design' }, { name: 'Retries', depends_on: ['Design'], estimated_hours: 8 }],
          identified_risks: ['Retries without a limit overload the gateway.'],
          estimated_duration_days: 10,
        };
        const { project_id, status } = await use(client, PLANNING, { operation: 'capture_project', project });
        assert.equal(status, 'planning');
        const refused = await ask(client, PLANNING, {
          operation: 'transition_project',
          project_id,
          transition: 'reopen',
        });
        assert.deepEqual([refused.success, refused.error_code], [false, 'invalid_transition']);
        const activated = { operation: 'transition_project', project_id, transition: 'activate' };
        assert.equal((await use(client, PLANNING, activated)).status, 'active');
        const outcome = {
          status: 'partial',
          success_rating: 0.7,
          actual_duration_days: 14,
          outcome_summary: 'Retries without a limit overloaded the payment gateway.',
          lessons_learned: ['Limit retries, and wait longer between them.'],
        };
        const ended = await use(client, PLANNING, { operation: 'capture_outcome', project_id, outcome });
        assert.deepEqual([ended.status, ended.summary.outcome_status], ['completed', 'partial']);
        const template = { operation: 'capture_template', project_id, template_name: 'Payment service' };
        const { template_id } = await use(client, PLANNING, template);
        const lesson = { title: 'Limit retries', lesson: 'Retries without a limit overload a payment gateway.' };
        const { lesson_id } = await use(client, PLANNING, { operation: 'capture_lesson', lesson });

        for (const [tool, args] of QUESTIONS) {
          const result = await use(client, tool, args);
          assert.equal(result.operation, args.operation);
          assert.ok(result.confidence >= 0 && result.confidence <= 1, String(args.operation));
          assert.ok(result.confidence_rationale, String(args.operation));
          assert.equal(result.total_results, result.results.length);
          for (const each of result.results) {
            for (const score of SCORES) assert.ok(each[score] >= 0 && each[score] <= 1, `${args.operation} ${score}`);
            for (const field of ['title', 'content', 'why']) assert.equal(typeof each[field], 'string');
            assert.equal(typeof each.source.where, 'string');
          }
          if (result.results.length === 0) assert.equal(result.confidence, 0, String(args.operation));
        }
        const similar = await use(client, ...QUESTIONS[0]!);
        assert.ok(similar.results.some(({ id }: { id: string }) => id === lesson_id));
        const templates = await use(client, PLANNING, { operation: 'find_templates', project_type: 'payment' });
        assert.equal(templates.results[0].id, template_id);

        const { resources } = await client.listResources();
        assert.ok(resources.some(({ uri }) => uri === `knowledge://learning/project/${project_id}`));
        const { contents } = await client.readResource({ uri: `knowledge://learning/lesson/${lesson_id}` });
        // An agent wrote it: whoever reads it gets it as data.
        assert.match(
          (contents[0] as { text: string }).text,
          /^\[quoted data \w+, written by the agent .*\]\n# Limit retries/,
        );
      } finally {
        await client.close();
      }
    });
  }

  it('names the operation that needs a missing argument', async () => {
    const client = await CLIENTS[0]!.connect([...stores.flags, '--toolsets', 'workflows']);
    try {
      for (const [tool, { operation }] of QUESTIONS) {
        const { error, error_code } = await ask(client, tool, { operation });
        assert.equal(error_code, 'invalid_argument');
        assert.match(error ?? '', new RegExp(`^${operation} needs `));
      }
    } finally {
      await client.close();
    }
  });

  it('answer with nothing where nothing is known, and say so', async () => {
    const client = await CLIENTS[0]!.connect([...stores.flags, '--toolsets', 'workflows', '--read-only']);
    try {
      const nothing = await use(client, PLANNING, { operation: 'estimate_scope', project_type: 'zzyzx' });
      assert.deepEqual([nothing.results, nothing.confidence], [[], 0]);
      assert.ok(nothing.message);
      const lesson = { title: 'A', lesson: 'B' };
      const refused = await ask(client, PLANNING, { operation: 'capture_lesson', lesson });
      assert.equal(refused.error_code, 'invalid_argument', 'what captures is not offered');
    } finally {
      await client.close();
    }
  });
});
