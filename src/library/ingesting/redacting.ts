import { Turns } from '../../core/turns';
import { Redaction } from '../../safety';
import type { ChunkDraft, Extracted, NormalisedDocument } from '../model';
import { redactedDocument, redactedPassages } from './redacted';
import type { Work } from './work';

/**
 * What was read, if it may be stored. Throws `secret_found`, which names lines of the document's text. Where secrets are
 * taken out, they are taken out of the passages as well, and told once.
 */
export async function withoutSecrets(work: Work, { document, chunks }: Extracted): Promise<Extracted> {
  const { check } = work.surroundings;
  const { signal } = work.change;
  const { text, title, version } = document;
  const said = { text, title, version, outline: document.outline.map((each) => each.title) };
  const { value, taken } = await check.checked(said, '', signal);
  if (!taken) return { document, chunks };
  const pieces = chunks.map(({ char_start, char_end }) => ({ start: char_start, end: char_end }));
  const inPassages = await check.foundIn(text, pieces, signal);
  const redaction = new Redaction(text, [...(taken.get('text') ?? []), ...inPassages]);
  const passages = await redactedPassages(document, chunks, redaction, new Turns(signal));
  // What is said of a place beside its text may hold its secret once more, or what is left of it.
  const names = [...new Set([...passages.flatMap(namesIn), value.title ?? '', value.version ?? ''])];
  const clean = await check.redacted(names, text, signal);
  const cleanOf = new Map(names.map((name, index) => [name, clean[index] ?? name]));
  const renamed = (name: string) => cleanOf.get(name) ?? name;
  const outline = document.outline.map((each, index) => ({ ...each, title: value.outline[index] ?? '' }));
  return {
    document: {
      ...redactedDocument({ ...document, outline }, redaction),
      title: value.title && renamed(value.title),
      version: value.version && renamed(value.version),
    },
    chunks: passages.map((passage) => withNames(passage, renamed)),
  };
}

/**
 * A page's own idea of its address, or where it was in the end, unless that holds a secret, as addresses that are signed
 * for a while do: then the one that was asked for.
 */
export async function addressOf(
  { surroundings, change }: Work,
  asked: string,
  { canonical_url }: Pick<NormalisedDocument, 'canonical_url'>,
  found: string | undefined,
): Promise<string> {
  const url = canonical_url ?? found ?? asked;
  return url === asked || (await surroundings.check.places({ url }, change.signal)).length === 0 ? url : asked;
}

function namesIn({ section_title, section_hierarchy, clause_number, references }: ChunkDraft): string[] {
  return [section_title, ...section_hierarchy, clause_number ?? '', ...references];
}

function withNames(passage: ChunkDraft, renamed: (name: string) => string): ChunkDraft {
  return {
    ...passage,
    section_title: renamed(passage.section_title),
    section_hierarchy: passage.section_hierarchy.map(renamed),
    clause_number: passage.clause_number && renamed(passage.clause_number),
    references: passage.references.map(renamed),
  };
}
