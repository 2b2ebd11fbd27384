export { EntryDocuments } from './entry-documents';
export { learnedIn, learningDocumentUri } from './learning-documents';
export { libraryDocumentOf, libraryDocumentUri } from './library-documents';
export { showRisks } from './risk-diagnostics';
export { documentUri, entryOf, proposalOf, proposalUri, revisionOf, revisionUri } from './uris';
