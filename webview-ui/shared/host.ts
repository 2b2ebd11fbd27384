/** The front end's side of a webview's messages; the extension's side is `src/vscode/editors/webview-host.ts`. */

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

export interface Host<ToHost, FromHost, State> {
  post(message: ToHost): void;
  /** What the page should look like again after the window was reloaded: scroll, open parts, chosen tab. */
  state(): Partial<State>;
  keep(state: Partial<State>): void;
  onMessage(listener: (message: FromHost) => void): void;
}

/** May be called once in a page. */
export function connect<ToHost, FromHost, State extends object = Record<string, never>>(): Host<
  ToHost,
  FromHost,
  State
> {
  const api = acquireVsCodeApi();
  const state = () => (api.getState() ?? {}) as Partial<State>;
  return {
    post: (message) => api.postMessage(message),
    state,
    keep: (changed) => api.setState({ ...state(), ...changed }),
    // Only the extension's host page can post into the webview; its frame has an origin of its own.
    onMessage: (listener) =>
      window.addEventListener('message', (event: MessageEvent) => listener(event.data as FromHost)),
  };
}
