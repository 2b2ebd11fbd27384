import assert from 'node:assert/strict';
import { nearestTo, nodeTowards } from '../../webview-ui/graph/directions';
import { HitIndex } from '../../webview-ui/graph/hit-index';
import { LABEL_HEIGHT, type Label, shortened, withoutOverlap } from '../../webview-ui/graph/labels';
import { type Body, Layout } from '../../webview-ui/graph/layout';
import { Graph } from '../../webview-ui/graph/model';
import { fitting, NEAREST, seen, toGraph, toScreen, visiblePart, zoomed } from '../../webview-ui/graph/viewport';
import type { GraphState } from '../../webview-ui/protocol/graph';

/** A graph of so many nodes, each linked with its third and its predecessor; the last one with nothing. */
function generated(count: number): GraphState {
  const edges = Array.from({ length: count - 2 }, (_, index) => [
    { from: index + 1, to: index, type: 0 },
    { from: index + 1, to: Math.floor((index + 1) / 3), type: 1 },
  ]).flat();
  return stateOf(count, edges);
}

function stateOf(count: number, edges: GraphState['edges']): GraphState {
  return {
    kinds: [{ id: 'pattern', name: 'pattern' }],
    groups: [],
    types: [
      { id: 'references', name: 'references', reverse: 'referenced by', isDirected: true },
      { id: 'related', name: 'is related to', reverse: 'is related to', isDirected: false },
    ],
    nodes: Array.from({ length: count }, (_, index) => ({
      id: `n${index}`,
      label: `Node ${index}`,
      detail: `n${index}`,
      missing: false,
    })),
    edges,
    total: count,
    isReading: false,
    writable: true,
  };
}

function settled(state: GraphState, known?: Map<string, { x: number; y: number }>): Layout {
  const layout = new Layout(new Graph(state), known);
  layout.settle();
  return layout;
}

const at = (x: number, y: number, radius = 5): Body => ({ x, y, radius });
const all = (bodies: readonly Body[]) => new Uint8Array(bodies.length).fill(1);

describe('the layout of a graph', () => {
  it('gives the same picture for the same graph', () => {
    assert.deepEqual(settled(generated(60)).places(), settled(generated(60)).places());
  });

  it('comes to rest, with every node at a place of its own', () => {
    const layout = settled(generated(200));
    assert.equal(layout.isMoving, false);
    const { bodies } = layout;
    for (const [index, a] of bodies.entries()) {
      assert.ok(Number.isFinite(a.x) && Number.isFinite(a.y));
      for (const b of bodies.slice(index + 1)) {
        assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > Math.max(a.radius, b.radius), 'no node covers another');
      }
    }
  });

  it('draws linked nodes nearer than others', () => {
    const state = generated(80);
    const { bodies } = settled(state);
    const mean = (pairs: { from: number; to: number }[]) =>
      pairs.reduce(
        (sum, { from, to }) => sum + Math.hypot(bodies[from]!.x - bodies[to]!.x, bodies[from]!.y - bodies[to]!.y),
        0,
      ) / pairs.length;
    const others = state.nodes.flatMap((_, from) => state.nodes.slice(from + 1).map((__, to) => ({ from, to })));
    assert.ok(mean([...state.edges].filter(({ from, to }) => from !== to)) * 2 < mean(others));
  });

  it('goes on in small slices to the same end', () => {
    const layout = new Layout(new Graph(generated(40)));
    let slices = 0;
    while (layout.isMoving) {
      layout.advance(0);
      slices++;
    }
    assert.ok(slices > 100);
    assert.deepEqual(layout.places(), settled(generated(40)).places());
  });

  it('leaves what it knows where it was, and puts what is new beside its neighbours', () => {
    const before = settled(generated(30)).places();
    const same = new Layout(new Graph(generated(30)), before);
    assert.equal(same.isMoving, false);
    assert.deepEqual(same.places(), before);

    const state = stateOf(31, [...generated(30).edges, { from: 30, to: 4, type: 0 }]);
    const begun = new Layout(new Graph(state), before);
    const [fresh, neighbour] = [begun.bodies[30]!, before.get('n4')!];
    assert.ok(Math.hypot(fresh.x - neighbour.x, fresh.y - neighbour.y) < 30);
    begun.settle();
    const strayed = [...before].map(([id, was]) => {
      const is = begun.places().get(id)!;
      return Math.hypot(is.x - was.x, is.y - was.y);
    });
    assert.ok(strayed.reduce((sum, way) => sum + way, 0) / strayed.length < 40, 'hardly anything moves');
  });

  it('holds a dragged node where it is put, and lets it go', () => {
    const layout = settled(generated(20));
    layout.drag(3, { x: 500, y: 500 });
    layout.advance(0);
    assert.deepEqual([layout.bodies[3]!.x, layout.bodies[3]!.y], [500, 500]);
    assert.ok(layout.isMoving);
    layout.release(3);
    layout.settle();
    assert.ok(Math.hypot(layout.bodies[3]!.x - 500, layout.bodies[3]!.y - 500) > 50);
  });

  it('takes a node that links to itself, two that link to each other, and none at all', () => {
    const edges = [
      { from: 0, to: 0, type: 0 },
      { from: 0, to: 1, type: 0 },
      { from: 1, to: 0, type: 0 },
    ];
    const graph = new Graph(stateOf(2, edges));
    assert.deepEqual(graph.links(0).length, 3);
    assert.deepEqual([...graph.neighbours(0)], [1]);
    assert.notEqual(graph.lanes[1], 0);
    assert.equal(graph.lanes[1], graph.lanes[2], 'seen from where each starts, both lie on the same side: apart');
    assert.equal(settled(stateOf(2, edges)).isMoving, false);
    assert.equal(settled(stateOf(0, [])).isMoving, false);
  });
});

