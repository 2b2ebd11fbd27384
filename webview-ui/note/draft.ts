import type { DocumentMessage, FormFields, FormLink, NoteRequest } from '../protocol/note';
import { rebased } from '../shared/text-merge';

type Edit = Extract<NoteRequest, { type: 'edit' }>;
type Field = keyof FormFields;

const FIELDS: readonly Field[] = ['title', 'entry_type', 'tags', 'source_type', 'source_url', 'relationships'];
const NOTHING: FormFields = {
  title: '',
  entry_type: '',
  tags: [],
  source_type: '',
  source_url: '',
  relationships: [],
};

/**
 * What the form holds, between the person who types and the document. One edit is on its way at a time; what changes
 * meanwhile, on either side, is brought together when the answer comes: the text by its places, the fields one by one.
 */
export class NoteDraft {
  content = '';
  fields: FormFields = NOTHING;
  /** What the document held when it was last heard of. */
  private base = { version: -1, content: '', fields: NOTHING };
  /** The edit that is on its way, made of the document at `version`. */
  private sent: Edit | undefined;

  /** Whether the document was heard of at all. */
  get isFilled(): boolean {
    return this.base.version >= 0;
  }

  /** Whether something is typed that the document does not hold yet. */
  get isPending(): boolean {
    return this.sent !== undefined || this.content !== this.base.content || this.changedFields() !== undefined;
  }

  set<Name extends Field>(name: Name, value: FormFields[Name]): void {
    this.fields = { ...this.fields, [name]: value };
  }

  addRelationship(link: FormLink): void {
    const isThere = this.fields.relationships.some(({ type, target }) => type === link.type && target === link.target);
    if (!isThere) this.set('relationships', [...this.fields.relationships, link]);
  }

  removeRelationship(at: number): void {
    this.set('relationships', this.fields.relationships.toSpliced(at, 1));
  }

  nextEdit(): Edit | undefined {
    if (this.sent !== undefined || !this.isPending) return undefined;
    const fields = this.changedFields();
    this.sent = {
      type: 'edit',
      version: this.base.version,
      ...(this.content !== this.base.content && { content: this.content }),
      ...(fields && { fields }),
    };
    return this.sent;
  }

  /**
   * Takes over what the document holds now, and keeps what was typed since.
   * @returns whether the next edit may go: not after one that was refused though the document was as the edit expected,
   * such as one that may only be read. It would be refused again, and waits until more is typed.
   */
  receive(message: DocumentMessage): boolean {
    const { sent, base } = this;
    if (message.answer) this.sent = undefined;
    const content = message.content ?? (message.answer && sent?.content) ?? base.content;
    const isApplied = message.answer === 'applied';
    // An edit that was made is what both sides started from, whatever the document made of it.
    const ancestor = isApplied
      ? { content: sent?.content ?? base.content, fields: { ...base.fields, ...sent?.fields } }
      : base;
    this.content = rebased(ancestor.content, this.content, content);
    const kept = FIELDS.filter((name) => this.isFilled && !isSame(this.fields[name], ancestor.fields[name]));
    this.fields = { ...message.fields, ...Object.fromEntries(kept.map((name) => [name, this.fields[name]])) };
    this.base = { version: message.version, content, fields: message.fields };
    return isApplied || (message.answer === 'refused' && message.version !== sent?.version);
  }

  private changedFields(): Partial<FormFields> | undefined {
    const changed = FIELDS.filter((name) => !isSame(this.fields[name], this.base.fields[name]));
    return changed.length === 0 ? undefined : Object.fromEntries(changed.map((name) => [name, this.fields[name]]));
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
