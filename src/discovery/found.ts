import type { BasesPart } from '../bases';
import { Turns } from '../core/turns';
import type { NotesPart } from '../notes';
import { type MatchedWord, type QuerySyntax, snippetOf } from '../search';
import type { Found } from './model';
import { Naming } from './naming';
import { type Subject, titleOf, typeOf } from './subject';

/** Texts that are read for snippets at once; those of other hits are shown without one when reading takes longer than this. */
const SNIPPET_MS = 60;

/** Where the texts are. */
export interface TextSources {
  bases: BasesPart;
  notes: NotesPart;
}

/** What was found as a person sees it, with a part of the text; texts that take long to read are left out. */
export async function foundWith(
  found: readonly { subject: Subject; score: number; matched?: readonly MatchedWord[] | undefined }[],
  sources: TextSources,
  query: string,
  syntax: QuerySyntax,
): Promise<Found[]> {
  const naming = new Naming(sources.bases);
  const until = performance.now() + SNIPPET_MS;
  const texts = await Promise.all(found.map(({ subject }) => textBefore(subject, sources, until)));
  const turns = new Turns();
  const shown: Found[] = [];
  for (const [at, { subject, score, matched }] of found.entries()) {
    shown.push({
      uri: subject.uri,
      kind: subject.kind,
      title: titleOf(subject),
      path: naming.pathOf(subject),
      type: typeOf(subject),
      score,
      snippet: snippetOf(texts[at]!, query, { syntax, matched }),
    });
    await turns.pause();
  }
  return shown;
}

/** What it says; empty when its file is gone meanwhile. */
export async function textOf(subject: Subject, { bases, notes }: TextSources): Promise<string> {
  switch (subject.kind) {
    case 'entry':
      return subject.entry.content;
    case 'node':
      return bases.content(subject.node).catch(() => '');
    case 'note':
      return notes.text(subject.note).then(
        ({ body }) => body,
        () => '',
      );
  }
}

async function textBefore(subject: Subject, sources: TextSources, until: number): Promise<string> {
  if (subject.kind === 'entry') return subject.entry.content;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, until - performance.now()), '');
  });
  try {
    return await Promise.race([textOf(subject, sources), late]);
  } finally {
    clearTimeout(timer);
  }
}
