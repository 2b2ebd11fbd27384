import type * as vscode from 'vscode';
import type { FoundRecord, LearnedKind, PatternDomain, ProjectStatus } from '../../learning';

interface Placed {
  /** Stays the same for the same thing, so that the editor keeps what is unfolded and selected. */
  id: string;
  parent?: LearningNode | undefined;
}

/** All records of a kind: its own lines are groups for projects and for the product's patterns. */
export interface LearnedKindNode extends Placed {
  kind: 'learnedKind';
  of: LearnedKind;
  records: readonly FoundRecord[];
  /** Whether a filter left these: they are unfolded then. */
  filtered: boolean;
}

/** Projects in one state, or patterns of the product in one domain. */
export interface LearnedGroupNode extends Placed {
  kind: 'learnedGroup';
  group: { status: ProjectStatus } | { domain: PatternDomain };
  records: readonly FoundRecord[];
  filtered: boolean;
}

export interface LearnedNode extends Placed {
  kind: 'learned';
  /** Its knowledge URI, as every command on something that can be rated or related takes it. */
  uri: string;
  found: FoundRecord;
  /** Undefined for what nobody has rated. */
  score?: { score: number; ratings: number } | undefined;
}

export interface MoreLearnedNode extends Placed {
  kind: 'moreLearned';
  /** Below which there is more. */
  parent: LearningNode;
  hidden: number;
}

/** A line that says something or offers what to do next. */
export interface LearningHintNode extends Placed {
  kind: 'hint';
  text: string;
  tooltip: string;
  icon: string;
  command?: vscode.Command;
}

export type LearningNode = LearnedKindNode | LearnedGroupNode | LearnedNode | MoreLearnedNode | LearningHintNode;
