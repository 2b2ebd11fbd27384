import type { RelationPath } from '../../../relations';
import { type Command, expectWords } from '../../command';
import { limitOf } from '../../discovery-arguments';
import { counted, indent, type Terminal } from '../../terminal';
import { shareOf } from '../library/arguments';
import {
  ABOUT_ENDS,
  DIRECTION_OPTION,
  directionOf,
  EVERY_RELATIONS_COMMAND,
  provenanceOf,
  TYPE_OPTION,
  typesOf,
  withRelations,
} from './arguments';
import { relationLines, titlesOf } from './wording';

const CONFIDENCE_OPTION = { type: 'string', value: 'N', help: 'at least so sure, 0 to 1' } as const;

export const show: Command = {
  name: 'relations show',
  usage: ['relations show END... [--direction DIRECTION] [--depth N] [--type TYPE]... [--min-confidence N]'],
  summary: 'Follow relations from one or several things: what is reached, and by which way',
  details: ABOUT_ENDS,
  options: {
    direction: DIRECTION_OPTION,
    depth: { type: 'string', value: 'N', help: 'how far to follow them, 1 to 10; 3 unless told' },
    type: TYPE_OPTION,
    'min-confidence': CONFIDENCE_OPTION,
    ...EVERY_RELATIONS_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['END'], Number.POSITIVE_INFINITY);
    const request = {
      from: args.positionals,
      direction: directionOf(args),
      max_depth: limitOf(args, 'depth', 10),
      types: typesOf(args),
      min_confidence: shareOf(args, 'min-confidence'),
    };
    return withRelations(args, terminal, async ({ relations }) => {
      const walked = await relations.traverse(request);
      if (terminal.isJson) {
        terminal.json(walked);
        return 0;
      }
      const { ends, paths, truncated, unresolved } = walked;
      const titles = new Map(ends.map(({ uri, title }) => [uri, title]));
      for (const { title, kind, uri, depth } of ends) {
        if (depth === 0) terminal.out(`${terminal.paint('bold', title)}  ${terminal.paint('dim', `${kind}  ${uri}`)}`);
      }
      if (paths.length > 0) terminal.out(indent(paths.map((path) => pathLine(path, titles, terminal)).join('\n')));
      terminal.say(`${counted(paths.length, 'thing')} reached${truncated ? ', and there is more' : ''}.`);
      if (unresolved > 0) terminal.say(`${counted(unresolved, 'end')} cannot be told of now.`);
      return 0;
    });
  },
};

/** `→ causes Wear → indicates Noise  72 %` */
function pathLine({ uris, relations, confidence }: RelationPath, titles: Map<string, string>, terminal: Terminal) {
  const steps = relations.map(({ type, source, bidirectional }, step) => {
    const arrow = bidirectional ? '↔' : source === uris[step] ? '→' : '←';
    return `${arrow} ${type} ${titles.get(uris[step + 1]!) ?? ''}`;
  });
  const sure = confidence < 1 ? `${Math.round(confidence * 100)} %  ` : '';
  return `${steps.join(' ')}  ${terminal.paint('dim', `${sure}${uris.at(-1)}`)}`;
}

export const find: Command = {
  name: 'relations find',
  usage: [
    'relations find [END [OTHER]] [--direction DIRECTION] [--type TYPE]... [--min-confidence N] [--created-by HOW] [--limit N]',
  ],
  summary: 'List relations, newest first: all, those of one thing, or between two',
  details: ABOUT_ENDS,
  options: {
    direction: DIRECTION_OPTION,
    type: TYPE_OPTION,
    'min-confidence': CONFIDENCE_OPTION,
    'created-by': { type: 'string', value: 'HOW', help: 'manual, inferred or extracted' },
    limit: { type: 'string', value: 'N', help: 'at most so many, 1 to 1000; 100 unless told' },
    ...EVERY_RELATIONS_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, [], 2);
    const [uri, other] = args.positionals;
    const query = {
      ...{ uri, other, direction: directionOf(args), types: typesOf(args) },
      min_confidence: shareOf(args, 'min-confidence'),
      created_by: provenanceOf(args),
      limit: limitOf(args, 'limit', 1_000),
    };
    return withRelations(args, terminal, async ({ relations }) => {
      const found = await relations.find(query);
      if (terminal.isJson) {
        terminal.json(found);
        return 0;
      }
      const titles = await titlesOf(relations, found);
      if (found.length > 0) terminal.out(found.map((each) => relationLines(each, titles, terminal)).join('\n\n'));
      terminal.say(`${counted(found.length, 'relation')}.`);
      return 0;
    });
  },
};
