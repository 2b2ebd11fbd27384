import * as vscode from 'vscode';
import {
  type Remark,
  type ScoreMessage,
  type ScoreRequest,
  type ScoreState,
  scoreRequest,
} from '../../../webview-ui/protocol/score';
import { isKaizenError } from '../../core/errors';
import type { KaizenParts } from '../../kaizen';
import type { FeedbackRecord } from '../../learning';
import { errorInWords } from '../in-words';
import { END_KINDS, endKindName } from '../views';
import type { EditorContext } from './context';
import { doRating, ratingOf } from './rating';
import type { PageContent } from './single-page';
import { WebviewHost } from './webview-host';

export function fillScore(context: EditorContext, panel: vscode.WebviewPanel): PageContent<string> {
  return new ScorePage(context, panel);
}

/** The extension's side of the page that explains a score: follows what is said, and takes back what one said oneself. */
class ScorePage implements PageContent<string> {
  private readonly host: WebviewHost<typeof scoreRequest, ScoreMessage>;
  private readonly disposables: vscode.Disposable[];
  private artifact: string | undefined;
  private isDrawn = false;
  /** What is asked for while something is being read is shown once that was. */
  private showing: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: EditorContext,
    private readonly panel: vscode.WebviewPanel,
  ) {
    const { learning, log, extensionUri } = context;
    this.host = new WebviewHost({
      panel,
      name: 'score',
      extensionUri,
      log,
      incoming: scoreRequest,
      onMessage: (message) => this.onMessage(message),
    });
    const again = () => {
      if (this.panel.visible && this.isDrawn) void this.tell();
    };
    this.disposables = [
      this.host,
      learning.onDidChange(again),
      vscode.workspace.onDidGrantWorkspaceTrust(again),
      // Hidden, the page is gone; it says `ready` again when it comes back.
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.isDrawn = false;
      }),
    ];
  }

  show(artifact: string): void {
    this.artifact = artifact;
    // A page that is not drawn yet asks when it is.
    if (this.isDrawn) void this.tell();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async onMessage(message: ScoreRequest): Promise<void> {
    const { artifact } = this;
    switch (message.type) {
      case 'ready':
        this.isDrawn = true;
        // What the person asked for just now wins over what the page showed before.
        this.artifact ??= message.artifact;
        await this.tell();
        break;
      case 'open':
        await vscode.commands.executeCommand('kaizen.openArtifact', message.artifact);
        break;
      case 'choose':
        await this.choose();
        break;
      case 'rateInDetail':
        if (artifact !== undefined) await vscode.commands.executeCommand('kaizen.rateInDetail', artifact);
        break;
      case 'takeBack':
        await this.takeBack(message.feedback);
        break;
      case 'rate':
      case 'takeBackRating':
      case 'explainScore':
        if (artifact !== undefined) await doRating(artifact, message);
        break;
    }
  }

  /** The page is in front, and means nothing by itself: the person looks for what is to be explained. */
  private async choose(): Promise<void> {
    await vscode.commands.executeCommand('kaizen.explainScore');
  }

  private async takeBack(id: string): Promise<void> {
    const { learning: atWork } = this.context;
    const change = atWork.change();
    const { learning } = await atWork.start();
    const isOwn = learning.saidBy(atWork.person, this.artifact ?? '').some((each) => each.id === id);
    if (isOwn) await learning.takeBack([id], change);
  }

  private tell(): Promise<void> {
    this.showing = this.showing.then(async () => {
      const message = await this.message();
      if (this.isDrawn) this.host.post(message);
    });
    return this.showing;
  }

  private async message(): Promise<ScoreMessage> {
    const { artifact } = this;
    if (artifact === undefined) return { type: 'empty' };
    try {
      return { type: 'state', state: await this.state(await this.context.learning.start(), artifact) };
    } catch (error) {
      if (!isKaizenError(error)) this.context.log.error(error instanceof Error ? error : String(error));
      return { type: 'problem', message: errorInWords(error) };
    }
  }

  private async state(parts: KaizenParts, artifact: string): Promise<ScoreState> {
    const { learning, relations } = parts;
    const { learning: atWork } = this.context;
    const explanation = learning.explain(artifact);
    const said = learning.feedbackOn(artifact);
    const end = await relations.resolve(artifact);
    const { settings, isRanking } = learning;
    return {
      artifact,
      title: end?.title ?? artifact,
      kind: kindName(end?.kind),
      explanation,
      remarks: said.flatMap((record) => remarkOf(record) ?? []),
      byAgents: said.filter(({ feedback_source }) => feedback_source === 'automated').map(({ id }) => id),
      own: vscode.workspace.isTrusted ? learning.saidBy(atWork.person, artifact).map(({ id }) => id) : [],
      projects: projectNames(parts, said),
      rating: { ...ratingOf(atWork, parts, artifact), writable: vscode.workspace.isTrusted && end !== undefined },
      ranking: {
        isOn: isRanking,
        semantic: settings.score_semantic_weight,
        effectiveness: settings.score_effectiveness_weight,
      },
    };
  }
}

function kindName(kind: string | undefined): string {
  if (kind === undefined) return vscode.l10n.t('not there any more');
  const known = END_KINDS.find((each) => each === kind);
  return known ? endKindName(known) : kind;
}

/** What it says beside numbers; undefined where it says nothing. */
function remarkOf(record: FeedbackRecord): Remark | undefined {
  const { id, feedback_type, author, created_at: at, comment, usage_context: context } = record;
  const missing = record.specific_data.missing_elements;
  const suggestions = [...record.suggested_improvements, ...record.corrections];
  const lacking = Array.isArray(missing) ? missing.map(String) : [];
  if (!comment && !context && suggestions.length + lacking.length === 0) return undefined;
  return {
    ...{ feedback_id: id, feedback_type, author, at, suggestions, missing: lacking },
    by_agent: record.feedback_source === 'automated',
    ...(comment && { comment }),
    ...(context && { context }),
  };
}

function projectNames({ learning }: KaizenParts, said: readonly FeedbackRecord[]): Record<string, string> {
  const ids = new Set(said.flatMap(({ propagated_from: id }) => id ?? []));
  return Object.fromEntries([...ids].map((id) => [id, learning.get('project', id)?.name ?? id]));
}
