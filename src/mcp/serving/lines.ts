const NEWLINE = 0x0a;
/** How much of either end of a line that is too long is kept: enough to find the id of the request in it. */
const KEPT_END = 4_096;

/** A line, or what is left of one that was longer than the limit: its beginning and its end. */
export type Line = { text: string } | { tooLong: true; head: string; tail: string };

/** Cuts a byte stream into lines without ever holding more than the limit, however long a line gets. */
export class LineCutter {
  #chunks: Buffer[] = [];
  #length = 0;
  #head: Buffer | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(private readonly maxBytes: number) {}

  /** The lines that end in this chunk, in order; the rest is kept for the next one. */
  *push(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      start = end + 1;
      yield this.#take();
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** What stands after the last newline when the stream ends. */
  end(): Line | undefined {
    return this.#length > 0 ? this.#take() : undefined;
  }

  #add(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#head === undefined) {
      this.#chunks.push(bytes);
      if (this.#length <= this.maxBytes) return;
      const all = Buffer.concat(this.#chunks);
      this.#chunks = [];
      this.#head = Buffer.from(all.subarray(0, KEPT_END));
      this.#tail = Buffer.from(all.subarray(-KEPT_END));
    } else {
      this.#tail = Buffer.from(Buffer.concat([this.#tail, bytes.subarray(-KEPT_END)]).subarray(-KEPT_END));
    }
  }

  #take(): Line {
    const line: Line =
      this.#head === undefined
        ? { text: Buffer.concat(this.#chunks).toString('utf8') }
        : { tooLong: true, head: this.#head.toString('utf8'), tail: this.#tail.toString('utf8') };
    this.#chunks = [];
    this.#length = 0;
    this.#head = undefined;
    return line;
  }
}

const ID = '"id"\\s*:\\s*(-?\\d+|"(?:[^"\\\\]|\\\\.)*")';
/** Clients write the id either before the params, among the first members of the message, or as its last one. */
const ID_IN_HEAD = new RegExp(`^\\s*\\{(?:\\s*"(?:jsonrpc|method)"\\s*:\\s*"[^"]*"\\s*,)*\\s*${ID}`);
const ID_IN_TAIL = new RegExp(`,\\s*${ID}\\s*(?:,\\s*"(?:jsonrpc|method)"\\s*:\\s*"[^"]*"\\s*)*\\}\\s*$`);

/**
 * The id of a request of which only both ends are known; null when it cannot be told for certain. An id deeper inside
 * is never taken for the request's own.
 */
export function recoverRequestId(head: string, tail: string): string | number | null {
  const found = ID_IN_HEAD.exec(head)?.[1] ?? ID_IN_TAIL.exec(tail)?.[1];
  return found === undefined ? null : (JSON.parse(found) as string | number);
}
