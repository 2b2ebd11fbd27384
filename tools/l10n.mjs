// What people read, and its translations: every text of the sources stands in each bundle, and nothing else does.
//   node tools/l10n.mjs   prints the texts as JSON, for a new bundle
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMain } from './main.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** `vscode.l10n.t('…')`, `l10n.t('…')`, `t('…')` of the webviews, and `sentence('…')` of what is worded elsewhere. */
const CALL =
  /(?<![\w$.]|function )(?:(?:(?:vscode\.)?l10n\.)?t|sentence)\(\s*(?:('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")\s*[,)]|)/g;

/** Where what others say is translated. */
const FORWARDING = [path.join('webview-ui', 'shared', 'l10n.ts'), path.join('src', 'vscode', 'in-words.ts')];

/** @param {string} directory
 * @returns {string[]} */
function sources(directory) {
  return readdirSync(path.join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(directory, file));
}

/** @returns {{ texts: Set<string>, problems: string[] }} the texts, and the calls that hide theirs from translators */
export function translatable() {
  /** @type {Set<string>} */
  const texts = new Set();
  const problems = [];
  for (const file of [...sources('src'), ...sources('webview-ui')]) {
    if (FORWARDING.includes(file)) continue;
    const code = readFileSync(path.join(root, file), 'utf8');
    const usesTranslation = /l10n|\bsentence\(/.test(code);
    for (const match of code.matchAll(CALL)) {
      const [, literal] = match;
      if (literal !== undefined) texts.add(unquoted(literal));
      else if (usesTranslation) {
        const line = code.slice(0, match.index).split('\n').length;
        problems.push(`${file}:${line} translates something that is no string literal`);
      }
    }
  }
  return { texts, problems };
}

/** @param {string} literal of TypeScript, in single or double quotes */
function unquoted(literal) {
  const inner = literal.slice(1, -1);
  return JSON.parse(`"${inner.replace(/\\'/g, "'").replace(/(?<!\\)"/g, '\\"')}"`);
}

/** @param {string} text
 * @returns {string} its placeholders, in order of their numbers */
function placeholders(text) {
  return [...new Set(text.match(/\{\d+\}/g) ?? [])].sort().join(' ');
}

/** @param {string} name what the list is called
 * @param {Map<string, string>} wanted
 * @param {Record<string, string>} given
 * @returns {string[]} */
function compare(name, wanted, given) {
  const problems = [];
  for (const [key, text] of wanted) {
    const translated = given[key];
    if (translated === undefined) problems.push(`${name} lacks ${JSON.stringify(key)}`);
    else if (translated.trim() === '' && text !== '') problems.push(`${name} has nothing for ${JSON.stringify(key)}`);
    else if (placeholders(text) !== placeholders(translated)) {
      problems.push(`${name} has other placeholders in ${JSON.stringify(key)}`);
    } else if (commands(text) !== commands(translated)) {
      problems.push(`${name} has other links in ${JSON.stringify(key)}`);
    }
  }
  for (const key of Object.keys(given)) {
    if (!wanted.has(key)) problems.push(`${name} translates ${JSON.stringify(key)}, which nobody says`);
  }
  return problems;
}

/** @param {string} text */
function commands(text) {
  return [...text.matchAll(/\]\((command:[^)]*)\)/g)].map((match) => match[1]).join(' ');
}

/** @returns {string[]} what is wrong with the translations */
export function checkTranslations() {
  const { texts, problems } = translatable();
  const read = (/** @type {string} */ file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const manifest = read('package.nls.json');
  const used = new Set(
    [...readFileSync(path.join(root, 'package.json'), 'utf8').matchAll(/"%([\w.]+)%"/g)].map((match) => match[1] ?? ''),
  );
  for (const key of used) if (!(key in manifest)) problems.push(`package.nls.json lacks ${key}`);
  for (const key of Object.keys(manifest)) if (!used.has(key)) problems.push(`package.nls.json has ${key} for nobody`);

  const languages = readdirSync(path.join(root, 'l10n')).flatMap(
    (file) => /^bundle\.l10n\.([\w-]+)\.json$/.exec(file)?.[1] ?? [],
  );
  for (const language of languages) {
    const bundle = `l10n/bundle.l10n.${language}.json`;
    problems.push(...compare(bundle, new Map([...texts].map((text) => [text, text])), read(bundle)));
    const nls = `package.nls.${language}.json`;
    problems.push(...compare(nls, new Map(Object.entries(manifest)), read(nls)));
  }
  if (!languages.includes('de')) problems.push('There is no German bundle.');
  return problems;
}

if (isMain(import.meta.url)) console.log(JSON.stringify([...translatable().texts].sort(), null, 2));
