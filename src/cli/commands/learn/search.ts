import { LEARNED_KINDS } from '../../../learning';
import { type Command, expectWords } from '../../command';
import { limitOf } from '../../discovery-arguments';
import { withKaizen } from '../../session';
import { counted } from '../../terminal';
import { DOMAIN_OPTION, EVERY_LEARN_COMMAND, kindsOf, TYPE_OPTION } from './arguments';
import { recordLine } from './records';

export const search: Command = {
  name: 'learn search',
  usage: ['learn search WORDS [--kind KIND]... [--type TYPE] [--domain DOMAIN] [--limit N]'],
  summary: 'Find what was captured by its words, best first',
  options: {
    kind: { type: 'string', multiple: true, value: 'KIND', help: `only ${LEARNED_KINDS.join(', ')}; may be repeated` },
    type: TYPE_OPTION,
    domain: DOMAIN_OPTION,
    limit: { type: 'string', value: 'N', help: 'at most so many, 1 to 1000; 10 unless told' },
    ...EVERY_LEARN_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['WORDS']);
    const asked = {
      query: args.positionals[0]!,
      kinds: kindsOf(args),
      ...{ project_type: args.string('type'), domain: args.string('domain'), limit: limitOf(args, 'limit', 1_000) },
    };
    return withKaizen(args, terminal, async ({ learning }) => {
      const hits = await learning.search(asked);
      if (terminal.isJson) terminal.json(hits);
      else {
        for (const hit of hits) terminal.out(`${recordLine(hit, terminal)}  ${terminal.paint('dim', hit.kind)}`);
        terminal.say(`${counted(hits.length, 'record')}.`);
      }
      return 0;
    });
  },
};
