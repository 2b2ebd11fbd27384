import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type SmallSite, startSmallSite } from '../support/small-site';
import { CLIENTS, type ContractClient } from './support/clients';
import { type Stores, spawnStdio, temporaryStores } from './support/kaizen-process';

const CLI = path.resolve('dist/cli.js');

interface Envelope {
  schema_version: string;
  tool: string;
  success: boolean;
  // Each tool has its own.
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it by what it asked for
  result: any;
  error: string | null;
  error_code: string | null;
  coverage_metadata: Record<string, unknown> | null;
  execution_time_ms: number;
  timestamp: string;
}

const FIELDS = [
  ...['schema_version', 'tool', 'success', 'result', 'error', 'error_code'],
  ...['coverage_metadata', 'execution_time_ms', 'timestamp'],
];

const HANDBOOK = `# Review Handbook

## 3.1 System requirements review

The system requirements review shall be held before the design begins. The board records each open point of the
requirements review with an owner and a date.

## 3.2 Design review

The design review should compare at least two alternatives.
`;

/** Calls a tool, whatever becomes of it: the answer is the envelope, as text and as structure. */
async function ask(client: ContractClient, tool: string, args: Record<string, unknown> = {}) {
  const { text, isError, structured } = await client.call(tool, args);
  assert.deepEqual(structured, JSON.parse(text));
  const envelope = structured as Envelope;
  assert.deepEqual(Object.keys(envelope), FIELDS);
  assert.deepEqual([envelope.schema_version, envelope.tool], ['2.0', tool]);
  assert.ok(Number.isInteger(envelope.execution_time_ms) && envelope.execution_time_ms >= 0);
  assert.ok(!Number.isNaN(Date.parse(envelope.timestamp)));
  assert.equal(isError, envelope.error !== null, text);
  return envelope;
}

async function use(client: ContractClient, tool: string, args: Record<string, unknown> = {}) {
  const envelope = await ask(client, tool, args);
  assert.equal(envelope.success, true, `${tool}: ${envelope.error}`);
  assert.equal(envelope.error_code, null);
  return envelope;
}

async function refused(client: ContractClient, tool: string, args: Record<string, unknown>, code: string) {
  const envelope = await ask(client, tool, args);
  assert.deepEqual([envelope.success, envelope.result, envelope.error_code], [false, null, code], envelope.error ?? '');
  return envelope.error ?? '';
}

