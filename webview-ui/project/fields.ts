import type { AnsweredRequest, ListField, ProjectDetails, TextField } from '../protocol/project';

type FieldName = TextField | ListField;
type Value = string | string[];

/** What the person typed and has not stored yet. */
export interface Draft {
  /** What was stored when they began. */
  base: Value;
  value: Value;
}
export type Drafts = Partial<Record<FieldName, Draft>>;

/**
 * `stored`: as it is stored; `saved`: and the person has just done that; `typing`: not stored yet; `refused`: for a
 * reason; `conflict`: somebody else stored something else meanwhile.
 */
export type Standing = 'stored' | 'saved' | 'typing' | 'saving' | 'refused' | 'conflict';

export interface FieldView<T extends Value> {
  /** What the person sees and edits. */
  value: T;
  stored: T;
  standing: Standing;
  /** Why it was refused. */
  error: string | undefined;
}

export interface Answer {
  error?: string;
  conflict?: boolean;
}

type Fields = Pick<ProjectDetails, 'texts' | 'lists'>;
type Unaddressed<T> = T extends unknown ? Omit<T, 'request' | 'project_id'> : never;
/** A request before it has its number and its project. */
export type Question = Unaddressed<AnsweredRequest>;

/**
 * The fields that are edited in place. Each is what is stored until the person types; what they typed is never replaced
 * by what others store, and what others stored is never overwritten unseen.
 */
export class FieldDrafts {
  private fields: Fields | undefined;
  private readonly saving = new Set<FieldName>();
  /** To be saved once more: left again while the first part was on its way. */
  private readonly again = new Set<FieldName>();
  private readonly errors = new Map<FieldName, string>();
  private readonly saved = new Set<FieldName>();

  /** @param changed is called with the drafts whenever something is to be drawn anew */
  constructor(
    private readonly ask: (question: Question) => Promise<Answer>,
    private readonly changed: (drafts: Drafts) => void,
    private readonly drafts: Drafts = {},
  ) {}

  /** Takes what is stored now. */
  update(fields: Fields): void {
    this.fields = fields;
    for (const [name, draft] of this.entries()) {
      // Others had the same idea: there is nothing to decide.
      if (same(cleaned(draft.value), this.stored(name))) draft.base = this.stored(name);
    }
  }

  text(name: TextField): FieldView<string> {
    return this.view(name) as FieldView<string>;
  }

  list(name: ListField): FieldView<string[]> {
    return this.view(name) as FieldView<string[]>;
  }

  get unsaved(): boolean {
    return this.entries().length > 0;
  }

  type(name: FieldName, value: Value): void {
    const base = this.drafts[name]?.base ?? this.stored(name);
    this.drafts[name] = { base, value };
    this.errors.delete(name);
    this.saved.delete(name);
    this.tell();
  }

  /** Stores what was typed, unless somebody else changed it meanwhile: then the person decides first. */
  async save(name: FieldName): Promise<void> {
    const draft = this.drafts[name];
    if (!draft) return;
    if (this.saving.has(name)) {
      this.again.add(name);
      return;
    }
    if (this.standing(name) === 'conflict') return;
    const { base, value: typed } = draft;
    const value = cleaned(typed);
    if (same(value, this.stored(name))) {
      this.forget(name);
      return;
    }
    this.saving.add(name);
    this.tell();
    const answer = await this.ask(questionOf(name, value, base));
    this.saving.delete(name);
    const now = this.drafts[name];
    if (answer.error !== undefined) {
      if (!answer.conflict) this.errors.set(name, answer.error);
    } else if (now && same(now.value, typed)) {
      delete this.drafts[name];
      this.saved.add(name);
    } else if (now) {
      now.base = this.stored(name);
    }
    this.tell();
    if (this.again.delete(name)) await this.save(name);
  }

  async saveAll(): Promise<void> {
    await Promise.all(this.entries().map(([name]) => this.save(name)));
  }

  /** Gives up what was typed. */
  forget(name: FieldName): void {
    delete this.drafts[name];
    this.errors.delete(name);
    this.tell();
  }

  /** Gives up all that was typed, such as for another project. */
  forgetAll(): void {
    for (const [name] of this.entries()) this.forget(name);
    this.saved.clear();
  }

  /** Stores what was typed over what somebody else stored. */
  async insist(name: FieldName): Promise<void> {
    const draft = this.drafts[name];
    if (!draft) return;
    draft.base = this.stored(name);
    await this.save(name);
  }

  /** Says at the field why it is not stored. */
  refuse(name: FieldName, why: string): void {
    this.errors.set(name, why);
    this.tell();
  }

  private view(name: FieldName): FieldView<Value> {
    const stored = this.stored(name);
    const draft = this.drafts[name];
    return { value: draft?.value ?? stored, stored, standing: this.standing(name), error: this.errors.get(name) };
  }

  private standing(name: FieldName): Standing {
    const draft = this.drafts[name];
    if (!draft) return this.saved.has(name) ? 'saved' : 'stored';
    if (this.saving.has(name)) return 'saving';
    if (!same(draft.base, this.stored(name))) return 'conflict';
    return this.errors.has(name) ? 'refused' : 'typing';
  }

  private stored(name: FieldName): Value {
    if (!this.fields) return '';
    return name in this.fields.lists ? this.fields.lists[name as ListField] : this.fields.texts[name as TextField];
  }

  private entries(): [FieldName, Draft][] {
    return Object.entries(this.drafts) as [FieldName, Draft][];
  }

  private tell(): void {
    this.changed(this.drafts);
  }
}

function questionOf(name: FieldName, value: Value, base: Value): Question {
  return Array.isArray(value)
    ? { type: 'saveList', field: name as ListField, value, base: base as string[] }
    : { type: 'saveText', field: name as TextField, value, base: base as string };
}

/** A list without its empty rows. */
function cleaned(value: Value): Value {
  return Array.isArray(value) ? value.map((item) => item.trim()).filter((item) => item !== '') : value;
}

function same(a: Value, b: Value): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
