import assert from 'node:assert/strict';
import { isKaizenError } from '../../src/core/errors';
import { inGerman } from '../support/german';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

describe('what is too long, empty or unreadable', () => {
  const open = useHalls();
  const LONG = 'x'.repeat(70_000);

  const attempts: [(hall: Hall) => unknown, string, string][] = [
    [
      (hall) => hall.define('shop', 'PROJECT', [], ' '),
      'The scope name is empty.',
      'Die Angabe „Name des Scopes“ ist leer.',
    ],
    [
      (hall) => hall.put('general', 'git', 'a\tb'),
      'The keyword contains a control character.',
      'Die Angabe „Stichwort“ enthält ein Steuerzeichen.',
    ],
    [
      ({ knowledge }) => knowledge.find(LONG),
      'The query has 70000 characters; the limit is 1000.',
      'Die Angabe „Suchanfrage“ hat 70000 Zeichen; höchstens 1000 sind möglich.',
    ],
    [
      ({ continuity }) =>
        continuity.storeSessionSummary({ project_id: 'p', summary: '\0', tasks_completed: [] }, BY_TESTER),
      'The summary contains a NUL character.',
      'Die Angabe „Zusammenfassung“ enthält ein NUL-Zeichen.',
    ],
    [
      ({ continuity }) =>
        continuity.updateProgress({ project_id: 'p', tasks: [{ name: '', state: 'blocked' }] }, BY_TESTER),
      'The task name is empty.',
      'Die Angabe „Name der Aufgabe“ ist leer.',
    ],
    [
      ({ learning }) =>
        learning.write(
          { operation: 'capture_project', project: { name: 'Shop', phases: ['\ud800'], description: '' } },
          BY_TESTER,
        ),
      'The phases contains half of a surrogate pair.',
      'Die Angabe „Phasen“ enthält ein halbes Surrogatpaar.',
    ],
    [
      ({ learning }) =>
        learning.write({ operation: 'capture_lesson', lesson: { title: 'T', lesson: 'L', context: LONG } }, BY_TESTER),
      'The context has 70000 characters; the limit is 16384.',
      'Die Angabe „Kontext“ hat 70000 Zeichen; höchstens 16384 sind möglich.',
    ],
    [({ discovery }) => discovery.search({ query: ' ' }), 'The query is empty.', 'Die Angabe „Suchanfrage“ ist leer.'],
    [
      ({ discovery }) => discovery.discover({ task_description: 'x', current_file: LONG }),
      'The current_file has 70000 characters; the limit is 4096.',
      'Die Angabe „current_file“ hat 70000 Zeichen; höchstens 4096 sind möglich.',
    ],
    [
      ({ library }) => library.requestDocument({ topic: 'Pumps', rationale: '' }, BY_TESTER),
      'The rationale is empty.',
      'Die Angabe „Begründung“ ist leer.',
    ],
  ];
  for (const [attempt, english, german] of attempts) {
    it(`is said in German as well: ${english}`, async () => {
      const hall = await open();
      await hall.define('p', 'PROJECT');
      await assert.rejects(
        async () => attempt(hall),
        (thrown) => {
          assert.ok(isKaizenError(thrown), String(thrown));
          assert.equal(thrown.message, english);
          assert.equal(inGerman(thrown.said[0]!), german);
          return true;
        },
      );
    });
  }
});
