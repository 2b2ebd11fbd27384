import * as vscode from 'vscode';
import type { FrontMatterFault } from '../../frontmatter';

/** What is wrong with an entry's front matter and what to do, in the person's language. */
export function faultMessage({ code, detail, message }: Pick<FrontMatterFault, 'code' | 'detail' | 'message'>): string {
  switch (code) {
    case 'unclosed':
      return vscode.l10n.t(
        'The front matter has no end. Close it with a line of --- alone, or begin the document with an empty one (--- and --- on two lines) if this is content.',
      );
    case 'language':
      return vscode.l10n.t('Front matter in "{0}" is not read. Write it in YAML, after a line of --- alone.', detail);
    case 'too_long':
      return vscode.l10n.t('The front matter is too long to be metaknowledge. Move text from it to the content.');
    case 'too_complex':
      return vscode.l10n.t('The front matter has too many parts. Write one line for each key: KEY: value.');
    case 'syntax':
      return vscode.l10n.t(
        'The front matter is not YAML: {0} A value with : or # in it stands in quotes, KEY: "value".',
        detail.replace(/\.?$/, '.'),
      );
    case 'alias':
      return vscode.l10n.t('A value that begins with * stands in quotes: "{0}".', detail);
    case 'not_kept':
      return vscode.l10n.t("YAML's {0} cannot be kept. Put the value in quotes if it is text.", detail);
    case 'not_a_mapping':
      return vscode.l10n.t('Front matter is made of lines KEY: value, with a space after the colon.');
    case 'bad_key':
      return vscode.l10n.t('A key is text, not a list or a mapping.');
    case 'duplicate_key':
      return vscode.l10n.t('The key "{0}" stands here twice. Keep one of them.', detail);
    case 'comment':
      return vscode.l10n.t(
        'A comment in the front matter would be lost. Make it a value, as in NOTE: …, or remove it.',
      );
    case 'list':
      return vscode.l10n.t('The value of "{0}" is a list. Write it as text, with commas: "a, b".', detail);
    case 'nested':
      return vscode.l10n.t(
        'The value of "{0}" has keys of its own. Write each on a line of its own, KEY: value.',
        detail,
      );
    default:
      return message;
  }
}
