import { release } from 'node:os';
import { DOCTOR_AREAS, type DoctorFinding } from './model';
import type { DoctorSurroundings } from './surroundings';

/** What a report must not hold, beside the places that the surroundings name. */
export interface DoctorPrivacy {
  user: string | undefined;
  host: string | undefined;
  /** Ids and names of scopes, keywords and the like, as far as they are known. */
  names?: readonly string[] | undefined;
}

const SIGNS: Record<DoctorFinding['level'], string> = { ok: '✔', note: '!', problem: '✖' };

/** Words that a report holds anyway, and that tell nothing about who is called so. */
const COMMON = new Set([
  'kaizen',
  'node',
  'code',
  'store',
  'shared',
  'stores',
  'git',
  'mcp',
  'cursor',
  'claude',
  'index',
  'hook',
  'hooks',
  'a',
  'i',
]);

/**
 * The findings as Markdown for an issue, without private content: places become `~`, `<workspace>`, `<workspace-store>`,
 * `<shared-store>`; the project, the person, the computer and other names become placeholders of their own.
 */
export function doctorReport(
  findings: readonly DoctorFinding[],
  around: DoctorSurroundings,
  privacy: DoctorPrivacy,
): string {
  const { versions, platform } = around;
  const hide = hiding(around, privacy);
  const facts = [
    ['Kaizen', versions.kaizen],
    ['Node', versions.node],
    ['Editor', versions.editor ?? 'none (terminal)'],
    ['System', `${platform.platform} ${process.arch}, ${release()}`],
  ];
  const lines = [
    '### Kaizen: Diagnose',
    '',
    '| | |',
    '| --- | --- |',
    ...facts.map(([a, b]) => `| ${a} | ${cell(b ?? '')} |`),
  ];
  for (const area of DOCTOR_AREAS) {
    const inArea = findings.filter((finding) => finding.area === area);
    if (inArea.length === 0) continue;
    lines.push('', `**${area}**`, '');
    for (const { level, code, message, mend } of inArea) {
      lines.push(`- ${SIGNS[level]} \`${code}\` ${cell(hide(`${message}`))}`);
      if (!mend) continue;
      const command = mend.command !== undefined && !mend.isPrivate ? ` ${cell(hide(mend.command))}` : '';
      lines.push(`  - ${cell(hide(`${mend.sentence}`))}${command}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** On one line, and no markup: nothing of it is a link, a mention or HTML where it is pasted. */
function cell(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|]/g, '\\$&')
    .replaceAll('@', '@\u200B');
}

function hiding(around: DoctorSurroundings, { user, host, names = [] }: DoctorPrivacy): (text: string) => string {
  const { data, shared, workspace, project, platform } = around;
  const places: [string | undefined, string][] = [
    [data, '<workspace-store>'],
    [shared, '<shared-store>'],
    [workspace, '<workspace>'],
    [platform.home, '~'],
  ];
  const known: [string | undefined, string][] = [
    [project, '<project>'],
    [user, '<user>'],
    [host, '<host>'],
    // Not the number of the name in some list: the same report comes out of the same state.
    ...[...new Set(names)].sort().map((name, index): [string, string] => [name, `<name-${index + 1}>`]),
  ];
  const hidden = [
    ...places.flatMap(([place, sign]) =>
      isPlace(place) ? spellings(place).map((text): Hidden => ({ text, sign })) : [],
    ),
    ...known.flatMap(([name, sign]) => (isName(name) ? [{ text: name, sign, isWord: true }] : [])),
  ].sort((a, b) => b.text.length - a.text.length);
  return (text) => hidden.reduce(without, text);
}

interface Hidden {
  text: string;
  sign: string;
  isWord?: boolean;
}

function without(text: string, { text: name, sign, isWord = false }: Hidden): string {
  const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const [before, after] = isWord ? ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'] : ['', ''];
  return text.replace(new RegExp(`${before}${pattern}${after}`, 'giu'), sign);
}

/** A root would be found in every path. */
function isPlace(place: string | undefined): place is string {
  return place !== undefined && place.length > 3;
}

function isName(name: string | undefined): name is string {
  return name !== undefined && name.length > 1 && !COMMON.has(name.toLowerCase());
}

/** A path as it is, with `/` on Windows, as it stands in JSON, and within a shell's quotes. */
function spellings(path: string): string[] {
  const inQuotes = path.replaceAll("'", `'\\''`);
  return [...new Set([path, path.replaceAll('\\', '/'), path.replaceAll('\\', '\\\\'), inQuotes])];
}
