import * as vscode from 'vscode';
import type { AgentSurroundings, SetUpPiece } from '../../agents';
import { forgetEditorStores, rememberEditorStores } from '../../core/editor-stores';
import { describeError } from '../../core/errors';
import { thisPlatform } from '../../core/locations';
import type { KeptGuardIndex } from '../../guard';
import { foldersOnDisk } from '../folders-on-disk';
import type { Log } from '../log';
import { agentWritesHere } from '../mcp-provider';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { AGENT_SETTINGS, type HookSettings, hookSettings } from './settings';

/** What the chat plugin's `when` looks at beside the setting: a workspace may switch hooks off, and not on. */
const SWITCHED_OFF = 'kaizen.hooksOff';
/** What the walkthrough looks at: its step is done once an agent has something of Kaizen's in one of the folders. */
const SET_UP = 'kaizen.agentsSetUp';
/** Set when the person does not want to be offered to set agents up in this workspace. */
const DECLINED = 'kaizen.agentsOfferDeclined';

/**
 * Makes the hooks that this extension ships work, and the servers and hooks that were set up for other agents: the
 * launcher that they call, the record of which stores this window has, and, while these are open, the index from which
 * hooks answer. Nothing of it in Restricted Mode, before something is stored here, or where the person wants none of it.
 */
