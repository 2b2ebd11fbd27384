import * as vscode from 'vscode';
import { type DataDirectories, proposeProjectId, type RepositoryPlace, repositoryPlace } from '../core/locations';
import { KnownRepositories, type KnownStore } from './known-repositories';

/** Names the store that this workspace was told to use in place of its own. */
const CHOSEN = 'kaizen.store';

/**
 * Where this window's stores are: in the workspace's storage, with the repository (setting `kaizen.storage`), or where the
 * person said that this workspace's knowledge is.
 */
export class StorePlace {
  private readonly known: KnownRepositories;
  /** The open folder in its repository; looked up once. */
  private place: RepositoryPlace | false | undefined;
  private store: KnownStore | false | undefined;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.known = new KnownRepositories(vscode.Uri.joinPath(context.globalStorageUri, 'repositories').fsPath);
  }

  get directories(): DataDirectories {
    return {
      data: process.env.KAIZEN_DATA || this.chosen?.store || this.ownStore,
      shared: process.env.KAIZEN_SHARED || vscode.Uri.joinPath(this.context.globalStorageUri, 'store').fsPath,
    };
  }

  /** The project that the store in use belongs to, where that is another one than the folder's name says. */
  get project(): string | undefined {
    if (process.env.KAIZEN_DATA) return undefined;
    const { chosen, folder, repository } = this;
    if (chosen && repository && chosen.inside === repository.inside) return chosen.project;
    return this.isByRepository && folder && repository?.inside === '' ? proposeProjectId(folder) : undefined;
  }

  /** Whether the workspace uses a store that is not its own. */
  get isChosen(): boolean {
    return this.context.workspaceState.get<string>(CHOSEN) !== undefined;
  }

  /** Stores of the same repository that this window does not use; empty where the environment names the directory. */
  others(): KnownStore[] {
    if (process.env.KAIZEN_DATA || !this.repository) return [];
    const { data } = this.directories;
    return this.known.find(this.repository).filter(({ store }) => store !== data);
  }

  /** Uses that store from now on; without one, the workspace's own again. */
  async choose(store: string | undefined): Promise<void> {
    await this.context.workspaceState.update(CHOSEN, store);
    this.lookAgain();
  }

  /** Forgets what it found, for settings that decide it have changed. */
  lookAgain(): void {
    this.store = undefined;
  }

  /** Lets other folders of the same repository find the store in use. */
  remember(project: string): void {
    const { folder, repository } = this;
    if (process.env.KAIZEN_DATA || !folder || !repository) return;
    this.known.remember({ ...repository, store: this.directories.data, folder, project }, new Date());
  }

  /** Without a folder there is no storage of a workspace; what is stored then is kept apart from every workspace. */
  private get ownStore(): string {
    if (this.isByRepository && this.repository) return this.known.newStore(this.repository);
    const own = this.context.storageUri ?? vscode.Uri.joinPath(this.context.globalStorageUri, 'no-folder');
    return vscode.Uri.joinPath(own, 'store').fsPath;
  }

  private get chosen(): KnownStore | undefined {
    this.store ??= this.findStore() ?? false;
    return this.store || undefined;
  }

  private findStore(): KnownStore | undefined {
    const wanted = this.context.workspaceState.get<string>(CHOSEN);
    if (!this.repository || (wanted === undefined && !this.isByRepository)) return undefined;
    const stores = this.known.find(this.repository);
    // The first store that a repository had is the repository's.
    return stores.find(({ store }) => store === wanted) ?? (this.isByRepository ? stores[0] : undefined);
  }

  private get isByRepository(): boolean {
    return vscode.workspace.getConfiguration('kaizen').get('storage') === 'repository';
  }

  private get folder(): string | undefined {
    const [folder, ...more] = vscode.workspace.workspaceFolders ?? [];
    return folder?.uri.scheme === 'file' && more.length === 0 ? folder.uri.fsPath : undefined;
  }

  private get repository(): RepositoryPlace | undefined {
    const { folder } = this;
    this.place ??= (folder !== undefined && repositoryPlace(folder)) || false;
    return this.place || undefined;
  }
}
