import type * as vscode from 'vscode';
import type { EntryKey, EntryPlace, Metaknowledge, Risk, ScopeListing, Tier } from '../../knowledge';
import type { Proposal } from '../../review';

/** An entry as a line of the tree needs it. */
export interface ShownEntry extends EntryKey {
  content: string;
  metaknowledge: Metaknowledge;
  risks: readonly Risk[];
  /** Only of an entry as it is stored. */
  updated_at?: string;
  author?: string;
}

interface Placed {
  /** Stays the same for the same thing, so that the editor keeps what is unfolded and selected. */
  id: string;
  parent?: KnowledgeNode | undefined;
  /** What is below it, where that is known already: in a filtered tree. */
  children?: KnowledgeNode[];
}

export interface TierNode extends Placed {
  kind: 'tier';
  tier: Tier;
}

export interface ScopeNode extends Placed {
  kind: 'scope';
  scope: ScopeListing;
  /** How many risk indicators stand in its entries. */
  risks?: number | undefined;
  /** How many entries a filter left of it. */
  found?: number;
}

export interface CategoryNode extends Placed {
  kind: 'category';
  /** The scope that it belongs to; in the effective view, the project. */
  scope_id: string;
  category: string;
  entries: number;
  /** How many risk indicators stand in its entries. */
  risks?: number | undefined;
  effective?: true;
}

export interface EntryNode extends Placed {
  kind: 'entry';
  entry: ShownEntry;
  tier: Tier;
  /** In the effective view: what it overrides. */
  overrides?: EntryPlace[];
  /** In the effective view, below the entry that overrides this one. */
  overridden?: true;
}

export interface PendingNode extends Placed {
  kind: 'pending';
  proposals: readonly Proposal[];
}

export interface ProposalNode extends Placed {
  kind: 'proposal';
  proposal: Proposal;
}

export interface MoreNode extends Placed {
  kind: 'more';
  category: CategoryNode;
  hidden: number;
}

/** A line that says something or offers what to do next. */
export interface HintNode extends Placed {
  kind: 'hint';
  text: string;
  tooltip: string;
  icon: string;
  command?: vscode.Command;
  /** What menus know it by, where it is not `hint`. */
  contextValue?: string;
}

export type KnowledgeNode =
  | TierNode
  | ScopeNode
  | CategoryNode
  | EntryNode
  | PendingNode
  | ProposalNode
  | MoreNode
  | HintNode;

/** An entry's part of an id: names may hold any character but control characters. */
export function keyId({ scope_id, category, keyword }: EntryKey): string {
  return [scope_id, category, keyword].join('\u0001');
}
