import * as vscode from 'vscode';
import type { LearningHintNode } from './learning-nodes';

/** What the view says above its lines for as long as nothing of one's own was captured. */
export function firstLearningWords(): string {
  return vscode.l10n.t(
    'What was planned, what became of it, and what it taught. What helped comes up first the next time, for you and for agents.',
  );
}

/** What can be done then: lines of the tree, since the patterns of the product are there from the start. */
export function firstLearningSteps(): LearningHintNode[] {
  const step = (command: string, icon: string, text: string): LearningHintNode => ({
    kind: 'hint',
    id: `first/${command}`,
    parent: undefined,
    text,
    tooltip: text,
    icon,
    command: { command, title: text },
  });
  return [
    step('kaizen.captureLesson', 'lightbulb', vscode.l10n.t('Capture a lesson…')),
    step('kaizen.captureProject', 'project', vscode.l10n.t('Begin a project…')),
  ];
}
