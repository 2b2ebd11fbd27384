import type { CommandContext, CommandHandlers } from './command';
import { addToLibrary } from './library-add';
import { describeSource, refreshSources, removeSources, rereadSources } from './library-changes';
import { connectLibrary, disconnectLibrary, showLibraryStatus } from './library-connect';
import { openCoverage } from './library-coverage';
import { withLibrary } from './library-failures';
import { copyCitation, openLibraryOriginal, openLibrarySource } from './library-open';
import { answerRequest, dismissRequest, requestDocument } from './library-requests';
import { searchLibrary } from './library-search';
import { acquireForLibrary, setUpWebSearch } from './library-web';

export function libraryCommands(context: CommandContext): CommandHandlers {
  const attempt = <T>(work: () => Promise<T>) => withLibrary(context, work);
  return {
    'kaizen.addToLibrary': (first?: unknown, others?: unknown) => attempt(() => addToLibrary(context, first, others)),
    'kaizen.searchLibrary': (text?: unknown) => attempt(() => searchLibrary(context, text)),
    'kaizen.openLibrarySource': (given?: unknown) => attempt(() => openLibrarySource(context, given)),
    'kaizen.openLibraryOriginal': (given?: unknown) => attempt(() => openLibraryOriginal(context, given)),
    'kaizen.copyCitation': (first?: unknown, others?: unknown) => attempt(() => copyCitation(context, first, others)),
    'kaizen.refreshLibrary': () => attempt(() => refreshSources(context, undefined, undefined)),
    'kaizen.refreshSource': (first?: unknown, others?: unknown) =>
      attempt(() => refreshSources(context, first ?? {}, others)),
    'kaizen.rereadSource': (first?: unknown, others?: unknown) => attempt(() => rereadSources(context, first, others)),
    'kaizen.retrySource': (first?: unknown, others?: unknown) => attempt(() => rereadSources(context, first, others)),
    'kaizen.removeFromLibrary': (first?: unknown, others?: unknown) =>
      attempt(() => removeSources(context, first, others)),
    'kaizen.describeSource': (given?: unknown) => attempt(() => describeSource(context, given)),
    'kaizen.answerRequest': (given?: unknown) => attempt(() => answerRequest(context, given)),
    'kaizen.dismissRequest': (given?: unknown) => attempt(() => dismissRequest(context, given)),
    'kaizen.requestDocument': (given?: unknown) => attempt(() => requestDocument(context, given)),
    'kaizen.searchWebForLibrary': (given?: unknown) => attempt(() => acquireForLibrary(context, given)),
    'kaizen.setUpWebSearch': () => attempt(() => setUpWebSearch(context)),
    'kaizen.openCoverage': (given?: unknown) => attempt(() => openCoverage(context, given)),
    'kaizen.connectLibrary': () => attempt(() => connectLibrary(context)),
    'kaizen.disconnectLibrary': () => attempt(() => disconnectLibrary(context)),
    'kaizen.showLibraryStatus': () => attempt(() => showLibraryStatus(context)),
    'kaizen.groupLibraryByType': () => context.explorer.library.setGrouping('type'),
    'kaizen.groupLibraryByAuthority': () => context.explorer.library.setGrouping('authority'),
    'kaizen.reloadLibrary': () => context.explorer.library.tree.refresh(),
  };
}
