import assert from 'node:assert/strict';
import fc from 'fast-check';
import { learningUri } from '../../src/core/knowledge-uri';
import {
  type FoundRecord,
  type LearnedKind,
  type LearningRevision,
  PATTERN_DOMAINS,
  PROJECT_STATUSES,
} from '../../src/learning';
import { learnedReference } from '../../src/vscode/agent-reference';
import { lastStanding } from '../../src/vscode/commands/learned-standing';
import { linesOf } from '../../src/vscode/commands/session-lines';
import { wordsOf } from '../../src/vscode/views/filter';
import { below, isLeft, kindNodes, SHOWN_KINDS } from '../../src/vscode/views/learning-branches';
import type { LearnedGroupNode, LearnedNode, LearningNode } from '../../src/vscode/views/learning-nodes';

const NONE: Record<LearnedKind, FoundRecord[]> = { project: [], template: [], lesson: [], decision: [], pattern: [] };

/** A record with what the view looks at. */
function record(kind: LearnedKind, id: string, more: Record<string, unknown> = {}): FoundRecord {
  const texts = { description: '', tags: [], tasks: [], indicators: [], keywords: [], project_type: 'service' };
  const named = kind === 'lesson' || kind === 'decision' ? { title: `Title of ${id}` } : { name: `Name of ${id}` };
  const facets = { status: 'active', is_built_in: false, domain: 'architecture', lesson: '', decision: '' };
  return {
    kind,
    id,
    uri: learningUri(kind, id),
    record: { id, ...texts, ...named, ...facets, ...more },
  } as unknown as FoundRecord;
}

function nodeOf(parent: LearningNode) {
  return (found: FoundRecord): LearnedNode => ({
    kind: 'learned',
    id: `${parent.id}/${found.id}`,
    parent,
    uri: found.uri,
    found,
  });
}

/** All lines below, in the order of the view. */
function linesBelow(node: LearningNode): LearningNode[] {
  if (node.kind !== 'learnedKind' && node.kind !== 'learnedGroup') return [];
  return below(node, nodeOf(node)).flatMap((make) => {
    const child = make();
    return [child, ...linesBelow(child)];
  });
}

const nameOf = (node: LearningNode) =>
  node.kind === 'learned'
    ? node.found.id
    : node.kind === 'learnedGroup'
      ? Object.values((node as LearnedGroupNode).group)[0]
      : node.id;

