import assert from 'node:assert/strict';
import { countAxis, durationAxis, withoutOverlap } from '../../webview-ui/charts/axis';

describe('the axes of charts', () => {
  it('have round whole numbers and room for the largest', () => {
    for (const max of [0, 1, 2, 3, 7, 13, 24, 99, 101, 4_321, 100_000]) {
      const { ticks, end } = countAxis(max, 4);
      const [zero, step = 1] = ticks;
      assert.equal(zero, 0);
      assert.ok(end >= max && end <= Math.max(1, max * 2), `${max}: ${ticks}`);
      assert.ok(ticks.length >= 2 && ticks.length <= 8, `${max}: ${ticks}`);
      assert.match(String(step), /^(1|2|5)0*$/);
      assert.deepEqual(
        ticks,
        ticks.map((_, index) => index * step),
      );
    }
  });

  it('have room for what is no whole number', () => {
    for (const max of [0.2, 1.3, 2.5, 12.75]) {
      const { ticks, end } = countAxis(max, 4);
      assert.ok(end >= max && end <= Math.max(1, max * 2), `${max}: ${end}`);
      assert.ok(ticks.every(Number.isInteger), `${max}: ${ticks}`);
    }
  });

  it('have steps of durations that are round on a clock', () => {
    assert.deepEqual(durationAxis(30, 3).ticks, [0, 10, 20, 30]);
    assert.deepEqual(durationAxis(180, 3).ticks, [0, 60, 120, 180]);
    assert.deepEqual(durationAxis(200, 3).ticks, [0, 120, 240]);
    const week = durationAxis(7 * 24 * 60 + 1, 3);
    assert.ok(week.end > 7 * 24 * 60 && week.ticks.every((tick) => tick % (24 * 60) === 0));
  });

  it('leave out labels that would touch the next one, and keep the last', () => {
    const labels = [0, 30, 60, 65].map((from) => ({ from, to: from + 20 }));
    assert.deepEqual(withoutOverlap(labels, 5), [labels[0], labels[1], labels[3]]);
  });
});
