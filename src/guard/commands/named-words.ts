import { joined, withoutEnd } from './written-paths';

/**
 * `find build -name '*.log' -delete` is about files of such names alone; whatever else it says, all of the folders count.
 * Without a folder it looks in the one it is in.
 */
export function foundBy(args: readonly string[]): readonly string[] {
  const first = [...args, '-'].findIndex((word) => /^[-!(]/.test(word));
  const folders = first > 0 ? args.slice(0, first) : ['.'];
  const rest = args.slice(first);
  const isPlain = folders.every((folder) => /^(?:\.\/?|(?:[\w.-]+\/)*[\w-]+\/?)$/.test(folder));
  const name =
    rest.length < 7 ? /^(?:-type f )?-name ([\w.*?-]+) (?:-type f )?-delete$/.exec(rest.join(' '))?.[1] : undefined;
  if (!isPlain || name === undefined) return [...folders, ...rest];
  return [...folders.map((folder) => `${withoutEnd(folder)}/**/${name}`), '-delete'];
}

/**
 * The words that name what is changed. What is copied is only read where it is, and of a folder that it goes to nothing but
 * its own name there is written.
 */
export function writtenBy(name: string, args: readonly string[]): readonly string[] {
  const [options = ''] = args;
  const isPacked = name === 'tar' && /^-?[a-zA-Z]{1,20}$/.test(options) && /c.*f$/.test(options);
  if (isPacked && !args.includes('--remove-files')) return args.slice(1, 2);
  // Options may say otherwise: `-t FOLDER`, `--remove-source-files`.
  const isPlain = args.every((word) => !word.startsWith('-') || /^-[aAfHilLnpPrRuvxXz]+$/.test(word));
  if (!isPlain || !/^(cp|mv|scp|rsync)$/.test(name)) return args;
  const files = args.filter((word) => !word.startsWith('-'));
  const target = files.pop();
  if (target === undefined) return args;
  const names = files.map((file) => /(?:^|[/\\])([^/\\]+)$/.exec(withoutEnd(file))?.[1] ?? '..');
  const isFolder = /(^|[/\\])\.{0,2}$/.test(target) && !names.some((each) => /^\.{1,2}$/.test(each));
  const written = isFolder && name !== 'rsync' ? names.map((each) => joined(target, each)) : [target];
  return name === 'mv' ? [...files, ...written] : written;
}