export class AgentsAtWork implements vscode.Disposable {
  private readonly offerChanged = new vscode.EventEmitter<boolean>();
  /** Fires when it is, or is no longer, worth offering to set agents up: there are files of theirs, and none names Kaizen. */
  readonly onDidChangeOffer = this.offerChanged.event;
  private isOffered = false;
  private readonly disposables: vscode.Disposable[];
  /** The index that is kept, and whose: the same stores may be opened anew. */
  private kept: { index: KeptGuardIndex; hall: unknown; project: string } | undefined;
  private working: Promise<void> = Promise.resolve();
  private disposed = false;

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly log: Log,
    private readonly extensionUri: vscode.Uri,
    private readonly state: vscode.Memento,
  ) {
    this.disposables = [
      this.offerChanged,
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.update()),
      // What leaves this window may be open in another one: its record stays.
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.update()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        const settings = [AGENT_SETTINGS, 'kaizen.project', 'kaizen.agentWrites', 'kaizen.mcp.readOnly'];
        if (settings.some((setting) => event.affectsConfiguration(setting))) {
          void this.update();
        }
      }),
      // Opened, or opened anew: others may be the right ones now.
      knowledge.onDidChange((topics) => {
        if (topics.has('*')) void this.update();
      }),
    ];
  }

  /** Brings all of it to what the settings say; never rejects. One after the other. */
  update(): Promise<void> {
    this.working = this.working.then(async () => {
      if (this.disposed) return;
      try {
        await this.bringUp();
      } catch (error) {
        // Agents work without it as they did before.
        this.log.warn(`What agents' hooks need could not be made ready: ${describeError(error)}`);
      }
    });
    return this.working;
  }

  /** What setting up has to know of a folder. Its commands call the launcher, which survives updates. */
  async surroundings(folder: Pick<vscode.WorkspaceFolder, 'uri'>): Promise<AgentSurroundings> {
    const { launcherCommand } = await import('../../agents');
    const platform = thisPlatform();
    return {
      workspace: folder.uri.fsPath,
      project: this.knowledge.project,
      platform,
      kaizen: launcherCommand(platform),
    };
  }

  /**
   * Makes ready what servers and hooks of other agents call: the launcher, stores, and the record that leads to them, from
   * now on to this window's. Throws the system's error, and `read_only` in Restricted Mode.
   */
  async makeReady(folder: vscode.WorkspaceFolder): Promise<void> {
    await this.working;
    // A server that found no record would make stores of its own.
    await this.knowledge.parts();
    await this.writeLauncher();
    await this.remember(folder, hookSettings(), { yields: false });
  }

  /** Offers no more in this workspace to set agents up. */
  async declineOffer(): Promise<void> {
    await this.state.update(DECLINED, true);
    this.offer(false);
  }

  dispose(): void {
    this.disposed = true;
    for (const disposable of this.disposables) disposable.dispose();
    this.stopKeeping();
  }

  private async bringUp(): Promise<void> {
    const settings = hookSettings();
    void vscode.commands.executeCommand('setContext', SWITCHED_OFF, !settings.enabled);
    if (!vscode.workspace.isTrusted) return;
    const folders = foldersOnDisk();
    // Exported knowledge names no Kaizen that an agent could ask.
    const pieces = (this.knowledge.exists ? await this.piecesIn(folders) : []).filter(
      ({ kind }) => kind !== 'knowledge',
    );
    void vscode.commands.executeCommand(
      'setContext',
      SET_UP,
      pieces.some(({ isThere }) => isThere),
    );
    const isSetUp = pieces.some(({ kind, isThere }) => kind !== 'instructions' && isThere);
    this.offer(
      !this.state.get<boolean>(DECLINED) &&
        !pieces.some(({ isThere }) => isThere) &&
        pieces.some(({ client, detected }) => client !== undefined && client !== 'vscode' && detected),
    );
    if (!this.knowledge.exists || folders.length === 0 || !(settings.enabled || isSetUp)) {
      this.stopKeeping();
      for (const folder of folders) this.forget(folder.uri.fsPath);
      return;
    }
    await this.writeLauncher();
    // A folder that is opened by itself as well has another store then, which agents that work in it keep.
    const yields = folders.length > 1;
    for (const folder of folders) await this.remember(folder, settings, { yields });
    if (this.knowledge.isOpen) await this.keepIndex();
  }

  /** What agents were given, or could be, in any of the folders. */
  private async piecesIn(folders: readonly vscode.WorkspaceFolder[]): Promise<SetUpPiece[]> {
    const { inspect } = await import('../../agents');
    const pieces: SetUpPiece[] = [];
    for (const folder of folders) pieces.push(...(await inspect(await this.surroundings(folder))));
    return pieces;
  }

  private offer(isOffered: boolean): void {
    if (isOffered === this.isOffered) return;
    this.isOffered = isOffered;
    this.offerChanged.fire(isOffered);
  }

  private async writeLauncher(): Promise<void> {
    const { writeLauncher } = await import('../../agents');
    await writeLauncher(thisPlatform(), {
      node: process.execPath,
      cli: vscode.Uri.joinPath(this.extensionUri, 'dist', 'cli.js').fsPath,
      isElectron: process.versions.electron !== undefined,
    });
  }

  private async remember(
    { uri }: vscode.WorkspaceFolder,
    { budget, reminder }: HookSettings,
    options: { yields: boolean },
  ): Promise<void> {
    const { project, place } = this.knowledge;
    if (project === undefined) return;
    const { data, shared } = place.directories;
    const record = { format: 1, workspace: uri.fsPath, data, shared, project } as const;
    await rememberEditorStores({ ...record, agentWrites: agentWritesHere(), hooks: { budget, reminder } }, options);
  }

  private forget(workspace: string): void {
    try {
      forgetEditorStores(workspace, this.knowledge.place.directories.data);
    } catch (error) {
      this.log.warn(describeError(error));
    }
  }

  private async keepIndex(): Promise<void> {
    const { project, place } = this.knowledge;
    const { data, shared } = place.directories;
    if (project === undefined) return this.stopKeeping();
    const hall = await this.knowledge.hall();
    if (this.kept?.hall === hall && this.kept.project === project) return;
    this.stopKeeping();
    const { keepGuardIndex } = await import('../../guard');
    const index = await keepGuardIndex(hall, {
      ...{ data, shared, project, wanted: true },
      log: (message) => this.log.warn(message),
    });
    if (this.disposed) index.dispose();
    else this.kept = { index, hall, project };
  }

  private stopKeeping(): void {
    this.kept?.index.dispose();
    this.kept = undefined;
  }
}
