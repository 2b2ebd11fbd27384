import type { CommandContext, CommandHandlers } from './command';
import { downloadNote } from './note-download';
import { compareWithRegistry, publishNote } from './note-publish';
import { connectRegistry, disconnectRegistry, showRegistryStatus } from './note-registry-connect';
import { withRegistry } from './note-registry-failures';
import { searchRegistry } from './note-registry-search';

export function noteRegistryCommands(context: CommandContext): CommandHandlers {
  const attempt = (work: () => Promise<void>) => withRegistry(context, work);
  return {
    'kaizen.publishNote': (first?: unknown, others?: unknown) => attempt(() => publishNote(context, first, others)),
    'kaizen.downloadNote': (given?: unknown) => attempt(() => downloadNote(context, given)),
    'kaizen.searchRegistry': (text?: unknown) => attempt(() => searchRegistry(context, text)),
    'kaizen.compareWithRegistry': (first?: unknown, others?: unknown) =>
      attempt(() => compareWithRegistry(context, first, others)),
    'kaizen.connectRegistry': () => attempt(() => connectRegistry(context)),
    'kaizen.disconnectRegistry': () => attempt(() => disconnectRegistry(context)),
    'kaizen.showRegistryStatus': () => attempt(() => showRegistryStatus(context)),
  };
}
