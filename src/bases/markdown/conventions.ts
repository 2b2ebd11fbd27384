/** Names of files that tools know, of the last part of a path. */
const FILES: readonly (readonly [name: RegExp, type: string])[] = [
  [/^skill\.md$/i, 'agent_skill'],
  [/^(?:agents|claude|gemini|copilot-instructions)\.md$/i, 'guideline'],
  [/\.(?:instructions\.md|mdc)$/i, 'guideline'],
];

const FOLDERS: ReadonlyMap<string, string> = new Map([
  ['skills', 'agent_skill'],
  ['guidelines', 'guideline'],
  ['rules', 'guideline'],
  ['.clinerules', 'guideline'],
  ['protocols', 'protocol'],
  ['plans', 'plan'],
  ['logs', 'log'],
  ['context', 'context'],
]);

/**
 * The type that a file has by where it stands, for one that says nothing itself: by its name, else by the nearest folder
 * that tells, whatever their case. Seed 002's boosts know types, and most files have none.
 */
export function typeByPlace(file: string): string | undefined {
  const folders = file.split('/');
  const name = folders.pop() ?? '';
  const byName = FILES.find(([pattern]) => pattern.test(name));
  if (byName) return byName[1];
  const folder = folders.findLast((each) => FOLDERS.has(each.toLowerCase()));
  return folder && FOLDERS.get(folder.toLowerCase());
}
