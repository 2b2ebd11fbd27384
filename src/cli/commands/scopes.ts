import { isKaizenError, KaizenError } from '../../core/errors';
import type { ScopeListing, Tier } from '../../knowledge';
import { type Arguments, type Command, expectWords, UsageError } from '../command';
import { type Session, WRITING_OPTIONS, withKaizen } from '../session';
import { type Terminal, table } from '../terminal';

/** As in `knowledge/model`, which is not loaded to print a help. */
const TIERS: readonly Tier[] = ['GENERAL', 'PRODUCT', 'GROUP', 'PROJECT'];

export const scopes: Command = {
  name: 'scopes',
  usage: [
    'scopes',
    'scopes define ID --tier TIER [--name NAME] [--description TEXT] [--parent ID]...',
    'scopes delete ID [--yes]',
  ],
  summary: 'List, define and delete scopes',
  details: 'Defining a scope that exists changes what is given; --parent then replaces all of its parents.',
  options: {
    tier: { type: 'string', value: 'TIER', help: TIERS.join(', ') },
    name: { type: 'string', value: 'NAME', help: 'what people call it; the id unless told' },
    description: { type: 'string', value: 'TEXT', help: 'what it is about' },
    parent: { type: 'string', multiple: true, value: 'ID', help: 'a scope that it inherits from; may be repeated' },
    yes: { type: 'boolean', help: 'delete the scope even when it holds entries or has children' },
    ...WRITING_OPTIONS,
  },

  run(args, terminal) {
    const [action, ...words] = args.positionals;
    if (action === undefined) return withKaizen(args, terminal, (session) => list(session, terminal));
    if (action === 'define') return define(args, words, terminal);
    if (action === 'delete') return remove(args, words, terminal);
    throw new UsageError(`"scopes ${action}" is not a command; there are scopes, scopes define and scopes delete.`);
  },
};

async function list({ knowledge, project }: Session, terminal: Terminal): Promise<number> {
  const listing = knowledge.listScopes();
  if (terminal.isJson) {
    terminal.json(listing);
    return 0;
  }
  if (listing.length === 0) {
    terminal.say('There are no scopes yet.');
    terminal.say(`Define the first one: kaizen scopes define ${project} --tier PROJECT`);
    return 0;
  }
  const rows = [...listing]
    .sort(byTier)
    .map((scope) => [
      scope.is_current_project ? '*' : ' ',
      scope.scope_id,
      scope.tier,
      String(scope.entry_count),
      scope.parents.join(', ') || '-',
      scope.name === scope.scope_id ? '' : scope.name,
    ]);
  terminal.out(
    table([[' ', 'SCOPE', 'TIER', 'ENTRIES', 'PARENTS', 'NAME'].map((head) => terminal.paint('bold', head)), ...rows]),
  );
  return 0;
}

function byTier(a: ScopeListing, b: ScopeListing): number {
  return TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier);
}

async function define(args: Arguments, words: string[], terminal: Terminal): Promise<number> {
  expectWords(words, ['ID']);
  const tier = TIERS.find((each) => each === args.string('tier')?.toUpperCase());
  if (tier === undefined) throw new UsageError(`--tier must be one of ${TIERS.join(', ')}.`);
  const parents = args.strings('parent');
  return withKaizen(args, terminal, async ({ knowledge, author }) => {
    const scope = await knowledge.defineScope(
      {
        scope_id: words[0]!,
        tier,
        name: args.string('name'),
        description: args.string('description'),
        parents: parents.length > 0 ? parents : undefined,
      },
      { author },
    );
    if (terminal.isJson) terminal.json(scope);
    else
      terminal.out(
        `${scope.id} is defined as a ${scope.tier} scope${scope.parents.length > 0 ? ` below ${scope.parents.join(', ')}` : ''}.`,
      );
    return 0;
  });
}

async function remove(args: Arguments, words: string[], terminal: Terminal): Promise<number> {
  expectWords(words, ['ID']);
  const id = words[0]!;
  return withKaizen(args, terminal, async ({ knowledge, author }) => {
    try {
      await knowledge.deleteScope(id, { confirmed: args.flag('yes') }, { author });
    } catch (error) {
      if (!isKaizenError(error) || error.code !== 'confirmation_required') throw error;
      throw new KaizenError(error.code, error.message, 'Repeat it with --yes to delete the scope with its entries.');
    }
    if (terminal.isJson) terminal.json({ success: true });
    else terminal.out(`${id} is deleted.`);
    return 0;
  });
}
