import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { z } from 'zod';
import { type Log, showError } from '../log';

/** Characters of what is said of a message that is not in the protocol: a page could fill the log with it. */
const MOST_LOGGED = 500;

/** The front ends, each a bundle of its own: `dist/webview/<name>.js`. */
export type WebviewName =
  | 'entry'
  | 'project'
  | 'dashboard'
  | 'note'
  | 'graph'
  | 'coverage'
  | 'relations'
  | 'projects'
  | 'score';

export interface WebviewHostOptions<Incoming extends z.ZodType> {
  panel: vscode.WebviewPanel;
  name: WebviewName;
  extensionUri: vscode.Uri;
  log: Log;
  /** What the front end may say; anything else is logged and dropped. */
  incoming: Incoming;
  onMessage(message: z.output<Incoming>): unknown;
}

/** The extension's side of one webview: its page with a strict CSP, and typed messages in both directions. */
export class WebviewHost<Incoming extends z.ZodType, Outgoing> {
  private readonly listening: vscode.Disposable;
  private disposed = false;

  constructor(private readonly options: WebviewHostOptions<Incoming>) {
    const { webview } = options.panel;
    const dist = vscode.Uri.joinPath(options.extensionUri, 'dist', 'webview');
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    this.listening = webview.onDidReceiveMessage((raw) => this.receive(raw));
    webview.html = page(webview, dist, options.name);
  }

  /** Whether the page is gone: its panel may not be touched any more. */
  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Does nothing once the page is gone, such as after something that took its time. */
  post(message: Outgoing): void {
    if (this.disposed) return;
    void this.options.panel.webview.postMessage(message);
  }

  dispose(): void {
    this.disposed = true;
    this.listening.dispose();
  }

  private async receive(raw: unknown): Promise<void> {
    const { incoming, log, name, onMessage } = this.options;
    const message = incoming.safeParse(raw);
    if (!message.success) {
      log.warn(
        `The ${name} view said something that is not in its protocol: ${message.error.message.slice(0, MOST_LOGGED)}`,
      );
      return;
    }
    try {
      await onMessage(message.data);
    } catch (error) {
      await showError(log, error);
    }
  }
}

/** Nothing may be loaded but the extension's own scripts, styles and fonts; scripts carry a nonce of their own. */
function page(webview: vscode.Webview, dist: vscode.Uri, name: WebviewName): string {
  const nonce = randomBytes(18).toString('base64url');
  const resource = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    // Not covered by the default.
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1.0">
  <title>Kaizen</title>
  <link rel="stylesheet" id="vscode-codicon-stylesheet" href="${resource('codicon.css')}">
  <link rel="stylesheet" href="${resource(`${name}.css`)}">
  <script type="application/json" id="translations" nonce="${nonce}">${jsonForPage(vscode.l10n.bundle ?? {})}</script>
  <script type="module" nonce="${nonce}" src="${resource(`${name}.js`)}"></script>
</head>
<body></body>
</html>`;
}

function escaped(text: string): string {
  return text.replace(/[^\w-]/g, '');
}

/** No text of a translation may end the script element that holds it. */
function jsonForPage(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