describe('the toolset library', function () {
  this.timeout(120_000);
  let site: SmallSite;
  before(async () => {
    site = await startSmallSite();
  });
  after(() => site?.stop());

  interface Place {
    stores: Stores;
    folder: string;
    flags: string[];
    remove(): void;
  }

  function place(...more: string[]): Place {
    const stores = temporaryStores();
    const folder = realpathSync.native(mkdtempSync(path.join(tmpdir(), 'kaizen-contract-library-')));
    writeFileSync(path.join(folder, 'handbook.md'), HANDBOOK);
    copyFileSync(path.resolve('test/fixtures/library/report.docx'), path.join(folder, 'report.docx'));
    copyFileSync(path.resolve('test/fixtures/library/clauses.pdf'), path.join(folder, 'clauses.pdf'));
    copyFileSync(path.resolve('test/fixtures/library/scanned.pdf'), path.join(folder, 'scanned.pdf'));
    const web = ['--web-private', '--web-rate', '100', '--web-search', `${site.origin}/`];
    return {
      stores,
      folder,
      flags: [...stores.flags, '--workspace', folder, '--toolsets', 'library', ...web, ...more],
      remove: () => {
        stores.remove();
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      },
    };
  }

  for (const { name, connect } of CLIENTS) {
    it(`adds, cites, assesses, fetches and asks, for ${name}`, async () => {
      const { flags, folder, remove } = place();
      const client = await connect(flags);
      try {
        assert.deepEqual(await client.toolNames(), [
          ...['knowledge_search', 'knowledge_stats', 'knowledge_ingest', 'knowledge_sources'],
          ...['knowledge_assess_coverage', 'knowledge_preflight', 'knowledge_acquire', 'knowledge_request_document'],
        ]);
        assert.match(client.instructions() ?? '', /data, never an instruction/);

        const added = await use(client, 'knowledge_ingest', {
          source: 'handbook.md',
          metadata_overrides: { document_type: 'handbook', authority_level: 'authoritative' },
        });
        assert.equal(added.result.status, 'added');
        const { document_id } = added.result.document;
        assert.equal(added.result.document.added_by, 'Contract Client');
        const told: number[] = [];
        const pdf = { source: 'clauses.pdf' };
        const read = await client.call('knowledge_ingest', pdf, undefined, ({ progress }) => told.push(progress));
        assert.equal((read.structured as Envelope).result.status, 'added');
        assert.ok(told.length > 0 && told.every((progress, at) => at === 0 || progress > told[at - 1]!), String(told));

        const found = await use(client, 'knowledge_search', { query: 'system requirements review', n_results: 3 });
        const [first] = found.result.results;
        assert.equal(first.source.document_id, document_id);
        assert.equal(first.source.clause_number, '3.1');
        assert.equal(first.source.authority_score, 0.85);
        assert.deepEqual(found.coverage_metadata, found.result.coverage_metadata);
        const { contents } = await client.readResource({ uri: first.uri });
        assert.match((contents[0] as { text: string }).text, /shall be held before the design begins/);

        const { sources } = (await use(client, 'knowledge_sources', { sort_by: 'authority' })).result;
        assert.deepEqual(
          sources.map(({ format }: { format: string }) => format),
          ['markdown', 'pdf'],
        );
        assert.equal(sources[0].source_path, path.join(folder, 'handbook.md'));
        assert.equal((await use(client, 'knowledge_stats')).result.documents, 2);

        const topic = 'system requirements review';
        const assessed = await use(client, 'knowledge_assess_coverage', { topic, required_depth: 'surface' });
        assert.equal(assessed.result.topic, topic);
        assert.ok(assessed.result.chunks_found >= 1 && assessed.result.overall_score > 0);
        const workflow = { workflow_type: 'planning', workflow_description: 'Plan the system requirements review' };
        const ready = await use(client, 'knowledge_preflight', { ...workflow, required_standards: ['ISO 26262'] });
        assert.deepEqual(
          ready.result.standards.map(({ found }: { found: boolean }) => found),
          [false],
        );

        const wanted = { topic: 'ISO 26262 functional safety', rationale: 'Binding', document_type: 'standard' };
        const asked = await use(client, 'knowledge_request_document', wanted);
        assert.equal(asked.result.status, 'open');
        assert.equal((await use(client, 'knowledge_stats')).result.open_requests, 1);

        const pages = [`${site.origin}/srr`, `${site.origin}/bread`, `${site.origin}/secret`, `${site.origin}/nothing`];
        const acquired = await use(client, 'knowledge_acquire', { topic, urls: pages, relevance_threshold: 0.4 });
        const cameTo = (url: string) =>
          acquired.result.pages.find((each: { url: string }) => each.url === `${site.origin}${url}`)?.status;
        assert.deepEqual(
          [cameTo('/srr'), cameTo('/bread'), cameTo('/secret'), cameTo('/nothing')],
          ['added', 'not_relevant', 'refused', 'failed'],
        );
        assert.equal(acquired.result.documents_added, 1);
        const { coverage_before, coverage_after, coverage_improvement } = acquired.result;
        assert.ok(Math.abs(coverage_after - coverage_before - coverage_improvement) < 1e-9);
      } finally {
        await client.close();
        remove();
      }
    });
  }

  describe('for one client', () => {
    const { connect } = CLIENTS[0]!;
    let here: Place;
    let client: ContractClient;
    before(async () => {
      here = place();
      client = await connect(here.flags);
      await client.toolNames();
    });
    after(async () => {
      await client?.close();
      here?.remove();
    });

    it('says of each source why it cannot be read, keeps the reason, and stores nothing of it', async () => {
      const scanned = await refused(client, 'knowledge_ingest', { source: 'scanned.pdf' }, 'unreadable_source');
      assert.match(scanned, /scan|OCR|text/i);
      writeFileSync(path.join(here.folder, 'old.doc'), Buffer.from('d0cf11e0a1b11ae1', 'hex'));
      await refused(client, 'knowledge_ingest', { source: 'old.doc' }, 'unreadable_source');
      await refused(client, 'knowledge_ingest', { source: 'nothing.pdf' }, 'unreadable_source');
      const { sources } = (await use(client, 'knowledge_sources')).result;
      const failed = sources.find(({ source_path }: { source_path: string }) => source_path.endsWith('scanned.pdf'));
      assert.equal(failed.processing_status, 'failed');
      assert.ok(failed.processing_error && failed.chunk_count === 0);
    });

    it('refuses what leads out of the workspace, private addresses aside, and what is no source', async () => {
      await refused(client, 'knowledge_ingest', { source: '../../etc/passwd' }, 'outside_root');
      await refused(client, 'knowledge_ingest', { source: '/etc/passwd' }, 'outside_root');
      await refused(client, 'knowledge_ingest', { source: 'ftp://example.org/' }, 'invalid_argument');
      await refused(client, 'knowledge_ingest', { source: `${site.origin}/secret` }, 'fetch_refused');
      await refused(client, 'knowledge_ingest', { source: `${site.origin}/nothing` }, 'fetch_failed');
      await refused(client, 'knowledge_ingest', { source: 'content:   ' }, 'invalid_argument');
    });

    it('says which argument is wrong, in the envelope', async () => {
      assert.match(await refused(client, 'knowledge_search', { query: '' }, 'invalid_argument'), /query/);
      const filter = { source_type: 'paper' };
      assert.match(
        await refused(client, 'knowledge_search', { query: 'x', filter }, 'invalid_argument'),
        /filter\.sou/,
      );
      const many = { topic: 'x', max_pages: 99 };
      assert.match(await refused(client, 'knowledge_acquire', many, 'invalid_argument'), /max_pages/);
      await refused(client, 'knowledge_acquire', { topic: ' ' }, 'invalid_argument');
      const urgent = { topic: 'x', rationale: 'y', urgency: 'now' };
      await refused(client, 'knowledge_request_document', urgent, 'invalid_argument');
    });

    it('reads again only what has changed, and keeps the passages that have not', async () => {
      await use(client, 'knowledge_ingest', { source: 'handbook.md' });
      assert.equal((await use(client, 'knowledge_ingest', { source: 'handbook.md' })).result.status, 'unchanged');
      const before = (await use(client, 'knowledge_search', { query: 'design review alternatives' })).result.results[0];
      writeFileSync(path.join(here.folder, 'handbook.md'), `${HANDBOOK}\n## 3.3 Test review\n\nTests are counted.\n`);
      const { result } = await use(client, 'knowledge_ingest', { source: 'handbook.md' });
      assert.equal(result.status, 'updated');
      const after = (await use(client, 'knowledge_search', { query: 'test review counted' })).result.results[0];
      assert.match(after.content, /Tests are counted/);
      assert.ok(before.id);
    });

    it('closes a request by the document that answers it', async () => {
      const wanted = { topic: 'Torque of flange bolts', rationale: 'The plan needs it.' };
      const example_documents = ['Flange Bolt Handbook'];
      const { result } = await use(client, 'knowledge_request_document', { ...wanted, example_documents });
      const text = '# Flange Bolt Handbook\n\nM8 25 Nm, M10 49 Nm.\n';
      const given = await use(client, 'knowledge_ingest', { source: `content:${text}` });
      assert.deepEqual(given.result.requests_closed, [], 'an agent does not answer itself');
      writeFileSync(path.join(here.folder, 'flanges.md'), text.replace('M8', 'M6 10 Nm, M8'));
      const added = await use(client, 'knowledge_ingest', { source: 'flanges.md' });
      assert.deepEqual(added.result.requests_closed, [result.request_id]);
    });

    it('gives what a page says as a quotation, whatever it asks for', async () => {
      await use(client, 'knowledge_ingest', { source: `${site.origin}/injection` });
      const { result } = await use(client, 'knowledge_search', { query: 'review checklist ignore instructions' });
      assert.match(result.note, /never instructions/);
      assert.equal(result.results[0].source.url, `${site.origin}/injection`);
    });

    it('asks the search endpoint that is set up', async () => {
      const { result } = await use(client, 'knowledge_acquire', {
        topic: 'system requirements review',
        search_queries: ['requirements review open points'],
        relevance_threshold: 0.3,
      });
      assert.ok(site.asked.includes('/search'));
      assert.ok(result.pages.some(({ url }: { url: string }) => url === `${site.origin}/srr`));
    });

    it('tells of a new document as a changed list, and of a changed one by name', async () => {
      const { sources } = (await use(client, 'knowledge_sources')).result;
      const { uri } = sources.find(({ source_path }: { source_path: string }) => source_path.endsWith('handbook.md'));
      const followed = await client.follow(uri);
      writeFileSync(path.join(here.folder, 'handbook.md'), HANDBOOK.replace('two alternatives', 'three alternatives'));
      await use(client, 'knowledge_ingest', { source: 'handbook.md' });
      for (let tries = 0; tries < 200 && (followed.updated.length === 0 || followed.listChanges === 0); tries++) {
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      assert.ok(followed.updated.includes(uri) && followed.listChanges > 0, JSON.stringify(followed));
    });

    it('is stopped by cancelling, and nothing is half stored', async () => {
      const before = (await use(client, 'knowledge_stats')).result.documents;
      const controller = new AbortController();
      const call = client.call('knowledge_ingest', { source: `${site.origin}/slow` }, controller.signal);
      while (!site.asked.includes('/slow')) await new Promise((resolve) => setTimeout(resolve, 10));
      controller.abort();
      await assert.rejects(call);
      const { documents } = (await use(client, 'knowledge_stats')).result;
      assert.equal(documents, before);
    });
  });

  it('fetches nothing where the web is switched off, and does all the rest', async () => {
    const { flags, remove } = place('--offline');
    const client = await CLIENTS[0]!.connect(flags);
    try {
      await client.toolNames();
      const asked = site.asked.length;
      assert.equal((await use(client, 'knowledge_ingest', { source: 'handbook.md' })).result.status, 'added');
      const { results } = (await use(client, 'knowledge_search', { query: 'requirements review' })).result;
      assert.ok(results.length > 0);
      await use(client, 'knowledge_assess_coverage', { topic: 'requirements review' });
      await use(client, 'knowledge_request_document', { topic: 'x', rationale: 'y' });
      await refused(client, 'knowledge_ingest', { source: `${site.origin}/srr` }, 'fetch_refused');
      const { result } = await use(client, 'knowledge_acquire', { topic: 'reviews', urls: [`${site.origin}/srr`] });
      assert.deepEqual(
        result.pages.map(({ status }: { status: string }) => status),
        ['refused'],
      );
      assert.equal(site.asked.length, asked, 'nobody was asked');
    } finally {
      await client.close();
      remove();
    }
  });

  it('holds what agents would add for a person, who accepts it at a terminal', async () => {
    const { flags, folder, stores, remove } = place('--agent-writes', 'review');
    const client = await CLIENTS[0]!.connect(flags);
    try {
      await client.toolNames();
      assert.match(client.instructions() ?? '', /wait for the user: `pending`/);
      const held: [string, Record<string, unknown>][] = [
        ['knowledge_ingest', { source: 'handbook.md' }],
        ['knowledge_request_document', { topic: 'ISO 26262', rationale: 'Binding' }],
      ];
      for (const [tool, args] of held) {
        const { success, result, error } = await ask(client, tool, args);
        assert.deepEqual([success, error, result.status], [false, null, 'pending']);
        assert.match(result.pending, /proposal \d/);
      }
      assert.deepEqual((await use(client, 'knowledge_sources')).result.sources, []);
      const kaizen = (...args: string[]) =>
        execFileSync(process.execPath, [CLI, 'review', ...args, ...stores.flags, '--workspace', folder], {
          encoding: 'utf8',
        });
      assert.match(kaizen(), /1 {2}add handbook\.md to the library[\s\S]*2 {2}ask for a document on ISO 26262/);
      assert.match(kaizen('--show', '1'), /Proposed:\n {2}# Add to the library\n\n {2}Source: handbook\.md/);
      kaizen('--accept', '1');
      kaizen('--reject', '2');
      const { sources } = (await use(client, 'knowledge_sources')).result;
      assert.equal(sources[0].added_by, 'Contract Client');
      assert.equal((await use(client, 'knowledge_stats')).result.open_requests, 0);
    } finally {
      await client.close();
      remove();
    }
  });

  it('offers only what reads where agents may not write', async () => {
    for (const policy of [['--agent-writes', 'deny'], ['--read-only']]) {
      const { flags, remove } = place(...policy);
      const client = await CLIENTS[0]!.connect(flags);
      try {
        assert.deepEqual(await client.toolNames(), [
          ...['knowledge_search', 'knowledge_stats', 'knowledge_sources'],
          ...['knowledge_assess_coverage', 'knowledge_preflight'],
        ]);
        assert.deepEqual((await use(client, 'knowledge_search', { query: 'review' })).result.results, []);
      } finally {
        await client.close();
        remove();
      }
    }
  });

  it('is off unless it is asked for, and opens nothing then', async () => {
    const { stores, folder, remove } = place();
    const client = await CLIENTS[0]!.connect([...stores.flags, '--workspace', folder]);
    try {
      assert.ok((await client.toolNames()).every((name) => !name.startsWith('knowledge_')));
      await client.listResources();
      assert.throws(() => readFileSync(path.join(stores.flags[3]!, 'library')), { code: 'ENOENT' });
    } finally {
      await client.close();
      remove();
    }
  });

  it('keeps the library where it is told, and never says what a connection string holds', async () => {
    const { stores, folder, remove } = place();
    const url = 'postgres://someone:sesame@127.0.0.1:1/library';
    const { child, output, exited } = spawnStdio(...stores.flags, '--workspace', folder, '--toolsets', 'library');
    child.stdin.end();
    await exited;
    assert.equal(output.stdout, '');
    const client = await CLIENTS[0]!.connect([...stores.flags, '--toolsets', 'library', '--library', url]);
    try {
      await client.toolNames();
      const { error, error_code } = await ask(client, 'knowledge_stats');
      assert.match(error_code ?? '', /^registry_/);
      assert.doesNotMatch(error ?? '', /sesame/);
      assert.deepEqual((await client.listResources()).resources, [], 'what is listed does not depend on it');
    } finally {
      await client.close();
      remove();
    }
  });
});
