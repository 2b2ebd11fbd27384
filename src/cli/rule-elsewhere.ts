import { homedir } from 'node:os';
import { relative } from 'node:path';
import { realPath } from '../core/locations';
import type { Metaknowledge, StoredNotices } from '../knowledge';
import type { Arguments } from './command';
import { locate } from './locating';
import type { Session } from './session';

interface StoredRule {
  target_scope_id: string;
  content: string;
  metaknowledge?: Metaknowledge | undefined;
}

/**
 * What was answered of an entry that was stored, with a notice where it is a rule of the guard's that holds nowhere in the
 * folder: its scope is neither the folder's project nor above it. Says nothing of a folder that is nobody's project.
 */
export async function withRuleElsewhere<Result extends StoredNotices>(
  result: Result,
  { target_scope_id: id, content, metaknowledge = {} }: StoredRule,
  { knowledge, project }: Session,
  args: Arguments,
): Promise<Result> {
  const { parseRisks, scopeOfRules } = await import('../knowledge');
  const isGuarded = Boolean(metaknowledge.APPLIES_TO?.trim() || metaknowledge.MATCHES?.trim());
  if (!isGuarded || parseRisks(content).length === 0) return result;
  const scope = scopeOfRules(knowledge, project);
  const chain = scope === undefined ? [] : knowledge.chain(scope);
  if (chain.some((each) => each.id === id) || !isProjectKnown(args, scope === project)) return result;
  const isProject = knowledge.listScopes().some(({ scope_id, tier }) => scope_id === id && tier === 'PROJECT');
  const notice = [
    `In this folder nobody is asked by it: the project here is "${project}"${scope === project ? '' : ', which is not defined'}, and "${id}" does not hold for that.`,
    isProject
      ? `Where "${id}" is the project that is meant, say so to "kaizen setup", "kaizen hook" and "kaizen mcp" as well: --project ${id}.`
      : `A project that inherits from it is defined with "kaizen scopes define ${project} --tier PROJECT --parent ${id}".`,
  ].join(' ');
  return { ...result, notices: [...(result.notices ?? []), notice] };
}

/** Whether the folder has a project: somebody named or defined it, or it is a folder below nobody's home directory. */
function isProjectKnown(args: Arguments, isDefined: boolean): boolean {
  const { workspace, isProjectNamed, editor } = locate(args);
  if (isDefined || isProjectNamed || editor !== undefined) return true;
  const homeWithin = relative(realPath(workspace), realPath(homedir()));
  return homeWithin.startsWith('..');
}
