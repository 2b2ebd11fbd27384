import { compareText } from '../core/text';
import { Turns } from '../core/turns';
import {
  type EntryState,
  FORMAT,
  RECORD_KINDS,
  type RecordKind,
  type ScopeRecord,
  type TransferRecord,
} from './records';

/**
 * The text of an export file, the last line ended. The same records give the same bytes, in whatever order they and
 * their fields come: lines are sorted by kind and then by key (code unit order), keys stand in a fixed order, labels
 * of metaknowledge are sorted, and fields that hold what `parseLines` would fill in anyway are left out.
 */
export function serialise(records: Iterable<TransferRecord>): string {
  return joined(Array.from(records, lineOf));
}

/** As `serialise`, yielding to the event loop. Throws the signal's reason once it is aborted. */
export async function serialiseInTurns(records: Iterable<TransferRecord>, signal?: AbortSignal): Promise<string> {
  const turns = new Turns(signal);
  const lines: Line[] = [];
  for (const record of records) {
    await turns.pause();
    lines.push(lineOf(record));
  }
  await turns.pause();
  return joined(lines);
}

interface Line {
  sortKey: readonly string[];
  text: string;
}

function lineOf(record: TransferRecord): Line {
  return { sortKey: sortKeyOf(record), text: JSON.stringify(fieldsOf(record)) };
}

function joined(lines: Line[]): string {
  lines.sort((a, b) => compareKeys(a.sortKey, b.sortKey) || compareText(a.text, b.text));
  return `${[JSON.stringify({ type: 'kaizen', format: FORMAT }), ...lines.map((line) => line.text)].join('\n')}\n`;
}

const TIER_ORDER: readonly ScopeRecord['tier'][] = ['GENERAL', 'PRODUCT', 'GROUP', 'PROJECT'];

function sortKeyOf(record: TransferRecord): readonly string[] {
  return [rank(record.type), ...keyOf(record)];
}

function rank(kind: RecordKind): string {
  return String(RECORD_KINDS.indexOf(kind));
}

function keyOf(record: TransferRecord): string[] {
  switch (record.type) {
    case 'scope':
      return [String(TIER_ORDER.indexOf(record.tier)), record.id];
    case 'category':
      return [record.scope, record.category];
    case 'entry':
      return [record.scope, record.category, record.keyword];
    case 'overview':
    case 'progress':
      return [record.project];
    case 'session':
      return [record.project, record.at, record.summary];
    case 'task':
      return [record.project, record.at, record.name, record.domain ?? ''];
  }
}

/** The record's fields in their order on the line; what is undefined, JSON leaves out. */
function fieldsOf(record: TransferRecord): object {
  switch (record.type) {
    case 'scope':
      return {
        type: record.type,
        id: record.id,
        tier: record.tier,
        name: record.name,
        description: record.description ?? undefined,
        parents: filled([...record.parents].sort(compareText)),
      };
    case 'category':
      return {
        type: record.type,
        scope: record.scope,
        category: record.category,
        description: record.description,
      };
    case 'entry':
      return {
        type: record.type,
        scope: record.scope,
        category: record.category,
        keyword: record.keyword,
        ...stateFields(record),
        revisions: filled(record.revisions.map(stateFields)),
      };
    case 'overview':
      return {
        type: record.type,
        project: record.project,
        purpose: record.purpose ?? undefined,
        tech_stack: filled(record.tech_stack),
        compliance: filled(record.compliance),
        current_phase: record.current_phase ?? undefined,
        key_constraints: filled(record.key_constraints),
        author: record.author,
        by_agent: record.by_agent || undefined,
        at: record.at,
      };
    case 'session':
      return {
        type: record.type,
        project: record.project,
        at: record.at,
        duration_minutes: record.duration_minutes ?? undefined,
        summary: record.summary,
        tasks_completed: filled(record.tasks_completed),
        domain: record.domain ?? undefined,
        next_planned: record.next_planned ?? undefined,
        author: record.author,
        by_agent: record.by_agent || undefined,
      };
    case 'progress':
      return {
        type: record.type,
        project: record.project,
        overall_progress: record.overall_progress ?? undefined,
        current_sprint: record.current_sprint ?? undefined,
        author: record.author,
        by_agent: record.by_agent || undefined,
        at: record.at,
      };
    case 'task':
      return {
        type: record.type,
        project: record.project,
        name: record.name,
        domain: record.domain ?? undefined,
        state: record.state,
        status: record.status ?? undefined,
        blocker: record.blocker ?? undefined,
        author: record.author,
        by_agent: record.by_agent || undefined,
        at: record.at,
      };
  }
}

function stateFields(state: EntryState): object {
  return {
    content: state.content,
    metaknowledge: sortedLabels(state.metaknowledge),
    action: state.action,
    author: state.author,
    by_agent: state.by_agent || undefined,
    at: state.at,
    project_context: state.project_context === '' ? undefined : state.project_context,
    reason: state.reason ?? undefined,
  };
}

function filled<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** `Object.fromEntries` and not assignment, so that a label `__proto__` stays a label. */
function sortedLabels(metaknowledge: Record<string, string> | null): Record<string, string> | undefined {
  const labels = Object.entries(metaknowledge ?? {});
  if (labels.length === 0) return undefined;
  return Object.fromEntries(labels.sort(([a], [b]) => compareText(a, b)));
}

function compareKeys(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < a.length; index++) {
    const order = compareText(a[index] ?? '', b[index] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}
