import type * as vscode from 'vscode';
import type { ScopeListing } from '../../knowledge';
import { withoutIcons } from '../messages';

/** A scope as a row of a list; its label is its id. */
export function scopeItem({ scope_id, tier, name }: ScopeListing): vscode.QuickPickItem {
  return { label: scope_id, description: name === scope_id ? tier : `${tier} · ${withoutIcons(name)}` };
}
