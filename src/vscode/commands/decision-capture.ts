import * as vscode from 'vscode';
import type { Decision, DecisionInput, Visibility } from '../../learning';
import { withOthersChanges } from './answers-merged';
import type { CommandContext } from './command';
import { announceWritten, recordGiven } from './learned-given';
import { type AppliesTo, askAppliesTo, askFor, askListFor, askVisibility } from './learned-questions';
import { askInSteps } from './multi-step';

interface DecisionAnswers {
  title: string;
  decision: string;
  rationale: string;
  /** Each as `name: why it was not chosen`. */
  alternatives: string[];
  consequences: string[];
  appliesTo: AppliesTo;
  visibility: Visibility;
}

type Alternative = Decision['alternatives'][number];

/** @param given a project that it belongs to */
export async function captureDecision(context: CommandContext, given: unknown): Promise<void> {
  context.knowledge.change();
  const parts = await context.learning.start();
  const project = recordGiven(parts, given);
  const initial = project?.kind === 'project' ? { appliesTo: { project_id: project.id } } : {};
  await askAndWrite(context, vscode.l10n.t('Capture Decision'), initial);
}

export async function editDecision(context: CommandContext, existing: Decision): Promise<void> {
  await askAndWrite(context, vscode.l10n.t('Edit Decision'), answersOf(existing), existing);
}

function answersOf(existing: Decision): Partial<DecisionAnswers> {
  const { title, decision, rationale, consequences, visibility } = existing;
  const alternatives = existing.alternatives.map(asLine);
  return { title, decision, rationale, alternatives, consequences: [...consequences], visibility };
}

async function askAndWrite(
  context: CommandContext,
  dialogTitle: string,
  initial: Partial<DecisionAnswers>,
  existing?: Decision,
): Promise<void> {
  const { learning } = await context.learning.start();
  const applied = existing && {
    ...(existing.project_id ? { project_id: existing.project_id } : {}),
    domain: existing.domain,
  };
  const steps = [
    askFor<DecisionAnswers>('title', {
      prompt: vscode.l10n.t('What was to be decided, as a title.'),
      missing: vscode.l10n.t('A decision needs a title.'),
      isName: true,
    }),
    askFor<DecisionAnswers>('decision', {
      prompt: vscode.l10n.t('What was decided.'),
      missing: vscode.l10n.t('Say what was decided.'),
    }),
    askFor<DecisionAnswers>('rationale', { prompt: vscode.l10n.t('Why (optional).') }),
    askListFor<DecisionAnswers>('alternatives', {
      placeholder: vscode.l10n.t('Alternatives, each as “name: why it was not chosen”; Enter without one goes on'),
    }),
    askListFor<DecisionAnswers>('consequences', {
      placeholder: vscode.l10n.t('Consequences, one after the other; Enter without one goes on'),
    }),
    askAppliesTo<DecisionAnswers>(learning, applied),
    askVisibility<DecisionAnswers>(),
  ];
  const answers = await askInSteps<DecisionAnswers>(dialogTitle, steps, initial);
  if (!answers) return;
  const now = existing && learning.get('decision', existing.id);
  const said = withOthersChanges(answers, initial, now && answersOf(now));
  const { title, decision, rationale, consequences, visibility, appliesTo } = said;
  const known = [...(now?.alternatives ?? []), ...(existing?.alternatives ?? [])];
  const input: DecisionInput = {
    ...(existing ? { id: existing.id } : {}),
    ...{ title, decision, rationale, consequences, visibility, ...appliesTo },
    alternatives: said.alternatives.map((line) => fromLine(line, known)),
  };
  const written = await learning.write({ operation: 'capture_decision', decision: input }, context.learning.change());
  const message = existing
    ? vscode.l10n.t('Changed “{0}”.', title)
    : vscode.l10n.t('Captured the decision “{0}”.', title);
  announceWritten(context, written, message);
}

function asLine({ name, why_not }: Alternative): string {
  return why_not ? `${name}: ${why_not}`.replace(/\s+/g, ' ') : name;
}

/** One that was left as it is keeps what a line does not show. */
function fromLine(line: string, existing: readonly Alternative[]): Alternative {
  const same = existing.find((each) => asLine(each) === line);
  if (same) return same;
  const [, name = line, why_not] = /^(.+?):\s+(.+)$/.exec(line) ?? [];
  const description = existing.find((each) => each.name === name)?.description ?? '';
  return { name, description, ...(why_not ? { why_not } : {}) };
}
