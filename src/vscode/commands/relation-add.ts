import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import type { KaizenParts } from '../../kaizen';
import { type End, RELATION_TYPES, type Relation, type RelationType } from '../../relations';
import { withoutIcons, withoutLinks } from '../messages';
import { relationMeaning, relationName } from '../views';
import { pickArtifact } from './artifact-pick';
import type { CommandContext } from './command';
import { askInSteps, askText, keep, pick, type Step } from './multi-step';
import { announceWithUndo } from './note-writes';

interface Asked {
  type: RelationType;
  target: string;
  bidirectional: boolean;
  confidence: number;
  context: string;
}

/** As many characters as a relation keeps of why it holds. */
const MOST_CONTEXT = 4_096;
/** In percent. */
const OFFERED = [100, 90, 70, 50, 30] as const;
/** Those that may hold from either end, so that it is worth a question; what is related is so in any case. */
const MAYBE_MUTUAL: readonly RelationType[] = ['contradicts', 'supports', 'references', 'causes', 'depends_on'];
const MUTUAL: readonly RelationType[] = ['related', 'alternative_to'];

/** Asks what the thing at an address is to which other one, and says so. @param from an address */
export async function addRelation(context: CommandContext, parts: KaizenParts, from: string): Promise<void> {
  const source = await parts.relations.locate(from);
  const steps = ({ type }: Partial<Asked>) => [
    askType(source),
    askTarget(context, parts, source),
    ...(type && MAYBE_MUTUAL.includes(type) ? [askMutual] : []),
    askConfidence,
    askContext,
  ];
  const asked = await askInSteps<Asked>(withoutIcons(vscode.l10n.t('Add Relation of {0}', source.title)), steps);
  if (!asked) return;
  const { type, target, confidence, context: why } = asked;
  const bidirectional = MUTUAL.includes(type) || (MAYBE_MUTUAL.includes(type) && asked.bidirectional);
  const input = { source: source.uri, target, type, confidence, bidirectional, context: why };
  const { relation, status, previous } = await parts.relations.add(input, context.learning.change());
  const text = await related(parts, relation);
  if (status === 'unchanged') {
    void vscode.window.showInformationMessage(withoutLinks(vscode.l10n.t('It is so already: {0}', text)));
    return;
  }
  announceWithUndo(context, text, async () => {
    const change = context.learning.change();
    await requireUnchanged(parts, relation);
    if (previous) await parts.relations.restore(previous, change);
    else await parts.relations.remove(relation.id, change);
  });
}

/** What somebody else has said of it since is not taken back with it. Throws `conflict`. */
async function requireUnchanged({ relations }: KaizenParts, relation: Relation): Promise<void> {
  const { id, source, target, type } = relation;
  const found = await relations.find({ uri: source, other: target, types: [type] });
  const now = found.find((each) => each.id === id);
  // Of what supported it, something may be gone since.
  const isSame = now?.evidence.every((each) => relation.evidence.includes(each));
  if (!isSame || !isDeepStrictEqual({ ...now, evidence: [] }, { ...relation, evidence: [] })) {
    throw new KaizenError('conflict', vscode.l10n.t('This was changed elsewhere meanwhile.'));
  }
}

/** `Cavitation causes Wear.` */
export async function related(
  { relations }: KaizenParts,
  { source, target, type }: Pick<Relation, 'source' | 'target' | 'type'>,
): Promise<string> {
  const [from, to] = [await relations.resolve(source), await relations.resolve(target)];
  return vscode.l10n.t('{0} {1} {2}.', from?.title ?? source, relationName(type), to?.title ?? target);
}

function askType({ title }: End): Step<Asked> {
  return async (state, place) => {
    const items = RELATION_TYPES.map((value) => ({
      label: relationName(value),
      description: value,
      detail: relationMeaning(value),
      value,
    }));
    const placeholder = vscode.l10n.t('What is {0} to the other one?', title);
    const active = (value: RelationType) => value === state.type;
    return keep(await pick<RelationType>({ ...place, placeholder, items, active }), (type) =>
      Object.assign(state, { type }),
    );
  };
}

function askTarget(context: CommandContext, parts: KaizenParts, source: End): Step<Asked> {
  return async (state, { title }) => {
    const target = await pickArtifact(context, parts, {
      title,
      placeholder: vscode.l10n.t('{0} {1} …', source.title, state.type ? relationName(state.type) : ''),
      without: source.uri,
    });
    if (target !== undefined) Object.assign(state, { target });
    return target !== undefined;
  };
}

const askMutual: Step<Asked> = async (state, place) => {
  const items = [
    { label: vscode.l10n.t('In this direction'), value: false },
    { label: vscode.l10n.t('Both ways'), value: true },
  ];
  const placeholder = vscode.l10n.t('Does it hold the other way round as well?');
  const active = (value: boolean) => value === state.bidirectional;
  return keep(await pick<boolean>({ ...place, placeholder, items, active }), (bidirectional) =>
    Object.assign(state, { bidirectional }),
  );
};

const askConfidence: Step<Asked> = async (state, place) => {
  const items = OFFERED.map((percent) => ({
    label: `${percent} %`,
    description: percent === 100 ? vscode.l10n.t('certain') : '',
    value: percent / 100,
  }));
  const placeholder = vscode.l10n.t('How sure is it? Enter for certain');
  const active = (value: number) => value === (state.confidence ?? 1);
  return keep(await pick<number>({ ...place, placeholder, items, active }), (confidence) =>
    Object.assign(state, { confidence }),
  );
};

const askContext: Step<Asked> = async (state, place) => {
  const prompt = vscode.l10n.t('Why it holds (optional)');
  const validate = (text: string) =>
    text.length > MOST_CONTEXT ? vscode.l10n.t('At most {0} characters.', MOST_CONTEXT) : undefined;
  const answer = await askText({ ...place, prompt, value: state.context, validate });
  return keep(answer, (context) => Object.assign(state, { context: context.trim() }));
};
