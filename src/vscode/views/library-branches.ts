import type { DocumentRequest, KnowledgeChunk, SourceListing } from '../../library';
import { AUTHORITY_NAMES, DOCUMENT_TYPES } from '../../library';
import type {
  LibraryGrouping,
  LibraryGroupNode,
  LibraryNode,
  LibraryRequestNode,
  LibraryRequestsNode,
  LibrarySectionNode,
  LibrarySourceNode,
} from './library-nodes';
import { type LibrarySection, sectionsOf } from './library-sections';

/** Types in the order of the vocabulary, others by name; authorities from the most authoritative. */
export function groupNodes(sources: readonly SourceListing[], grouping: LibraryGrouping): LibraryGroupNode[] {
  const groups = new Map<string, SourceListing[]>();
  for (const source of sources) {
    const key = grouping === 'type' ? source.document_type : source.authority_level;
    const group = groups.get(key);
    if (group) group.push(source);
    else groups.set(key, [source]);
  }
  const order: readonly string[] = grouping === 'type' ? DOCUMENT_TYPES : AUTHORITY_NAMES;
  const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
  return [...groups]
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(([key, own]) => ({ kind: 'libraryGroup', id: `group/${grouping}/${key}`, grouping, key, sources: own }));
}

export function sourceNodes(parent: LibraryGroupNode): LibrarySourceNode[] {
  return parent.sources.map((source) => sourceNode(source, parent));
}

export function requestsNode(requests: readonly DocumentRequest[]): LibraryRequestsNode {
  return { kind: 'libraryRequests', id: 'requests', requests };
}

export function requestNodes(parent: LibraryRequestsNode): LibraryRequestNode[] {
  return parent.requests.map((request) => ({ kind: 'libraryRequest', id: `request/${request.id}`, parent, request }));
}

/** The top sections of a source. */
export function topSections(parent: LibrarySourceNode, chunks: readonly KnowledgeChunk[]): LibrarySectionNode[] {
  return sectionNodes(parent, parent.source, sectionsOf(chunks));
}

export function subsections(parent: LibrarySectionNode): LibrarySectionNode[] {
  return sectionNodes(parent, parent.source, parent.section.sections);
}

function sourceNode(source: SourceListing, parent: LibraryNode): LibrarySourceNode {
  return { kind: 'librarySource', id: `source/${source.document_id}`, parent, source };
}

function sectionNodes(
  parent: LibraryNode,
  source: SourceListing,
  sections: readonly LibrarySection[],
): LibrarySectionNode[] {
  return sections.map((section) => ({
    kind: 'librarySection',
    // A chunk may begin a section and the one above it.
    id: `section/${source.document_id}/${section.path.length}/${section.chunk}`,
    parent,
    source,
    section,
  }));
}
