import type * as vscode from 'vscode';
import type { BaseProblem, BaseStatus, KnowledgeNode } from '../../bases';
import type { EntryKey, RiskLevel } from '../../knowledge';

interface Placed {
  /** Stays the same for the same thing, so that the editor keeps what is unfolded and selected. */
  id: string;
  parent?: BasesNode | undefined;
}

/** The group on top: what an agent would get for the file in the editor. */
export interface ForFileNode extends Placed {
  kind: 'forFile';
  /** Relative to its folder in the workspace, `/` between its parts. */
  path: string;
  uri: vscode.Uri;
}

/** Something that an agent would get for a file. */
export interface AdviceNode extends Placed {
  kind: 'advice';
  title: string;
  /** Where it is, for a person. */
  place: string;
  /** Of a node or a note as its file says, `entry` of an entry. */
  type: string;
  /** 0 to 1; none for a rule that names the file. */
  score?: number;
  /** Of an entry that names the file, gravest first. */
  risks: readonly RiskLevel[];
  target: { entry: EntryKey } | { node: string } | { note: string };
}

export interface BaseNode extends Placed {
  kind: 'base';
  status: BaseStatus;
}

export interface FolderNode extends Placed {
  kind: 'folder';
  base: string;
  /** Relative to the base's root, `/` between its parts. */
  folder: string;
  files: number;
}

export interface FileNode extends Placed {
  kind: 'file';
  base: string;
  file: string;
  /** Absent for a file without any text. */
  root?: KnowledgeNode | undefined;
  nodes: number;
  problems: number;
}

export interface HeadingNode extends Placed {
  kind: 'node';
  node: KnowledgeNode;
  hasChildren: boolean;
}

export interface ProblemNode extends Placed {
  kind: 'problem';
  problem: BaseProblem;
}

export interface MoreNodesNode extends Placed {
  kind: 'moreNodes';
  /** Below which there is more. */
  parent: BasesNode;
  hidden: number;
}

/** A line that says something or offers what to do next. */
export interface BaseHintNode extends Placed {
  kind: 'hint';
  text: string;
  tooltip: string;
  icon: string;
  command?: vscode.Command;
}

export type BasesNode =
  | ForFileNode
  | AdviceNode
  | BaseNode
  | FolderNode
  | FileNode
  | HeadingNode
  | ProblemNode
  | MoreNodesNode
  | BaseHintNode;
