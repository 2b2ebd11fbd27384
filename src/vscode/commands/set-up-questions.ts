import * as vscode from 'vscode';
import { checkScopeId, type KnowledgePart, type ScopeListing } from '../../knowledge';
import { errorInWords } from '../in-words';
import { newScopeId, numbered } from '../new-scope-id';
import { askText, keep, pick, pickMany, type Step } from './multi-step';

/** A scope that the project is to inherit from; `isNew` when it is still to be defined. */
export interface Parent {
  id: string;
  name: string;
  isNew: boolean;
}

export interface SetUpAnswers {
  name: string;
  id: string;
  product: Parent | null;
  groups: string[];
  /** Whether names of new groups are to be asked for. */
  moreGroups: boolean;
  newGroups: Parent[];
  description: string;
  purpose: string;
  phase: string;
  confirmed: true;
}

/** The questions of *Set Up Project*. */
export class SetUpQuestions {
  private readonly parents: readonly string[];

  constructor(
    private readonly knowledge: KnowledgePart,
    private readonly scopes: readonly ScopeListing[],
    private readonly proposed: string,
    private readonly existing: ScopeListing | undefined,
    private readonly overview: { purpose: string; phase: string },
  ) {
    this.parents = existing?.parents ?? [];
  }

  steps({ moreGroups }: Partial<SetUpAnswers>): Step<SetUpAnswers>[] {
    const groups = this.ofTier('GROUP').length > 0 ? [this.askGroups] : [];
    const newGroups = groups.length === 0 || moreGroups ? [this.askNewGroups] : [];
    // The id of what exists cannot change.
    const id = this.existing ? [] : [this.askId];
    const before = [this.askName, ...id, this.askProduct, ...groups, ...newGroups];
    return [...before, this.askDescription, this.askPurpose, this.askPhase, this.askToConfirm];
  }