describe('what is seen of a graph', () => {
  const size = { width: 800, height: 600 };

  it('fits all points, small graphs not larger than they are read best', () => {
    const points = [at(-1000, -200), at(3000, 400)];
    const view = fitting(points, size);
    for (const point of points) {
      const { x, y } = toScreen(view, point);
      assert.ok(x >= 60 && x <= 740 && y >= 60 && y <= 540);
    }
    assert.ok(fitting([at(0, 0), at(10, 10)], size).zoom < 2);
    assert.deepEqual(fitting([], size), { zoom: 1, left: 400, top: 300 });
  });

  it('zooms around the pointer, within limits, and there and back', () => {
    const view = { zoom: 1, left: 13, top: 7 };
    const pointer = { x: 300, y: 200 };
    const near = zoomed(view, 2, pointer);
    assert.deepEqual(toGraph(near, pointer), toGraph(view, pointer));
    assert.equal(zoomed(near, 100, pointer).zoom, NEAREST);
    assert.deepEqual(zoomed(near, 0.5, pointer), view);
    assert.deepEqual(seen({ zoom: 2, left: 100, top: 0 }, size), { left: -50, top: 0, right: 350, bottom: 300 });
  });

  it('cuts off what of a line nobody sees', () => {
    const view = { left: 0, top: 0, right: 100, bottom: 100 };
    assert.deepEqual(visiblePart(10, 10, 50, 50, view), [0, 1], 'within');
    assert.deepEqual(visiblePart(-100, 50, 400, 0, view), [0.25, 0.5], 'through');
    assert.deepEqual(visiblePart(50, 50, 0, -100, view), [0, 0.5], 'out of it');
    assert.equal(visiblePart(-50, 120, 200, 0, view), undefined, 'past it');
    assert.equal(visiblePart(-60, 30, 100, -100, view), undefined, 'past a corner');
  });

  it('finds the node under the pointer, the nearest of several, no hidden one', () => {
    const bodies = [at(0, 0), at(12, 0), at(-47, 0), at(400, 400, 14)];
    const hits = new HitIndex(bodies, all(bodies));
    assert.equal(hits.at({ x: 7, y: 0 }, 4), 1);
    assert.equal(hits.at({ x: 5, y: 0 }, 4), 0);
    assert.equal(hits.at({ x: -50, y: 0 }, 4), 2, 'across the border of a cell');
    assert.equal(hits.at({ x: 411, y: 408 }, 0), 3);
    assert.equal(hits.at({ x: 200, y: 0 }, 4), undefined);
    assert.equal(new HitIndex(bodies, Uint8Array.of(1, 0, 1, 1)).at({ x: 12, y: 0 }, 1), undefined);
  });
});

describe('walking a graph by arrow keys', () => {
  //      2
  //  1   0   3   4
  const bodies = [at(0, 0), at(-60, 5), at(0, -60), at(50, 10), at(120, 0)];
  const graph = new Graph(
    stateOf(5, [
      { from: 0, to: 4, type: 0 },
      { from: 1, to: 0, type: 0 },
    ]),
  );

  it('goes to the linked node that lies there, in either direction of the link', () => {
    assert.equal(nodeTowards(graph, bodies, all(bodies), 0, 'right'), 4);
    assert.equal(nodeTowards(graph, bodies, all(bodies), 0, 'left'), 1);
  });

  it('goes to the nearest one where no linked one lies, and nowhere at the rim', () => {
    assert.equal(nodeTowards(graph, bodies, all(bodies), 0, 'up'), 2);
    assert.equal(nodeTowards(graph, bodies, all(bodies), 3, 'right'), 4);
    assert.equal(nodeTowards(graph, bodies, all(bodies), 0, 'down'), undefined);
  });

  it('passes by what is hidden, and begins in the middle of what is seen', () => {
    assert.equal(nodeTowards(graph, bodies, Uint8Array.of(1, 1, 1, 1, 0), 0, 'right'), 3);
    assert.equal(nearestTo(bodies, all(bodies), { x: 45, y: 0 }), 3);
    assert.equal(nearestTo(bodies, Uint8Array.of(1, 1, 1, 0, 0), { x: 45, y: 0 }), 0);
  });
});

describe('names in a picture', () => {
  let nodes = 0;
  const label = (x: number, y: number, isDue = false): Label => ({ node: nodes++, text: '', x, y, width: 100, isDue });

  it('never cover each other; earlier ones go first', () => {
    const [first, covered, beside, below] = [label(0, 0), label(60, 4), label(120, 0), label(60, LABEL_HEIGHT + 5)];
    assert.deepEqual(withoutOverlap([first, covered, beside, below]), [first, beside, below]);
  });

  it('cover no node but the one that they name', () => {
    const [own, covering] = [label(0, 0), label(0, 40)];
    const obstacles = [
      { node: own.node, x: 0, y: 8, radius: 6 },
      { node: -1, x: 30, y: 48, radius: 6 },
    ];
    assert.deepEqual(withoutOverlap([own, covering], obstacles), [own]);
  });

  it('are there for what is selected, whatever they cover', () => {
    assert.equal(withoutOverlap([label(0, 0), label(5, 0, true)]).length, 2);
  });

  it('are as long as there is room', () => {
    assert.equal(shortened('Short'), 'Short');
    const long = shortened('𝒜'.repeat(100));
    assert.equal([...long].length, 36);
    assert.ok(long.endsWith('…'));
  });
});
