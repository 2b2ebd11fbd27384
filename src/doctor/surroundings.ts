import type { KaizenCommand } from '../agents';
import type { Platform } from '../core/locations';
import type { RegistryOptions } from '../notes';

/** What the doctor is told of the place that it looks at. Nothing of it need exist. */
export interface DoctorSurroundings {
  /** The folder that is worked in, absolute. */
  workspace: string;
  /** Directories of the stores, absolute. */
  data: string;
  shared: string;
  /** The current project's scope. */
  project: string | undefined;
  /** Whether nobody named the project, so that what was set up for another one may well be right. */
  isProjectGuessed?: boolean | undefined;
  platform: Platform;
  versions: DoctorVersions;
  /**
   * The flags with which a person asked, as `--data` and its value: a command that mends something is told with them, or
   * it would speak of other stores. Of what may be secret the value is a word that stands for it.
   */
  told?: readonly (readonly [flag: string, value: string])[] | undefined;
  /** How clients start Kaizen here, with the flags that setting them up would hand on. */
  kaizen: KaizenCommand;
  /** Whether the editor's setting has hooks on; undefined outside of an editor. */
  hooks: boolean | undefined;
  /** The editor's own setting that keeps every hook from running, where one does. */
  hooksKeptOffBy?: string | undefined;
  /**
   * Why the editor makes no launcher for clients: it trusts the folder not, or there is no folder or nothing stored.
   * Undefined where it makes one, and outside of an editor.
   */
  launcher?: 'restricted' | 'unneeded' | undefined;
  /** Undefined where none is configured. */
  registry: RegistryOptions | undefined;
  signal?: AbortSignal | undefined;
}

export interface DoctorVersions {
  kaizen: string;
  /** Without a `v`. */
  node: string;
  /** Name and version; undefined in a terminal. */
  editor: string | undefined;
}
