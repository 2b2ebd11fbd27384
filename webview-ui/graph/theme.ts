/** The editor's colours, as the canvas needs them. */
export interface Theme {
  background: string;
  foreground: string;
  /** Names and lines that are not to be in front. */
  quiet: string;
  line: string;
  focus: string;
  /** What is selected or under the pointer. */
  accent: string;
  danger: string;
  /** One for each kind, beginning anew where there are more. */
  kinds: readonly string[];
  font: string;
  isHighContrast: boolean;
}

/** In the order of the shapes; each with what stands for it where a theme lacks it. */
const KIND_COLOURS: readonly (readonly [variable: string, otherwise: string])[] = [
  ['--vscode-charts-blue', '#3794ff'],
  ['--vscode-charts-purple', '#b180d7'],
  ['--vscode-charts-yellow', '#cca700'],
  ['--vscode-charts-green', '#89d185'],
  ['--vscode-symbolIcon-classForeground', '#ee9d28'],
  ['--vscode-terminal-ansiCyan', '#11a8cd'],
  ['--vscode-charts-red', '#f14c4c'],
  ['--vscode-terminal-ansiMagenta', '#bc3fbc'],
  ['--vscode-charts-orange', '#d18616'],
  ['--vscode-terminal-ansiGreen', '#0dbc79'],
];

/** How many colours there are; beyond them they begin anew. */
export const COLOURS = KIND_COLOURS.length;

export function kindColour(kind: number): string {
  const [variable, otherwise] = KIND_COLOURS[kind % KIND_COLOURS.length] ?? ['', ''];
  return `var(${variable}, ${otherwise})`;
}

export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const read = (variable: string, otherwise: string) => style.getPropertyValue(variable).trim() || otherwise;
  const { classList } = document.body;
  const isHighContrast = classList.contains('vscode-high-contrast') || classList.contains('vscode-high-contrast-light');
  const foreground = read('--vscode-foreground', '#cccccc');
  const background = read('--vscode-editor-background', '#1e1e1e');
  return {
    background,
    foreground,
    quiet: isHighContrast ? foreground : read('--vscode-descriptionForeground', foreground),
    line: foreground,
    focus: read('--vscode-focusBorder', foreground),
    accent: isHighContrast
      ? read('--vscode-contrastActiveBorder', foreground)
      : read('--vscode-focusBorder', foreground),
    danger: read('--vscode-editorError-foreground', '#f14c4c'),
    kinds: KIND_COLOURS.map(([variable, otherwise]) => read(variable, otherwise)),
    font: read('--vscode-font-family', 'sans-serif'),
    isHighContrast,
  };
}

/** Calls back when the person has chosen another theme. */
export function followTheme(changed: () => void): { dispose(): void } {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  return { dispose: () => observer.disconnect() };
}
