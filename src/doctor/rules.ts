import { type Sentence, sentence } from '../core/sentence';
import type { UnreadableRule } from '../knowledge';
import { Area, quoted } from './findings';
import type { DoctorFinding, DoctorMend } from './model';

const area = new Area('stores');

/** That are told one by one. */
const MOST_RULES = 10;
/** Of a text that is put into a command as it is. */
const LONGEST_TEXT = 300;
/** What stands in a command for what only a person knows. */
const PLACES = { MATCHES: 'EXPRESSION', APPLIES_TO: 'GLOBS' } as const;

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

/** The entry as it is stored, but for what cannot be read; where it is long, how to look at it. */
function mendOf(rule: UnreadableRule, platform: NodeJS.Platform): DoctorMend {
  const { scope_id, category, keyword, content, metaknowledge, faults } = rule;
  const keys = [...new Set(faults.map(({ key }) => key))];
  const command = (...words: string[]) => ['kaizen', ...words.map((word) => quoted(word, platform))].join(' ');
  // What is left of it speaks of its files by itself.
  const isOptional = keys.join() === 'MATCHES' && metaknowledge.APPLIES_TO !== undefined;
  const metas = Object.entries(metaknowledge)
    .filter(([label]) => !keys.some((key) => key === label))
    .map(([label, text]) => `${label}=${text}`);
  const places = isOptional ? [] : keys.map((key) => `${key}=${PLACES[key]}`);
  const given = [...metas, ...places].flatMap((meta) => ['--meta', meta]);
  const words = [scope_id, category, keyword, content, ...given];
  if (words.some((word) => !isPlain(word, platform)) || content.startsWith('-')) {
    return {
      sentence: sentence('Look at it, and store it again with {0} that can be read.', keys.join(', ')),
      command: command('get', scope_id, keyword, '--category', category),
      isPrivate: true,
    };
  }
  return {
    sentence: isOptional
      ? sentence(
          'Store it again: without {0}, as here, it speaks of all of its files; or with one that can be read.',
          'MATCHES',
        )
      : sentence('Store it again, with {0} that can be read.', keys.join(', ')),
    command: command('store', ...words, '--overwrite'),
    isPrivate: true,
  };
}

/** Whether a word stands in a command for itself, and on one line. */
function isPlain(word: string, platform: NodeJS.Platform): boolean {
  const isOneLine = word.length <= LONGEST_TEXT && !/\p{Cc}/u.test(word);
  return isOneLine && !(platform === 'win32' && /["%]/.test(word));
}
