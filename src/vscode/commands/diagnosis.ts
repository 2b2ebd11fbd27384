import { hostname } from 'node:os';
import * as vscode from 'vscode';
import { thisPlatform } from '../../core/locations';
import type { DoctorFinding, DoctorSurroundings } from '../../doctor';
import { hookSettings } from '../agents/settings';
import { withoutIcons } from '../messages';
import type { CommandContext } from './command';
import { withProgress } from './long-work';

/**
 * Looks at everything that has to be right, and shows what was found in a list, what is wrong first; each line mends what
 * it says where the editor can. Works when the stores do not open. Returns the findings at once where nothing is to be shown.
 */
export async function diagnoseWindow(context: CommandContext, options: unknown): Promise<DoctorFinding[]> {
  const { diagnose, doctorReport, DOCTOR_AREAS } = await import('../../doctor');
  const around = await surroundings(context);
  const findings = await withProgress(vscode.l10n.t('Diagnosing Kaizen'), async ({ signal, onStep }) => {
    const found: DoctorFinding[] = [];
    for await (const finding of diagnose({ ...around, signal })) {
      found.push(finding);
      onStep((DOCTOR_AREAS.indexOf(finding.area) + 1) / DOCTOR_AREAS.length, areaName(finding));
    }
    return found;
  });
  const isQuiet = typeof options === 'object' && options !== null && 'show' in options && options.show === false;
  if (isQuiet) return findings;
  const report = () => doctorReport(findings, around, { user: context.knowledge.person, host: hostname() });
  void show(findings, report);
  return findings;
}

async function surroundings({ knowledge, extension, log }: CommandContext): Promise<DoctorSurroundings> {
  const { launcherCommand } = await import('../../agents');
  const platform = thisPlatform();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const { version } = extension.extension.packageJSON as { version: string };
  const registry = await knowledge.registry.options().catch((error: unknown) => {
    log.warn(`The registry's address could not be read: ${String(error)}`);
    return undefined;
  });
  return {
    ...knowledge.place.directories,
    workspace: folder?.scheme === 'file' ? folder.fsPath : platform.home,
    project: knowledge.project,
    platform,
    versions: {
      kaizen: version,
      node: process.versions.node,
      editor: `${vscode.env.appName} ${vscode.version}`,
    },
    kaizen: launcherCommand(platform),
    hooks: hookSettings().enabled,
    registry,
  };
}

type Row = vscode.QuickPickItem & { run?: () => unknown };

async function show(findings: readonly DoctorFinding[], report: () => string): Promise<void> {
  const problems = findings.filter(({ level }) => level === 'problem').length;
  const separator = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const rows = (level: DoctorFinding['level']) => findings.filter((finding) => finding.level === level).map(rowOf);
  const items: Row[] = [
    separator(vscode.l10n.t('What does not work')),
    ...rows('problem'),
    separator(vscode.l10n.t('Worth knowing')),
    ...rows('note'),
    separator(vscode.l10n.t('For others')),
    {
      label: `$(copy) ${vscode.l10n.t('Copy Report for an Issue')}`,
      detail: vscode.l10n.t('Without names of people, projects, entries and folders'),
      run: () => copy(report()),
    },
    {
      label: `$(go-to-file) ${vscode.l10n.t('Show Report')}`,
      run: () => showReport(report()),
    },
    separator(vscode.l10n.t('What is well')),
    ...rows('ok'),
  ];
  const title =
    problems === 0
      ? vscode.l10n.t('Diagnosis: nothing is wrong')
      : problems === 1
        ? vscode.l10n.t('Diagnosis: one problem')
        : vscode.l10n.t('Diagnosis: {0} problems', problems);
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Choose a line to read all of it and mend what it says'),
    matchOnDetail: true,
    matchOnDescription: true,
  });
  await picked?.run?.();
}

/** Told apart by shape and words; icons have no colour of their own here. */
const ICONS: Record<DoctorFinding['level'], string> = { problem: 'error', note: 'info', ok: 'check' };

function rowOf(finding: DoctorFinding): Row {
  const { level, message, mend } = finding;
  return {
    label: `$(${ICONS[level]}) ${withoutIcons(message)}`,
    description: areaName(finding),
    ...(mend ? { detail: withoutIcons(mend.sentence) } : {}),
    run: () => showFinding(finding),
  };
}

/** The whole sentence, which a line of the list may have no room for, and what mends it. */
async function showFinding(finding: DoctorFinding): Promise<void> {
  const { level, message, mend } = finding;
  const action = mend && actionFor(finding);
  const detail = [mend?.sentence, mend?.command].filter((line) => line !== undefined).join('\n\n');
  const show = level === 'problem' ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const chosen = await show(message, { modal: true, detail }, ...(action ? [action.label] : []));
  if (action && chosen === action.label) await action.run();
}

interface MendAction {
  label: string;
  run: () => unknown;
}

const run =
  (command: string, ...values: unknown[]) =>
  () =>
    vscode.commands.executeCommand(command, ...values);

/** What the editor itself can do about a finding; else the command for a terminal, typed but not run. */
function actionFor({ area, code, mend }: DoctorFinding): MendAction | undefined {
  if (area === 'clients') return { label: vscode.l10n.t('Set Up Agents'), run: run('kaizen.setUpAgents') };
  if (code === 'hooks_off') {
    return {
      label: vscode.l10n.t('Open Setting'),
      run: run('workbench.action.openSettings', '@id:kaizen.agents.hooks'),
    };
  }
  if (code.startsWith('launcher_')) {
    return { label: vscode.l10n.t('Reload Window'), run: run('workbench.action.reloadWindow') };
  }
  if (code.startsWith('hook_fail')) {
    return { label: vscode.l10n.t('Show Decisions'), run: run('kaizen.showGuardLog') };
  }
  if (code === 'model_damaged') return { label: vscode.l10n.t('Set Up'), run: run('kaizen.setUpEmbeddings') };
  if (area === 'registry') return { label: vscode.l10n.t('Show State'), run: run('kaizen.showRegistryStatus') };
  const command = mend?.command;
  if (command === undefined) return undefined;
  return { label: vscode.l10n.t('In a Terminal'), run: () => inTerminal(command) };
}

/** The person reads it before they press Enter. */
function inTerminal(command: string): void {
  const terminal = vscode.window.createTerminal({ name: 'Kaizen' });
  terminal.show();
  terminal.sendText(command, false);
}

async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(vscode.l10n.t('The report was copied.'), 4_000);
}

async function showReport(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { preview: true });
}

function areaName({ area }: DoctorFinding): string {
  switch (area) {
    case 'versions':
      return vscode.l10n.t('Versions');
    case 'stores':
      return vscode.l10n.t('Stores');
    case 'locks':
      return vscode.l10n.t('Locks');
    case 'index':
      return vscode.l10n.t('Indexes');
    case 'clients':
      return vscode.l10n.t('Clients');
    case 'hooks':
      return vscode.l10n.t('Hooks');
    case 'registry':
      return vscode.l10n.t('Registry');
  }
}
