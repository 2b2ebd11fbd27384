import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { KaizenError } from '../../src/core/errors';
import type { NoteSearchRequest } from '../../src/discovery';
import type { Registry, RegistryHit } from '../../src/notes';
import { eventually } from '../support/base-folders';
import { error, type Hall, type HallOptions, useHalls } from '../support/hall';
import { NoteFolders } from '../support/note-folders';

const SPF = '# SPF Records\n\nList every sending host. A soft fail lets forged mail through.\n';

describe('notes in discovery', () => {
  const open = useHalls();
  let folders: NoteFolders;
  let hall: Hall;

  beforeEach(async () => {
    folders = new NoteFolders();
    folders.note('project', 'patterns/042-email-deliverability', {
      title: 'Email Deliverability',
      tags: ['email', 'infrastructure'],
      body: '# Email Deliverability\n\nWarm new addresses up slowly. See [[043-spf-records]].\n\n## Bounces\n\nRemove hard bounces.\n',
    });
    folders.note('project', 'apis/mail/050-sendgrid', {
      title: 'Sendgrid Limits',
      entry_type: 'api_fact',
      tags: ['email', 'API'],
      body: 'Email sending is limited to 600 requests a minute.\n',
    });
    folders.note('user', 'concepts/043-spf-records', {
      title: 'SPF Records',
      entry_type: 'concept',
      tags: ['email'],
      body: SPF,
    });
    folders.note('user', 'patterns/042-email-deliverability', {
      title: 'Email Deliverability (mine)',
      body: 'My own view on email deliverability and warming up addresses.\n',
    });
  });
  afterEach(() => folders.remove());

  async function opened(options: HallOptions = {}): Promise<Hall> {
    hall = await open({ project: 'shop', workspace: folders.workspace, notes: folders.roots, ...options });
    await hall.define('general', 'GENERAL');
    await hall.define('shop', 'PROJECT');
    return hall;
  }

  const discover = (task_description: string, more: object = {}) =>
    hall.discovery.discover({ task_description, max_results: 50, ...more });
  const searchNotes = (query: string, more: Partial<NoteSearchRequest> = {}) =>
    hall.discovery.searchNotes({ query, sources: ['local'], ...more });
  const places = async (...args: Parameters<typeof searchNotes>) =>
    (await searchNotes(...args)).results.map(({ source_location, zettel_id }) => `${source_location}:${zettel_id}`);

  describe('discover_context', () => {
    it('recommends notes of both spaces beside entries, with type, place, tokens and a reason', async () => {
      await opened();
      await hall.put('shop', 'email', 'sender-address', 'Check its SPF record before email is delivered.');
      const { recommendations, total_available } = await discover('Why is our email not delivered? Check SPF records.');
      const byId = new Map(recommendations.map((each) => [each.id, each]));
      const deliverability = byId.get('knowledge://notes/project/042-email-deliverability');
      assert.equal(deliverability?.title, 'Email Deliverability');
      assert.equal(deliverability.type, 'pattern');
      assert.equal(deliverability.path, 'notes/project/patterns/042-email-deliverability.md');
      assert.ok(
        deliverability.estimated_tokens >= 15 && deliverability.estimated_tokens <= 60,
        `${deliverability.estimated_tokens} of its text`,
      );
      assert.match(deliverability.reason, /"email" in its title.*under patterns/);
      assert.equal(byId.get('knowledge://notes/user/043-spf-records')?.type, 'concept');
      assert.ok(byId.has('knowledge://scopes/shop/email/sender-address'));
      assert.equal(total_available, 4, 'three notes that are meant, and the entry');
    });

    it("recommends the project's note of an id, and never the user's beside it", async () => {
      await opened();
      const { recommendations } = await discover('email deliverability: warm up addresses');
      const ids = recommendations.map(({ id }) => id).filter((id) => id.endsWith('042-email-deliverability'));
      assert.deepEqual(ids, ['knowledge://notes/project/042-email-deliverability']);
      rmSync(folders.roots.project, { recursive: true });
      await hall.notes.rescan();
      const { recommendations: without } = await discover('email deliverability: warm up addresses');
      assert.ok(
        without.some(({ id }) => id === 'knowledge://notes/user/042-email-deliverability'),
        'now it is meant',
      );
    });

    it('keeps to the token budget with what the texts of notes take', async () => {
      await opened();
      const { recommendations, message } = await discover('email deliverability, sendgrid limits, SPF', {
        token_budget: 20,
      });
      assert.ok(recommendations.reduce((sum, each) => sum + each.estimated_tokens, 0) <= 20);
      assert.match(message ?? '', /did not fit the token budget/);
    });

    it('gives a file that is a note and lies in a knowledge base once, as the note', async () => {
      for (const root of [
        folders.workspace,
        path.join(folders.workspace, '.ai'),
        path.join(folders.roots.project, 'patterns'),
      ]) {
        await opened({ bases: [{ name: 'docs', root, include: ['**/*.md', '.ai/**/*.md'] }] });
        hall.discovery.start();
        await eventually(() => hall.discovery.state.ready);
        assert.ok(hall.bases.size >= 2, 'the base has the file as well');
        const { recommendations, total_available } = await discover(
          'Warm new addresses up slowly: email deliverability',
        );
        const found = recommendations.filter(({ title }) => /Email Deliverability|Bounces/.test(title));
        assert.deepEqual(
          found.map(({ id }) => id),
          ['knowledge://notes/project/042-email-deliverability'],
          root,
        );
        assert.equal(total_available, 3, root);
        const { results } = await hall.discovery.search({ query: 'bounces' });
        assert.deepEqual(
          results.map(({ id }) => id),
          ['knowledge://notes/project/042-email-deliverability'],
        );
        await hall.kaizen.close();
      }
    });

    it('says that nothing is indexed only where there is nothing at all, notes included', async () => {
      await opened();
      assert.match((await discover('quantum chromodynamics')).message ?? '', /^Nothing relevant among 3\b/);
      rmSync(folders.path, { recursive: true });
      await hall.notes.rescan();
      assert.match((await discover('email')).message ?? '', /^Nothing indexed: there are no entries, no notes and/);
    });

    it('counts what agents were given', async () => {
      await opened({ countReads: true });
      await discover('email deliverability');
      await hall.discovery.retrieve({ ids: ['knowledge://notes/user/043-spf-records'] });
      await hall.discovery.close();
      const used = new Map(hall.discovery.usage().map(({ uri, title, retrieved }) => [uri, [title, retrieved]]));
      assert.deepEqual(used.get('knowledge://notes/user/043-spf-records'), ['SPF Records', 1]);
      assert.ok(used.has('knowledge://notes/project/042-email-deliverability'));
    });
  });

  describe('the index', () => {
    it('follows files that are written, changed and removed', async () => {
      await opened();
      assert.equal((await searchNotes('greylisting')).results.length, 0);
      assert.equal(hall.discovery.state.notes, 4);
      const file = folders.note('project', 'concepts/060-greylisting', { title: 'Greylisting' });
      hall.notes.touched(file);
      await eventually(async () => (await places('greylisting')).length === 1);
      folders.note('project', 'concepts/060-greylisting', { title: 'Tarpitting' });
      hall.notes.touched(file);
      await eventually(async () => (await places('greylisting tarpitting')).length === 1);
      assert.equal((await searchNotes('tarpitting')).results[0]?.title, 'Tarpitting');
      rmSync(file);
      hall.notes.touched(file);
      await eventually(async () => (await places('tarpitting')).length === 0);
      assert.equal(hall.discovery.state.notes, 4);
    });

    it('is kept between runs: texts that are as they were are not read again', async () => {
      const indexDirectory = path.join(folders.path, 'index');
      const first = await opened({ indexDirectory });
      await searchNotes('email');
      await first.kaizen.close();
      await opened({ indexDirectory });
      let read = 0;
      const { text } = hall.notes;
      hall.notes.text = (note) => {
        read++;
        return text.call(hall.notes, note);
      };
      const { recommendations } = await discover('SPF records');
      const spf = recommendations.find(({ id }) => id.endsWith('043-spf-records'));
      assert.ok(spf && spf.estimated_tokens > 5, 'its tokens are known all the same');
      assert.equal(read, 0);
    });
  });

  describe('search_knowledge', () => {
    const ids = async (query: string, scope?: string[]) =>
      (await hall.discovery.search({ query, scope, max_results: 100 })).results
        .map(({ id }) => id.split('/notes/')[1])
        .sort();

    it('is narrowed to notes, a space, a category or a note', async () => {
      await opened();
      await hall.put('shop', 'email', 'sender', 'Email sender.');
      const all = [
        'project/042-email-deliverability',
        'project/050-sendgrid',
        'user/042-email-deliverability',
        'user/043-spf-records',
      ];
      assert.deepEqual(await ids('email', ['notes']), all);
      assert.deepEqual(await ids('email', ['notes/user']), all.slice(2));
      assert.deepEqual(await ids('email', ['notes/patterns']), [all[0], all[2]]);
      assert.deepEqual(await ids('email', ['notes/project/apis']), [all[1]], 'with the folders below it');
      assert.deepEqual(await ids('email', ['notes/user/concepts', 'notes/project/patterns']), [all[0], all[3]]);
      assert.deepEqual(await ids('email', ['knowledge://notes/project/050-sendgrid']), [all[1]]);
      assert.equal((await ids('email', ['shop', 'notes/project/apis'])).length, 2, 'and a scope beside it');
      await assert.rejects(ids('email', ['notes/nowhere']), error('unknown_node', /no place of notes/));
    });

    it('shows where a note was found, in its own words', async () => {
      await opened();
      const { results } = await hall.discovery.search({ query: 'forged mail', scope: ['notes'] });
      assert.equal(results[0]?.path, 'notes/user/concepts/043-spf-records.md');
      assert.match(results[0].snippet, /\*\*forged\*\* \*\*mail\*\*/);
    });
  });

  describe('retrieve_knowledge', () => {
    it('gives a note by its address, its path and its id, without its front matter', async () => {
      await opened();
      for (const id of [
        'knowledge://notes/user/043-spf-records',
        'notes/user/concepts/043-spf-records.md',
        '043-spf-records',
      ]) {
        const { nodes, total_tokens } = await hall.discovery.retrieve({ ids: [id], format: 'json' });
        assert.equal(nodes.length, 1);
        const { content, metadata, title, path: place } = nodes[0]!;
        assert.equal(content.trim(), SPF.trim());
        assert.equal(title, 'SPF Records');
        assert.equal(place, 'notes/user/concepts/043-spf-records.md');
        assert.equal(metadata.entry_type, 'concept');
        assert.equal(metadata.source_location, 'user');
        assert.match(String(metadata.content_hash), /^[0-9a-f]{64}$/);
        assert.ok(total_tokens > 10);
      }
    });
  });

  describe('what people search', () => {
    it('finds notes, those whose id begins so first', async () => {
      await opened();
      const [first] = await hall.discovery.find('043-s');
      await eventually(() => hall.discovery.state.ready);
      const found = await hall.discovery.find('043-s');
      assert.ok(first === undefined || first.kind === 'note');
      assert.equal(found[0]?.uri, 'knowledge://notes/user/043-spf-records');
      assert.equal(found[0].kind, 'note');
      assert.match((await hall.discovery.find('forged'))[0]?.snippet.text ?? '', /forged mail/);
    });
  });

  describe('search of notes', () => {
    it('finds entries of both spaces by their fields, and an id once, the project before the user', async () => {
      await opened();
      const { results, total, message } = await searchNotes('email deliverability');
      assert.deepEqual(results.map(({ source_location, zettel_id }) => `${source_location}:${zettel_id}`).sort(), [
        'project:042-email-deliverability',
        'project:050-sendgrid',
        'user:043-spf-records',
      ]);
      assert.equal(total, 3);
      assert.equal(message, undefined);
      const [best] = results;
      assert.equal(best?.zettel_id, '042-email-deliverability');
      assert.equal(best.category, 'patterns');
      assert.deepEqual(best.tags, ['email', 'infrastructure']);
      assert.ok(best.relevance_score > 0.5 && best.relevance_score <= 1);
      assert.match(best.snippet, /Email Deliverability|Warm new addresses/);
      assert.doesNotMatch(best.snippet, /zettel_id|---/, 'front matter is no text');
    });

    it("gives the user's note of no id that the project has, however it is written: get gives the project's", async () => {
      folders.note('user', 'concepts/050-SendGrid', { title: 'Quota', body: 'Quaternions limit what is sent.\n' });
      await opened();
      assert.deepEqual(await places('quaternions'), []);
      assert.deepEqual(await places('quaternions', { category: 'concepts' }), []);
      assert.equal(
        (await hall.notes.get({ zettel_id: '050-SendGrid', sources: ['local'] }, { author: 'a' })).source_location,
        'project',
      );
      assert.equal((await discover('chromodynamics')).total_available, 3);
    });

    it('filters by category with what is below it, by type, and by all of the tags', async () => {
      await opened();
      assert.deepEqual(await places('email', { category: 'apis' }), ['project:050-sendgrid']);
      assert.deepEqual(await places('email', { category: '/apis/mail/' }), ['project:050-sendgrid']);
      assert.deepEqual(await places('email', { category: 'api' }), []);
      assert.deepEqual(await places('email', { entry_type: 'concept' }), ['user:043-spf-records']);
      assert.deepEqual(await places('email', { tags: ['email', 'api'] }), ['project:050-sendgrid']);
      assert.deepEqual(await places('email', { tags: ['email', 'nothing'] }), []);
      assert.deepEqual(await places('email', { limit: 1 }), ['project:042-email-deliverability']);
    });

    it('says why nothing was found: nothing there, or nothing that fits', async () => {
      await opened();
      assert.match((await searchNotes('chromodynamics')).message ?? '', /^Nothing relevant among 4 notes\./);
      rmSync(folders.roots.project, { recursive: true });
      rmSync(folders.roots.user, { recursive: true });
      await hall.notes.rescan();
      assert.match(
        (await searchNotes('email')).message ?? '',
        /^Nothing indexed: there are no notes in .*knowledge or .*user\./,
      );
    });

    it('refuses what says no source', async () => {
      await opened();
      await assert.rejects(searchNotes('email', { sources: [] }), error('invalid_argument', /where to look/));
      await assert.rejects(searchNotes(' '), error('invalid_argument', 'query'));
      await assert.rejects(searchNotes('email', { limit: 0 }), error('invalid_argument', 'limit'));
    });

    const shared = (zettel_id: string, relevance_score: number): RegistryHit => ({
      ...{ zettel_id, title: zettel_id, entry_type: 'pattern', tags: [], category: 'patterns' },
      ...{ version: '1.2.0', relevance_score, snippet: 'shared' },
    });

    /** Notes with a registry that answers so; counts how often it was asked for. */
    async function withRegistry(search: () => RegistryHit[]): Promise<{ asked: number; requests: unknown[] }> {
      await opened();
      const state = { asked: 0, requests: [] as unknown[] };
      const registry = {
        search: async (request: unknown) => {
          state.requests.push(request);
          const hits = search();
          return { hits, total: hits.length };
        },
      } as unknown as Registry;
      Object.defineProperty(hall.notes, 'hasRegistry', { value: true });
      hall.notes.registry = async () => {
        state.asked++;
        return registry;
      };
      return state;
    }

    it('asks the registry only where it is named', async () => {
      const state = await withRegistry(() => [shared('900-shared', 0.5)]);
      await searchNotes('email');
      assert.match((await searchNotes('chromodynamics')).message ?? '', /With source \["local", "registry"\]/);
      assert.equal(state.asked, 0);
      assert.deepEqual(await places('email', { sources: ['registry'], tags: ['a'], limit: 3 }), [
        'registry:900-shared',
      ]);
      assert.deepEqual(state.requests, [
        { query: 'email', category: undefined, entry_type: undefined, tags: ['a'], limit: 3 },
      ]);
    });

    it('merges by score, local first where they are equally good, an id of the spaces not repeated', async () => {
      let hits: RegistryHit[] = [];
      await withRegistry(() => hits);
      const [local] = (await searchNotes('email deliverability')).results;
      hits = [
        shared('900-equal', local!.relevance_score),
        shared('042-email-deliverability', 1),
        shared('042-Email-Deliverability', 0.9),
        shared('901-worse', 0),
      ];
      const { results, total } = await searchNotes('email deliverability', { sources: ['local', 'registry'] });
      const ids = results.map(({ zettel_id, source_location }) => `${source_location}:${zettel_id}`);
      assert.deepEqual(ids.slice(0, 2), ['project:042-email-deliverability', 'registry:900-equal']);
      assert.equal(ids.at(-1), 'registry:901-worse');
      assert.equal(ids.length, 5);
      assert.equal(total, 5);
      assert.equal(results[1]?.version, '1.2.0');
      assert.equal(results[1].snippet, 'shared');
    });

    it('answers from the spaces when the registry does not, and says so; alone, the registry has to', async () => {
      await withRegistry(() => {
        throw new KaizenError('registry_unreachable', 'The registry does not answer.', 'Try later.');
      });
      const { results, message } = await searchNotes('email', { sources: ['local', 'registry'] });
      assert.equal(results.length, 3);
      assert.equal(message, 'The registry was not searched: The registry does not answer. Try later.');
      await assert.rejects(searchNotes('email', { sources: ['registry'] }), error('registry_unreachable'));
    });
  });
});
