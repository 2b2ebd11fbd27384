import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TaskState } from '../../src/continuity/model';
import { isKaizenError, KaizenError } from '../../src/core/errors';
import { type RevisionAction, RISK_LEVELS, TIERS, type Tier } from '../../src/knowledge/model';
import {
  atLine,
  type EntryRecord,
  type EntryState,
  emptyImportResult,
  parseLines,
  RECORD_KINDS,
  type ScopeRecord,
  serialise,
  serialiseInTurns,
  type TaskRecord,
  type TransferRecord,
} from '../../src/transfer';
import { errorInGerman } from '../support/german';

/** Holds at compile time: the file format's unions are the model's, no more and no less. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const unionsAgree: [
  Same<ScopeRecord['tier'], Tier>,
  Same<EntryState['action'], RevisionAction>,
  Same<TaskRecord['state'], TaskState>,
] = [true, true, true];

const defaults = { author: 'importer', at: '2026-05-01T08:00:00.000Z' };
const HEADER = '{"type":"kaizen","format":1}';

function parse(...lines: (string | object)[]): TransferRecord[] {
  const text = [HEADER, ...lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))].join('\n');
  return parseLines(text, defaults).map(({ record }) => record);
}

function failure(text: string): { message: string; hint: string } {
  try {
    parseLines(text, defaults);
  } catch (error) {
    if (!isKaizenError(error)) throw error;
    assert.equal(error.code, 'invalid_argument');
    return { message: error.message, hint: error.hint ?? '' };
  }
  assert.fail('the file was accepted');
}

function failureOf(line: string | object): string {
  return failure(`${HEADER}\n${typeof line === 'string' ? line : JSON.stringify(line)}\n`).message;
}

const entry = { type: 'entry', scope: 'general', category: 'git', keyword: 'commit', content: 'Say why.' };

describe('export files', () => {
  it('speak of the tiers, actions and states that the model has', () => {
    assert.deepEqual(unionsAgree, [true, true, true]);
  });

  describe('reading', () => {
    it('fills in what a hand-written line leaves out', () => {
      assert.deepEqual(parse(entry), [
        {
          ...entry,
          metaknowledge: {},
          action: 'create',
          author: 'importer',
          by_agent: false,
          at: '2026-05-01T08:00:00.000Z',
          project_context: '',
          reason: null,
          revisions: [],
        },
      ]);
      assert.deepEqual(parse({ type: 'scope', id: 'auth', tier: 'GROUP', parents: ['webapp', 'webapp'] }), [
        { type: 'scope', id: 'auth', tier: 'GROUP', name: 'auth', description: null, parents: ['webapp'] },
      ]);
      assert.deepEqual(parse({ type: 'task', project: 'p', name: 'n', state: 'blocked' }), [
        {
          type: 'task',
          project: 'p',
          name: 'n',
          domain: null,
          state: 'blocked',
          status: null,
          blocker: null,
          author: 'importer',
          by_agent: false,
          at: '2026-05-01T08:00:00.000Z',
        },
      ]);
    });

    it('tells a creation, an update and a deletion apart when the action is left out', () => {
      const revisions = [{ content: 'Old.' }, { content: null }, { content: 'New.' }];
      const [record] = parse({ ...entry, content: null, revisions }) as [EntryRecord];
      assert.deepEqual(
        record.revisions.map((state) => state.action),
        ['create', 'delete', 'update'],
      );
      assert.equal(record.action, 'delete');
      assert.equal(record.metaknowledge, null);
      assert.deepEqual(record.revisions[2]?.metaknowledge, {});
    });

    it('takes dates and times with an offset and keeps them in UTC', () => {
      const at = (value: string) => (parse({ ...entry, at: value })[0] as EntryRecord).at;
      assert.equal(at('2026-03-01'), '2026-03-01T00:00:00.000Z');
      assert.equal(at('2026-03-01T01:30:00+02:00'), '2026-02-28T23:30:00.000Z');
      assert.equal(at('2026-03-01T01:30:00.123Z'), '2026-03-01T01:30:00.123Z');
    });

    it('counts lines as an editor does, past blank ones, a byte order mark and CRLF', () => {
      const records = parseLines(`\uFEFF${HEADER}\r\n\r\n${JSON.stringify(entry)}\r\n`, defaults);
      assert.deepEqual(
        records.map(({ line, record }) => [line, record.type]),
        [[3, 'entry']],
      );
    });

    it('keeps every label of metaknowledge, even __proto__', () => {
      const line =
        '{"type":"entry","scope":"g","category":"c","keyword":"k","content":"x","metaknowledge":{"__proto__":"p","A":"a"}}';
      const [record] = parse(line) as [EntryRecord];
      assert.deepEqual(Object.entries(record.metaknowledge ?? {}), [
        ['__proto__', 'p'],
        ['A', 'a'],
      ]);
      assert.ok(serialise([record]).includes('"metaknowledge":{"A":"a","__proto__":"p"}'));
    });
  });

  describe('refusing', () => {
    it('what does not begin as a Kaizen file, or was written by a newer one', () => {
      assert.match(failure('').message, /^line 1: the file is empty/);
      assert.match(failure('name,text\na,b\n').message, /^line 1: this is not JSON .*\.$/);
      assert.match(`${failure('name,text\na,b\n').hint}`, /^A Kaizen file begins with /);
      assert.match(failure('{"a":1}\n').message, /^line 1: this is not a Kaizen export file/);
      assert.match(failure(`\n${JSON.stringify(entry)}`).message, /^line 2: this is not a Kaizen export file/);
      assert.match(failure('{"type":"kaizen","format":1,"fromat":2}').message, /^line 1: unknown field "fromat"/);
      const newer = failure('{"type":"kaizen","format":2}');
      assert.match(newer.message, /^line 1: the file has format 2, this Kaizen reads format 1/);
      assert.match(newer.hint, /Update Kaizen/);
    });

    it('names the line, the field and what it should be', () => {
      assert.equal(
        failureOf({ type: 'scope', id: 'x', tier: 'TEAM' }),
        `line 2: "tier" must be one of ${TIERS.join(', ')}.`,
      );
      assert.equal(failureOf({ ...entry, content: 7 }), 'line 2: "content" must be a string or null.');
      assert.equal(failureOf({ ...entry, contnet: 'x' }), 'line 2: unknown field "contnet".');
      assert.equal(
        failureOf({ ...entry, revisions: [{ content: 'x', at: '2026-02-30' }] }),
        'line 2: "revisions[0].at" must be a date (2026-01-31) or a time (2026-01-31T09:30:00Z).',
      );
      assert.equal(
        failureOf({ ...entry, metaknowledge: { SEVERITY: 3 } }),
        'line 2: "metaknowledge" must be an object whose values are strings.',
      );
      assert.equal(failureOf({ type: 'session', project: 'p', summary: 's' }), 'line 2: "at" is missing.');
      assert.equal(failureOf({ type: 'note' }), `line 2: "type" must be one of ${RECORD_KINDS.join(', ')}.`);
      assert.equal(failureOf('[1]'), 'line 2: this is not a JSON object.');
      assert.equal(failureOf('{"type":'), 'line 2: this is not JSON (each line holds one whole JSON object).');
    });

    it('an action that does not fit the content', () => {
      assert.equal(
        failureOf({ ...entry, action: 'delete' }),
        'line 2: "content" must be null when the action is delete.',
      );
      assert.equal(
        failureOf({ ...entry, revisions: [{ content: null, action: 'update' }] }),
        'line 2: "revisions[0].content" may only be null when the action is delete.',
      );
    });

    it('the same thing twice, naming both lines', () => {
      const { message } = failure(
        [HEADER, JSON.stringify(entry), JSON.stringify({ ...entry, content: 'x' })].join('\n'),
      );
      assert.equal(message, 'line 3: the same entry already stands on line 2.');
    });

    it('says of a change whether an agent made it, and nothing when a person did', () => {
      const [first] = parse({
        ...entry,
        by_agent: true,
        revisions: [
          { content: 'x', by_agent: false },
          { content: 'y', by_agent: true },
        ],
      });
      assert.ok(first?.type === 'entry');
      assert.deepEqual(
        [...first.revisions, first].map(({ by_agent }) => by_agent),
        [false, true, true],
      );
      const line = JSON.parse(serialise([first]).split('\n')[1]!);
      assert.equal(line.by_agent, true);
      assert.deepEqual(
        line.revisions.map((state: object) => 'by_agent' in state),
        [false, true],
      );
      assert.throws(() => parse({ ...entry, by_agent: 'yes' }), /"by_agent" must be true or false/);
    });

    it('tells of several problems at once, so that mending a file does not take a round for each', () => {
      const { message, hint } = failure([HEADER, ...Array.from({ length: 8 }, () => '{}')].join('\n'));
      assert.match(message, /^line 2: /);
      assert.match(hint, /line 3: .*line 6: .*and 3 more\.$/);
      try {
        parseLines(`${HEADER}\nnope\n[]\nnope\n`, defaults);
        assert.fail('the file was accepted');
      } catch (error) {
        assert.ok(isKaizenError(error));
        assert.match(errorInGerman(error), /^Zeile 2: [^;]* Außerdem: Zeile 3: [^;]*; Zeile 4: [^;]*\.$/);
        assert.doesNotMatch(errorInGerman(error), /\b(?:line|this)\b/);
      }
    });
  });

  describe('writing', () => {
    it('gives the same bytes whatever the order of lines, fields and labels', async () => {
      const records = parse(
        { type: 'task', project: 'p', name: 'b', state: 'blocked' },
        {
          keyword: 'z',
          scope: 'general',
          content: 'x',
          category: 'git',
          type: 'entry',
          metaknowledge: { B: '2', A: '1' },
        },
        entry,
        { type: 'scope', id: 'a', tier: 'PROJECT', parents: ['y', 'x'] },
        { type: 'scope', id: 'general', tier: 'GENERAL' },
        { type: 'session', project: 'p', at: '2026-03-02', summary: 's' },
        { type: 'session', project: 'p', at: '2026-03-01', summary: 's' },
      );
      const text = serialise(records);
      assert.equal(serialise([...records].reverse()), text);
      assert.equal(await serialiseInTurns(records), text);
      await assert.rejects(serialiseInTurns(records, AbortSignal.abort(new Error('stopped'))), /stopped/);
      assert.equal(
        serialise(parseLines(text, { author: 'other', at: '2027-01-01T00:00:00.000Z' }).map((p) => p.record)),
        text,
      );
      assert.deepEqual(
        text.split('\n').map((line) => line.slice(0, 44)),
        [
          HEADER,
          '{"type":"scope","id":"general","tier":"GENER',
          '{"type":"scope","id":"a","tier":"PROJECT","n',
          '{"type":"entry","scope":"general","category"',
          '{"type":"entry","scope":"general","category"',
          '{"type":"session","project":"p","at":"2026-0',
          '{"type":"session","project":"p","at":"2026-0',
          '{"type":"task","project":"p","name":"b","sta',
          '',
        ].map((line) => line.slice(0, 44)),
      );
      assert.ok(text.indexOf('2026-03-01') < text.indexOf('2026-03-02'));
    });

    it('survives line breaks, quotes and every plane of Unicode', () => {
      const content = 'a\nb\r\n\t"q" \\ \u2028 \u2029 \u{1F4A5} \u0000é';
      const [record] = parse({ ...entry, content }) as [EntryRecord];
      const [again] = parseLines(serialise([record]), defaults);
      assert.deepEqual(again?.record, record);
      assert.equal(serialise([record]).trimEnd().split('\n').length, 2);
    });
  });

  it('lets a later check speak of the line', () => {
    assert.throws(
      () =>
        atLine(12, () => {
          throw new KaizenError('wrong_tier', 'A GROUP has no GROUP above it.', 'Name a PRODUCT.');
        }),
      (error) =>
        isKaizenError(error) &&
        error.code === 'wrong_tier' &&
        error.message === 'line 12: A GROUP has no GROUP above it.' &&
        error.hint === 'Name a PRODUCT.',
    );
  });

  it('begins to count an import at nothing', () => {
    const result = emptyImportResult();
    assert.deepEqual(Object.keys(result), [...RECORD_KINDS]);
    result.entry.added++;
    assert.equal(result.scope.added, 0);
  });
});

describe('the example knowledge (examples/checkout-api)', () => {
  const text = readFileSync('examples/checkout-api/knowledge.jsonl', 'utf8');
  const records = parseLines(text, defaults).map(({ record }) => record);
  const entries = records.filter((record) => record.type === 'entry');
  const live = entries.filter((each) => each.content !== null);

  it('is written as export writes it, so that reading and writing change no byte', () => {
    assert.equal(serialise(records), text);
  });

  it('has the tiers of the specification, and entries in each of its scopes', () => {
    const scopes = records.filter((record) => record.type === 'scope');
    assert.deepEqual(
      scopes.map(({ id, tier }) => [id, tier]),
      [
        ['general', 'GENERAL'],
        ['webapp', 'PRODUCT'],
        ['auth', 'GROUP'],
        ['mobile', 'GROUP'],
        ['payments', 'GROUP'],
        ['web', 'GROUP'],
        ['checkout-api', 'PROJECT'],
      ],
    );
    assert.deepEqual(scopes.at(-1)?.parents, ['auth', 'mobile', 'payments', 'web']);
    assert.ok(live.length >= 64, `${live.length} entries`);
    for (const { id } of scopes) assert.ok(live.filter((each) => each.scope === id).length >= 6, id);
  });

  it('shows what the product does: conflicts, overrides, revisions, a deletion, every kind of risk', () => {
    const holding = (keyword: string) => new Set(live.filter((e) => e.keyword === keyword).map((e) => e.scope));
    assert.ok(holding('tokens').has('auth') && holding('tokens').has('payments'));
    const keywords = [...new Set(live.map((each) => each.keyword))];
    assert.ok(
      keywords.some((keyword) => ['general', 'webapp', 'checkout-api'].every((id) => holding(keyword).has(id))),
    );
    assert.ok(
      live.some((one) => live.some((two) => one !== two && one.scope === two.scope && one.keyword === two.keyword)),
    );
    assert.ok(entries.filter((each) => each.revisions.length > 0).length >= 3);
    assert.equal(entries.filter((each) => each.content === null).length, 1);
    for (const level of RISK_LEVELS)
      assert.ok(
        live.some((each) => each.content?.includes(`${level}:`)),
        level,
      );
    const inCode = [/`DANGER:`/, /```[^`]*WARNING:[^`]*```/];
    for (const pattern of inCode)
      assert.ok(
        live.some((each) => pattern.test(each.content ?? '')),
        String(pattern),
      );
  });

  it('carries a project over: overview, sessions, progress, tasks in every state', () => {
    const count = (kind: TransferRecord['type']) => records.filter((record) => record.type === kind).length;
    assert.deepEqual([count('overview'), count('progress')], [1, 1]);
    assert.ok(count('session') >= 6);
    const states = records.filter((record) => record.type === 'task').map((task) => task.state);
    assert.deepEqual([...new Set(states)].sort(), ['blocked', 'completed', 'in_progress']);
  });
});
