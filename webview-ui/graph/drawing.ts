import type { Shown } from './filter';
import { LABEL_HEIGHT, type Label, type Obstacle, shortened, withoutOverlap } from './labels';
import type { Body } from './layout';
import type { Graph } from './model';
import { addShape, dashOf, isBold } from './shapes';
import { Strokes } from './strokes';
import type { Theme } from './theme';
import { type Box, type Size, seen, toScreen, type Viewport } from './viewport';

/** All that a picture is made of. */
export interface Scene {
  graph: Graph;
  bodies: readonly Body[];
  shown: Shown;
  viewport: Viewport;
  size: Size;
  /** Of the screen: pixels for each unit of length. */
  ratio: number;
  theme: Theme;
  selected: number | undefined;
  hovered: number | undefined;
  /** A way through the graph that is in front unless something is under the pointer. */
  way: Way | undefined;
  /** It will be drawn again in a moment. */
  isMoving: boolean;
}

/** Nodes and edges on it. */
export interface Way {
  nodes: ReadonlySet<number>;
  edges: ReadonlySet<number>;
}

/** From this zoom on things get their names, arrows, and dashes: smaller they would be a blur. */
const NAMES_FROM = 0.6;
const ARROWS_FROM = 0.4;
const DASHES_FROM = 0.3;
/** Apart so far, in the graph's units, run several edges between the same two nodes. */
const LANE = 7;
const FAINT = 0.16;
/** More lines than this are drawn in a hurry while they move: a pixel wide and unbroken. */
const MOST_FINE = 600;
/** From so many lines on each is drawn more faintly. */
const CROWD = 800;
/** Names asked about in one picture; more do not fit. */
const MOST_LABELS = 300;
/** With few edges, the nodes that have most of them are named however small they are. */
const LANDMARKS = 12;
const LABEL_SIZE = 12;
const WORD_SIZE = 11;
/** Lines with words in one picture, and how long one is at least, in pixels, so that its word does not hide it. */
const MOST_WORDS = 200;
const MOST_DUE_WORDS = 12;
const SHORTEST_WITH_WORD = 34;

/** Draws what is seen of the graph, and nothing that is not. */
export function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { ratio, size, viewport, theme } = scene;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.globalAlpha = 1;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, size.width, size.height);
  const inFront = inFrontOf(scene);
  const view = seen(viewport, size);
  context.setTransform(ratio * viewport.zoom, 0, 0, ratio * viewport.zoom, ratio * viewport.left, ratio * viewport.top);
  drawEdges(context, scene, view, inFront);
  drawNodes(context, scene, view, inFront);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawLabels(context, scene, view, inFront);
}

/** What is looked at: the node under the pointer, a way, or the selected node, with what is next to it. The rest is faint. */
interface InFront {
  nodes: ReadonlySet<number>;
  hasEdge(edge: number): boolean;
}

function inFrontOf({ graph, shown, hovered, selected, way }: Scene): InFront | undefined {
  const isShown = (node: number | undefined) => node !== undefined && shown.nodes[node] === 1;
  if (way && !isShown(hovered)) return { nodes: way.nodes, hasEdge: (edge) => way.edges.has(edge) };
  const centre = [hovered, selected].find(isShown);
  if (centre === undefined) return undefined;
  const isAt = ({ from, to }: { from: number; to: number }) => from === centre || to === centre;
  return {
    nodes: graph.neighbours(centre).add(centre),
    hasEdge: (edge) => isAt(graph.edges[edge] ?? { from: -1, to: -1 }),
  };
}

function isFaint({ shown }: Scene, inFront: InFront | undefined, node: number): boolean {
  if (inFront) return !inFront.nodes.has(node);
  return shown.matches !== undefined && shown.matches[node] !== 1;
}

function drawEdges(context: CanvasRenderingContext2D, scene: Scene, view: Box, inFront: InFront | undefined): void {
  const { graph, bodies, shown, theme, viewport } = scene;
  const pixel = 1 / viewport.zoom;
  const hasArrows = viewport.zoom >= ARROWS_FROM;
  const strokes = graph.types.map((_, type) => ({
    strong: new Strokes(viewport.zoom >= DASHES_FROM ? dashOf(type) : []),
    faint: new Strokes([]),
  }));
  graph.edges.forEach(({ from, to, type, mutual = false }, edge) => {
    const [start, end] = [bodies[from], bodies[to]];
    if (shown.edges[edge] !== 1 || !start || !end || from === to || isOutside(start, end, view)) return;
    const isNear = !inFront || inFront.hasEdge(edge);
    const look = isNear && !(isFaint(scene, inFront, from) || isFaint(scene, inFront, to)) ? 'strong' : 'faint';
    strokes[type]?.[look].add(start, end, (graph.lanes[edge] ?? 0) * LANE, view, mutual);
  });
  const count = strokes.reduce((sum, { strong, faint }) => sum + strong.length + faint.length, 0);
  // Very many lines together are a wall in front of which nothing can be seen.
  const density = Math.max(0.4, Math.min(1, Math.sqrt(CROWD / Math.max(1, count))));
  const isCoarse = scene.isMoving && count > MOST_FINE;
  for (const look of ['faint', 'strong'] as const) {
    const isInFront = inFront !== undefined && look === 'strong';
    const strong = theme.isHighContrast ? 0.9 : 0.38;
    strokes.forEach((both, type) => {
      const { colour, isDirected } = graph.types[type] ?? {};
      const own = colour === undefined ? undefined : theme.kinds[colour % theme.kinds.length];
      context.globalAlpha = look === 'faint' ? FAINT * density : isInFront ? 0.9 : (own ? 0.8 : strong) * density;
      context.strokeStyle = context.fillStyle = own ?? (isInFront ? theme.accent : theme.line);
      const width = isBold(type) || isInFront ? 1.8 : 1;
      // Lines get thinner with the picture, but never vanish, and thicker only to a point.
      context.lineWidth = isCoarse ? pixel : Math.min(Math.max(width, 0.6 * pixel), 2 * width * pixel);
      both[look].draw(context, hasArrows && isDirected === true, isCoarse);
    });
  }
  context.setLineDash([]);
}

