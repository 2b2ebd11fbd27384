import assert from 'node:assert/strict';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';
import { captureIncidents, FIRST_SET, SECOND_SET, similarFailureRecall } from '../support/incidents';

describe('Similar failures', () => {
  const open = useHalls();

  for (const [name, set] of Object.entries({ first: FIRST_SET, second: SECOND_SET })) {
    it(`are found: recall@5 over the ${name} set of incidents is above 0.70`, async function () {
      this.timeout(120_000);
      assert.ok(set.incidents.length >= 60);
      assert.ok(set.queries.length >= 40);
      const hall: Hall = await open();
      const { recall, missed } = await similarFailureRecall(hall, set, await captureIncidents(hall, set));
      assert.ok(recall > 0.7, `recall@5 is ${recall.toFixed(3)}: ${JSON.stringify(missed)}`);
    });
  }

  const incident = async ({ learning }: Hall, name: string, description: string) => {
    const project = { name, description, project_type: 'rcca' };
    return (await learning.write({ operation: 'capture_project', project }, BY_TESTER)).record.id;
  };
  const similar = async ({ workflows }: Hall, problem_description: string) =>
    (await workflows.rcca({ operation: 'find_similar', problem_description })).results.filter(
      ({ kind }) => kind === 'project',
    );

  it('a thing with many names counts once, however many of them are used', async () => {
    const hall = await open();
    const named = await incident(hall, 'Names', 'Latency and delay and lag, sluggish.');
    const meant = await incident(hall, 'Meant', 'The turbine was sluggish.');
    assert.deepEqual(
      (await similar(hall, 'turbine is slow')).map(({ id }) => id),
      [meant, named],
    );
  });

  it('what is said in other words is found, and says so', async () => {
    const hall = await open();
    const id = await incident(hall, 'Latency', 'Requests had a latency of seconds.');
    const [found] = await similar(hall, 'sluggish');
    assert.equal(found?.id, id);
    assert.match(found.why, /In other words: it says "latency" for what was described/);
  });

  it('follows what is changed and deleted', async () => {
    const hall = await open();
    const id = await incident(hall, 'Turbine', 'The turbine was sluggish.');
    assert.equal((await similar(hall, 'turbine')).length, 1);
    const project = { name: 'Turbine', description: 'The conveyor stood.', project_type: 'rcca' };
    await hall.learning.write({ operation: 'update_project', project_id: id, project }, BY_TESTER);
    assert.equal((await similar(hall, 'conveyor')).length, 1);
    assert.equal((await similar(hall, 'sluggish')).length, 0);
    await hall.learning.write({ operation: 'delete', kind: 'project', id }, BY_TESTER);
    assert.equal((await similar(hall, 'conveyor')).length, 0);
  });

  it('one letter that was mistyped does not hide it', async () => {
    const hall = await open();
    const id = await incident(hall, 'Turbine', 'The turbine was sluggish.');
    assert.equal((await similar(hall, 'turbinne'))[0]?.id, id);
  });
});
