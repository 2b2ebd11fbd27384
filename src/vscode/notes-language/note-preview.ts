import * as vscode from 'vscode';
import type { Collection, Note } from '../../notes';
import { cut, plain, withoutPictures } from '../messages';

/** A preview is no place to read on. */
const MOST_TEXT = 1_200;
const MOST_LINES = 20;
const MOST_TAGS = 12;

/** What a note is: title, type, where it lies, tags. All of it as plain text. */
export function noteSummary(note: Note): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(`**${plain(note.title)}**\n\n`);
  const place = note.category === '' ? spaceName(note.space) : `${spaceName(note.space)} › ${note.category}`;
  const facts = [note.zettel_id, note.entry_type, place, note.version && vscode.l10n.t('version {0}', note.version)];
  markdown.appendMarkdown(
    facts
      .filter((fact) => fact !== undefined && fact !== '')
      .map((fact) => plain(String(fact)))
      .join(' · '),
  );
  const tags = note.tags.slice(0, MOST_TAGS);
  if (tags.length > 0) markdown.appendMarkdown(`\n\n${tags.map((tag) => plain(`#${tag}`)).join(' ')}`);
  return markdown;
}

/**
 * The first lines of a note's text, or of a section of it. Its author may be anybody: links to commands stay dead, pictures
 * are not loaded, and the name of the note stands above already.
 */
export function noteExcerpt(body: string, title: string): vscode.MarkdownString {
  const lines = body.trimStart().split(/\r?\n/);
  const heading = /^#\s+(.*?)\s*#*$/.exec(lines[0] ?? '');
  const from = heading?.[1] === title ? 1 : 0;
  const text = lines.slice(from).join('\n').trim().split('\n').slice(0, MOST_LINES).join('\n');
  return new vscode.MarkdownString(withoutPictures(cut(text, MOST_TEXT)));
}

export function collectionSummary({
  name,
  description,
  collection_type,
  zettel_ids,
}: Collection): vscode.MarkdownString {
  const count =
    zettel_ids.length === 1
      ? vscode.l10n.t('Collection of 1 note')
      : vscode.l10n.t('Collection of {0} notes', zettel_ids.length);
  const markdown = new vscode.MarkdownString(`**${plain(name)}**\n\n${plain(count)} · ${plain(collection_type)}`);
  if (description !== '') markdown.appendMarkdown(`\n\n${plain(description)}`);
  return markdown;
}

export function spaceName(space: 'project' | 'user' | 'registry'): string {
  switch (space) {
    case 'project':
      return vscode.l10n.t('Project');
    case 'user':
      return vscode.l10n.t('User');
    case 'registry':
      return vscode.l10n.t('Registry');
  }
}
