import {
  type FoundRecord,
  type LearnedKind,
  PATTERN_DOMAINS,
  type PatternDomain,
  type ProjectStatus,
} from '../../learning';
import { matchesAll } from './filter';
import type { LearnedGroupNode, LearnedKindNode, LearnedNode, LearningNode } from './learning-nodes';

/** In the order of the view. */
export const SHOWN_KINDS = [
  'project',
  'template',
  'lesson',
  'decision',
  'pattern',
] as const satisfies readonly LearnedKind[];

/** What is under way comes first. */
const SHOWN_STATUSES: readonly ProjectStatus[] = ['active', 'planning', 'completed', 'abandoned'];

/** What a filter made has ids of its own: it is unfolded, whatever was folded before. */
const FILTERED = '?filtered';
/** Nobody looks for words further down than that, and all of it is looked through with each key. */
const LOOKED_THROUGH = 1_000;

/** Whether every word of a filter occurs in what a record says of itself. */
export function isLeft(words: readonly string[], found: FoundRecord): boolean {
  return matchesAll(words, textsOf(found));
}

/** The kinds that have records; without a filter of the product's patterns alone, those. */
export function kindNodes(
  records: Readonly<Record<LearnedKind, readonly FoundRecord[]>>,
  filtered: boolean,
): LearnedKindNode[] {
  return SHOWN_KINDS.filter((of) => records[of].length > 0).map((of) => ({
    kind: 'learnedKind',
    id: `kind/${of}${filtered ? FILTERED : ''}`,
    of,
    records: records[of],
    filtered,
  }));
}

/**
 * What stands directly below a kind or a group, each record by `nodeOf`: projects by state, the product's patterns by
 * domain behind one's own, all others as a list.
 */
export function below(
  parent: LearnedKindNode | LearnedGroupNode,
  nodeOf: (found: FoundRecord) => LearnedNode,
): (() => LearningNode)[] {
  const one = (found: FoundRecord) => () => nodeOf(found);
  if (parent.kind === 'learnedGroup') return parent.records.map(one);
  if (parent.of === 'project') return statusNodes(parent).map((node) => () => node);
  if (parent.of !== 'pattern') return parent.records.map(one);
  const own = parent.records.filter((found) => !isBuiltIn(found));
  return [...own.map(one), ...domainNodes(parent).map((node) => () => node)];
}

export function isBuiltIn({ kind, record }: FoundRecord): boolean {
  return kind === 'pattern' && record.is_built_in;
}

export function titleOf({ record }: FoundRecord): string {
  return 'title' in record ? record.title : record.name;
}

function statusNodes(parent: LearnedKindNode): LearnedGroupNode[] {
  const groups = groupedBy(parent.records, ({ kind, record }) => (kind === 'project' ? record.status : undefined));
  return SHOWN_STATUSES.flatMap((status) => groupNode(parent, status, { status }, groups.get(status)));
}

function domainNodes(parent: LearnedKindNode): LearnedGroupNode[] {
  const groups = groupedBy(parent.records, (found) =>
    isBuiltIn(found) ? (found.record as { domain: PatternDomain }).domain : undefined,
  );
  return PATTERN_DOMAINS.flatMap((domain) => groupNode(parent, domain, { domain }, groups.get(domain)));
}

function groupNode(
  parent: LearnedKindNode,
  name: string,
  group: LearnedGroupNode['group'],
  records: readonly FoundRecord[] = [],
): LearnedGroupNode[] {
  if (records.length === 0) return [];
  return [{ kind: 'learnedGroup', id: `${parent.id}/${name}`, parent, group, records, filtered: parent.filtered }];
}

function groupedBy<K>(records: readonly FoundRecord[], keyOf: (found: FoundRecord) => K | undefined) {
  const groups = new Map<K, FoundRecord[]>();
  for (const found of records) {
    const key = keyOf(found);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(found);
    else groups.set(key, [found]);
  }
  return groups;
}

function textsOf(found: FoundRecord): (string | undefined)[] {
  const texts = [titleOf(found), found.id, found.record.domain, ...ownTexts(found)];
  return texts.map((text) => text?.slice(0, LOOKED_THROUGH));
}

function ownTexts({ kind, record }: FoundRecord): (string | undefined)[] {
  switch (kind) {
    case 'project':
      return [
        ...[record.description, record.project_type, record.status, record.outcome_status, record.outcome_summary],
        ...[record.tags.join(' '), record.tasks.map(({ name }) => name).join('\n')],
      ];
    case 'template':
      return [record.description, record.project_type, record.tags.join(' ')];
    case 'lesson':
      return [record.lesson, record.recommendation, record.context, record.project_type];
    case 'decision':
      return [record.decision, record.rationale, record.context, record.tags.join(' ')];
    case 'pattern':
      return [
        ...[record.description, record.pattern_type, record.severity],
        ...[record.indicators.join('\n'), record.keywords.join(' ')],
      ];
  }
}
