import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { KaizenOptions } from '../kaizen';
import { type Arguments, type Options, UsageError } from './command';

/** The options that say where notes lie, and which registry a team shares. */
export const NOTES_OPTIONS: Options = {
  'project-notes': {
    type: 'string',
    value: 'DIR',
    help: "the project's notes; .ai/knowledge in the workspace unless told (KAIZEN_PROJECT_NOTES)",
  },
  'user-notes': {
    type: 'string',
    value: 'DIR',
    help: 'your notes for all projects; ~/.knowledge-kiwi unless told (KAIZEN_USER_NOTES)',
  },
  registry: {
    type: 'string',
    value: 'URL',
    help: 'postgres://… of the registry; better as KAIZEN_REGISTRY_URL, since others can read flags',
  },
};

/** Flags win over the environment. A variable that is empty counts as unset; nothing is connected to. */
export function notesOptionsOf(
  args: Arguments,
  workspace: string,
  environment: NodeJS.ProcessEnv = process.env,
): Pick<KaizenOptions, 'notes' | 'registry'> {
  if (!args.knows('project-notes')) return {};
  const named = (option: string, variable: string) => {
    const flag = args.string(option);
    if (flag === '') throw new UsageError(`--${option} needs a value that is not empty.`);
    return flag ?? (environment[variable] || undefined);
  };
  const project = named('project-notes', 'KAIZEN_PROJECT_NOTES');
  const user = named('user-notes', 'KAIZEN_USER_NOTES');
  const url = named('registry', 'KAIZEN_REGISTRY_URL');
  return {
    notes: {
      project: project === undefined ? join(workspace, '.ai', 'knowledge') : resolve(project),
      user: user === undefined ? join(homedir(), '.knowledge-kiwi') : resolve(user),
    },
    registry: url === undefined ? undefined : { url, allowUnverifiedTls: allowsUnverifiedTls(environment) },
  };
}

/** The person's word that the registry's certificate need not be looked at. */
function allowsUnverifiedTls({ KAIZEN_REGISTRY_UNVERIFIED_TLS: word = '' }: NodeJS.ProcessEnv): boolean {
  return word === '1' || word.toLowerCase() === 'true';
}
