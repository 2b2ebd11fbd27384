import { type EntryWithOrigin, type Risk, withOrigins } from '../../knowledge';
import type { Command } from '../command';
import { COMMON_OPTIONS, type Session, withKaizen } from '../session';
import { type Colour, counted, indent, type Terminal, table } from '../terminal';
import { byAgent } from '../wording';

export const get: Command = {
  name: 'get',
  usage: ['get [SCOPE]', 'get [SCOPE] KEYWORD... [--category CATEGORY]'],
  summary: 'Show what holds in a scope, inheritance resolved',
  details: [
    'Without a keyword: the categories with their keywords. With keywords: the entries that hold, warnings first.',
    'The first word is the scope when there is one of that id; otherwise the current project is meant.',
  ].join('\n'),
  options: {
    category: { type: 'string', multiple: true, value: 'CATEGORY', help: 'only from this category; may be repeated' },
    ...COMMON_OPTIONS,
  },

  run: (args, terminal) =>
    withKaizen(args, terminal, async (session) => {
      const { knowledge, project } = session;
      const [first, ...rest] = args.positionals;
      const isScope = first !== undefined && knowledge.listScopes().some(({ scope_id }) => scope_id === first);
      const scope = isScope ? first : project;
      const keywords = isScope ? rest : args.positionals;
      const categories = args.strings('category');
      if (keywords.length === 0) return showCategories(session, scope, categories, terminal);
      return showEntries(session, scope, keywords, categories, terminal);
    }),
};

function showCategories({ knowledge }: Session, scope: string, wanted: string[], terminal: Terminal): number {
  const all = knowledge.getCategories(scope);
  const listed = all.filter(
    ({ name }) => wanted.length === 0 || wanted.some((each) => name === each || name.startsWith(`${each}.`)),
  );
  const keywords = knowledge.getKeywords(
    scope,
    listed.map(({ name }) => name),
  );
  if (terminal.isJson) {
    terminal.json(listed.map((category) => ({ ...category, keywords: keywords[category.name] ?? [] })));
    return 0;
  }
  const chain = knowledge.chain(scope);
  const heading = `${scope} (${knowledge.scope(scope).tier})`;
  terminal.out(
    terminal.paint('bold', heading) +
      (chain.length > 1
        ? ` inherits from ${chain
            .slice(1)
            .map(({ id }) => id)
            .join(', ')}`
        : ''),
  );
  if (listed.length === 0)
    terminal.say(wanted.length > 0 ? 'There is no such category.' : 'Nothing is known here yet.');
  for (const { name, tier, description, has_entries } of listed) {
    const about = [terminal.paint('bold', name), terminal.paint('dim', tier), description].filter(Boolean).join('  ');
    terminal.out(`\n${about}`);
    // The category's own: `getKeywords` adds those of its sub-categories, which have lines of their own here.
    const own = has_entries ? chain.flatMap(({ id }) => knowledge.ownEntries(id, name)) : [];
    if (own.length > 0)
      terminal.out(indent(wrap([...new Set(own.map(({ keyword }) => keyword))].sort().join(', '), 96)));
  }
  return 0;
}

function showEntries(
  { knowledge }: Session,
  scope: string,
  keywords: string[],
  categories: string[],
  terminal: Terminal,
): number {
  // Agents use commands as well, and weigh what an agent wrote otherwise than a person's word.
  const entries = withOrigins(
    knowledge,
    knowledge.getKnowledge(scope, keywords, categories.length > 0 ? categories : undefined),
  );
  if (terminal.isJson) {
    terminal.json(entries);
    return 0;
  }
  const risks = entries.flatMap((entry) => [
    ...entry.risks.map((risk) => ({ risk, place: `${entry.keyword}${byAgent(entry)}` })),
    ...(entry.other_risks ?? []).map((risk) => {
      return { risk, place: `${entry.keyword}, ${risk.category}${byAgent(risk)}` };
    }),
  ]);
  if (risks.length > 0) {
    terminal.out(terminal.paint('bold', `${counted(risks.length, 'risk')} to know of first:`));
    for (const { risk, place } of risks) terminal.out(indent(riskLine(risk, place, terminal)));
    terminal.out('');
  }
  if (entries.length > 0) terminal.out(entries.map((entry) => entryText(entry, terminal)).join('\n\n'));
  const missing = keywords.filter((keyword) => !entries.some((entry) => entry.keyword === keyword.trim()));
  if (missing.length > 0) terminal.say(`Nothing is known about ${missing.join(', ')} in ${scope}.`);
  return 0;
}

const RISK_COLOURS: Record<Risk['level'], Colour> = { DANGER: 'red', WARNING: 'yellow', 'LAST TIME': 'magenta' };

function riskLine({ level, text }: Pick<Risk, 'level' | 'text'>, place: string, terminal: Terminal): string {
  return `${terminal.paint(RISK_COLOURS[level], `${level}:`)} ${text} ${terminal.paint('dim', `(${place})`)}`;
}

function entryText(entry: EntryWithOrigin, terminal: Terminal): string {
  const source = `${entry.category}, from ${entry.source_scope} (${entry.source_tier})${byAgent(entry)}`;
  const labels = Object.entries(entry.metaknowledge).map(([label, text]) => [terminal.paint('dim', label), text]);
  return [
    `${terminal.paint('bold', entry.keyword)}  ${terminal.paint('dim', source)}`,
    indent(entry.content),
    ...(labels.length > 0 ? ['', indent(table(labels))] : []),
    ...(entry.also_in ? ['', indent(`Also in ${entry.also_in.join(', ')}: ask for it with --category.`)] : []),
  ].join('\n');
}

function wrap(text: string, columns: number): string {
  return text.replace(new RegExp(`(.{1,${columns}})(?: |$)`, 'g'), '$1\n').trimEnd();
}
