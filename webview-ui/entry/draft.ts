import type { DocumentMessage, EntryRequest, Row } from '../protocol/entry';
import { rebased } from '../shared/text-merge';

/** A row of metaknowledge in the form; `id` stays while its key and value change. */
export interface FormRow extends Row {
  id: number;
}

export type RowFault = 'empty' | 'duplicate' | 'long';

const LONGEST_KEY = 200;

interface Values {
  content: string;
  rows: readonly Row[];
}

/**
 * What the form holds, between the person who types and the document. One edit is on its way at a time; what changes
 * meanwhile, on either side, is brought together when the answer comes.
 */
export class Draft {
  content = '';
  rows: FormRow[] = [];
  /** What the document held when it was last heard of. */
  private base: Values & { version: number } = { version: -1, content: '', rows: [] };
  /** The edit that is on its way, made of the document at `version`. */
  private sent: (Partial<Values> & { version: number }) | undefined;
  private nextId = 1;

  /** Whether the document was heard of at all. */
  get isFilled(): boolean {
    return this.base.version >= 0;
  }

  /** Whether something is typed that the document does not hold yet. */
  get isPending(): boolean {
    return (
      this.sent !== undefined || this.content !== this.base.content || !isSame(writtenRows(this.rows), this.base.rows)
    );
  }

  /** The edit to send next; undefined when there is none, or one is on its way. */
  nextEdit(): Extract<EntryRequest, { type: 'edit' }> | undefined {
    if (this.sent !== undefined || !this.isPending) return undefined;
    const rows = writtenRows(this.rows);
    this.sent = {
      version: this.base.version,
      ...(this.content !== this.base.content && { content: this.content }),
      ...(!isSame(rows, this.base.rows) && { rows: rows.map(({ key, value }) => ({ key, value })) }),
    };
    const { version, content, rows: sentRows } = this.sent;
    return {
      type: 'edit',
      version,
      ...(content !== undefined && { content }),
      ...(sentRows && { rows: [...sentRows] }),
    };
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
    const rows = message.rows ?? (message.answer && sent?.rows) ?? base.rows;
    // An edit that was made is what both sides started from, whatever the document made of it.
    const ancestor = message.answer === 'applied' ? { ...base, ...sent } : base;
    this.content = rebased(ancestor.content, this.content, content);
    if (isSame(writtenRows(this.rows), ancestor.rows)) this.takeRows(rows);
    this.base = { version: message.version, content, rows };
    return message.answer === 'applied' || (message.answer === 'refused' && message.version !== sent?.version);
  }

  /** What stands in rows that cannot be written as they are: no document holds it. */
  unfinished(): Row[] {
    const faulty = this.rows.filter((row) => rowFault(this.rows, row) !== undefined);
    return faulty.map(({ key, value }) => ({ key, value }));
  }

  addRow(values: Row = { key: '', value: '' }): FormRow {
    const row = { ...values, id: this.nextId++ };
    this.rows = [...this.rows, row];
    return row;
  }

  changeRow(id: number, change: Partial<Row>): void {
    this.rows = this.rows.map((row) => (row.id === id ? { ...row, ...change } : row));
  }

  removeRow(id: number): void {
    this.rows = this.rows.filter((row) => row.id !== id);
  }

  /** A row keeps its id, and so its field the caret, by its key or else by its place. */
  private takeRows(rows: readonly Row[]): void {
    const mine = writtenRows(this.rows);
    if (isSame(mine, rows)) return;
    const unfinished = this.rows.filter((row) => !mine.includes(row));
    const free = new Set(mine);
    const claim = (row: FormRow | undefined) => (row && free.delete(row) ? row.id : undefined);
    const byKey = rows.map(({ key }) => claim(mine.find((row) => row.key === key)));
    this.rows = [
      ...rows.map((row, index) => ({ ...row, id: byKey[index] ?? claim(mine[index]) ?? this.nextId++ })),
      ...unfinished,
    ];
  }
}

/** The rows that can be written: every key once, the first of several that are the same. */
export function writtenRows(rows: readonly FormRow[]): FormRow[] {
  return rows.filter((row) => row.key !== '' && rowFault(rows, row) === undefined);
}

/** Why a row cannot be written. A row in which nothing stands has no fault, and is not written either. */
export function rowFault(rows: readonly FormRow[], row: FormRow): RowFault | undefined {
  if (row.key === '') return row.value === '' ? undefined : 'empty';
  if (row.key.length > LONGEST_KEY) return 'long';
  return rows.find(({ key }) => key === row.key) === row ? undefined : 'duplicate';
}

function isSame(a: readonly Row[], b: readonly Row[]): boolean {
  return (
    a.length === b.length && a.every(({ key, value }, index) => key === b[index]!.key && value === b[index]!.value)
  );
}
