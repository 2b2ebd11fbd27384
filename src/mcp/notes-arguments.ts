import { KaizenError } from '../core/errors';

/** What one action of a tool takes beside `action`, for arguments that no schema can require for all of its actions. */
export interface ActionRule {
  needs: readonly string[];
  may?: readonly string[];
  /** A whole call, for an agent that will correct itself by it. */
  example: string;
}

type Arguments = Readonly<Record<string, unknown>> & { action: string };

/** Throws `invalid_argument`, with an example, for an argument that the action lacks or that it would not heed. */
export function checkAction(tool: string, args: Arguments, rules: Readonly<Record<string, ActionRule>>): void {
  const { action } = args;
  const rule = rules[action];
  if (!rule) throw new TypeError(`${tool} has no rule for ${action}`);
  const { needs, may = [], example } = rule;
  const missing = needs.filter((name) => args[name] === undefined);
  const given = Object.keys(args).filter((name) => args[name] !== undefined && name !== 'action');
  const unheeded = given.filter((name) => !needs.includes(name) && !may.includes(name));
  const faults = [
    ...(missing.length > 0 ? [`needs ${listed(missing)}`] : []),
    ...(unheeded.length > 0 ? [`does not take ${listed(unheeded)}`] : []),
  ];
  if (faults.length === 0) return;
  throw new KaizenError(
    'invalid_argument',
    `${tool} with action "${action}" ${faults.join(' and ')}.`,
    `Example: ${example}`,
  );
}

function listed(names: readonly string[]): string {
  const [last, ...others] = [...names].reverse();
  return others.length === 0 ? `${last}` : `${others.reverse().join(', ')} and ${last}`;
}

/** What a call without `source` is told: it is never guessed, because looking in the registry is a network call. */
export function sourceIsRequired(example: string): string {
  return `required, and never guessed. "local" looks in the project's notes, then in the user's, on this machine; "registry" asks the team's registry over the network; ["local", "registry"] does both, local first. Example: ${example}`;
}
