/** Lists that a person can read, as Markdown. What has no value is left out. */

export function document(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, ...parts.filter((part) => part !== '')].join('\n\n')}\n`;
}

export function field(name: string, value: string | number | null | undefined): string {
  return value === null || value === undefined || value === '' ? '' : `${name}: ${value}`;
}

export function text(name: string, value: string | null | undefined): string {
  return value ? `## ${name}\n\n${value.trimEnd()}` : '';
}

export function list(name: string, items: readonly string[]): string {
  return items.length > 0 ? `## ${name}\n\n${items.map((item) => `- ${item}`).join('\n')}` : '';
}
