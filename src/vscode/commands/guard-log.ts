import * as vscode from 'vscode';
import type { GuardRecord } from '../../guard';
import { hookSettings } from '../agents';
import { foldersOnDisk } from '../folders-on-disk';
import { withoutIcons } from '../messages';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import type { CommandContext } from './command';

/** More would not be read in a list; `kaizen hook log` has all. */
const SHOWN = 200;

/** The latest of what the guard asked, told and noted in agents' sessions; choosing a line opens its rule. */
export async function showGuardLog({ knowledge, editors }: CommandContext): Promise<void> {
  const title = vscode.l10n.t('What the Guard Decided');
  const { guardPlace, readRecords } = await import('../../guard');
  const place = guardPlace({ ...knowledge.place.directories, project: knowledge.project ?? '' });
  const records = place ? readRecords(place.directory, SHOWN) : [];
  if (records.length === 0) return explain(knowledge);
  const items = records.flatMap((record) => {
    const rules = record.rules.length > 0 ? record.rules : [undefined];
    return rules.map((rule) => ({
      label: `$(${ICONS[record.outcome]}) ${withoutIcons(`${outcomeInWords(record)}${rule ? `: ${rule.keyword}` : ''}`)}`,
      description: withoutIcons([rule?.level, record.tool, timeOf(record.at)].filter(Boolean).join(' · ')),
      detail: withoutIcons([record.message, ...record.paths].filter(Boolean).join(', ')),
      rule,
    }));
  });
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Newest first; Enter opens the rule'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.rule) await editors.openEntry(picked.rule);
}

const ICONS: Record<GuardRecord['outcome'], string> = {
  tell: 'info',
  ask: 'warning',
  'went through': 'check',
  reminded: 'bell',
  briefed: 'book',
  failed: 'error',
};

function outcomeInWords({ outcome }: GuardRecord): string {
  switch (outcome) {
    case 'ask':
      return vscode.l10n.t('Asked');
    case 'tell':
      return vscode.l10n.t('Told');
    case 'went through':
      return vscode.l10n.t('Went through');
    case 'briefed':
      return vscode.l10n.t('Session began with what is known');
    case 'reminded':
      return vscode.l10n.t('Reminded to log the session');
    case 'failed':
      return vscode.l10n.t('Could not look');
  }
}

/** Says why the list is empty, as things are in this window, and offers what changes that. */
async function explain(knowledge: WorkspaceKnowledge): Promise<void> {
  const { message, label, command, values = [] } = reasonFor(knowledge);
  if ((await vscode.window.showInformationMessage(message, label)) !== label) return;
  await vscode.commands.executeCommand(command, ...values);
}

interface Reason {
  message: string;
  label: string;
  command: string;
  values?: readonly string[];
}

function reasonFor({ exists }: WorkspaceKnowledge): Reason {
  if (!vscode.workspace.isTrusted) {
    return {
      message: vscode.l10n.t(
        'Nothing was decided here: in Restricted Mode agents get no tools from Kaizen, and the guard is not made ready for them.',
      ),
      label: vscode.l10n.t('Manage Trust'),
      command: 'workbench.trust.manage',
    };
  }
  if (foldersOnDisk().length === 0) {
    return {
      message: vscode.l10n.t(
        'Nothing was decided here: what agents do is looked at in a folder of this machine, and none is open.',
      ),
      label: vscode.l10n.t('Open Folder'),
      command: 'vscode.openFolder',
    };
  }
  const settings = {
    label: vscode.l10n.t('Open Settings'),
    command: 'workbench.action.openSettings',
    values: ['kaizen.agents'],
  };
  if (!hookSettings().enabled) {
    return { message: vscode.l10n.t('Nothing was decided here: the setting kaizen.agents.hooks is off.'), ...settings };
  }
  if (!exists) {
    return {
      message: vscode.l10n.t('Nothing was decided here: nothing is stored yet that you could be asked about.'),
      label: vscode.l10n.t('Store Knowledge'),
      command: 'kaizen.storeKnowledge',
    };
  }
  return {
    message: vscode.l10n.t(
      'Nothing was decided here yet. In agent mode, a session begins with what is known of the project, and before an edit that touches what a DANGER rule is about, you are asked. What was asked and told is listed here.',
    ),
    ...settings,
  };
}

function timeOf(at: string): string {
  return new Date(at).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}
