import * as vscode from 'vscode';
import type { DocumentRequest, DocumentRequestInput, LibraryPart, SourceListing } from '../../library';
import { REQUESTED_TYPES, URGENCIES } from '../../library';
import { withoutIcons, withoutLinks } from '../messages';
import { allSources, requestedTypeName, urgencyName } from '../views';
import type { CommandContext } from './command';
import { isRecord } from './given';
import { addSources, askAddress, askFiles, documentFilters } from './library-add';
import { libraryChange, requestGiven, sourceItem } from './library-given';
import { askInSteps, askText, keep, pick } from './multi-step';
import { announceWithUndo } from './note-writes';

interface AnswerItem extends vscode.QuickPickItem {
  source?: SourceListing;
  ask?: () => Promise<string[]>;
}

/** Answers a request: with a source of the library, or with a file or page that is added for it. */
export async function answerRequest(context: CommandContext, given: unknown): Promise<void> {
  const change = libraryChange(context);
  const part = await context.library.start();
  const request = await chooseRequest(part, given, vscode.l10n.t('Answer Request'));
  if (!request) return;
  const document = await chooseAnswer(context, part, request);
  if (document === undefined) return;
  // Bringing it in may have closed it already.
  const now = await requestGiven(part, request.id);
  if (now?.status === 'open') await part.settleRequest(request.id, { answered_by: document }, change);
  const message = vscode.l10n.t('Answered: {0}. Agents find it from now on.', request.topic);
  announceWithUndo(context, withoutLinks(message), async () => {
    await part.settleRequest(request.id, 'open', libraryChange(context));
  });
}

export async function dismissRequest(context: CommandContext, given: unknown): Promise<void> {
  const change = libraryChange(context);
  const part = await context.library.start();
  const request = await chooseRequest(part, given, vscode.l10n.t('Dismiss Request'));
  if (!request) return;
  await part.settleRequest(request.id, 'dismissed', change);
  announceWithUndo(context, withoutLinks(vscode.l10n.t('Dismissed: {0}.', request.topic)), async () => {
    await part.settleRequest(request.id, 'open', libraryChange(context));
  });
}

/** Writes down that a document is wanted, for whoever has it. @param given `{ topic, rationale, document_type }` to begin with */
export async function requestDocument(context: CommandContext, given: unknown): Promise<void> {
  const change = libraryChange(context);
  const part = await context.library.start();
  const text = (key: string) => (isRecord(given) && typeof given[key] === 'string' ? given[key] : undefined);
  const type = REQUESTED_TYPES.find((each) => each === text('document_type'));
  const examples = isRecord(given) && Array.isArray(given.example_documents) ? given.example_documents : [];
  const answers = await askInSteps<DocumentRequestInput>(
    vscode.l10n.t('Ask for a Document'),
    [
      async (state, place) =>
        keep(
          await askText({ ...place, prompt: vscode.l10n.t('Topic that it is about'), value: state.topic, validate }),
          (topic) => Object.assign(state, { topic: topic.trim() }),
        ),
      async (state, place) =>
        keep(
          await askText({ ...place, prompt: vscode.l10n.t('Why it is needed'), value: state.rationale, validate }),
          (rationale) => Object.assign(state, { rationale: rationale.trim() }),
        ),
      async (state, place) => {
        const items = REQUESTED_TYPES.map((value) => ({ label: requestedTypeName(value), value }));
        const placeholder = vscode.l10n.t('Kind of document');
        const active = (value: string) => value === state.document_type;
        return keep(await pick({ ...place, placeholder, items, active }), (document_type) =>
          Object.assign(state, { document_type }),
        );
      },
      async (state, place) => {
        const items = URGENCIES.map((value) => ({ label: urgencyName(value), value }));
        const placeholder = vscode.l10n.t('How much depends on it');
        const active = (value: string) => value === state.urgency;
        return keep(await pick({ ...place, placeholder, items, active }), (urgency) =>
          Object.assign(state, { urgency }),
        );
      },
    ],
    {
      topic: text('topic') ?? '',
      rationale: text('rationale') ?? '',
      document_type: type ?? 'any',
      urgency: 'important',
      example_documents: examples.filter((each): each is string => typeof each === 'string'),
    },
  );
  if (!answers) return;
  const request = await part.requestDocument(answers, change);
  const message = vscode.l10n.t(
    'Asked for: {0}. It stands in the view Library until somebody answers it.',
    request.topic,
  );
  announceWithUndo(context, withoutLinks(message), async () => {
    await part.settleRequest(request.id, 'dismissed', libraryChange(context));
  });
}

function validate(text: string): string | undefined {
  return text.trim() === '' ? vscode.l10n.t('It cannot be empty.') : undefined;
}

async function chooseRequest(part: LibraryPart, given: unknown, title: string): Promise<DocumentRequest | undefined> {
  const named = await requestGiven(part, given);
  if (named) return named;
  const open = await part.requests('open');
  if (open.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nobody asks for a document.'));
    return undefined;
  }
  const items = open.map((request) => ({
    label: withoutIcons(request.topic),
    description: urgencyName(request.urgency),
    detail: withoutIcons(request.rationale),
    request,
  }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Request') }))?.request;
}

/** The id of the document that answers a request; undefined on cancel. */
async function chooseAnswer(
  context: CommandContext,
  part: LibraryPart,
  request: DocumentRequest,
): Promise<string | undefined> {
  const title = vscode.l10n.t('Answer Request');
  const items: AnswerItem[] = [
    {
      label: vscode.l10n.t('Add a file…'),
      iconPath: new vscode.ThemeIcon('file-add'),
      ask: () => askFiles(title, { canSelectMany: false, filters: documentFilters() }),
    },
    {
      label: vscode.l10n.t('Add a web page…'),
      iconPath: new vscode.ThemeIcon('globe'),
      ask: async () => [await askAddress(title)].filter((each) => each !== undefined),
    },
    { label: vscode.l10n.t('in the library'), kind: vscode.QuickPickItemKind.Separator },
    ...(await allSources(part)).map(sourceItem),
  ];
  const picked = await vscode.window.showQuickPick<AnswerItem>(items, {
    title,
    placeHolder: withoutIcons(vscode.l10n.t('What answers “{0}”?', request.topic)),
    matchOnDescription: true,
  });
  if (picked?.source) return picked.source.document_id;
  const sources = await picked?.ask?.();
  if (!sources || sources.length === 0) return undefined;
  const [result] = (await addSources(context, sources)) ?? [];
  return result?.document?.document_id;
}
