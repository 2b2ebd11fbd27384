import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * A module of the sources and all that it needs a second time, with classes of their own, as each bundle has them.
 * @param name from the folder of the sources, `knowledge`
 */
export function secondCopy<Module>(name: string): Module {
  const sources = path.resolve('src');
  const load = createRequire(path.join(sources, 'index.ts'));
  const ours = () => Object.entries(load.cache).filter(([file]) => file.startsWith(sources + path.sep));
  const kept = ours();
  const forget = () => {
    for (const [file] of ours()) delete load.cache[file];
  };
  forget();
  try {
    return load(`./${name}`);
  } finally {
    forget();
    Object.assign(load.cache, Object.fromEntries(kept));
  }
}
