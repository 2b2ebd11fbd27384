import * as vscode from 'vscode';
import type { SessionSummary, TaskState } from '../../continuity';
import { stateText } from '../task-state';
import { highlightsIn } from './filter';
import type { Fact, SessionNode, TaskNode } from './session-nodes';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** A line of the view *Sessions & Progress*; its tooltip comes later.
 * @param words what to mark in the labels, all sections being unfolded then */
export function sessionItem(node: SessionNode, words: readonly string[]): vscode.TreeItem {
  const item = describe(node, words);
  item.id = `${words.length > 0 ? 'filtered/' : ''}${node.id}`;
  item.contextValue ??= node.kind;
  const label = typeof item.label === 'string' ? item.label : item.label?.label;
  item.accessibilityInformation = { label: [label, item.description].filter(Boolean).join(', ') };
  return item;
}

/** All there is to say about a line, as plain text: nothing of it is followed or drawn. */
export function sessionTooltip(node: SessionNode): string | undefined {
  switch (node.kind) {
    case 'overview':
      return vscode.l10n.t('What this project is for. Click to open it.');
    case 'progress':
      return [node.overall, node.sprint].filter(Boolean).join('\n');
    case 'task':
      return taskTooltip(node);
    case 'session': {
      const { date, summary, domain } = node.session;
      return [[date, duration(node.session), domain].filter(Boolean).join(' · '), summary].join('\n\n');
    }
    case 'fact':
      return `${factName(node.fact)}: ${node.text}`;
    default:
      return undefined;
  }
}

function describe(node: SessionNode, words: readonly string[]): vscode.TreeItem {
  switch (node.kind) {
    case 'overview': {
      const item = new vscode.TreeItem(vscode.l10n.t('Overview'), Collapsed);
      item.iconPath = new vscode.ThemeIcon('project');
      item.description = node.overview.current_phase ?? '';
      item.command = opening('overview');
      return item;
    }
    case 'progress': {
      const item = new vscode.TreeItem(vscode.l10n.t('Progress'), Expanded);
      item.iconPath = new vscode.ThemeIcon('checklist');
      item.description = [overallText(node.overall), node.sprint].filter(Boolean).join(' · ');
      return item;
    }
    case 'tasks': {
      const open = node.state !== 'completed' || words.length > 0;
      const item = new vscode.TreeItem(stateText(node.state), open ? Expanded : Collapsed);
      item.description = node.tasks.length.toLocaleString(vscode.env.language);
      item.iconPath = stateIcon(node.state);
      return item;
    }
    case 'task':
      return describeTask(node, words);
    case 'sessions': {
      const item = new vscode.TreeItem(vscode.l10n.t('Sessions'), Expanded);
      item.iconPath = new vscode.ThemeIcon('history');
      item.description = node.sessions.length.toLocaleString(vscode.env.language);
      return item;
    }
    case 'session': {
      const { date, summary, tasks_completed, next_planned } = node.session;
      const below = tasks_completed.length > 0 || next_planned;
      const item = new vscode.TreeItem(date, below ? Collapsed : None);
      item.description = [duration(node.session), firstLine(summary)].filter(Boolean).join(' · ');
      item.iconPath = new vscode.ThemeIcon('git-commit');
      return item;
    }
    case 'fact': {
      const item = new vscode.TreeItem(marked(firstLine(node.text), words), None);
      item.description = node.fact === 'done' ? '' : factName(node.fact);
      item.iconPath = new vscode.ThemeIcon(FACT_ICON[node.fact]);
      return item;
    }
  }
}

/** What the tasks say is told in the editor's language, what a person or an agent said as it is. */
function overallText(overall: string): string {
  const [, percent] = /^(\d+)% complete$/.exec(overall) ?? [];
  return percent === undefined ? overall : vscode.l10n.t('{0}% complete', percent);
}

function describeTask(node: TaskNode, words: readonly string[]): vscode.TreeItem {
  const item = new vscode.TreeItem(marked(node.name, words), None);
  item.iconPath = new vscode.ThemeIcon(TASK_ICON[node.state]);
  item.description = [node.blocker ?? node.status ?? node.date, node.domain].filter(Boolean).join(' · ');
  item.command = opening('progress');
  // What is completed need not be marked as such.
  if (node.state === 'completed') item.contextValue = 'task.completed';
  return item;
}

function taskTooltip({ name, domain, state, status, blocker, date }: TaskNode): string {
  const lines = [name, [stateText(state), domain].filter(Boolean).join(' · ')];
  if (status) lines.push(status);
  if (blocker) lines.push(vscode.l10n.t('Blocked by: {0}', blocker));
  if (date) lines.push(vscode.l10n.t('Completed on {0}', date));
  return lines.join('\n');
}

function opening(part: 'overview' | 'progress'): vscode.Command {
  return { command: 'kaizen.openProject', title: vscode.l10n.t('Open Project'), arguments: [part] };
}

function duration({ duration_minutes }: SessionSummary): string | undefined {
  if (duration_minutes === null) return undefined;
  const hours = Math.floor(duration_minutes / 60);
  const minutes = duration_minutes % 60;
  if (hours === 0) return vscode.l10n.t('{0} min', minutes);
  return minutes === 0 ? vscode.l10n.t('{0} h', hours) : vscode.l10n.t('{0} h {1} min', hours, minutes);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.trim();
}

function marked(label: string, words: readonly string[]): string | vscode.TreeItemLabel {
  const highlights = highlightsIn(label, words);
  return highlights.length > 0 ? { label, highlights } : label;
}

function factName(fact: Fact): string {
  switch (fact) {
    case 'purpose':
      return vscode.l10n.t('Purpose');
    case 'tech':
      return vscode.l10n.t('Technology');
    case 'compliance':
      return vscode.l10n.t('Compliance');
    case 'constraint':
      return vscode.l10n.t('Constraint');
    case 'done':
      return vscode.l10n.t('Completed');
    case 'next':
      return vscode.l10n.t('Next');
  }
}

function stateIcon(state: TaskState): vscode.ThemeIcon {
  const [icon, color] = STATE_ICON[state];
  return new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined);
}

/** Told apart by shape as well as by colour. */
const STATE_ICON: Record<TaskState, [icon: string, color?: string]> = {
  in_progress: ['play-circle'],
  blocked: ['error', 'list.errorForeground'],
  completed: ['pass', 'testing.iconPassed'],
};

const TASK_ICON: Record<TaskState, string> = {
  in_progress: 'circle-large-outline',
  blocked: 'circle-slash',
  completed: 'check',
};

const FACT_ICON: Record<Fact, string> = {
  purpose: 'target',
  tech: 'tools',
  compliance: 'law',
  constraint: 'lock',
  done: 'check',
  next: 'arrow-right',
};
