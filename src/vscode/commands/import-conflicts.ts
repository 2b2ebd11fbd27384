import * as vscode from 'vscode';
import type { ConflictSide, ImportConflict } from '../../transfer';
import { withoutIcons } from '../messages';

/** Documents of what is stored and what would replace it; they exist while the person decides. */
const SCHEME = 'kaizen-import';
/** More would not be read in a list; they are decided on all the same. */
const LISTED = 200;

type Decision = 'keep' | 'replace';

/**
 * Shows what differs from what is stored, and asks once for all or one by one. Gives the lines of the records that are
 * to replace what is there; undefined when the person gives up.
 */
export async function decideConflicts(conflicts: readonly ImportConflict[]): Promise<Set<number> | undefined> {
  for (;;) {
    const choice = await askForAll(conflicts);
    if (choice === undefined) return undefined;
    if (choice === 'keep') return new Set();
    if (choice === 'replace') return new Set(conflicts.map(({ line }) => line));
    const first = choice === 'one by one' ? 0 : conflicts.indexOf(choice);
    const decided = await decideOneByOne([...conflicts.slice(first), ...conflicts.slice(0, first)]);
    if (decided !== 'back') return decided;
  }
}

type Choice = Decision | 'one by one' | ImportConflict;

async function askForAll(conflicts: readonly ImportConflict[]): Promise<Choice | undefined> {
  const items: (vscode.QuickPickItem & { value?: Choice })[] = [
    {
      label: `$(check) ${vscode.l10n.t('Keep mine')}`,
      detail: vscode.l10n.t('Nothing that is stored is changed; what is new is added.'),
      value: 'keep',
    },
    {
      label: `$(replace-all) ${vscode.l10n.t('Replace all')}`,
      detail: vscode.l10n.t('What is imported holds from now on; the old text stays in the history.'),
      value: 'replace',
    },
    {
      label: `$(list-ordered) ${vscode.l10n.t('Decide one by one')}`,
      detail: vscode.l10n.t('Shows each with what is stored beside it.'),
      value: 'one by one',
    },
    { label: vscode.l10n.t('Conflicts'), kind: vscode.QuickPickItemKind.Separator },
    ...conflicts.slice(0, LISTED).map((conflict) => ({
      label: withoutIcons(conflict.place.at(-1) ?? ''),
      description: withoutIcons(conflict.place.slice(0, -1).join(' / ')),
      value: conflict,
    })),
  ];
  const title =
    conflicts.length === 1
      ? vscode.l10n.t('Import: one conflict')
      : vscode.l10n.t('Import: {0} conflicts', conflicts.length);
  const placeHolder = vscode.l10n.t('What is to happen with what is stored already and differs?');
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder,
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  return picked?.value;
}

async function decideOneByOne(conflicts: readonly ImportConflict[]): Promise<Set<number> | undefined | 'back'> {
  const documents = new ConflictDocuments();
  const lines = new Set<number>();
  try {
    for (const [index, conflict] of conflicts.entries()) {
      await documents.show(conflict);
      const answer = await askForOne(conflict, index, conflicts.length);
      if (answer === undefined || answer === 'back') return answer;
      if (answer === 'replace' || answer === 'replace the rest') lines.add(conflict.line);
      if (answer === 'keep the rest') return lines;
      if (answer === 'replace the rest') {
        for (const { line } of conflicts.slice(index)) lines.add(line);
        return lines;
      }
    }
    return lines;
  } finally {
    await documents.close();
  }
}

async function askForOne({ place }: ImportConflict, index: number, total: number) {
  const rest = total - index - 1;
  const answer = await vscode.window.showQuickPick(
    [
      { label: `$(check) ${vscode.l10n.t('Keep mine')}`, value: 'keep' as const },
      { label: `$(replace) ${vscode.l10n.t('Replace')}`, value: 'replace' as const },
      ...(rest > 0
        ? [
            { label: '', kind: vscode.QuickPickItemKind.Separator, value: 'keep' as const },
            { label: vscode.l10n.t('Keep mine, here and for the rest ({0})', rest), value: 'keep the rest' as const },
            { label: vscode.l10n.t('Replace, here and for the rest ({0})', rest), value: 'replace the rest' as const },
          ]
        : []),
      { label: `$(arrow-left) ${vscode.l10n.t('Back to all conflicts')}`, value: 'back' as const },
    ],
    {
      title: vscode.l10n.t('Conflict {0} of {1}', index + 1, total),
      placeHolder: place.join(' / '),
      ignoreFocusOut: true,
    },
  );
  return answer?.value;
}

class ConflictDocuments implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  async show({ line, place, stored, incoming }: ImportConflict): Promise<void> {
    const name = place.at(-1) ?? '';
    const [left, right] = await Promise.all([
      this.add(`/${line}/stored/${name}.md`, stored),
      this.add(`/${line}/imported/${name}.md`, incoming),
    ]);
    const title = vscode.l10n.t('{0} (stored ↔ imported)', name);
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true, preserveFocus: true });
  }

  async close(): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const ours = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.original.scheme === SCHEME,
    );
    await vscode.window.tabGroups.close(ours);
    this.registration.dispose();
  }

  private async add(path: string, { content, metaknowledge }: ConflictSide): Promise<vscode.Uri> {
    const { formatEntryText } = await import('../../frontmatter');
    const uri = vscode.Uri.from({ scheme: SCHEME, path });
    this.texts.set(uri.toString(), content === null ? '' : formatEntryText({ content, metaknowledge }));
    return uri;
  }
}
