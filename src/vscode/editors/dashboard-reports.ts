import * as vscode from 'vscode';
import type { DashboardMessage } from '../../../webview-ui/protocol/dashboard';
import type {
  Age,
  CountedPiece,
  DashboardReport,
  NamedPiece,
  ReportName,
  ScoredPiece,
} from '../../../webview-ui/protocol/dashboard-reports';
import { isKaizenError } from '../../core/errors';
import { parseEntryUri, parseLearningUri, parseLibraryUri } from '../../core/knowledge-uri';
import { Turns } from '../../core/turns';
import type { KaizenParts } from '../../kaizen';
import type { ArtifactScore, LearnedKind, StaleItem, UseCount } from '../../learning';
import { LEARNED_KINDS } from '../../learning';
import { errorInWords } from '../in-words';
import { learnedKindName } from '../views';
import type { EditorContext } from './context';

/** Lines of each list. */
const LISTED = 50;
/** Days that are drawn. */
const DAYS = 100;
/** Lines of the lists of scores. */
const BEST = 10;
/** A score in the middle says neither that it helped nor that it did not. */
const MIDDLE = 0.5;

/** Changes that come together are shown together: reports look at everything. */
const GATHER_MS = 500;
/** From one report to the next: at least this, and so long that making them takes a small part of the time. */
const PAUSE_MS = 2_000;
const PAUSE_FACTOR = 5;

/** Where a piece is, for a person: scope and category, base and file, source, or what was captured. */
export function placeOf(uri: string): string {
  const entry = parseEntryUri(uri);
  if (entry) return `${entry.scope_id} · ${entry.category}`;
  const kind = parseLearningUri(uri)?.kind as LearnedKind | undefined;
  if (kind && LEARNED_KINDS.includes(kind)) return learnedKindName(kind);
  if (parseLibraryUri(uri)) return vscode.l10n.t('Library');
  const [place = ''] = uri.replace(/^knowledge:\/\//, '').split('#');
  try {
    return decodeURIComponent(place);
  } catch {
    return place;
  }
}

/** Makes the report that is looked at: when the page asks and, as long as it is shown, after each change. */
export class DashboardReports implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];
  private shown: { name: ReportName; age: Age } | undefined;
  /** What was posted last. */
  private made: DashboardMessage | undefined;
  private running: AbortController | undefined;
  private isOutdated = false;
  private timer: NodeJS.Timeout | undefined;
  private notBefore = 0;

  constructor(
    private readonly context: EditorContext,
    private readonly isVisible: () => boolean,
    private readonly post: (message: DashboardMessage) => void,
  ) {
    const { knowledge, learning, library, notes } = context;
    const outdate = () => this.outdate();
    this.disposables = [
      knowledge.onDidChange(outdate),
      knowledge.onDidCountReads(outdate),
      learning.onDidChange(outdate),
      library.onDidChange(outdate),
      notes.onDidChange(outdate),
      vscode.workspace.onDidGrantWorkspaceTrust(outdate),
    ];
  }

  /** @param shown what the person looks at; undefined for what is no report */
  async show(shown: { name: ReportName; age: Age } | undefined): Promise<void> {
    const isSame = shown?.name === this.shown?.name && shown?.age === this.shown?.age;
    this.shown = shown;
    this.running?.abort();
    this.running = undefined;
    if (!shown) return;
    // A page that comes back into view is drawn at once with what is known.
    if (isSame && this.made) this.post(this.made);
    await this.make();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.running?.abort();
    for (const disposable of this.disposables) disposable.dispose();
  }

  private outdate(): void {
    this.isOutdated = true;
    if (!this.shown) return;
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        if (this.isVisible() && !this.running) void this.make();
      },
      Math.max(GATHER_MS, this.notBefore - performance.now()),
    );
  }

  private async make(): Promise<void> {
    const { shown } = this;
    if (!shown) return;
    this.isOutdated = false;
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    const began = performance.now();
    const message = await this.message(shown.name, shown.age, running.signal);
    // The person looks at something else by now.
    if (running.signal.aborted) return;
    this.running = undefined;
    const took = performance.now() - began;
    this.notBefore = performance.now() + Math.max(PAUSE_MS, PAUSE_FACTOR * took);
    this.made = message;
    this.post(message);
    if (this.isOutdated) this.outdate();
  }

  private async message(name: ReportName, age: Age, signal: AbortSignal): Promise<DashboardMessage> {
    try {
      const parts = await this.context.learning.start();
      return { type: 'report', report: await reportOf(name, parts, { age, signal }) };
    } catch (error) {
      if (!isKaizenError(error) && !signal.aborted) {
        this.context.log.error(error instanceof Error ? error : String(error));
      }
      return { type: 'reportProblem', name, message: errorInWords(error) };
    }
  }
}

