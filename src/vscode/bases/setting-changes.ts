import * as vscode from 'vscode';

/** A base as the setting has it. */
export interface BaseSetting {
  path: string;
  include?: readonly string[];
  exclude?: readonly string[];
}

/** Where a base is written: with the workspace, or for the person where no folder is open. */
export type SettingLevel = 'workspace' | 'person';

/** A change of the setting that can be taken back. */
export interface SettingChange {
  undo(): Promise<void>;
}

export const levelForNew = (): SettingLevel => (vscode.workspace.workspaceFolders?.length ? 'workspace' : 'person');

/** The names that the setting has on a level, whether they can be used or not. */
export function namesOn(level: SettingLevel): string[] {
  return Object.keys(valueOn(level) ?? {});
}

/** Sets a base, or with undefined takes it out of the setting; `null` leaves out one that another level has. */
export async function setBase(
  level: SettingLevel,
  name: string,
  base: BaseSetting | null | undefined,
): Promise<SettingChange> {
  const before = valueOn(level);
  const { [name]: _old, ...others } = before ?? {};
  const after = base === undefined ? others : { ...others, [name]: base };
  await write(level, Object.keys(after).length > 0 ? after : undefined);
  const former = before?.[name] as BaseSetting | null | undefined;
  // Of this base alone: others may have come or gone since.
  return { undo: async () => void (await setBase(level, name, former)) };
}

function valueOn(level: SettingLevel): Record<string, unknown> | undefined {
  const inspected = vscode.workspace.getConfiguration('kaizen').inspect<Record<string, unknown>>('bases');
  return level === 'workspace' ? inspected?.workspaceValue : inspected?.globalValue;
}

async function write(level: SettingLevel, value: Record<string, unknown> | undefined): Promise<void> {
  const target = level === 'workspace' ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration('kaizen').update('bases', value, target);
}