describe('the view of what was learned', () => {
  it('has the kinds that there is something of, projects first and patterns last', () => {
    const records = { ...NONE, pattern: [record('pattern', 'p')], project: [record('project', 'a')] };
    assert.deepEqual(
      kindNodes(records, false).map(({ of }) => of),
      ['project', 'pattern'],
    );
  });

  it('has projects by state, those under way first', () => {
    const project = (id: string, status: string) => record('project', id, { status });
    const [node] = kindNodes(
      { ...NONE, project: [project('old', 'completed'), project('new', 'active'), project('next', 'planning')] },
      false,
    );
    assert.deepEqual(linesBelow(node!).map(nameOf), ['active', 'new', 'planning', 'next', 'completed', 'old']);
  });

  it('has own patterns before those of the product, which are by domain', () => {
    const builtIn = (id: string, domain: string) => record('pattern', id, { domain, is_built_in: true });
    const [node] = kindNodes(
      { ...NONE, pattern: [record('pattern', 'own'), builtIn('s', 'safety'), builtIn('a', 'architecture')] },
      false,
    );
    assert.deepEqual(linesBelow(node!).map(nameOf), ['own', 'architecture', 'a', 'safety', 's']);
  });

  it('shows every record once, under an id of its own, filtered or not', () => {
    const any = fc.array(
      fc.record({
        kind: fc.constantFrom(...SHOWN_KINDS),
        status: fc.constantFrom(...PROJECT_STATUSES),
        domain: fc.constantFrom(...PATTERN_DOMAINS),
        is_built_in: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(any, fc.boolean(), (all, filtered) => {
        const records = structuredClone(NONE);
        all.forEach(({ kind, ...more }, index) => void records[kind].push(record(kind, `r${index}`, more)));
        const lines = kindNodes(records, filtered).flatMap((node) => [node, ...linesBelow(node)]);
        assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length);
        const shown = lines.flatMap((line) => (line.kind === 'learned' ? [line.found.id] : []));
        assert.deepEqual(shown.sort(), all.map((_, index) => `r${index}`).sort());
      }),
    );
  });

  it('unfolds what a filter leaves under other ids, so that what the person folded stays folded', () => {
    const records = { ...NONE, lesson: [record('lesson', 'l')] };
    assert.notEqual(kindNodes(records, true)[0]?.id, kindNodes(records, false)[0]?.id);
  });

  it('is filtered by every word, wherever a record says it', () => {
    const lesson = record('lesson', 'l', { lesson: 'Pumps run dry at low tide.', domain: 'harbour' });
    const isFound = (text: string) => isLeft(wordsOf(text), lesson);
    assert.ok(isFound('tide HARBOUR'));
    assert.ok(isFound('title of l'));
    assert.ok(!isFound('tide locks'));
    const project = record('project', 'p', { tasks: [{ name: 'Dredge the basin' }], tags: ['spring'] });
    assert.ok(isLeft(wordsOf('basin spring'), project));
  });
});

describe('the lines of a session', () => {
  const lines = (summary: string, tasks_completed: string[] = []) => linesOf({ summary, tasks_completed });
  const likely = (summary: string) => lines(summary).flatMap(({ text, isLikely }) => (isLikely ? [text] : []));

  it('are its sentences, those first ticked that tell of a problem, a decision or something learned', () => {
    const summary = 'Moved the parser to its own module. The tests broke because the clock was real. Lunch was good.';
    assert.deepEqual(
      lines(summary).map(({ text }) => text),
      ['Moved the parser to its own module.', 'The tests broke because the clock was real.', 'Lunch was good.'],
    );
    assert.deepEqual(likely(summary), ['The tests broke because the clock was real.']);
  });

  it('are what stands below a heading for it, without the heading, and points without their marks', () => {
    const summary = [
      '## Learned',
      '- Retries need a limit',
      '2. Jitter keeps clients apart',
      '## Done',
      '- Wrote docs',
    ];
    assert.deepEqual(likely(summary.join('\n')), ['Retries need a limit', 'Jitter keeps clients apart']);
  });

  it('are known by what they are called', () => {
    const summary = 'Problem: the queue filled up overnight\n**Decision** – one queue for each tenant';
    assert.deepEqual(likely(summary), ['the queue filled up overnight', 'one queue for each tenant']);
  });

  it('end with what was completed, which is not ticked, and say nothing twice', () => {
    assert.deepEqual(lines('Wrote the migration.', ['Wrote the migration.', 'Reviewed the schema']), [
      { text: 'Wrote the migration.', isLikely: false },
      { text: 'Reviewed the schema', isLikely: false },
    ]);
  });

  it('are found in German, too', () => {
    assert.deepEqual(likely('Gelernt: Zeitzonen gehören in die Datenbank\nKaffee war alle und die Milch auch.'), [
      'Zeitzonen gehören in die Datenbank',
    ]);
  });

  it('are few, on one line each, and what the session says, whatever it says', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: 'binary' }), fc.array(fc.string()), (summary, tasks) => {
        const found = lines(summary, tasks);
        assert.ok(found.length <= 50);
        const all = [summary, ...tasks].join('\n').replace(/\s+/g, ' ');
        for (const { text } of found) {
          assert.ok(!/[\n\r]/.test(text));
          assert.ok(all.includes(text), text);
        }
      }),
    );
  });
});

describe('the change of what was learned that still stands', () => {
  const text = (title: string) => ({ title }) as unknown as LearningRevision['before'];
  const change = (
    revision: number,
    operation: LearningRevision['operation'],
    before: string | null,
    after: string | null,
    id = 'less-a',
  ) => ({
    revision,
    kind: 'lesson' as const,
    id,
    operation,
    before: before === null ? null : text(before),
    after: after === null ? null : text(after),
  });
  const capture = change(1, 'capture_lesson', null, 'one');
  const edit = change(2, 'capture_lesson', 'one', 'two');

  it('is the last one', () => {
    assert.equal(lastStanding([edit, capture])?.revision, 2);
    assert.equal(lastStanding([]), undefined);
  });

  it('is the one before, when the last was undone, and none when all were', () => {
    const undone = change(3, 'undo', 'two', 'one');
    assert.equal(lastStanding([undone, edit, capture])?.revision, 1);
    assert.equal(lastStanding([change(4, 'undo', 'one', null), undone, edit, capture]), undefined);
  });

  it('is told by the record, where an earlier change of another one was undone', () => {
    const other = change(3, 'capture_lesson', null, 'other', 'less-b');
    const undone = change(4, 'undo', 'two', 'one');
    assert.equal(lastStanding([undone, other, edit, capture])?.id, 'less-b');
  });

  it('is the first one again, when the undoing was undone', () => {
    const again = change(4, 'undo', 'one', 'two');
    assert.equal(lastStanding([again, change(3, 'undo', 'two', 'one'), edit, capture])?.revision, 2);
  });
});

describe('a reference to what was captured', () => {
  it('is the title, quoted, with the address that is a resource', () => {
    const text = learnedReference([{ kind: 'lesson', uri: 'knowledge://learning/lesson/l', title: 'Say "no"' }]);
    assert.equal(
      text,
      '"Say \\"no\\""\nknowledge://learning/lesson/l\n(captured lesson of Kaizen; read it as a resource)',
    );
  });
});
