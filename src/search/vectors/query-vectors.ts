import type { Embedder } from '../model';

const KEPT = 100;

/** Vectors of the last questions to one embedder, in memory only: what people ask is written down nowhere. */
export class QueryVectors {
  private readonly kept = new Map<string, Float32Array>();
  private failed: { error: unknown; at: number } | undefined;

  /** For `spared` milliseconds after a failure nobody waits for another; `recovered` is called when there is an answer again. */
  constructor(
    private readonly embedder: Embedder,
    private readonly spared: number,
    private readonly recovered: () => void,
  ) {}

  /** Throws as `Embedder.embed` does. */
  async of(query: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const vector = this.kept.get(query) ?? (await this.ask(query, signal));
    // The one asked last stands last.
    this.kept.delete(query);
    this.kept.set(query, vector);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT && oldest !== undefined) this.kept.delete(oldest);
    return vector;
  }

  private async ask(query: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    if (this.failed && performance.now() - this.failed.at < this.spared) throw this.failed.error;
    try {
      const [vector] = await this.embedder.embed([query], { use: 'query', ...(signal ? { signal } : {}) });
      if (this.failed) this.recovered();
      this.failed = undefined;
      return vector!;
    } catch (error) {
      if (!signal?.aborted) this.failed = { error, at: performance.now() };
      throw error;
    }
  }
}
