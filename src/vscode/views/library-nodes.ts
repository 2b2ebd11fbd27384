import type * as vscode from 'vscode';
import type { DocumentRequest, SourceListing } from '../../library';
import type { LibrarySection } from './library-sections';

/** How the view *Library* groups its sources. */
export const LIBRARY_GROUPINGS = ['type', 'authority'] as const;
export type LibraryGrouping = (typeof LIBRARY_GROUPINGS)[number];

interface Placed {
  /** Stays the same for the same thing, so that the editor keeps what is unfolded and selected. */
  id: string;
  parent?: LibraryNode | undefined;
}

export interface LibraryRequestsNode extends Placed {
  kind: 'libraryRequests';
  requests: readonly DocumentRequest[];
}

export interface LibraryRequestNode extends Placed {
  kind: 'libraryRequest';
  request: DocumentRequest;
}

export interface LibraryGroupNode extends Placed {
  kind: 'libraryGroup';
  grouping: LibraryGrouping;
  key: string;
  sources: readonly SourceListing[];
}

export interface LibrarySourceNode extends Placed {
  kind: 'librarySource';
  source: SourceListing;
}

export interface LibrarySectionNode extends Placed {
  kind: 'librarySection';
  source: SourceListing;
  section: LibrarySection;
}

export interface MoreLibraryNode extends Placed {
  kind: 'moreLibrary';
  /** Below which there is more. */
  parent: LibraryNode;
  hidden: number;
}

/** A line that says something or offers what to do next. */
export interface LibraryHintNode extends Placed {
  kind: 'hint';
  text: string;
  tooltip: string;
  icon: string;
  command?: vscode.Command;
}

export type LibraryNode =
  | LibraryRequestsNode
  | LibraryRequestNode
  | LibraryGroupNode
  | LibrarySourceNode
  | LibrarySectionNode
  | MoreLibraryNode
  | LibraryHintNode;
