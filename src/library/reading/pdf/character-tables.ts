/**
 * The predefined character maps (PDF 1.7, 9.7.5.2) that a document asks for. They are 1.7 MB and not brought along: what is
 * written in a font that needs one is missing from the text, and which they were is noted.
 */
export class CharacterTables {
  /** Names of maps. */
  readonly missing = new Set<string>();

  /** What pdf.js makes to fetch files that belong to it. */
  readonly factory: new () => unknown;

  constructor() {
    const { missing } = this;
    this.factory = class {
      async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
        if (kind === 'cMapUrl') missing.add(filename.replace(/\.bcmap$/, ''));
        throw new Error(`${filename} is not there.`);
      }
    };
  }
}
