import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import { entryUri } from '../../core/knowledge-uri';
import { type EntryKey, type FileWarning, type ResolvedEntry, scopeOfRules } from '../../knowledge';
import { type FileWarnings, keyOf, pathInFolder, type WarningTarget } from '../diagnostics';
import { withoutIcons, withoutLinks } from '../messages';
import { byGravity, levelsOf, riskIcon } from '../risk-signs';
import type { CommandContext, CommandHandlers } from './command';
import { sameKey } from './given';
import { storeSelection } from './store-selection';

export function fileCommands(context: CommandContext): CommandHandlers {
  const { warnings } = context;
  return {
    'kaizen.storeSelection': () => storeSelection(context),
    'kaizen.showForFile': (uri?: unknown) => showForFile(context, uri),
    'kaizen.acknowledgeWarning': (target?: unknown) => acknowledge(warnings, target),
    'kaizen.muteWarning': (target?: unknown) => mute(warnings, target),
    'kaizen.showWarningsAgain': () => showAgain(warnings),
  };
}

type RuleItem = vscode.QuickPickItem & { key?: EntryKey };

/** Every rule that matters for a file: those that name it, and then the risks that hold all over the project. */
async function showForFile({ knowledge: window, editors }: CommandContext, given: unknown): Promise<void> {
  const uri = given instanceof vscode.Uri ? given : openFile();
  const path = uri && pathInFolder(uri);
  if (path === undefined) {
    throw new KaizenError(
      'invalid_argument',
      vscode.l10n.t('This is no file of a folder in the workspace.'),
      vscode.l10n.t('Open a file of the workspace, or choose one in the Explorer.'),
    );
  }
  const { knowledge } = await window.parts();
  const scope = scopeOfRules(knowledge, window.project);
  const naming = scope === undefined ? [] : knowledge.rulesFor(scope, path);
  const placeOf = (rule: ResolvedEntry) => entryUri({ ...rule, scope_id: rule.source_scope });
  const named = new Set(naming.map(placeOf));
  const risky = scope === undefined ? [] : await knowledge.gatherRisks(scope);
  const others = risky.filter((rule) => !named.has(placeOf(rule)));
  if (naming.length + others.length === 0) {
    const store = vscode.l10n.t('Store Knowledge');
    const choice = await vscode.window.showInformationMessage(
      withoutLinks(vscode.l10n.t('No rule names {0}, and no risk holds here yet.', path)),
      store,
    );
    if (choice === store) await vscode.commands.executeCommand('kaizen.storeKnowledge');
    return;
  }
  const items: RuleItem[] = [
    separator(vscode.l10n.t('Rules that name this file')),
    ...(naming.length > 0 ? naming.map(ruleItem) : [nothing()]),
    ...(others.length > 0 ? [separator(vscode.l10n.t('Risks that hold everywhere in {0}', scope ?? ''))] : []),
    ...others.sort(byGravity).map(ruleItem),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Knowledge for {0}', path),
    placeHolder: vscode.l10n.t('Choose a rule to open it'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.key) await editors.openEntry(picked.key);
}

/** The file in front, also where it is a picture, a notebook or the right side of a comparison. */
export function openFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  const isFile =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook;
  return isFile ? input.uri : vscode.window.activeTextEditor?.document.uri;
}

function ruleItem(rule: ResolvedEntry): RuleItem {
  const { keyword, category, source_scope, source_tier, risks, content } = rule;
  const levels = levelsOf(risks);
  const place = `${withoutIcons(category)} · ${source_scope} (${source_tier})`;
  return {
    label: withoutIcons(keyword),
    iconPath: riskIcon(risks),
    description: levels.length > 0 ? `${levels.join(', ')} · ${place}` : place,
    detail: withoutIcons((risks[0]?.text || content).slice(0, 160)),
    key: { scope_id: source_scope, category, keyword },
  };
}

function separator(label: string): RuleItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function nothing(): RuleItem {
  return {
    label: vscode.l10n.t('None yet'),
    iconPath: new vscode.ThemeIcon('info'),
    detail: vscode.l10n.t('A rule names files by its metaknowledge APPLIES_TO, such as src/payments/**'),
  };
}

async function acknowledge(warnings: FileWarnings, given: unknown): Promise<void> {
  const found = await chooseWarning(warnings, given, vscode.l10n.t('Acknowledge Warning'));
  if (!found) return;
  await warnings.acknowledge(found.warning);
  const message = vscode.l10n.t('"{0}" does not warn you any more until it changes.', found.warning.keyword);
  await offerUndo(message, () => warnings.takeBack(keyOf(found.warning)));
}

async function mute(warnings: FileWarnings, given: unknown): Promise<void> {
  const found = await chooseWarning(warnings, given, vscode.l10n.t('Mute Warning for This File'));
  if (!found) return;
  await warnings.mute(found.warning, found.file);
  const message = vscode.l10n.t('"{0}" does not warn you in this file any more.', found.warning.keyword);
  await offerUndo(message, () => warnings.takeBack(keyOf(found.warning), found.file));
}

async function offerUndo(message: string, takeBack: () => Promise<void>): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  if ((await vscode.window.showInformationMessage(withoutLinks(message), undo)) === undo) await takeBack();
}

async function showAgain(warnings: FileWarnings): Promise<void> {
  const count = await warnings.showAgain();
  const message =
    count === 0
      ? vscode.l10n.t('No warning was acknowledged or muted in this workspace.')
      : count === 1
        ? vscode.l10n.t('One warning is back.')
        : vscode.l10n.t('{0} warnings are back.', count);
  await vscode.window.showInformationMessage(message);
}

/** The warning that a quick fix names; without one, what the person chooses of those in the active file. */
async function chooseWarning(
  warnings: FileWarnings,
  given: unknown,
  title: string,
): Promise<{ warning: FileWarning; file: vscode.Uri } | undefined> {
  const target = isTarget(given) ? given : undefined;
  const file = target ? vscode.Uri.parse(target.file) : vscode.window.activeTextEditor?.document.uri;
  const shown = file ? warnings.shownIn(file).map(({ warning }) => warning) : [];
  if (!file || shown.length === 0) {
    throw new KaizenError('invalid_argument', vscode.l10n.t('No warning of a rule is shown in this file.'));
  }
  if (target) {
    const warning = shown.find((each) => sameKey(keyOf(each), target.key));
    if (!warning) {
      throw new KaizenError(
        'unknown_entry',
        vscode.l10n.t('"{0}" is not shown in this file any more.', target.key.keyword),
      );
    }
    return { warning, file };
  }
  const items = shown.map((warning) => ({ ...ruleItem(warning), warning }));
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return picked && { warning: picked.warning, file };
}

function isTarget(value: unknown): value is WarningTarget {
  const { file, key } = (value ?? {}) as Partial<WarningTarget>;
  const { scope_id, category, keyword } = key ?? {};
  return [file, scope_id, category, keyword].every((part) => typeof part === 'string');
}
