import * as vscode from 'vscode';
import type { FileWarning, Metaknowledge, StoredEntry } from '../../knowledge';
import { cut, plain, withoutPictures } from '../messages';
import { levelsOf } from '../risk-signs';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { keyOf } from './dismissals';
import type { ShownWarning } from './shown-warnings';

/** Longer rules are cut: the hover is no place to read on. */
const MAX_CONTENT = 3_000;
const MAX_VALUE = 400;
const MAX_RULES = 10;

const OPEN_COMMAND = 'kaizen.openEntry';

interface Warnings {
  shownIn(uri: vscode.Uri): readonly ShownWarning[];
}

/** The whole rule with its reason, where a warning stands. */
export function registerWarningHover(warnings: Warnings, window: WorkspaceKnowledge): vscode.Disposable {
  return vscode.languages.registerHoverProvider('*', {
    async provideHover({ uri }, position) {
      const here = warnings.shownIn(uri).flatMap(({ warning, places }) => {
        const place = places.find((each) => each.contains(position));
        return place ? [{ warning, place }] : [];
      });
      const [first] = here;
      if (!first) return undefined;
      const { knowledge } = await window.parts();
      const contents = here
        .slice(0, MAX_RULES)
        .flatMap(({ warning }) => [rule(warning), about(warning, knowledge.entry(keyOf(warning)))]);
      return new vscode.Hover(contents, first.place);
    },
  });
}

/** The content as its author wrote it, who may be anybody: links to commands stay dead, pictures are not loaded. */
function rule(warning: FileWarning): vscode.MarkdownString {
  const { keyword, risks } = warning;
  const markdown = new vscode.MarkdownString('**');
  markdown.appendMarkdown(`${plain(keyword)} (${levelsOf(risks).join(', ')})**\n\n`);
  markdown.appendMarkdown(withoutPictures(cut(risksOnLinesOfTheirOwn(warning), MAX_CONTENT)));
  return markdown;
}

/** Markdown would run the lines of a paragraph together. */
function risksOnLinesOfTheirOwn({ content, risks }: FileWarning): string {
  let result = '';
  let at = 0;
  for (const { range } of risks) {
    result += content.slice(at, range.start).replace(/(\S)\r?\n$/, '$1  \n');
    at = range.start;
  }
  return result + content.slice(at);
}

/** Reason, other metaknowledge and origin, all of it as plain text, and the one link that does something. */
function about(warning: FileWarning, entry: StoredEntry | undefined): vscode.MarkdownString {
  const { REASON, APPLIES_TO, MATCHES, ...others } = warning.metaknowledge;
  const line = (pairs: Metaknowledge) =>
    Object.entries(pairs)
      .map(([key, value]) => `*${plain(key)}*: ${plain(cut(value, MAX_VALUE))}`)
      .join(' · ');
  const { category, source_scope, source_tier } = warning;
  const place = vscode.l10n.t('{0}, from {1} ({2})', category, source_scope, source_tier);
  const change = entry && vscode.l10n.t('changed by {0} on {1}', entry.author, entry.updated_at.slice(0, 10));
  // A closing bracket in a name would end the link.
  const target = encodeURIComponent(JSON.stringify([keyOf(warning)]))
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
  const open = `[${vscode.l10n.t('Open the rule')}](command:${OPEN_COMMAND}?${target})`;
  const origin = [plain(place), ...(change ? [plain(change)] : []), open].join(' · ');
  const where = { ...(APPLIES_TO && { APPLIES_TO }), ...(MATCHES && { MATCHES }) };
  const paragraphs = [line(REASON ? { REASON } : {}), line({ ...others, ...where }), origin];
  const markdown = new vscode.MarkdownString(paragraphs.filter((text) => text !== '').join('\n\n'));
  markdown.isTrusted = { enabledCommands: [OPEN_COMMAND] };
  return markdown;
}