function drawNodes(context: CanvasRenderingContext2D, scene: Scene, view: Box, inFront: InFront | undefined): void {
  const { graph, bodies, shown, theme, viewport, selected, hovered } = scene;
  const looks = () => ({ strong: new Path2D(), faint: new Path2D() });
  const kinds = Array.from({ length: graph.kinds.length + 1 }, looks);
  const hollow = looks();
  bodies.forEach((body, index) => {
    if (shown.nodes[index] !== 1 || isOutside(body, body, view)) return;
    const look = isFaint(scene, inFront, index) ? 'faint' : 'strong';
    const { kind, missing } = graph.node(index);
    const path = missing ? hollow[look] : kinds[kind ?? graph.kinds.length]?.[look];
    if (path) addShape(path, missing ? 0 : (kind ?? 0), body.x, body.y, body.radius);
  });
  const pixel = 1 / viewport.zoom;
  for (const look of ['faint', 'strong'] as const) {
    kinds.forEach((paths, kind) => {
      // What has no kind is a plain grey circle.
      const colour = kind < graph.kinds.length ? theme.kinds[kind % theme.kinds.length] : theme.quiet;
      // Lines end below the nodes, also below faint ones.
      context.globalAlpha = 1;
      context.lineWidth = Math.max(1.5, pixel);
      context.strokeStyle = context.fillStyle = theme.background;
      context.stroke(paths[look]);
      context.fill(paths[look]);
      context.globalAlpha = look === 'faint' ? 0.22 : 1;
      context.fillStyle = colour ?? theme.quiet;
      context.fill(paths[look]);
    });
    context.globalAlpha = 1;
    context.fillStyle = theme.background;
    context.fill(hollow[look]);
    context.globalAlpha = look === 'faint' ? 0.3 : 1;
    context.strokeStyle = theme.quiet;
    context.lineWidth = Math.max(1.4, pixel);
    context.setLineDash([3, 2]);
    context.stroke(hollow[look]);
    context.setLineDash([]);
  }
  context.globalAlpha = 1;
  for (const [node, width, gap] of [
    [hovered, 1.5, 4],
    [selected, 2.5, 5],
  ] as const) {
    const body = node === undefined || shown.nodes[node] !== 1 ? undefined : bodies[node];
    if (!body) continue;
    context.strokeStyle = theme.accent;
    context.lineWidth = Math.max(width, width * pixel);
    context.beginPath();
    context.arc(body.x, body.y, body.radius + gap, 0, 2 * Math.PI);
    context.stroke();
  }
}

