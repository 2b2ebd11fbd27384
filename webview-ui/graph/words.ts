import { formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';
import type { Graph } from './model';

/** `Project · patterns`, or that nothing has this name. */
export function placeText(graph: Graph, index: number): string {
  const { group, missing } = graph.node(index);
  if (missing) return t('does not exist');
  const found = group === undefined ? undefined : graph.groups[group];
  if (!found) return '';
  return found.name ? `${found.place} · ${found.name}` : found.place;
}

export function kindText(graph: Graph, index: number): string {
  const { kind } = graph.node(index);
  return kind === undefined ? '' : (graph.kinds[kind]?.name ?? '');
}

function linksText(count: number): string {
  return count === 1 ? t('1 link') : t('{0} links', formatNumber(count));
}

/** Said when a node is reached by keyboard: its name, what it is, where, and how much is linked. */
export function spokenText(graph: Graph, index: number): string {
  const { label } = graph.node(index);
  const parts = [label, kindText(graph, index), placeText(graph, index), linksText(graph.links(index).length)];
  return parts.filter(Boolean).join(', ');
}

export function shownText(shown: number, total: number): string {
  if (shown === total) return total === 1 ? t('1 node') : t('{0} nodes', formatNumber(total));
  return t('{0} of {1} nodes', formatNumber(shown), formatNumber(total));
}
