import type { KnowledgePart } from './model';

/** The scope whose rules hold for a project's files: its own, or GENERAL while it is not defined; undefined without both. */
export function scopeOfRules(
  knowledge: Pick<KnowledgePart, 'listScopes'>,
  project: string | undefined,
): string | undefined {
  const scopes = knowledge.listScopes();
  const own = scopes.find(({ scope_id }) => scope_id === project);
  return (own ?? scopes.find(({ tier }) => tier === 'GENERAL'))?.scope_id;
}
