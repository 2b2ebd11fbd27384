import * as vscode from 'vscode';
import type { SecretPolicy } from '../../safety';

/**
 * What becomes of secrets in what is written, as `kaizen.safety.secrets` says. A workspace can only tighten it: what
 * comes with a repository must not weaken what the person has chosen.
 */
export function secretPolicy(): SecretPolicy {
  const set = vscode.workspace.getConfiguration('kaizen.safety').inspect<unknown>('secrets');
  const chosen = set?.globalValue ?? set?.defaultValue;
  const here = [set?.workspaceValue, set?.workspaceFolderValue];
  return chosen === 'redact' && !here.includes('refuse') ? 'redact' : 'refuse';
}
