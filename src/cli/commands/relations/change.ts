import { type Command, expectWords } from '../../command';
import { counted } from '../../terminal';
import { listOf, shareOf } from '../library/arguments';
import { ABOUT_ENDS, EVERY_RELATIONS_COMMAND, provenanceOf, typeOf, withRelations } from './arguments';
import { relationLines, titlesOf } from './wording';

export const add: Command = {
  name: 'relations add',
  usage: [
    'relations add SOURCE TYPE TARGET [--context TEXT] [--both-ways] [--confidence N] [--evidence END]... [--created-by HOW]',
  ],
  summary: 'Say what one thing is to another; saying it once more takes over what is new',
  details: ABOUT_ENDS,
  options: {
    context: { type: 'string', value: 'TEXT', help: 'why it holds' },
    'both-ways': { type: 'boolean', help: 'it holds from either end' },
    confidence: { type: 'string', value: 'N', help: '0 to 1; 1 unless told' },
    evidence: { type: 'string', multiple: true, value: 'END', help: 'what shows that it holds; may be repeated' },
    'created-by': { type: 'string', value: 'HOW', help: 'manual, inferred or extracted; manual unless told' },
    ...EVERY_RELATIONS_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['SOURCE', 'TYPE', 'TARGET']);
    const [source, word, target] = args.positionals as [string, string, string];
    const input = {
      ...{ source, target, type: typeOf(word), context: args.string('context') },
      bidirectional: args.flag('both-ways') || undefined,
      confidence: shareOf(args, 'confidence'),
      evidence: listOf(args, 'evidence'),
      created_by: provenanceOf(args),
    };
    return withRelations(args, terminal, async ({ relations, author }) => {
      const { relation, status } = await relations.add(input, { author });
      if (terminal.isJson) terminal.json({ status, relation });
      else {
        terminal.out(relationLines(relation, await titlesOf(relations, [relation]), terminal));
        if (status !== 'added') terminal.say(status === 'updated' ? 'It was there; changed.' : 'It was there already.');
      }
      return 0;
    });
  },
};

export const remove: Command = {
  name: 'relations remove',
  usage: ['relations remove ID...'],
  summary: 'Say it no longer; what a note or a node says is changed in its file',
  options: EVERY_RELATIONS_COMMAND,

  async run(args, terminal) {
    expectWords(args.positionals, ['ID'], Number.POSITIVE_INFINITY);
    return withRelations(args, terminal, async ({ relations, author }) => {
      const removed = [];
      for (const id of new Set(args.positionals)) removed.push(await relations.remove(id, { author }));
      if (terminal.isJson) terminal.json({ removed });
      else terminal.out(`${counted(removed.length, 'relation')} removed.`);
      return 0;
    });
  },
};

export const tidy: Command = {
  name: 'relations tidy',
  usage: ['relations tidy'],
  summary: 'Delete what leads nowhere',
  details:
    'What has lost an end is no part of any answer, and deleted after 30 days; this deletes it now. What cannot be told, as\nthe library cannot be reached or a knowledge base is not configured here, stays.',
  options: EVERY_RELATIONS_COMMAND,

  async run(args, terminal) {
    expectWords(args.positionals, [], 0);
    return withRelations(args, terminal, async ({ relations, author }) => {
      const deleted = await relations.tidy({ author });
      if (terminal.isJson) terminal.json({ deleted });
      else terminal.out(`${counted(deleted, 'relation')} deleted.`);
      return 0;
    });
  },
};
