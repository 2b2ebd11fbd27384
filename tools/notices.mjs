import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The licences of the packages whose code went into the bundles, as their terms ask for.
 * @param {string} root
 * @param {import('esbuild').Metafile} metafile
 * @returns {string}
 */
export function thirdPartyNotices(root, metafile) {
  const folders = new Set(
    Object.keys(metafile.inputs)
      .map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
      .filter((folder) => folder !== undefined),
  );
  const notices = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(path.join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
    const text =
      file && existsSync(path.join(root, folder, file)) ? readFileSync(path.join(root, folder, file), 'utf8') : '';
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return `Kaizen contains code of these packages.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
