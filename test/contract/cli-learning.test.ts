import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  HealthReport,
  LearnedRecords,
  LearningRevision,
  LearningWritten,
  RecordHit,
  ScoreExplanation,
  StaleContent,
} from '../../src/learning';
import { type Stores, temporaryStores } from './support/kaizen-process';

const CLI = path.resolve('dist/cli.js');

describe('kaizen learn', function () {
  this.timeout(120_000);
  let stores: Stores;
  let folder: string;

  beforeEach(() => {
    stores = temporaryStores();
    folder = mkdtempSync(path.join(tmpdir(), 'kaizen-contract-learn-'));
  });
  afterEach(() => {
    stores.remove();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  function run(args: string[], expected = 0): { stdout: string; stderr: string } {
    const all = [CLI, 'learn', ...args, ...stores.flags, '--workspace', folder];
    const { status, stdout, stderr } = spawnSync(process.execPath, all, { cwd: folder, encoding: 'utf8' });
    assert.equal(status, expected, `${args.join(' ')}: ${stdout}${stderr}`);
    assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+\)?$/m, 'no stack trace is shown to a person');
    return { stdout, stderr };
  }

  function json<Result>(...args: string[]): Result {
    return JSON.parse(run([...args, '--json']).stdout) as Result;
  }

  it('follows a project from its plan to a template', () => {
    const plan = ['--type', 'service', '--task', 'Design', '--task', 'Build', '--days', '10', '--risk', 'The gateway.'];
    const added = json<LearningWritten<'project'>>('project', 'add', 'Payment service', ...plan);
    const { id } = added.record;
    assert.deepEqual(
      [added.record.status, added.record.tasks.map(({ name }) => name), added.record.estimated_duration_days],
      ['planning', ['Design', 'Build'], 10],
    );
    assert.match(run(['project', 'reopen', id], 1).stderr, /activate/);
    assert.match(
      run(['project', 'activate', id]).stdout,
      /^Payment service {2}proj-payment-service-\S+ {2}active, service/,
    );
    assert.match(run(['project', 'abandon', id], 2).stderr, /--why is missing/);
    const outcome = ['--outcome', 'partial', '--rating', '0.8', '--summary', 'It works.', '--lesson', 'Ask first.'];
    assert.match(run(['project', 'complete', id, ...outcome]).stderr, /with 1 lesson/);
    assert.match(run(['project', 'show', id]).stdout, /^# Payment service[\s\S]*It works\.[\s\S]*Ask first\./);
    assert.equal(json<unknown[]>('project', '--state', 'completed').length, 1);
    assert.equal(json<unknown[]>('project', '--state', 'active').length, 0);
    assert.equal(json<LearnedRecords['lesson'][]>('lesson')[0]?.project_id, id);

    const made = json<LearningWritten<'template'>>('template', 'make', id, 'A service');
    assert.deepEqual(made.record.abstracted_from_project_ids, [id]);
    assert.match(run(['template']).stdout, /A service {2}tmpl-a-service-\S+ {2}service, 2 tasks/);
  });

  it('captures lessons, decisions and patterns, finds them, and takes them back', () => {
    run(['lesson', 'add', 'Ask first', '--lesson', 'Ask whoever runs the gateway.']);
    assert.match(run(['lesson', 'add', 'Ask first'], 2).stderr, /--lesson is missing/);
    run([
      'decision',
      'add',
      'Use a queue',
      '--decision',
      'Payments go through a queue.',
      '--alternative',
      'Direct calls',
    ]);
    const file = path.join(folder, 'pattern.json');
    const pattern = { pattern_type: 'antipattern', domain: 'integration', description: 'All at once.' };
    writeFileSync(file, JSON.stringify({ name: 'Big bang', ...pattern, indicators: ['One date for everything.'] }));
    const added = json<LearningWritten<'pattern'>>('pattern', 'add', '--from', file, '--severity', 'high');
    assert.deepEqual([added.record.name, added.record.severity], ['Big bang', 'high']);
    writeFileSync(file, JSON.stringify({ name: 5, ...pattern, indicators: 'none' }));
    assert.match(run(['pattern', 'add', '--from', file], 2).stderr, /does not have the form/);
    writeFileSync(file, '[]');
    assert.match(run(['pattern', 'add', 'X', '--from', file], 2).stderr, /no JSON object/);

    const [hit] = json<RecordHit[]>('search', 'queue for payments', '--kind', 'decision');
    assert.equal(hit?.kind, 'decision');
    assert.match(run(['search', 'x', '--kind', 'idea'], 2).stderr, /--kind takes project/);

    const changes = json<LearningRevision[]>('changes');
    assert.deepEqual(
      changes.map(({ operation }) => operation),
      ['capture_pattern', 'capture_decision', 'capture_lesson'],
    );
    run(['undo', String(changes[2]!.revision)]);
    assert.deepEqual(json('lesson'), []);
    assert.match(run(['undo', '999'], 1).stderr, /999/);
    assert.match(run(['lesson', 'show', 'less-no'], 1).stderr, /no lesson "less-no"/);
    run(['decision', 'delete', hit!.id]);
    assert.deepEqual(json('decision'), []);
  });

  it('takes feedback, and shows how a score comes about', () => {
    const { record } = json<LearningWritten<'project'>>('project', 'add', 'Shop');
    assert.match(run(['feedback', record.id, '--rating', '1']).stdout, /0\.50 → 0\.60/);
    run(['feedback', record.id, '--outcome', 'estimates_inaccurate', '--delta', '40']);
    run(['feedback', record.id, '--relevance', '0.8']);
    run(['feedback', record.id, '--suggest', 'Say who decides.']);
    assert.match(run(['feedback', record.id], 2).stderr, /Say how it served/);
    assert.match(run(['feedback', record.id, '--helpful', '--relevance', '1'], 2).stderr, /do not go together/);
    assert.match(run(['feedback', 'nothing', '--helpful'], 1).stderr, /nothing with the id/);
    const { score, steps } = json<ScoreExplanation>('score', record.id);
    assert.equal(score.times_feedback_received, 4);
    assert.ok(
      steps.some((step) => step.startsWith('accuracy = (0.6 × 1)')),
      steps.join('\n'),
    );
    assert.match(run(['score']).stdout, /★.*from 4 ratings, 0 uses/);
    assert.match(run(['report']).stdout, /^1 project, 0 templates, \d+ patterns/);
    const inaccurate = ['feedback', record.id, '--outcome', 'estimates_inaccurate'];
    assert.match(run([...inaccurate, '--delta', '-40'], 2).stderr, /--delta=-/);
    run([...inaccurate, '--delta=-40']);
    assert.equal(json<ScoreExplanation>('score', record.id).score.factors.accuracy.score, 0.6);
  });

  it('says how all knowledge is, and what nobody has looked at for long', () => {
    assert.match(run(['health']).stdout, /^healthy\nlibrary .*\nknowledge +0 entries in 0 scopes\n/);
    const { record } = json<LearningWritten<'project'>>('project', 'add', 'Shop');
    run(['project', 'complete', record.id]);
    const report = json<HealthReport>('health');
    assert.deepEqual([report.status, report.learning.project], ['attention', 1]);
    const { stdout } = run(['health']);
    assert.match(stdout, /^attention\n[\s\S]*1 project is over[\s\S]*What to do\n1\. Capture what came of projects/);
    assert.match(run(['health', 'x'], 2).stderr, /one word too many/);

    const { counts, max_age_days } = json<StaleContent>('stale', '--days', '30');
    const none = { documents: 0, entries: 0, nodes: 0, notes: 0, scores: 0 };
    assert.deepEqual([counts, max_age_days], [none, 30]);
    mkdirSync(path.join(folder, '.ai', 'knowledge'), { recursive: true });
    const old =
      '---\nzettel_id: pumps\ntitle: Pumps\nentry_type: pattern\nupdated_at: 2020-01-01\n---\n\nPrime them.\n';
    writeFileSync(path.join(folder, '.ai', 'knowledge', 'pumps.md'), old);
    const { stdout: listed, stderr } = run(['stale']);
    assert.match(listed, /^Notes\n\d+ days {2}Pumps {2}\w+ 2020-01-01 {2}knowledge:\/\/notes\/project\/pumps$/m);
    assert.match(stderr, /Older than 365 days: 0 documents, 0 entries, 0 nodes, 1 note, 0 scores\./);
    assert.match(run(['stale', '--days', '0'], 2).stderr, /--days needs a number from 1 to 36500/);
  });

  it('replaces an earlier export, and nothing else unless told to', () => {
    const mine = path.join(folder, 'AGENTS.md');
    writeFileSync(mine, '# Mine\n');
    for (const options of [[], ['--parquet']]) {
      assert.match(run(['export', mine, ...options], 1).stderr, /AGENTS\.md is there already.*\n.*--overwrite/);
      assert.equal(readFileSync(mine, 'utf8'), '# Mine\n');
    }
    run(['export', mine, '--parquet', '--overwrite']);
    assert.match(run(['export', mine, '--parquet'], 1).stderr, /is there already/);
    const file = path.join(folder, 'learned.json');
    run(['export', file]);
    run(['project', 'add', 'Shop']);
    run(['export', file, '--personal']);
    assert.match(readFileSync(file, 'utf8'), /"Shop"/);
  });

  it('says which actions there are', () => {
    assert.match(run(['project', 'fly'], 2).stderr, /Known are: list, show, delete, add/);
    assert.match(run(['dream'], 2).stderr, /no command learn dream/);
  });
});
