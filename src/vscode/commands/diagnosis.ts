import { hostname } from 'node:os';
import * as vscode from 'vscode';
import { thisPlatform } from '../../core/locations';
import type { DoctorFinding, DoctorSurroundings } from '../../doctor';
import { hookSettings } from '../agents/settings';
import { foldersOnDisk } from '../folders-on-disk';
import { inWords } from '../in-words';
import { withoutIcons } from '../messages';
import { agentFolder } from './agent-folder';
import type { CommandContext } from './command';
import { withProgress } from './long-work';

/**
 * Looks at everything that has to be right, and shows what was found in a list, what is wrong first; each line mends what
 * it says where the editor can. Works when the stores do not open. Of several folders it asks which one is meant. Returns the
 * findings, of the first folder, at once where nothing is to be shown.
 */
export async function diagnoseWindow(context: CommandContext, options: unknown): Promise<DoctorFinding[]> {
  const { diagnose, doctorReport, DOCTOR_AREAS } = await import('../../doctor');
  const isQuiet = typeof options === 'object' && options !== null && 'show' in options && options.show === false;
  const folders = foldersOnDisk();
  const isChoice = folders.length > 1 && !isQuiet;
  // Clients are configured for a folder: one is looked at, and of several the person says which.
  const folder = isChoice ? await agentFolder(vscode.l10n.t('Diagnose')) : folders[0];
  if (isChoice && !folder) return [];
  const around = await surroundings(context, folder);
  const findings = await withProgress(vscode.l10n.t('Diagnosing Kaizen'), async ({ signal, onStep }) => {
    const found: DoctorFinding[] = [];
    for await (const finding of diagnose({ ...around, signal })) {
      found.push(finding);
      onStep((DOCTOR_AREAS.indexOf(finding.area) + 1) / DOCTOR_AREAS.length, areaName(finding));
    }
    return found;
  });
  if (isQuiet) return findings;
  const report = () => doctorReport(findings, around, { user: context.knowledge.person, host: hostname() });
  void show(findings, report, context);
  return findings;
}

async function surroundings(
  { knowledge, extension, log }: CommandContext,
  folder: vscode.WorkspaceFolder | undefined,
): Promise<DoctorSurroundings> {
  const { launcherCommand } = await import('../../agents');
  const platform = thisPlatform();
  const { version } = extension.extension.packageJSON as { version: string };
  const registry = await knowledge.registry.options().catch((error: unknown) => {
    log.warn(`The registry's address could not be read: ${String(error)}`);
    return undefined;
  });
  return {
    ...knowledge.place.directories,
    workspace: folder?.uri.fsPath ?? platform.home,
    project: knowledge.project,
    platform,
    versions: {
      kaizen: version,
      node: process.versions.node,
      editor: `${vscode.env.appName} ${vscode.version}`,
    },
    kaizen: launcherCommand(platform),
    hooks: hookSettings().enabled,
    hooksKeptOffBy: hooksKeptOffBy(),
    launcher: withoutLauncher(knowledge.exists && folder !== undefined),
    registry,
  };
}

/** As `AgentsAtWork` makes it. */
function withoutLauncher(isOfUse: boolean): DoctorSurroundings['launcher'] {
  if (!vscode.workspace.isTrusted) return 'restricted';
  return isOfUse ? undefined : 'unneeded';
}

/** The editor's settings without which it starts no hook of an extension's chat plugin. */
function hooksKeptOffBy(): string | undefined {
  const configured = vscode.workspace.getConfiguration();
  return ['chat.useHooks', 'chat.plugins.enabled'].find((name) => configured.get(name) === false);
}

type Row = vscode.QuickPickItem & { run?: () => unknown };

async function show(
  findings: readonly DoctorFinding[],
  report: () => string,
  { texts }: CommandContext,
): Promise<void> {
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
      run: () => vscode.window.showTextDocument(texts.add('diagnosis.md', report()), { preview: true }),
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
    label: `$(${ICONS[level]}) ${withoutIcons(inWords(message))}`,
    description: areaName(finding),
    ...(mend ? { detail: withoutIcons(inWords(mend.sentence)) } : {}),
    run: () => showFinding(finding),
  };
}

/** The whole sentence, which a line of the list may have no room for, and what mends it. */
async function showFinding(finding: DoctorFinding): Promise<void> {
  const { level, message, reason, mend } = finding;
  const action = mend && actionFor(finding);
  const detail = [reason && inWords(reason), mend && inWords(mend.sentence), mend?.folder, mend?.command]
    .filter((line) => line !== undefined)
    .join('\n\n');
  const show = level === 'problem' ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const chosen = await show(inWords(message), { modal: true, detail }, ...(action ? [action.label] : []));
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
  if (code === 'hooks_off' || code === 'hooks_kept_off') {
    const setting = code === 'hooks_off' ? 'kaizen.agents.hooks' : (hooksKeptOffBy() ?? 'chat.useHooks');
    return {
      label: vscode.l10n.t('Open Setting'),
      run: run('workbench.action.openSettings', `@id:${setting}`),
    };
  }
  if (code.startsWith('launcher_') && !vscode.workspace.isTrusted) {
    return { label: vscode.l10n.t('Manage Trust'), run: run('workbench.trust.manage') };
  }
  if (code === 'launcher_unmade') return { label: vscode.l10n.t('Set Up Agents'), run: run('kaizen.setUpAgents') };
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
