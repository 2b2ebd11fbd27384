import assert from 'node:assert/strict';
import { type Hall, useHalls } from '../support/hall';
import { captureIncidents, INCIDENTS, QUERIES, similarFailureRecall } from '../support/incidents';

describe('Similar failures', () => {
  const open = useHalls();

  it('are found: recall@5 over the set of incidents is above 0.70', async function () {
    this.timeout(120_000);
    assert.ok(INCIDENTS.length >= 60);
    assert.ok(QUERIES.length >= 40);
    const hall: Hall = await open();
    const { recall, missed } = await similarFailureRecall(hall, await captureIncidents(hall));
    assert.ok(recall > 0.7, `recall@5 is ${recall.toFixed(3)}: ${JSON.stringify(missed)}`);
  });
});