  private readonly askName: Step<SetUpAnswers> = async (state, place) => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.name ?? this.proposed;
    const answer = await askText({
      ...place,
      prompt: vscode.l10n.t('Name of the project, as people read it'),
      value: state.name ?? this.existing?.name ?? folder,
      validate: (text) => (text.trim() === '' ? vscode.l10n.t('A project needs a name.') : undefined),
    });
    return keep(answer, (name) => {
      state.name = name.trim();
      if (this.existing) state.id = this.proposed;
    });
  };

  private readonly askId: Step<SetUpAnswers> = async (state, place) => {
    const answer = await askText({
      ...place,
      prompt: vscode.l10n.t(
        "Scope id, as agents call it. Another one than proposed goes to this workspace's settings.",
      ),
      value: state.id ?? this.proposed,
      validate: (id) => {
        const taken = this.scopes.find(({ scope_id, tier }) => scope_id === id && tier !== 'PROJECT');
        if (taken) return vscode.l10n.t('"{0}" is a {1} scope already.', id, taken.tier);
        return refusalOf(() => checkScopeId(id));
      },
    });
    return keep(answer, (id) => Object.assign(state, { id }));
  };

  private readonly askProduct: Step<SetUpAnswers> = async (state, place) => {
    const products = this.ofTier('PRODUCT');
    const none = vscode.l10n.t('No product');
    const items = [
      { label: none, detail: vscode.l10n.t('The project stands for itself'), value: null as Parent | null },
      ...products.map((scope) => ({
        label: scope.name,
        description: scope.scope_id,
        value: { id: scope.scope_id, name: scope.name, isNew: false },
      })),
      // Typed before, and the person came back.
      ...(state.product?.isNew ? [{ label: state.product.name, value: state.product }] : []),
    ];
    const current = state.product === undefined ? products.find((each) => this.parents.includes(each.scope_id)) : null;
    const wanted = state.product?.id ?? current?.scope_id;
    const answer = await pick<Parent | null>({
      ...place,
      placeholder: vscode.l10n.t('Product that it belongs to: pick one, or type the name of a new one'),
      items,
      active: (product) => product?.id === wanted,
      fromText: {
        label: (text) => vscode.l10n.t('New product "{0}"', text),
        value: (text) => this.parentNamed('PRODUCT', text, state),
      },
    });
    return keep(answer, (product) => Object.assign(state, { product }));
  };

  private readonly askGroups: Step<SetUpAnswers> = async (state, place) => {
    const more = vscode.l10n.t('New groups…');
    const chosen = state.groups ?? this.parents;
    const answer = await pickMany<string | null>({
      ...place,
      placeholder: vscode.l10n.t('Groups of projects that it shares rules with (none, one or several)'),
      items: [
        ...this.ofTier('GROUP').map((scope) => {
          const product = this.otherProduct(scope.scope_id, state);
          return {
            label: scope.name,
            description: scope.scope_id,
            ...(product ? { detail: vscode.l10n.t('Belongs to the product "{0}"', product) } : {}),
            value: scope.scope_id,
          };
        }),
        { label: `$(add) ${more}`, value: null },
      ],
      active: (id) => (id === null ? state.moreGroups === true : chosen.includes(id)),
      refuse: (ids) => this.refusalOfGroups(ids, state),
    });
    return keep(answer, (ids) => {
      state.groups = ids.filter((id) => id !== null);
      state.moreGroups = ids.includes(null);
      if (!state.moreGroups) state.newGroups = [];
    });
  };

  private readonly askNewGroups: Step<SetUpAnswers> = async (state, place) => {
    const answer = await askText({
      ...place,
      prompt: vscode.l10n.t('Names of new groups that it shares rules with, separated by commas (optional)'),
      placeholder: vscode.l10n.t('For example: Python services, Payment services'),
      value: state.newGroups?.map(({ name }) => name).join(', '),
      validate: (text) => {
        const ids = [...(state.groups ?? []), ...this.groupsFrom(text, state).map(({ id }) => id)];
        return this.refusalOfGroups(ids, state);
      },
    });
    return keep(answer, (text) => {
      const groups = this.groupsFrom(text, state);
      state.newGroups = groups.filter(({ isNew }) => isNew);
      const known = groups.filter(({ isNew }) => !isNew).map(({ id }) => id);
      state.groups = [...new Set([...(state.groups ?? []), ...known])];
    });
  };

  private readonly askDescription: Step<SetUpAnswers> = async (state, place) => {
    const prompt = vscode.l10n.t('Description: one sentence on what it is (optional)');
    const value = state.description ?? this.existing?.description;
    const answer = await askText({ ...place, prompt, value });
    return keep(answer, (description) => Object.assign(state, { description: description.trim() }));
  };

  private readonly askPurpose: Step<SetUpAnswers> = async (state, place) => {
    const prompt = vscode.l10n.t('Purpose: what it is for, and for whom (optional). Agents read it first.');
    const answer = await askText({ ...place, prompt, value: state.purpose ?? oneLine(this.overview.purpose) });
    return keep(answer, (typed) => {
      // An input box shows several lines as one: what was left untouched stays as it was.
      const untouched = typed === oneLine(this.overview.purpose);
      state.purpose = untouched ? this.overview.purpose : typed.trim();
    });
  };

  private readonly askPhase: Step<SetUpAnswers> = async (state, place) => {
    const prompt = vscode.l10n.t('Current phase (optional), for example: beta, hardening before launch');
    const answer = await askText({ ...place, prompt, value: state.phase ?? oneLine(this.overview.phase) });
    return keep(answer, (typed) => {
      const untouched = typed === oneLine(this.overview.phase);
      state.phase = untouched ? this.overview.phase : typed.trim();
    });
  };

  private readonly askToConfirm: Step<SetUpAnswers> = async (state, place) => {
    const answer = await pick<true>({
      ...place,
      placeholder: vscode.l10n.t('Is this right? Enter sets it up; the arrow at the top goes back.'),
      items: [
        {
          label: `$(check) ${vscode.l10n.t('Set up "{0}"', state.name ?? '')}`,
          description: state.id ?? '',
          detail: this.chainText(state),
          value: true,
        },
      ],
    });
    return keep(answer, (confirmed) => Object.assign(state, { confirmed }));
  };

  private chainText({ product, groups = [], newGroups = [] }: Partial<SetUpAnswers>): string {
    const nameOf = (id: string) => this.scopes.find(({ scope_id }) => scope_id === id)?.name ?? id;
    const asNew = (name: string) => vscode.l10n.t('{0} (new)', name);
    const names = [
      ...[...groups.map(nameOf), ...newGroups.map(({ name }) => asNew(name))],
      ...(product ? [product.isNew ? asNew(product.name) : product.name] : []),
      this.scopes.find(({ tier }) => tier === 'GENERAL')?.name ?? asNew('General'),
    ];
    return vscode.l10n.t('Inherits from: {0}', names.join(' → '));
  }

  /** A product other than the chosen one that would come along with a group. */
  private otherProduct(group: string, { product }: Partial<SetUpAnswers>): string | undefined {
    return this.productsOf(group).find((id) => id !== product?.id);
  }

  private refusalOfGroups(ids: readonly (string | null)[], { product }: Partial<SetUpAnswers>): string | undefined {
    const groups = ids.filter((id) => id !== null);
    const products = new Set([...(product ? [product.id] : []), ...groups.flatMap((id) => this.productsOf(id))]);
    if (products.size < 2) return undefined;
    const names = [...products].map((id) => `"${id}"`).join(', ');
    return vscode.l10n.t(
      'The project would inherit from several products: {0}. One is the most: leave the others out.',
      names,
    );
  }

  private productsOf(scopeId: string): string[] {
    if (!this.scopes.some(({ scope_id }) => scope_id === scopeId)) return [];
    const chain = this.knowledge.chain(scopeId);
    return chain.filter(({ tier }) => tier === 'PRODUCT').map(({ id }) => id);
  }

  private ofTier(tier: ScopeListing['tier']): ScopeListing[] {
    return this.scopes.filter((scope) => scope.tier === tier);
  }

  /** The scope of that name or id, or a new one; its id is one that nothing else has. */
  private parentNamed(
    tier: 'PRODUCT' | 'GROUP',
    name: string,
    { id, product }: Partial<SetUpAnswers>,
    alsoNew: readonly Parent[] = [],
  ): Parent {
    const known = this.ofTier(tier).find((scope) => scope.scope_id === name || scope.name === name);
    if (known) return { id: known.scope_id, name: known.name, isNew: false };
    const planned = [id, tier === 'GROUP' ? product?.id : undefined, ...alsoNew.map((each) => each.id)];
    const taken = [...planned.filter((each) => each !== undefined), ...this.scopes.map(({ scope_id }) => scope_id)];
    const plain = newScopeId(name, tier, taken);
    const free = taken.includes(plain) ? numbered(`${plain}-${tier.toLowerCase()}`, taken) : plain;
    return { id: free, name, isNew: true };
  }

  private groupsFrom(text: string, state: Partial<SetUpAnswers>): Parent[] {
    const names = new Set(text.split(',').map((name) => name.trim()));
    const groups: Parent[] = [];
    for (const name of names) if (name !== '') groups.push(this.parentNamed('GROUP', name, state, groups));
    return groups;
  }
}

function refusalOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return errorInWords(error);
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
