import assert from 'node:assert/strict';
import path from 'node:path';
import type { DiscoverRequest, DiscoverResult, DiscoverySettings, Recommendation } from '../../src/discovery';
import { BaseFolders } from '../support/base-folders';
import { error, type Hall, type HallOptions, useHalls } from '../support/hall';

/** A file of one node that is about penguins, so that all of them fit a task about penguins equally well. */
function penguins(metadata: Record<string, string>, text = 'Penguins are fed with herring.'): string {
  const lines = Object.entries({ status: 'active', type: 'log', ...metadata }).map(
    ([key, value]) => `- ${key}: ${value}`,
  );
  return `# Feeding Penguins\n${lines.join('\n')}\n<!-- content -->\n${text}\n`;
}

const TASK = { task_description: 'feeding penguins' };

describe('ranking of what is discovered', () => {
  const open = useHalls();
  let folders: BaseFolders;

  beforeEach(() => {
    folders = new BaseFolders();
    // Something else to be told apart from.
    const others = [
      'Volcanoes',
      'Harpsichords',
      'Glaciers',
      'Typography',
      'Beekeeping',
      'Railways',
      'Cheese',
      'Comets',
    ];
    for (const each of others)
      folders.write({ [`docs/other/${each}.md`]: `# ${each}\n\nAll about ${each} and more.\n` });
  });
  afterEach(() => folders.remove());

  async function hallWith(files: Record<string, string>, options: HallOptions = {}): Promise<Hall> {
    folders.write(files);
    const hall = await open({ bases: [{ name: 'docs', root: path.join(folders.path, 'docs') }], ...options });
    return hall;
  }

  async function scores(hall: Hall, request: Partial<DiscoverRequest> = {}): Promise<Record<string, number>> {
    const { recommendations } = await hall.discovery.discover({ ...TASK, max_results: 50, ...request });
    return Object.fromEntries(recommendations.map(({ path: file, relevance_score }) => [file, relevance_score]));
  }

  const titles = ({ recommendations }: DiscoverResult) => recommendations.map(({ title }) => title);

  describe('boosts', () => {
    it('types by the matrix of the task type, and none without one', async () => {
      const hall = await hallWith({
        'docs/g.md': penguins({ type: 'guideline' }, 'Penguins get herring, by a guideline.'),
        'docs/s.md': penguins({ type: 'agent_skill' }, 'Penguins get herring, by an agent_skill.'),
        'docs/l.md': penguins({ type: 'log' }, 'Penguins get herring, says the log.'),
      });
      const plain = await scores(hall);
      const implement = await scores(hall, { task_type: 'implement' });
      assert.ok(implement['g.md']! > plain['g.md']!, 'guideline 1.5 for implement');
      assert.equal(implement['s.md'], plain['s.md'], 'agent_skill 1.0 for implement');
      assert.equal(implement['l.md'], plain['l.md'], 'log is not in the matrix');
      const debug = await scores(hall, { task_type: 'debug' });
      assert.equal(debug['g.md'], plain['g.md'], 'guideline 1.0 for debug');
      assert.ok(debug['s.md']! < plain['s.md']!, 'agent_skill 0.8 for debug');
      hall.discovery.configure({ boosts: { debug: { log: 3 } } as unknown as DiscoverySettings['boosts'] });
      assert.ok((await scores(hall, { task_type: 'debug' }))['l.md']! > plain['l.md']!, 'as the settings say');
    });

    it('what was checked within the last 30 days', async () => {
      const hall = await hallWith({
        'docs/new.md': penguins({ last_checked: '2026-04-20' }, 'Penguins, checked lately.'),
        'docs/old.md': penguins({ last_checked: '2026-03-20' }, 'Penguins, checked long ago.'),
        'docs/never.md': penguins({}, 'Penguins, never checked.'),
        'docs/odd.md': penguins({ last_checked: '2026-02-31' }, 'Penguins, checked never.'),
      });
      const now = await scores(hall);
      assert.ok(now['new.md']! > now['old.md']!);
      assert.equal(now['old.md'], now['never.md']);
      assert.equal(now['odd.md'], now['never.md']);
      hall.clock.advanceMinutes(30 * 24 * 60);
      assert.equal((await scores(hall))['new.md'], now['never.md']);
      hall.discovery.configure({ boost_recent_update_days: 90 });
      assert.ok((await scores(hall))['old.md']! > now['never.md']!);
    });

    it('active before draft before deprecated', async () => {
      const hall = await hallWith({
        'docs/active.md': penguins({ status: 'active' }, 'Penguins of one kind.'),
        'docs/draft.md': penguins({ status: 'draft' }, 'Penguins of two kinds.'),
        'docs/gone.md': penguins({ status: 'deprecated' }, 'Penguins of three kinds.'),
      });
      const { 'active.md': active, 'draft.md': draft, 'gone.md': gone } = await scores(hall);
      assert.ok(active! > draft! && draft! > gone!, `${active} > ${draft} > ${gone}`);
      const { recommendations } = await hall.discovery.discover(TASK);
      assert.match(recommendations.at(-1)!.reason, /deprecated/);
    });

    it('what is near the current file, and more what names it', async () => {
      const hall = await hallWith({
        'docs/far.md': penguins({}, 'Penguins to the east.'),
        'docs/antarctica/near.md': penguins({}, 'Penguins to the west.'),
        'docs/named.md': `---\napplyTo: 'src/antarctica/**'\ntype: log\n---\n# Feeding Penguins\n\nPenguins, by name.\n`,
      });
      const without = await scores(hall);
      assert.equal(without['antarctica/near.md'], without['far.md']);
      const current_file = 'src/antarctica/keeper.ts';
      const beside = await scores(hall, { current_file });
      assert.ok(beside['antarctica/near.md']! > beside['far.md']!);
      assert.equal(beside['far.md'], without['far.md']);
      assert.ok(beside['named.md']! > beside['antarctica/near.md']!);
    });

    it('recommends what names the current file even for other words, but not what names every file', async () => {
      const hall = await hallWith(
        {
          'docs/named.md': `---\nglobs: src/antarctica/**\n---\n# House Rules\n\nShut the door.\n`,
          'docs/all.md': `---\nglobs: '**/*'\n---\n# Manners\n\nSay please.\n`,
        },
        { project: 'zoo', workspace: '/repo' },
      );
      await hall.define('zoo', 'PROJECT');
      await hall.put('zoo', 'rules', 'quiet', 'Whisper.', { APPLIES_TO: 'src/antarctica/*.ts' });
      const request = { task_description: 'feeding penguins', current_file: '/repo/src/antarctica/keeper.ts' };
      const { recommendations } = await hall.discovery.discover(request);
      assert.deepEqual(recommendations.map(({ title }) => title).sort(), ['House Rules', 'quiet']);
      for (const { relevance_score, reason } of recommendations) {
        assert.ok(relevance_score >= 0.5 && relevance_score < 0.7, `${relevance_score}`);
        assert.match(reason, /current file/i);
      }
    });

    it('never make of a vague hit one that must be loaded, nor leave 0 to 1', async () => {
      const hall = await hallWith({
        'docs/antarctica/direct.md': penguins({ type: 'guideline', last_checked: '2026-05-01' }),
        'docs/antarctica/vague.md':
          '# Weather\n- type: guideline\n- status: active\n- last_checked: 2026-05-01\n<!-- content -->\nWhere penguins live it is cold, the wind blows all day long, and feeding seagulls is forbidden at the harbour and on the pier.\n',
      });
      hall.discovery.configure({ min_relevance_threshold: 0 });
      const plain = await scores(hall);
      const most = Object.fromEntries(
        ['implement', 'debug'].map((type) => [type, { guideline: 10, protocol: 10 }]),
      ) as unknown as DiscoverySettings['boosts'];
      hall.discovery.configure({ min_relevance_threshold: 0, boosts: most, boost_recent_update_factor: 10 });
      const boosted = await scores(hall, { task_type: 'implement', current_file: 'src/antarctica/x.ts' });
      assert.ok(boosted['antarctica/vague.md']! > plain['antarctica/vague.md']!);
      assert.ok(boosted['antarctica/vague.md']! < 0.9, `${boosted['antarctica/vague.md']}`);
      assert.ok(boosted['antarctica/direct.md']! >= 0.9 && boosted['antarctica/direct.md']! <= 1);
    });

    it('take globs as rule files write them: in lists, after commas, with braces, without quotes', async () => {
      const rule = (globs: string, title: string) =>
        `---\nglobs: ${globs}\n---\n# ${title}\n\nSome rule of ${title}.\n`;
      const hall = await hallWith({
        'docs/braces.md': rule('**/*.{ts,tsx}', 'Braces'),
        'docs/commas.md': rule('src/**/*.py, src/**/*.ts', 'Commas'),
        'docs/list.md': rule('["lib/**", "src/{a,b}/*.ts"]', 'List'),
        'docs/other.md': rule('**/*.{py,rs}', 'Others'),
      });
      const request = { task_description: 'anything', current_file: 'src/a/keeper.ts' };
      assert.deepEqual(titles(await hall.discovery.discover(request)).sort(), ['Braces', 'Commas', 'List']);
    });

    it('refuse settings that cannot be', async () => {
      const hall = await hallWith({});
      const bad: [Partial<DiscoverySettings>, RegExp][] = [
        [{ default_max_results: 0 }, /default_max_results/],
        [{ min_relevance_threshold: 1.5 }, /min_relevance_threshold/],
        [{ boost_active_status: Number.NaN }, /boost_active_status/],
        [{ boosts: { implement: { guideline: -1 } } as unknown as DiscoverySettings['boosts'] }, /boosts.implement/],
        [{ boosts: { cook: {} } as unknown as DiscoverySettings['boosts'] }, /cook/],
      ];
      for (const [settings, says] of bad) {
        assert.throws(() => hall.discovery.configure(settings), error('invalid_argument', says));
      }
    });
  });

  describe('overlapping nodes', () => {
    const HOUSE = (long: string) => `# Penguin House
- id: house
- type: log
<!-- content -->
How penguins live in the house of penguins.${long}

## Feeding Penguins
- id: house.feeding
<!-- content -->
Penguins are fed with herring.

## Weighing Penguins
- id: house.weighing
<!-- content -->
Penguins are weighed on Mondays.
`;

    it('are given by the parent that is one piece with them, with all their tokens', async () => {
      const hall = await hallWith({ 'docs/house.md': HOUSE('') });
      const { recommendations } = await hall.discovery.discover({ task_description: 'penguins in the penguin house' });
      assert.deepEqual(
        recommendations.map(({ id }) => id),
        ['house'],
      );
      const [only] = recommendations;
      assert.match(
        only!.reason,
        /; include_children for .*"Feeding Penguins"/,
        'else an agent gets its first lines alone',
      );
      const whole = [...hall.bases.nodes()].filter(({ file }) => file === 'house.md');
      assert.equal(
        only!.estimated_tokens,
        whole.reduce((sum, { token_count }) => sum + token_count, 0),
      );
    });

    it('are given by themselves where the parent is long or says little about the task', async () => {
      const long = 'The roof was painted in a colour that nobody remembers. '.repeat(300);
      const hall = await hallWith({ 'docs/house.md': HOUSE(` ${long}`) });
      const { recommendations } = await hall.discovery.discover({ task_description: 'weighing penguins on Mondays' });
      assert.equal(recommendations[0]!.id, 'house.weighing');
      assert.ok(recommendations.every(({ estimated_tokens }) => estimated_tokens < 1_000));
    });

    it('are given with what is below them where they are headings alone, and not at all where there is nothing', async () => {
      const hall = await hallWith({
        'docs/heading.md': `# Penguin Feeding\n\n## Mornings\n\n${'Herring at eight. '.repeat(20)}\n`,
        'docs/empty.md': '# Penguin Feeding Plan\n',
      });
      const { recommendations } = await hall.discovery.discover(TASK);
      assert.deepEqual(
        recommendations.map(({ path: where }) => where),
        ['heading.md'],
      );
      const [{ id, estimated_tokens, reason }] = recommendations as [Recommendation];
      const { total_tokens } = await hall.discovery.retrieve({ ids: [id], include_children: true });
      assert.equal(estimated_tokens, total_tokens);
      assert.match(reason, /include_children/);
    });

    it('count once when two bases hold the same', async () => {
      folders.write({ 'copy/p.md': penguins({}), 'docs/p.md': penguins({}) });
      const hall = await open({
        bases: ['docs', 'copy'].map((name) => ({ name, root: path.join(folders.path, name) })),
      });
      assert.deepEqual(titles(await hall.discovery.discover(TASK)), ['Feeding Penguins']);
    });
  });

  it('gives something of each where a task could mean several things', async () => {
    const sections = (what: string) =>
      `# ${what}\n\n${['one', 'two', 'three', 'four']
        .map((each) => `## Tokens ${each} ${what}\n\n${what} tokens ${each}. ${'Some more words here. '.repeat(200)}\n`)
        .join('\n')}`;
    const hall = await hallWith({
      'docs/security.md': sections('security'),
      'docs/design.md': sections('design'),
      'docs/billing.md': sections('billing'),
    });
    const { recommendations } = await hall.discovery.discover({ task_description: 'tokens', max_results: 3 });
    assert.deepEqual(recommendations.map(({ path: where }) => where.split('#')[0]).sort(), [
      'billing.md',
      'design.md',
      'security.md',
    ]);
  });

  it('takes what fits a budget of tokens, best first, and says how many did not', async () => {
    const hall = await hallWith({
      'docs/large.md': `# Feeding Penguins\n\n${'Penguins are fed with herring. '.repeat(200)}`,
      'docs/small.md': '# Penguins Feeding in Short\n\nFeeding penguins: herring.\n',
    });
    const all = await hall.discovery.discover(TASK);
    assert.deepEqual(titles(all).sort(), ['Feeding Penguins', 'Penguins Feeding in Short']);
    const { recommendations, message } = await hall.discovery.discover({ ...TASK, token_budget: 100 });
    assert.deepEqual(
      recommendations.map(({ title }) => title),
      ['Penguins Feeding in Short'],
    );
    assert.match(message ?? '', /1 more .* budget/);
  });

  it('gives as many as are asked for, five unless told, best first', async () => {
    const files = Array.from({ length: 60 }, (_, n) => [`docs/p${n}.md`, penguins({}, `Penguins of colony ${n}.`)]);
    const hall = await hallWith(Object.fromEntries(files));
    assert.equal((await hall.discovery.discover(TASK)).recommendations.length, 5);
    const { recommendations } = await hall.discovery.discover({ ...TASK, max_results: 50 });
    assert.equal(recommendations.length, 50);
    const given = recommendations.map(({ relevance_score }) => relevance_score);
    assert.deepEqual(
      given,
      [...given].sort((a, b) => b - a),
    );
    hall.discovery.configure({ default_max_results: 7 });
    assert.equal((await hall.discovery.discover(TASK)).recommendations.length, 7);
    for (const max_results of [0, 51, 1.5]) {
      await assert.rejects(hall.discovery.discover({ ...TASK, max_results }), error('invalid_argument', /max_results/));
    }
  });

  it('tells what must be loaded from what may be useful, as the example of seed 002 does', async () => {
    const node = (title: string, metadata: string[], text: string) =>
      `## ${title}\n${metadata.map((each) => `- ${each}\n`).join('')}<!-- content -->\n${text}\n`;
    const hall = await hallWith({
      'docs/guidelines/SECURITY.md': `# Security\n\n${node(
        'Authentication Guidelines',
        ['id: guidelines.security.authentication', 'type: guideline', 'last_checked: 2026-04-29'],
        'Users sign in once and get a JWT. Access tokens live for fifteen minutes. Implement authentication with the shared middleware; never parse a JWT by hand.',
      )}\n${node('Encryption', ['type: guideline'], 'Data at rest is encrypted. Keys come from the vault.')}`,
      'docs/context/ARCHITECTURE.md': `# Architecture\n\n${node(
        'Service Architecture',
        ['id: context.architecture.services', 'type: context'],
        'The gateway holds authentication and checks tokens; the account service knows each user. Others keep no sessions.',
      )}\n${node('Storage', ['type: context'], 'Postgres for orders, Redis for queues.')}`,
    });
    const { recommendations, total_available } = await hall.discovery.discover({
      task_description: 'Implement user authentication with JWT tokens',
      task_type: 'implement',
      max_results: 3,
    });
    const [first, second, ...others] = recommendations;
    assert.equal(first?.id, 'guidelines.security.authentication');
    assert.ok(first.relevance_score >= 0.9, `${first.relevance_score}`);
    assert.equal(second?.id, 'context.architecture.services');
    assert.ok(second.relevance_score >= 0.5 && second.relevance_score < 0.9, `${second.relevance_score}`);
    assert.deepEqual(others, []);
    assert.equal(total_available, [...hall.bases.nodes()].length);
  });

  it('looks at the beginning and at the end of a long task', async () => {
    const hall = await hallWith({ 'docs/p.md': penguins({}), 'docs/q.md': '# Sweeping Chimneys\n\nWith a broom.\n' });
    const log = 'at Object.run (node:internal 4711)\n'.repeat(300);
    const task_description = `Implement feeding of penguins\n${log}\nand sweeping of chimneys`;
    const found = await hall.discovery.discover({ task_description });
    assert.deepEqual(titles(found).sort(), ['Feeding Penguins', 'Sweeping Chimneys']);
  });

  it('gives nothing for a task without a word that says something', async () => {
    const hall = await hallWith({ 'docs/p.md': penguins({}) }, { project: 'zoo' });
    await hall.define('zoo', 'PROJECT');
    await hall.put('zoo', 'rules', 'quiet', 'WARNING: whisper, or the animals wake up.');
    await hall.put('zoo', 'rules', 'feeding', 'Feed the animals, and no others, with what is in the kitchen.');
    for (const task_description of ['???', '…', '<!-- -->', 'the and of to with']) {
      const { recommendations, warnings, message } = await hall.discovery.discover({ task_description });
      assert.deepEqual([titles({ recommendations } as DiscoverResult), warnings], [[], []], task_description);
      assert.match(message ?? '', /^Nothing relevant/);
    }
    const { results, total } = await hall.discovery.search({ query: '???' });
    assert.deepEqual([results, total], [[], 0]);
  });

  it('does not lift what holds one word of the task by chance, but what is called by it', async () => {
    const hall = await hallWith({
      'docs/chance.md': '# Sunsets\n\nHerring herring herring herring.\n',
      'docs/called.md': '# Herring\n\nSmall fish of the north.\n',
      'docs/two.md': `# Kitchen\n\nPenguins and herring stand in a text that goes on. ${'And on it goes for long. '.repeat(40)}\n`,
    });
    const given = await scores(hall, { task_description: 'order herring for penguins' });
    assert.ok(given['called.md']! >= 0.3 && given['two.md']! >= 0.3, JSON.stringify(given));
    assert.equal(given['chance.md'], undefined, JSON.stringify(given));
  });

  it('leaves out what is below the threshold', async () => {
    const hall = await hallWith({
      'docs/direct.md': penguins({}),
      'docs/vague.md': '# Weather\n\nWhere penguins live, it is cold.\n',
    });
    hall.discovery.configure({ min_relevance_threshold: 0 });
    const { 'direct.md': direct, 'vague.md': vague } = await scores(hall);
    hall.discovery.configure({ min_relevance_threshold: (direct! + vague!) / 2 });
    assert.deepEqual(Object.keys(await scores(hall)), ['direct.md']);
  });

  it('says why in one sentence of at most 160 characters', async () => {
    const hall = await hallWith({
      'docs/antarctica/p.md': penguins({ type: 'guideline', last_checked: '2026-05-01', keywords: '[herring, krill]' }),
    });
    const { recommendations } = await hall.discovery.discover({
      task_description: 'implement feeding of penguins with herring and krill',
      task_type: 'implement',
      current_file: 'src/antarctica/feeding.ts',
    });
    const { reason } = recommendations[0]!;
    for (const says of [/"penguins" in its title/, /krill/, /guideline for implement/, /checked 2026-05-01/, /near/]) {
      assert.match(reason, says);
    }
    assert.ok(reason.length <= 160 && reason.endsWith('.'), reason);
    const word = 'x'.repeat(400);
    folders.write({ 'docs/long.md': `# ${word}\n\n${word} ${word}\n` });
    await hall.bases.rescan();
    const long = await hall.discovery.discover({ task_description: word });
    assert.ok(long.recommendations[0]!.reason.length <= 160);
  });
});
