/** As many hints in a row are a checkout, a pull or a build; of so many some may be lost. */
const BURST = 50;
/** A burst is over when nothing came for so long. */
const QUIET_MS = 1_500;
/** Who goes to and fro between windows does not have everything looked at each time. */
const LEAST_BETWEEN_MS = 10_000;

/**
 * Has all files looked at where the editor's hints may not have told everything: after many at once, and when the window
 * is in front again, as other programs may have worked meanwhile where nothing could be watched.
 */
export class Rescans {
  private hints = 0;
  private quiet: NodeJS.Timeout | undefined;
  private last = Number.NEGATIVE_INFINITY;

  /** @param rescan is expected to be cheap, and to say itself what goes wrong */
  constructor(private readonly rescan: () => void) {}

  /** Something was said of one file or folder. */
  hinted(): void {
    this.hints += 1;
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => {
      const isBurst = this.hints >= BURST;
      this.hints = 0;
      if (isBurst) this.begin();
    }, QUIET_MS);
  }

  /** The window is in front again. */
  inFront(): void {
    if (performance.now() - this.last >= LEAST_BETWEEN_MS) this.begin();
  }

  dispose(): void {
    clearTimeout(this.quiet);
  }

  private begin(): void {
    this.last = performance.now();
    this.rescan();
  }
}
