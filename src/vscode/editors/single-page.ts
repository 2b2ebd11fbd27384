import * as vscode from 'vscode';

/** What fills a panel, and goes with it. */
export interface PageContent<Part> extends vscode.Disposable {
  /** Brings a part of the page into view. */
  show(part: Part): void;
}

/** A page that the window shows once at most; the editor brings it back after a reload of the window. */
export class SinglePage<Part> implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private content: Promise<PageContent<Part>> | undefined;
  private readonly serializer: vscode.Disposable;

  /** @param fill puts the page into the panel; called once for each panel */
  constructor(
    private readonly viewType: string,
    private readonly icon: vscode.WebviewPanel['iconPath'],
    private readonly title: () => string,
    private readonly fill: (panel: vscode.WebviewPanel) => Promise<PageContent<Part>>,
  ) {
    this.serializer = vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel) => {
        this.adopt(panel);
        await this.content;
      },
    });
  }

  async open(part?: Part): Promise<void> {
    if (this.panel) this.panel.reveal();
    else this.adopt(vscode.window.createWebviewPanel(this.viewType, this.title(), vscode.ViewColumn.Active));
    const content = await this.content;
    if (part !== undefined) content?.show(part);
  }

  dispose(): void {
    this.serializer.dispose();
    this.panel?.dispose();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    // Two at once: one that was brought back while the person had opened another.
    this.panel?.dispose();
    this.panel = panel;
    panel.iconPath = this.icon;
    panel.title = this.title();
    const content = this.fill(panel);
    this.content = content;
    panel.onDidDispose(() => {
      if (this.panel === panel) this.panel = this.content = undefined;
      // What failed to fill it was told to whoever opened it.
      content.then((filled) => filled.dispose()).catch(() => undefined);
    });
  }
}
