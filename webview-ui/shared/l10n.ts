const translations = JSON.parse(document.getElementById('translations')?.textContent || '{}') as Record<
  string,
  string | { message: string }
>;

/** The text in the editor's language, `{0}`, `{1}` … replaced; the English text is its key, as in `vscode.l10n.t`. */
export function t(text: string, ...values: (string | number)[]): string {
  const found = translations[text];
  const translated = typeof found === 'object' ? found.message : (found ?? text);
  return translated.replace(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));
}
