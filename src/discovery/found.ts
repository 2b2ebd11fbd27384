import type { BasesPart } from '../bases';
import { Turns } from '../core/turns';
import { type MatchedWord, type QuerySyntax, snippetOf } from '../search';
import type { Found } from './model';
import { Naming } from './naming';
import { type Subject, titleOf, typeOf } from './subject';

/** Texts that are read for snippets at once; those of other hits are shown without one when reading takes longer than this. */
const SNIPPET_MS = 60;

/** What was found as a person sees it, with a part of the text; texts that take long to read are left out. */
export async function foundWith(
  found: readonly { subject: Subject; score: number; matched?: readonly MatchedWord[] | undefined }[],
  bases: BasesPart,
  query: string,
  syntax: QuerySyntax,
): Promise<Found[]> {
  const naming = new Naming(bases);
  const until = performance.now() + SNIPPET_MS;
  const texts = await Promise.all(found.map(({ subject }) => textOf(subject, bases, until)));
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

async function textOf(subject: Subject, bases: BasesPart, until: number): Promise<string> {
  if (subject.kind === 'entry') return subject.entry.content;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, until - performance.now()), '');
  });
  try {
    return await Promise.race([bases.content(subject.node).catch(() => ''), late]);
  } finally {
    clearTimeout(timer);
  }
}
