import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { t } from '../shared/l10n';
import type { Series } from './chart-element';

export interface ChartTable {
  columns: readonly { label: string; numeric?: boolean }[];
  /** The first cell of a row is its heading. */
  rows: readonly (readonly string[])[];
}

/** A chart with its title, what it is about, a legend where it has several series, and its numbers as a table. */
@customElement('kaizen-chart-figure')
export class ChartFigure extends LitElement {
  static override styles = css`
    :host {
      display: block;
      min-width: 0;
    }
    figure {
      display: flex;
      flex-direction: column;
      height: 100%;
      margin: 0;
    }
    header {
      display: flex;
      flex-wrap: wrap;
      align-items: flex-start;
      justify-content: space-between;
      gap: 8px 16px;
      margin-bottom: 16px;
    }
    h2 {
      margin: 0;
      font-size: 1.077em;
      font-weight: 600;
      line-height: 24px;
    }
    p {
      margin: 0;
      color: var(--vscode-descriptionForeground);
    }
    ul {
      display: flex;
      flex-wrap: wrap;
      gap: 4px 16px;
      margin: 0 0 8px;
      padding: 0;
      list-style: none;
    }
    li {
      display: flex;
      align-items: center;
      gap: 6px;
    }
    .swatch {
      width: 12px;
      height: 12px;
      box-sizing: border-box;
      border: 1px solid currentColor;
      border-radius: 2px;
      background: currentColor;
      forced-color-adjust: none;
    }
    .swatch.hatched {
      background: repeating-linear-gradient(135deg, currentColor 0 2px, transparent 2px 4px);
    }
    .blue { color: var(--vscode-charts-blue); }
    .red { color: var(--vscode-charts-red); }
    .yellow { color: var(--vscode-charts-yellow); }
    .green { color: var(--vscode-charts-green); }
    .purple { color: var(--vscode-charts-purple); }
    .picture {
      flex: 1;
    }
    details {
      margin-top: 8px;
    }
    summary {
      width: max-content;
      max-width: 100%;
      color: var(--vscode-textLink-foreground);
      cursor: pointer;
      user-select: none;
    }
    summary:hover {
      color: var(--vscode-textLink-activeForeground);
      text-decoration: underline;
    }
    summary:focus-visible,
    .scroll:focus-visible {
      outline: 1px solid var(--vscode-focusBorder);
      outline-offset: 2px;
    }
    .scroll {
      max-height: 400px;
      margin-top: 8px;
      overflow: auto;
    }
    table {
      width: 100%;
      border-collapse: collapse;
      font-variant-numeric: tabular-nums;
    }
    th,
    td {
      padding: 4px 16px 4px 0;
      border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
      text-align: start;
      font-weight: normal;
      overflow-wrap: anywhere;
    }
    thead th {
      position: sticky;
      top: 0;
      background: var(--vscode-editor-background);
      color: var(--vscode-descriptionForeground);
      overflow-wrap: normal;
    }
    .numeric {
      text-align: end;
      white-space: nowrap;
    }
    th:last-child,
    td:last-child {
      padding-right: 8px;
    }
  `;

  /** The title. */
  @property() heading = '';
  /** What is shown, in a sentence. */
  @property() caption = '';
  @property({ attribute: false }) legend: readonly Series[] = [];
  @property({ attribute: false }) table: ChartTable | undefined;

  override render(): TemplateResult {
    return html`<figure aria-labelledby="heading">
      <header>
        <figcaption>
          <h2 id="heading">${this.heading}</h2>
          <p>${this.caption}</p>
        </figcaption>
        <slot name="controls"></slot>
      </header>
      ${
        this.legend.length > 0
          ? html`<ul>
              ${this.legend.map(
                ({ label, colour, hatched }) =>
                  html`<li><span class="swatch ${colour} ${hatched ? 'hatched' : ''}"></span>${label}</li>`,
              )}
            </ul>`
          : nothing
      }
      <div class="picture"><slot></slot></div>
      ${this.table ? this.details(this.table) : nothing}
    </figure>`;
  }

  private details({ columns, rows }: ChartTable): TemplateResult {
    const kind = (index: number) => (columns[index]?.numeric ? 'numeric' : '');
    return html`<details>
      <summary>${t('Show as table')}</summary>
      <div class="scroll" role="region" aria-labelledby="heading" tabindex="0">
        <table aria-labelledby="heading">
          <thead>
            <tr>
              ${columns.map(({ label }, index) => html`<th scope="col" class=${kind(index)}>${label}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ([first, ...cells]) =>
                html`<tr>
                  <th scope="row">${first}</th>
                  ${cells.map((cell, index) => html`<td class=${kind(index + 1)}>${cell}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`;
  }
}
