import type { CommandContext, CommandHandlers } from './command';
import { isRecord } from './given';
import { noteIn, notesReady } from './note-given';

export function graphCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.openNoteGraph': (given?: unknown) => openGraph(context, given),
  };
}

/** @param given a line of the view, a file or an address: that note is shown with its neighbours, otherwise all are */
async function openGraph(context: CommandContext, given: unknown): Promise<void> {
  // The title of the view and the palette name nothing.
  const isNamed = given !== undefined && given !== null && !(isRecord(given) && Object.keys(given).length === 0);
  const note = isNamed ? noteIn(given, (await notesReady(context)).notes) : undefined;
  await context.editors.openGraph(note?.uri);
}
