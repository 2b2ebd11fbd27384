import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { entryUri } from '../../src/core/knowledge-uri';
import { resolveToolsets, Surface } from '../../src/mcp';
import { type Hall, type HallOptions, useHalls } from '../support/hall';

const ADA = { author: 'Ada' };
const TASK = { task_description: 'feeding penguins with herring' };
const uriOf = (keyword: string) => entryUri({ scope_id: 'general', category: 'zoo', keyword });

describe('What was learned, in retrieval', () => {
  const open = useHalls();

  async function hallWith(keywords: readonly string[], options: HallOptions = {}): Promise<Hall> {
    const hall = await open({ countReads: true, ...options });
    await hall.define('general', 'GENERAL');
    for (const keyword of keywords) {
      await hall.put('general', 'zoo', keyword, `${keyword}: feeding penguins is done with herring, by ${keyword}.`);
    }
    for (const other of ['volcanoes', 'harpsichords', 'glaciers', 'typography', 'railways', 'comets']) {
      await hall.put('general', 'other', other, `All about ${other} and more of it.`);
    }
    return hall;
  }

  async function discovered(hall: Hall) {
    const { recommendations } = await hall.discovery.discover({ ...TASK, max_results: 20 });
    return new Map(recommendations.map((each) => [each.title.split(': ').at(-1)!, each]));
  }

  async function rate(hall: Hall, keyword: string, helpful: boolean, times = 1): Promise<void> {
    for (let at = 0; at < times; at++) {
      const artifact_id = uriOf(keyword);
      await hall.learning.feedback({ operation: 'rate', artifact_id, artifact_type: 'chunk', helpful }, ADA);
    }
  }

  it('raises gently what helped before and lowers what did not, and says so', async () => {
    const hall = await hallWith(['one', 'two', 'three']);
    const before = await discovered(hall);
    const score = (found: typeof before, keyword: string) =>
      [...found].find(([title]) => title.includes(keyword))![1].relevance_score;
    const reason = (found: typeof before, keyword: string) =>
      [...found].find(([title]) => title.includes(keyword))![1].reason;
    await rate(hall, 'two', true, 12);
    await rate(hall, 'three', false, 12);
    for (const outcome_type of ['project_failure', 'risks_missed', 'estimates_inaccurate'] as const) {
      const artifact_id = uriOf('three');
      await hall.learning.feedback(
        { operation: 'report_outcome', artifact_id, artifact_type: 'chunk', outcome_type },
        ADA,
      );
    }
    const after = await discovered(hall);
    assert.equal(score(after, 'one'), score(before, 'one'));
    assert.ok(score(after, 'two') > score(before, 'two'));
    assert.ok(score(after, 'three') < score(before, 'three'));
    assert.match(reason(after, 'two'), /helped before: 0\.60 from 12 ratings/);
    assert.match(reason(after, 'three'), /helped little before: 0\.\d\d from 15 ratings/);
    hall.learning.useSettings({ score_effectiveness_weight: 0 });
    const off = await discovered(hall);
    for (const keyword of ['one', 'two', 'three']) assert.equal(score(off, keyword), score(before, keyword));
  });

  it('never lowers a rule with a risk', async () => {
    const hall = await hallWith(['one', 'two']);
    await hall.put('general', 'zoo', 'frozen', 'WARNING: feeding penguins with frozen herring kills them.');
    const warned = async () => (await hall.discovery.discover(TASK)).warnings.map(({ relevance_score: s }) => s);
    const before = await warned();
    assert.equal(before.length, 1);
    await rate(hall, 'frozen', false, 20);
    for (let at = 0; at < 10; at++) {
      const artifact_id = uriOf('frozen');
      const aspect_ratings = { relevance: 0, completeness: 0, accuracy: 0, usefulness: 0 };
      await hall.learning.feedback(
        { operation: 'rate_specific', artifact_id, artifact_type: 'chunk', aspect_ratings },
        ADA,
      );
    }
    assert.equal(hall.learning.effectivenessOf(uriOf('frozen')).level, 'poor');
    assert.deepEqual(await warned(), before);
  });

  it('counts what agents are given and what they ask, whatever they ask it with', async () => {
    const workspace = path.join((await open()).data, 'workspace');
    mkdirSync(workspace, { recursive: true });
    const hall = await hallWith(['one'], { workspace });
    writeFileSync(path.join(workspace, 'pumps.md'), '# Pumps\n\nThe pump shall stop when the valve closes.\n');
    await hall.library.ingest({ source: 'pumps.md' }, ADA);
    const surface = new Surface({ kaizen: hall.kaizen, toolsets: resolveToolsets('all') });
    const [left, right] = InMemoryTransport.createLinkedPair();
    await surface.connect().connect(right);
    const client = new Client({ name: 'Scripted Agent', version: '1' });
    await client.connect(left);
    const call = (name: string, args: object) => client.callTool({ name, arguments: { ...args } });
    await call('knowledge_search', { query: 'when does the pump stop' });
    await call('knowledge_search', { query: 'quantum chromodynamics' });
    await call('discover_context', TASK);
    await call('search_knowledge', { query: 'penguins herring' });
    await call('get_knowledge', { scope_id: 'general', keywords: ['one'] });
    await call('retrieve_knowledge', { ids: [uriOf('one')] });
    await client.close();
    await hall.learning.flush();
    const asked = hall.learning.queries().map(({ tool, query, unanswered }) => [tool, query, unanswered]);
    assert.deepEqual(asked.sort(), [
      ['discover_context', TASK.task_description, 0],
      ['knowledge_search', 'quantum chromodynamics', 1],
      ['knowledge_search', 'when does the pump stop', 0],
      ['search_knowledge', 'penguins herring', 0],
    ]);
    const uses = new Map(hall.learning.uses().map(({ artifact, retrieved }) => [artifact, retrieved]));
    assert.equal(uses.get(uriOf('one')), 4);
    assert.ok([...uses.keys()].some((artifact) => artifact.startsWith('knowledge://library/pumps-')));
    assert.equal(hall.learning.scoreOf(uriOf('one')).times_retrieved, 4);
  });

  it('ranks the library, whose passages are rated by their bare ids as well', async () => {
    const workspace = path.join((await open()).data, 'workspace');
    mkdirSync(workspace, { recursive: true });
    const hall = await hallWith([], { workspace });
    for (const at of [1, 2, 3, 4]) {
      const text = `# Pump ${at}\n\nThe pump shall stop when valve ${at} closes, says part ${at}.\n`;
      writeFileSync(path.join(workspace, `pump-${at}.md`), text);
      await hall.library.ingest({ source: `pump-${at}.md` }, ADA);
    }
    const search = async () => (await hall.library.search({ query: 'when does the pump stop' })).results;
    const [first, ...others] = await search();
    assert.ok(Math.abs(first!.combined_score - (first!.semantic_score * 0.7 + 0.5 * 0.3)) < 1e-9);
    const last = others.at(-1)!;
    const outcome = { operation: 'report_outcome', artifact_type: 'chunk', outcome_type: 'project_success' } as const;
    const { artifact } = await hall.learning.feedback({ ...outcome, artifact_id: last.id }, ADA);
    assert.equal(artifact, last.uri);
    const [best] = await search();
    assert.equal(best!.uri, last.uri);
    assert.ok(Math.abs(best!.combined_score - (best!.semantic_score * 0.7 + 0.65 * 1.2 * 0.3)) < 1e-9);
    const stats = await hall.library.stats({ scores: true });
    assert.deepEqual(stats.score_distribution, {
      ...{ highly_effective: 0, effective: 1, moderate: stats.chunks - 1, limited: 0, poor: 0 },
    });
    const listed = (await hall.library.sources({ sort_by: 'score' }))[0]!;
    assert.equal(listed.document_id, last.chunk.document_id);
    assert.ok(Math.abs(listed.score - 0.65) < 1e-9);
    await assert.rejects(
      hall.learning.feedback({ ...outcome, artifact_id: 'knowledge://scopes/general/zoo/none' }, ADA),
      { name: 'KaizenError', code: 'unknown_artifact' },
    );
  });

  it('follows a rule that is moved', async () => {
    const hall = await hallWith(['one']);
    await rate(hall, 'one', true);
    const place = { scope_id: 'general', category: 'zoo' };
    await hall.knowledge.move({ ...place, keyword: 'one' }, { ...place, keyword: 'first' }, ADA);
    while (hall.learning.effectivenessOf(uriOf('first')).ratings === 0) await sleep(10);
    assert.equal(hall.learning.effectivenessOf(uriOf('first')).ratings, 1);
    assert.equal(hall.learning.effectivenessOf(uriOf('one')).ratings, 0);
  });
});
