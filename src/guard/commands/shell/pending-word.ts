/** A longer one is read no further. */
const MAX_LENGTH = 200_000;

/** A word whose end has not come yet. */
export class PendingWord {
  /** Undefined until something of it has been read, which may be quotes with nothing between them. */
  text: string | undefined;
  /** What stands in quotes is a word whatever it holds. */
  isQuoted = false;

  add(text: string): void {
    const before = this.text ?? '';
    this.text = before.length > MAX_LENGTH ? before : before + text;
  }

  /** What is assigned may stand in quotes. */
  quote(): void {
    this.isQuoted ||= !/^\w+=/.test(this.text ?? '');
  }

  /** Ends it; the next one begins. */
  take(): { text: string | undefined; isQuoted: boolean } {
    const { text, isQuoted } = this;
    this.text = undefined;
    this.isQuoted = false;
    return { text, isQuoted };
  }
}
