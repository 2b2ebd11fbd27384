import * as vscode from 'vscode';
import type { ReviewedDraft } from '../../transfer/rules';
import { inWords } from '../in-words';
import { cut, withoutIcons } from '../messages';
import type { TextDocuments } from '../notes';

interface Item extends vscode.QuickPickItem {
  reviewed?: ReviewedDraft;
}

/** The editor sorts by where the label matches, unless it is told that the order says something: no public API yet. */
type KeepsOrder = { sortByLabel: boolean };

const SHOWN_CONTENT = 160;

/**
 * Lists what would be stored, with what speaks against it, everything that is proposed ticked; each can be looked at
 * without leaving the list. Gives what stays ticked; undefined when the person gives up.
 */
export async function pickDrafts(
  reviewed: readonly ReviewedDraft[],
  scope: string,
  texts: TextDocuments,
): Promise<ReviewedDraft[] | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  (pick as unknown as KeepsOrder).sortByLabel = false;
  pick.title = vscode.l10n.t('Import into {0}', scope);
  pick.placeholder = vscode.l10n.t('Tick what is to be stored. Nothing is stored before you press OK.');
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = itemsOf(reviewed);
  pick.selectedItems = pick.items.filter((item) => item.reviewed?.isProposed);
  try {
    return await new Promise((resolve, reject) => {
      pick.onDidTriggerItemButton(({ item }) => {
        if (item.reviewed) show(item.reviewed, texts).then(undefined, reject);
      });
      pick.onDidAccept(() => {
        resolve(pick.selectedItems.flatMap((item) => (item.reviewed ? [item.reviewed] : [])));
        pick.hide();
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

/** What is stored already as it is has nothing to be decided on. */
function itemsOf(reviewed: readonly ReviewedDraft[]): Item[] {
  const items: Item[] = [];
  let path: string | undefined;
  for (const each of reviewed) {
    if (each.standing === 'same') continue;
    if (each.draft.path !== path) {
      path = each.draft.path;
      items.push({ label: withoutIcons(path), kind: vscode.QuickPickItemKind.Separator });
    }
    items.push(itemOf(each));
  }
  return items;
}

function itemOf(reviewed: ReviewedDraft): Item {
  const { draft, standing, levels } = reviewed;
  const { category, keyword, content, risk, metaknowledge } = draft;
  const said = [
    ...saidOf(reviewed),
    ...levels.map((level) =>
      level === risk?.level ? vscode.l10n.t('{0}, since it says "{1}"', level, risk.because) : level,
    ),
    ...(metaknowledge.APPLIES_TO === undefined ? [] : [vscode.l10n.t('for {0}', metaknowledge.APPLIES_TO)]),
  ].map((text) => cut(text, 120));
  const icon = reviewed.flags.some(({ kind }) => kind === 'secret' || kind === 'instruction')
    ? '$(alert) '
    : standing === 'differs'
      ? '$(diff) '
      : standing === 'duplicate'
        ? '$(copy) '
        : '';
  return {
    label: `${icon}${withoutIcons(keyword)}`,
    description: withoutIcons([category, ...said].join(' · ')),
    detail: withoutIcons(cut(content, SHOWN_CONTENT)),
    buttons: [
      {
        iconPath: new vscode.ThemeIcon(standing === 'differs' ? 'diff' : 'open-preview'),
        tooltip: standing === 'differs' ? vscode.l10n.t('Compare with what is stored') : vscode.l10n.t('Show it whole'),
      },
    ],
    reviewed,
  };
}

function saidOf({ standing, like, flags }: ReviewedDraft): string[] {
  const alike = like && `${like.category} / ${like.keyword}`;
  return [
    ...(standing === 'differs' ? [vscode.l10n.t('another text is stored')] : []),
    ...(alike ? [vscode.l10n.t('like {0}', like.scope_id ? `${like.scope_id}, ${alike}` : alike)] : []),
    ...flags.map(({ kind, text: said }) => {
      const text = inWords(said);
      if (kind === 'secret') return vscode.l10n.t('holds a secret: {0}', text);
      if (kind === 'instruction') return vscode.l10n.t('speaks to agents: {0}', text);
      return kind === 'hides' ? vscode.l10n.t('the keyword is taken: {0}', text) : text;
    }),
  ];
}

async function show({ draft, stored }: ReviewedDraft, texts: TextDocuments): Promise<void> {
  const { formatEntryText } = await import('../../frontmatter');
  const { keyword, content, metaknowledge } = draft;
  const name = `${keyword}.md`;
  const incoming = texts.add(name, formatEntryText({ content, metaknowledge }));
  const options = { preview: true, preserveFocus: true };
  if (!stored) {
    await vscode.window.showTextDocument(incoming, options);
    return;
  }
  const before = texts.add(
    name,
    formatEntryText({ content: stored.content, metaknowledge: { ...stored.metaknowledge } }),
  );
  const title = vscode.l10n.t('{0} (stored ↔ imported)', keyword);
  await vscode.commands.executeCommand('vscode.diff', before, incoming, title, options);
}
