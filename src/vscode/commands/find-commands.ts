import * as vscode from 'vscode';
import type { EntryKey } from '../../knowledge';
import { type Reference, referenceFor } from '../agent-reference';
import { documentUri } from '../documents';
import type { CommandContext, CommandHandlers } from './command';
import { noEntry, requireEntries } from './entry-changes';
import { pickEntry } from './entry-pick';
import { givenEntries, givenParts, givenValues, openEntry } from './given';

const SHOWN_MS = 4_000;

export function findCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.findKnowledge': (text?: unknown) => findKnowledge(context, text),
    'kaizen.copyForAgent': (first?: unknown, others?: unknown) => copyForAgent(context, first, others),
  };
}

/** @param text what to look for first */
async function findKnowledge(context: CommandContext, text: unknown): Promise<void> {
  const { knowledge } = await context.knowledge.parts();
  requireEntries(knowledge);
  const found = await pickEntry(knowledge, {
    title: vscode.l10n.t('Find Knowledge'),
    placeholder: vscode.l10n.t('Type words of keyword, category, content or metaknowledge'),
    value: typeof text === 'string' ? text : undefined,
    actions: [
      { icon: 'copy', tooltip: vscode.l10n.t('Copy Reference for Agent'), run: (entry) => copy([entry]) },
      {
        icon: 'split-horizontal',
        tooltip: vscode.l10n.t('Open to the Side'),
        run: (entry) => context.editors.openAsText(documentUri(entry), { viewColumn: vscode.ViewColumn.Beside }),
      },
    ],
  });
  if (found) await context.editors.openEntry(found);
}

/** Copies what the command was given, what is open, or what the person looks for. */
async function copyForAgent(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  const { knowledge } = await context.knowledge.parts();
  const exists = (key: EntryKey) => knowledge.entry(key) !== undefined;
  const values = await givenValues(first, others, () => context.explorer.knowledge.underKeyboard());
  const entries = givenEntries(values, exists);
  const places = values.flatMap((value) => {
    const { scope_id, category, keyword } = givenParts(value, exists);
    return scope_id && !keyword ? [category ? { scope_id, category } : { scope_id }] : [];
  });
  if (entries.length + places.length > 0) return copy([...entries, ...places]);
  if (first !== undefined) throw noEntry();
  requireEntries(knowledge);
  const open = openEntry();
  if (open) return copy([open]);
  const title = vscode.l10n.t('Copy Reference for Agent');
  const found = await pickEntry(knowledge, {
    title,
    placeholder: vscode.l10n.t('Type words of its keyword or content'),
  });
  if (found) await copy([found]);
}

async function copy(references: readonly Reference[]): Promise<void> {
  await vscode.env.clipboard.writeText(`${referenceFor(references)}\n`);
  const message =
    references.length === 1
      ? vscode.l10n.t('Copied the reference. Paste it into your agent’s chat.')
      : vscode.l10n.t('Copied {0} references. Paste them into your agent’s chat.', references.length);
  vscode.window.setStatusBarMessage(`$(copy) ${message}`, SHOWN_MS);
}
