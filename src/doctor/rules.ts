import { type Sentence, sentence } from '../core/sentence';
import { shellWord } from '../core/shell-words';
import type { UnreadableRule } from '../knowledge';
import { Area } from './findings';
import type { DoctorFinding, DoctorMend } from './model';

const area = new Area('stores');

/** That are told one by one. */
const MOST_RULES = 10;
/** Of a text that is put into a command as it is. */
const LONGEST_TEXT = 300;

/** Rules with a risk that the guard cannot go by, since what says where they hold cannot be read. */
export function* checkRules(
  store: Sentence,
  rules: readonly UnreadableRule[],
  platform: NodeJS.Platform,
): Generator<DoctorFinding> {
  for (const rule of rules.slice(0, MOST_RULES)) {
    const { scope_id, category, keyword, faults } = rule;
    const keys = [...new Set(faults.map(({ key }) => key))].join(', ');
    const why = faults.map(({ message }) => message).join(' ');
    const message = sentence(
      '{0} has a rule with a risk whose {1} cannot be read: the guard cannot go by it.',
      store,
      keys,
    );
    yield {
      ...area.problem('rule_unreadable', message, mendOf(rule, platform)),
      // Whose rule it is stays out of a report.
      reason: sentence('It is {0} (category {1}, scope {2}). {3}', keyword, category, scope_id, why),
    };
  }
  const others = rules.length - MOST_RULES;
  if (others <= 0) return;
  yield area.problem(
    'rule_unreadable',
    sentence('{0} has more rules with a risk that cannot be read: {1}.', store, others),
    { sentence: sentence('Mend those first that are told here.') },
  );
}

/**
 * The entry as it is stored, but for what cannot be read, where it can do without; else how to look at it: a command that
 * held a word in the place of what only a person knows would store that word.
 */
function mendOf(rule: UnreadableRule, platform: NodeJS.Platform): DoctorMend {
  const { scope_id, category, keyword, content, metaknowledge, faults } = rule;
  const keys = [...new Set(faults.map(({ key }) => key))];
  // What is left of it speaks of its files by itself.
  const isOptional = keys.join() === 'MATCHES' && metaknowledge.APPLIES_TO !== undefined;
  const metas = Object.entries(metaknowledge)
    .filter(([label]) => label !== 'MATCHES')
    .map(([label, text]) => ['--meta', `${label}=${text}`] as const);
  // A `-` alone would be read from standard input.
  const stored =
    isOptional && !content.startsWith('-')
      ? commandOf('store --overwrite', [scope_id, category, keyword, content], metas, platform)
      : undefined;
  if (stored !== undefined) {
    return {
      sentence: sentence(
        'Store it again: without {0}, as here, it speaks of all of its files; or with one that can be read.',
        'MATCHES',
      ),
      command: stored,
      isPrivate: true,
    };
  }
  return {
    sentence: sentence('Look at it, and store it again with {0} that can be read.', keys.join(', ')),
    command: commandOf('get', [scope_id, keyword], [['--category', category]], platform),
    isPrivate: true,
  };
}

/** Undefined where one of the words cannot stand in a command for itself. */
function commandOf(
  verb: string,
  operands: readonly string[],
  flags: readonly (readonly [name: string, value: string])[],
  platform: NodeJS.Platform,
): string | undefined {
  const values = flags.map(([, value]) => value);
  // It would be taken for a flag of its own.
  if (values.some((value) => value.startsWith('-')) || ![...operands, ...values].every(isPlain)) return undefined;
  const texts = operands.map((text) => shellWord(text, platform));
  const given = flags.map(([name, value]) => [name, shellWord(value, platform)] as const);
  if (texts.includes(undefined) || given.some(([, word]) => word === undefined)) return undefined;
  const isFlagLike = operands.some((text) => text.startsWith('-'));
  const words = isFlagLike ? [...given.flat(), '--', ...texts] : [...texts, ...given.flat()];
  return ['kaizen', verb, ...words].join(' ');
}

/** Whether a text is shown as it is, and on one line. */
function isPlain(text: string): boolean {
  return text.length <= LONGEST_TEXT && !/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(text);
}
