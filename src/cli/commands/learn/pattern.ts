import { PATTERN_DOMAINS, PATTERN_TYPES, type PatternInput, SEVERITIES } from '../../../learning';
import { type Command, expectWords } from '../../command';
import { chosen } from '../../discovery-arguments';
import { listOf } from '../library/arguments';
import { EVERY_LEARN_COMMAND, FROM_OPTION, fileOf, neededOf, said } from './arguments';
import { act, commonActions, write } from './records';

export const pattern: Command = {
  name: 'learn pattern',
  usage: [
    'learn pattern [--domain DOMAIN]',
    'learn pattern show ID',
    'learn pattern add NAME --type TYPE --domain DOMAIN --description TEXT --indicator TEXT... [--mitigation TEXT]...',
    'learn pattern add [NAME] --from FILE',
    'learn pattern delete ID',
  ],
  summary: 'Anti-patterns, failure modes and good practice: list, add',
  details: 'A FILE with the "id" of a pattern changes it. One that came with the product is hidden by deleting it.',
  options: {
    type: { type: 'string', value: 'TYPE', help: PATTERN_TYPES.join(', ') },
    domain: { type: 'string', value: 'DOMAIN', help: PATTERN_DOMAINS.join(', ') },
    severity: { type: 'string', value: 'LEVEL', help: SEVERITIES.join(', ') },
    description: { type: 'string', value: 'TEXT', help: 'what it is' },
    indicator: { type: 'string', multiple: true, value: 'TEXT', help: 'what shows it; may be repeated' },
    cause: { type: 'string', multiple: true, value: 'TEXT', help: 'what it comes from; may be repeated' },
    consequence: { type: 'string', multiple: true, value: 'TEXT', help: 'what it leads to; may be repeated' },
    mitigation: { type: 'string', multiple: true, value: 'TEXT', help: 'what helps against it; may be repeated' },
    keyword: { type: 'string', multiple: true, value: 'WORD', help: 'what it is found by; may be repeated' },
    from: FROM_OPTION,
    ...EVERY_LEARN_COMMAND,
  },
  run: (args, terminal) =>
    act(args, terminal, {
      ...commonActions('pattern', () => ({ domain: args.string('domain') })),
      add: async (asked) => {
        const file = await fileOf<PatternInput>(args);
        expectWords(asked.words, file?.name === undefined ? ['NAME'] : [], 1);
        if (file?.description === undefined) neededOf(args, 'description', 'say what it is');
        const given = said({
          name: asked.words[0],
          pattern_type: chosen(args, 'type', PATTERN_TYPES),
          domain: chosen(args, 'domain', PATTERN_DOMAINS),
          severity: chosen(args, 'severity', SEVERITIES),
          description: args.string('description'),
          ...{ indicators: listOf(args, 'indicator'), root_causes: listOf(args, 'cause') },
          ...{ consequences: listOf(args, 'consequence'), mitigations: listOf(args, 'mitigation') },
          keywords: listOf(args, 'keyword'),
        });
        const input = { indicators: [], ...file, ...given } as unknown as PatternInput;
        return write(asked, { operation: 'capture_pattern', pattern: input }, 'Captured');
      },
    }),
};