interface Asked {
  age: Age;
  signal: AbortSignal;
}

async function reportOf(name: ReportName, parts: KaizenParts, { age, signal }: Asked): Promise<DashboardReport> {
  const { administration, learning } = parts;
  const made = { made_at: new Date().toISOString(), writable: vscode.workspace.isTrusted };
  const names = new Names(parts, signal);
  switch (name) {
    case 'health':
      return { name, ...made, health: await administration.health({ signal }) };
    case 'asked': {
      const { unanswered, asked, by_day, by_tool, totals, used_most, never_used } = await administration.usage(DAYS);
      return {
        ...{ name, ...made, by_day, by_tool, totals },
        counting: learning.settings.feedback_implicit_tracking,
        unanswered: unanswered.slice(0, LISTED),
        asked: asked.slice(0, LISTED),
        used_most: await names.counted(used_most.slice(0, LISTED)),
        never_used: await names.counted(never_used.slice(0, LISTED)),
      };
    }
    case 'old': {
      const stale = await administration.stale({ max_age_days: age, limit: LISTED, signal });
      const { counts, undated_documents, message } = stale;
      const placed = (items: readonly StaleItem[]) => items.map((item) => ({ ...item, place: placeOf(item.uri) }));
      const whole = stale.scores.map(({ artifact }) => learning.scoreOf(artifact));
      return {
        ...{ name, ...made, age, counts, undated_documents, message },
        pieces: {
          documents: placed(stale.documents),
          entries: placed(stale.entries),
          nodes: placed(stale.nodes),
          notes: placed(stale.notes),
        },
        scores: await names.scored(whole),
      };
    }
    case 'helped': {
      const best = await learning.scores(BEST, 'best', signal);
      const worst = await learning.scores(BEST, 'worst', signal);
      return {
        ...{ name, ...made, counts: await learning.scoreCounts(signal) },
        best: await names.scored(best.filter(({ composite_score: score }) => score >= MIDDLE)),
        worst: await names.scored(worst.filter(({ composite_score: score }) => score < MIDDLE)),
      };
    }
  }
}

/** Names what has an address; what is no longer there goes by its address. */
class Names {
  private readonly turns: Turns;

  constructor(
    private readonly parts: KaizenParts,
    private readonly signal: AbortSignal,
  ) {
    this.turns = new Turns(signal);
  }

  async counted(uses: readonly UseCount[]): Promise<CountedPiece[]> {
    const found: CountedPiece[] = [];
    for (const { artifact, retrieved, used, last_retrieved = '', last_used = '' } of uses) {
      const last_at = (last_used > last_retrieved ? last_used : last_retrieved) || undefined;
      found.push({ ...(await this.named(artifact)), retrieved, used, last_at });
    }
    return found;
  }

  async scored(scores: readonly ArtifactScore[]): Promise<ScoredPiece[]> {
    const found: ScoredPiece[] = [];
    for (const each of scores) {
      const { artifact, level, stars, confidence, confidence_level, staleness_penalty } = each;
      const { last_used = '', last_feedback = '' } = each;
      found.push({
        ...(await this.named(artifact)),
        ...{ score: each.composite_score, level, stars, confidence, confidence_level, staleness_penalty },
        ...{ feedback: each.times_feedback_received, used: each.times_used },
        last_at: (last_used > last_feedback ? last_used : last_feedback) || undefined,
      });
    }
    return found;
  }

  private async named(uri: string): Promise<NamedPiece> {
    const end = await this.parts.relations.resolve(uri, this.signal).catch((error) => {
      this.signal.throwIfAborted();
      if (isKaizenError(error)) return undefined;
      throw error;
    });
    await this.turns.pause();
    return { uri, title: end?.title || titleFrom(uri), place: placeOf(uri) };
  }
}

/** The last part of an address. */
function titleFrom(uri: string): string {
  const last = uri.split('/').at(-1) || uri;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
