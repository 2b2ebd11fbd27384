// Builds the kernel of the vector search: src/search/vectors/kernel.wat → kernel-wasm.ts. Run it after changing the
// first; test/unit/vectors.test.ts says when that was forgotten.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';

const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../src/search/vectors');

/** @returns {Promise<string>} the module in base64 */
export async function buildKernel() {
  const { parseWat } = await wabt();
  const source = parseWat('kernel.wat', readFileSync(path.join(folder, 'kernel.wat'), 'utf8'), { simd: true });
  source.validate();
  return Buffer.from(source.toBinary({}).buffer).toString('base64');
}

async function writeKernel() {
  const lines = (await buildKernel()).match(/.{1,110}/g) ?? [];
  const text = lines.map((line) => `  '${line}',`).join('\n');
  writeFileSync(
    path.join(folder, 'kernel-wasm.ts'),
    `/** Made of kernel.wat by tools/vectors.mjs: WebAssembly in base64. */\nexport const KERNEL_WASM = [\n${text}\n].join('');\n`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) void writeKernel();