function drawLabels(context: CanvasRenderingContext2D, scene: Scene, view: Box, inFront: InFront | undefined): void {
  const { graph, bodies, viewport, theme, selected, hovered } = scene;
  context.font = `${LABEL_SIZE}px ${theme.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  const labels = named(scene, view, inFront).map((node): Label => {
    const { x, y, radius } = bodies[node] as Body;
    const at = toScreen(viewport, { x, y: y + radius });
    const text = shortened(graph.node(node).label);
    const isDue = node === selected || node === hovered;
    return { node, text, x: at.x, y: at.y + (isDue ? 7 : 4), width: widthOf(context, text), isDue };
  });
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = theme.background;
  const words = graph.hasWords ? wordsOnLines(context, scene, view, inFront) : [];
  const isNear = ({ node }: Label) => !inFront || inFront.nodes.has(node);
  // No name of what is faint takes the place of what is in front.
  const all = [...labels.filter(isNear), ...words, ...labels.filter((label) => !isNear(label))];
  // What was placed first counts most and is drawn last, above the others.
  for (const { node, text, x, y, isDue } of withoutOverlap(all, obstaclesOf(scene, view)).reverse()) {
    if (node < 0) {
      drawWord(context, theme, { text, x, y, isInFront: inFront !== undefined });
      continue;
    }
    context.font = `${LABEL_SIZE}px ${theme.font}`;
    const isNamed = isDue || inFront?.nodes.has(node);
    context.globalAlpha = isFaint(scene, inFront, node) ? 0.35 : 1;
    context.fillStyle = isNamed ? theme.foreground : theme.quiet;
    context.strokeText(text, x, y + (LABEL_HEIGHT - LABEL_SIZE) / 2);
    context.fillText(text, x, y + (LABEL_HEIGHT - LABEL_SIZE) / 2);
  }
  context.globalAlpha = 1;
}

/** The words of edges, at the middle of their lines; those that are in front first. They are no node: below 0. */
function wordsOnLines(
  context: CanvasRenderingContext2D,
  { graph, bodies, shown, viewport, theme }: Scene,
  view: Box,
  inFront: InFront | undefined,
): Label[] {
  if (viewport.zoom < NAMES_FROM) return [];
  context.font = `${WORD_SIZE}px ${theme.font}`;
  const labels: Label[] = [];
  graph.edges.forEach(({ from, to, type }, edge) => {
    const [start, end] = [bodies[from], bodies[to]];
    const name = graph.types[type]?.name;
    if (shown.edges[edge] !== 1 || !start || !end || !name || isOutside(start, end, view)) return;
    if (inFront ? !inFront.hasEdge(edge) : labels.length >= MOST_WORDS) return;
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const length = Math.hypot(dx, dy) || 1;
    if ((length - start.radius - end.radius) * viewport.zoom < SHORTEST_WITH_WORD) return;
    const aside = ((graph.lanes[edge] ?? 0) * LANE) / length;
    const at = toScreen(viewport, { x: start.x + dx / 2 - dy * aside, y: start.y + dy / 2 + dx * aside });
    const width = widthOf(context, name);
    labels.push({ node: -1 - edge, text: name, x: at.x, y: at.y - LABEL_HEIGHT / 2, width, isDue: false });
  });
  // Few that are in front are read whatever they cover.
  const isDue = inFront !== undefined && labels.length <= MOST_DUE_WORDS;
  return labels.slice(0, MOST_WORDS).map((label) => ({ ...label, isDue }));
}

function drawWord(
  context: CanvasRenderingContext2D,
  theme: Theme,
  { text, x, y, isInFront }: { text: string; x: number; y: number; isInFront: boolean },
): void {
  context.font = `${WORD_SIZE}px ${theme.font}`;
  context.globalAlpha = 1;
  context.fillStyle = isInFront ? theme.foreground : theme.quiet;
  context.strokeText(text, x, y + (LABEL_HEIGHT - WORD_SIZE) / 2);
  context.fillText(text, x, y + (LABEL_HEIGHT - WORD_SIZE) / 2);
}

/** Nodes that no name is to cover; in a crowd names cover nodes, as there would be none otherwise. */
function obstaclesOf({ bodies, shown, viewport }: Scene, view: Box): Obstacle[] {
  if (viewport.zoom < NAMES_FROM) return [];
  return bodies.flatMap((body, node) => {
    if (shown.nodes[node] !== 1 || isOutside(body, body, view)) return [];
    return [{ node, ...toScreen(viewport, body), radius: body.radius * viewport.zoom }];
  });
}

/** Nodes whose names are to be read, those that count most first. */
function named(scene: Scene, view: Box, inFront: InFront | undefined): number[] {
  const { graph, bodies, shown, viewport, selected, hovered } = scene;
  const rank = (node: number) => {
    if (node === hovered) return 1e9;
    if (node === selected) return 1e8;
    if (inFront?.nodes.has(node)) return 1e6 + graph.links(node).length;
    return graph.links(node).length - (isFaint(scene, inFront, node) ? 1e6 : 0);
  };
  const inView: { node: number; rank: number }[] = [];
  bodies.forEach((body, node) => {
    if (shown.nodes[node] === 1 && !isOutside(body, body, view)) inView.push({ node, rank: rank(node) });
  });
  inView.sort((a, b) => b.rank - a.rank || a.node - b.node);
  const due = inView.filter((each) => each.rank >= 1e6).length;
  const most = viewport.zoom >= NAMES_FROM ? MOST_LABELS : Math.max(LANDMARKS, due);
  return inView.slice(0, most).map(({ node }) => node);
}

/** Measuring is slow and names come again with every picture. */
const widths = new Map<string, number>();
const MOST_WIDTHS = 20_000;

function widthOf(context: CanvasRenderingContext2D, text: string): number {
  const key = `${context.font}\n${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (widths.size >= MOST_WIDTHS) widths.clear();
  const { width } = context.measureText(text);
  widths.set(key, width);
  return width;
}

/** Whether the rectangle between two nodes has nothing in common with what is seen. */
function isOutside(a: Body, b: Body, view: Box): boolean {
  const rim = 24;
  return (
    Math.max(a.x, b.x) + rim < view.left ||
    Math.min(a.x, b.x) - rim > view.right ||
    Math.max(a.y, b.y) + rim < view.top ||
    Math.min(a.y, b.y) - rim > view.bottom
  );
}
