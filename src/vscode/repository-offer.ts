import * as vscode from 'vscode';
import type { KnownStore } from './known-repositories';
import { type Log, showError } from './log';
import { withoutLinks } from './messages';
import type { WorkspaceKnowledge } from './workspace-knowledge';

/** Set when the person does not want to be asked in this workspace again. */
const DECLINED = 'kaizen.repositoryOfferDeclined';

/**
 * The same repository, found again: when a folder has no knowledge of its own and its repository's is known from another
 * path (a second worktree, a moved or newly cloned folder), offers to use that. Nothing is copied.
 */
export class RepositoryOffer implements vscode.Disposable {
  private offered = false;
  private readonly listening: vscode.Disposable;

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly state: vscode.Memento,
    private readonly log: Log,
  ) {
    this.listening = knowledge.onDidChange((topics) => {
      if (topics.has('*') || topics.has('scopes')) void this.look();
    });
  }

  dispose(): void {
    this.listening.dispose();
  }

  /** Remembers this folder's store once its project is defined; until then looks for one that is known. */
  async look(): Promise<void> {
    const { knowledge } = this;
    if (!vscode.workspace.isTrusted) return;
    try {
      if (await this.hasProject()) knowledge.place.remember(knowledge.project ?? '');
      else await this.offer();
    } catch (error) {
      // A hint that cannot be kept or read takes nothing away from anybody.
      this.log.warn(`The repository could not be looked up: ${String(error)}`);
    }
  }

  /** Lets the person choose which of the repository's stores this folder uses. */
  async choose(): Promise<void> {
    const { place } = this.knowledge;
    const own = { label: vscode.l10n.t('Knowledge of This Folder Alone'), store: undefined };
    const items = [...place.others().map(asItem), ...(place.isChosen ? [own] : [])];
    if (items.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('This repository is not known from any other folder on this machine.'),
      );
      return;
    }
    const title = vscode.l10n.t("Use This Repository's Knowledge");
    const chosen = await vscode.window.showQuickPick(items, {
      title,
      placeHolder: vscode.l10n.t('Nothing is copied or deleted; you can change it again at any time'),
    });
    if (chosen) await this.use(chosen.store);
  }

  /** Whether the project of this window is defined in the store that it uses. Opens no store that does not exist. */
  private async hasProject(): Promise<boolean> {
    const { knowledge } = this;
    if (!knowledge.exists) return false;
    const { knowledge: part } = await knowledge.parts();
    return part.listScopes().some(({ scope_id, tier }) => tier === 'PROJECT' && scope_id === knowledge.project);
  }

  private async offer(): Promise<void> {
    const [known] = this.knowledge.place.others();
    if (!known || this.offered || this.state.get<boolean>(DECLINED)) return;
    this.offered = true;
    const use = vscode.l10n.t('Use It Here');
    const never = vscode.l10n.t("Don't Ask Again");
    const choice = await vscode.window.showInformationMessage(
      withoutLinks(
        vscode.l10n.t('Kaizen knows this repository from {0}. Use its knowledge in this folder too?', known.folder),
      ),
      use,
      never,
    );
    if (choice === use) await this.use(known.store);
    if (choice === never) await this.state.update(DECLINED, true);
  }

  private async use(store: string | undefined): Promise<void> {
    try {
      await this.knowledge.place.choose(store);
      await this.knowledge.reopen();
    } catch (error) {
      await showError(this.log, error);
    }
  }
}

function asItem({ store, folder, project }: KnownStore): vscode.QuickPickItem & { store: string } {
  return { label: folder, description: project, store };
}
