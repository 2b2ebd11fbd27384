import * as vscode from 'vscode';
import {
  PATTERN_DOMAINS,
  PATTERN_TYPES,
  type Pattern,
  type PatternDomain,
  type PatternType,
  SEVERITIES,
  type Severity,
} from '../../learning';
import { patternDomainName, patternTypeName, severityName } from '../views';
import { withOthersChanges } from './answers-merged';
import type { CommandContext } from './command';
import { announceWritten } from './learned-given';
import { askFor, askListFor, askOneOf } from './learned-questions';
import { askInSteps } from './multi-step';

interface PatternAnswers {
  name: string;
  pattern_type: PatternType;
  domain: PatternDomain;
  description: string;
  indicators: string[];
  root_causes: string[];
  mitigations: string[];
  severity: Severity;
}

export async function capturePattern(context: CommandContext): Promise<void> {
  context.knowledge.change();
  await askAndWrite(context, vscode.l10n.t('Capture Pattern'), {});
}

/** One of the product becomes one's own. */
export async function editPattern(context: CommandContext, existing: Pattern): Promise<void> {
  const title = existing.is_built_in
    ? vscode.l10n.t('Edit Pattern of Kaizen: it becomes your own')
    : vscode.l10n.t('Edit Pattern');
  await askAndWrite(context, title, answersOf(existing), existing.id);
}

function answersOf(pattern: Pattern): PatternAnswers {
  const { name, pattern_type, domain, description, indicators, root_causes, mitigations, severity } = pattern;
  const lists = { indicators: [...indicators], root_causes: [...root_causes], mitigations: [...mitigations] };
  return { name, pattern_type, domain, description, severity, ...lists };
}

async function askAndWrite(
  context: CommandContext,
  title: string,
  initial: Partial<PatternAnswers>,
  id?: string,
): Promise<void> {
  const { learning } = await context.learning.start();
  const typePrompt = vscode.l10n.t('What kind of pattern it is');
  const domainPrompt = vscode.l10n.t('Where it is met');
  const severityPrompt = vscode.l10n.t('How bad it is');
  const steps = [
    askFor<PatternAnswers>('name', {
      prompt: vscode.l10n.t('What the pattern is called.'),
      missing: vscode.l10n.t('A pattern needs a name.'),
      isName: true,
    }),
    askOneOf<PatternAnswers, PatternType>('pattern_type', typePrompt, PATTERN_TYPES, patternTypeName, 'antipattern'),
    askOneOf<PatternAnswers, PatternDomain>('domain', domainPrompt, PATTERN_DOMAINS, patternDomainName, 'architecture'),
    askFor<PatternAnswers>('description', {
      prompt: vscode.l10n.t('What happens, in a sentence or two.'),
      missing: vscode.l10n.t('Say what happens.'),
    }),
    askListFor<PatternAnswers>('indicators', {
      placeholder: vscode.l10n.t('Signs by which one sees it, one after the other; Enter without one goes on'),
      missing: vscode.l10n.t('A pattern needs a sign: it is recognised by them.'),
    }),
    askListFor<PatternAnswers>('root_causes', {
      placeholder: vscode.l10n.t('Causes, one after the other; Enter without one goes on'),
    }),
    askListFor<PatternAnswers>('mitigations', {
      placeholder: vscode.l10n.t('What helps against it, one after the other; Enter without one goes on'),
    }),
    askOneOf<PatternAnswers, Severity>('severity', severityPrompt, SEVERITIES, severityName, 'medium'),
  ];
  const answers = await askInSteps<PatternAnswers>(title, steps, initial);
  if (!answers) return;
  const now = id === undefined ? undefined : learning.get('pattern', id);
  const pattern = {
    ...withOthersChanges(answers, initial, now && answersOf(now)),
    ...(id === undefined ? {} : { id }),
  };
  const written = await learning.write({ operation: 'capture_pattern', pattern }, context.learning.change());
  const message =
    id === undefined
      ? vscode.l10n.t('Captured the pattern “{0}”.', answers.name)
      : vscode.l10n.t('Changed “{0}”.', answers.name);
  announceWritten(context, written, message);
}
