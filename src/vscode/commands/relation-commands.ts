import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import type { KaizenParts } from '../../kaizen';
import type { Relation } from '../../relations';
import { withoutIcons, withoutLinks } from '../messages';
import { endKindIcon, incomingRelationName, relationName } from '../views';
import { artifactGiven, artifactInFront } from './artifact-given';
import { pickArtifact } from './artifact-pick';
import type { CommandContext, CommandHandlers } from './command';
import { givenValues, isRecord } from './given';
import { announceWithUndo } from './note-writes';
import { addRelation, related } from './relation-add';

/** Relations of one thing from which the person chooses. */
const MOST_OFFERED = 1_000;
/** No address: the line that stands for everything. */
const ALL = 'all';

export function relationCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.openRelations': (given?: unknown, others?: unknown) => openRelations(context, given, others),
    'kaizen.addRelation': (given?: unknown, others?: unknown) => addRelationOf(context, given, others),
    'kaizen.removeRelation': (given?: unknown) => removeRelation(context, given),
  };
}

/**
 * Draws how a thing is related: what was given or is in front, or what the person looks for; who looks for nothing gets
 * all stored relations. @param others what is selected in a view, or `{ way: true }`: the person chooses where a way leads
 */
async function openRelations(context: CommandContext, given: unknown, others: unknown): Promise<void> {
  const parts = await context.learning.start();
  const isWay = isRecord(others) && others.way === true;
  const start =
    (await addressGiven(context, parts, given, others)) ??
    (await pickArtifact(context, parts, {
      title: vscode.l10n.t('Show Relations'),
      placeholder: vscode.l10n.t('What to begin with: words of anything that is known'),
      first: { label: `$(globe) ${vscode.l10n.t('All Stored Relations')}`, hit: ALL },
    }));
  if (start === undefined) return;
  if (start === ALL) return context.editors.openRelations({});
  const { uri, title } = await parts.relations.locate(start);
  if (!isWay) return context.editors.openRelations({ start: uri });
  const to = await pickArtifact(context, parts, {
    title: vscode.l10n.t('Way from {0}', title),
    placeholder: vscode.l10n.t('Where it leads: words of anything that is known'),
    without: uri,
  });
  if (to !== undefined) await context.editors.openRelations({ start: uri, to: (await parts.relations.locate(to)).uri });
}

async function addRelationOf(context: CommandContext, given: unknown, others: unknown): Promise<void> {
  // In Restricted Mode nobody is asked for what cannot be written.
  context.learning.change();
  const parts = await context.learning.start();
  const from =
    (await addressGiven(context, parts, given, others)) ??
    (await pickArtifact(context, parts, {
      title: vscode.l10n.t('Add Relation'),
      placeholder: vscode.l10n.t('What is related: words of anything that is known'),
    }));
  if (from !== undefined) await addRelation(context, parts, from);
}

/** @param given `{ relation }` with its id, or a thing whose relations are offered */
async function removeRelation(context: CommandContext, given: unknown): Promise<void> {
  const change = context.learning.change();
  const parts = await context.learning.start();
  const id =
    isRecord(given) && typeof given.relation === 'string' ? given.relation : await pickRelation(context, parts, given);
  if (id === undefined) return;
  const removed = await parts.relations.remove(id, change);
  announceWithUndo(context, vscode.l10n.t('Removed: {0}', await related(parts, removed)), () =>
    parts.relations.restore(removed, context.learning.change()),
  );
}

/** Those that a file says are offered as well: removing one says where it is to be changed. */
async function pickRelation(context: CommandContext, parts: KaizenParts, given: unknown): Promise<string | undefined> {
  const title = vscode.l10n.t('Remove Relation');
  const of =
    (await addressGiven(context, parts, given, undefined)) ??
    (await pickArtifact(context, parts, { title, placeholder: vscode.l10n.t('One end of the relation') }));
  if (of === undefined) return undefined;
  const { uri, title: name } = await parts.relations.locate(of);
  const relations = await parts.relations.find({ uri, limit: MOST_OFFERED });
  if (relations.length === 0) {
    const message = vscode.l10n.t('{0} is related to nothing.', name);
    void vscode.window.showInformationMessage(withoutLinks(message));
    return undefined;
  }
  const items = await Promise.all(relations.map((relation) => relationItem(parts, uri, relation)));
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: name, matchOnDetail: true });
  return picked?.id;
}

async function relationItem(
  parts: KaizenParts,
  uri: string,
  { id, source, target, type, context, author, origin }: Relation,
): Promise<vscode.QuickPickItem & { id: string }> {
  const isOutgoing = source === uri;
  const other = await parts.relations.resolve(isOutgoing ? target : source);
  const word = isOutgoing ? relationName(type) : incomingRelationName(type);
  return {
    label: withoutIcons(`${word} ${other?.title ?? (isOutgoing ? target : source)}`),
    description: origin === 'stored' ? '' : withoutIcons(vscode.l10n.t('said by the file {0}', author)),
    detail: withoutIcons(context),
    iconPath: endKindIcon(other?.kind ?? ''),
    id,
  };
}

/** The address of what a command was given or, without anything, of what is in front. Throws for what has none. */
async function addressGiven(
  context: CommandContext,
  parts: KaizenParts,
  first: unknown,
  others: unknown,
): Promise<string | undefined> {
  const [given] = await givenValues(first, others, async () => []);
  // The title of a view and the palette name nothing.
  const isNamed = given !== undefined && given !== null && !(isRecord(given) && Object.keys(given).length === 0);
  if (!isNamed) return artifactInFront(context, parts);
  const address = artifactGiven(parts, given);
  if (address !== undefined) return address;
  throw new KaizenError('invalid_argument', vscode.l10n.t('This has no address in what Kaizen knows.'));
}
