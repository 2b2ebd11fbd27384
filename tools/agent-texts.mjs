// Writes the chat skill and the editor's instructions from their one source, src/agents/guide.ts.
//   node tools/agent-texts.mjs           writes what is out of date
//   node tools/agent-texts.mjs --check   only says so; tools/check.mjs asks for that
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { isMain } from './main.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** @returns {Promise<Record<string, string>>} file → the text that it has to have */
async function texts() {
  // The guide imports nothing, so that it can be taken as it is.
  const source = readFileSync(path.join(root, 'src/agents/guide.ts'), 'utf8');
  const { code } = transformSync(source, { loader: 'ts', format: 'esm' });
  const guide = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
  return {
    'agent-plugin/skills/kaizen/SKILL.md': guide.skillFile(),
    'agent-plugin/instructions/kaizen.instructions.md': guide.instructionsFile(),
  };
}

/** @returns {Promise<string[]>} what is out of date, one sentence a file */
export async function checkAgentTexts() {
  return Object.entries(await texts())
    .filter(
      ([file, text]) => !existsSync(path.join(root, file)) || readFileSync(path.join(root, file), 'utf8') !== text,
    )
    .map(([file]) => `${file} is not what src/agents/guide.ts says: node tools/agent-texts.mjs`);
}

if (isMain(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const problems = await checkAgentTexts();
    for (const problem of problems) console.error(problem);
    process.exitCode = problems.length > 0 ? 1 : 0;
  } else {
    for (const [file, text] of Object.entries(await texts())) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
      console.log(file);
    }
  }
}
