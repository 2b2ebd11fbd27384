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
  platform: Platform;
  versions: DoctorVersions;
  /** How clients start Kaizen here. */
  kaizen: KaizenCommand;
  /** Whether the editor's setting has hooks on; undefined outside of an editor. */
  hooks: boolean | undefined;
  /** The editor's own setting that keeps every hook from running, where one does. */
  hooksKeptOffBy?: string | undefined;
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
