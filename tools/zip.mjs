// Reads a zip file's table of contents, which is all that the check of a package needs.
import { readFileSync } from 'node:fs';

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;

/** @param {string} file
 * @returns {{ name: string, bytes: number, packed: number }[]} the files in it, with their sizes
 * @throws when it is no zip file */
export function zipContents(file) {
  const zip = readFileSync(file);
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== endOfDirectory) end -= 1;
  if (end < 0) throw new Error(`${file} is not a zip file.`);

  const entries = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== directoryEntry) throw new Error(`${file} has a broken table of contents.`);
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    if (!name.endsWith('/'))
      entries.push({ name, bytes: zip.readUInt32LE(at + 24), packed: zip.readUInt32LE(at + 20) });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}
