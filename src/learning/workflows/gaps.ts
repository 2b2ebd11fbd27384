import { libraryUri } from '../../core/knowledge-uri';
import type { KnowledgeChunk } from '../../library';
import type { Pattern } from '../records-model';
import type { ExploreRequest, Finding, Findings } from '../workflows-model';
import { coverageOf } from './antipatterns';
import { isCommon } from './common-words';
import { rounded } from './confidence';
import { ofChunk, type Passage } from './evidence';
import type { Inquiry } from './inquiry';
import { cut, partsOf, type Sentence, sentencesOf, shared, spelled, stemSet, stemsOf } from './words';

type GapAnalysis = Extract<ExploreRequest, { operation: 'gap_analysis' }>;

const MOST_DOCUMENTS = 5;
const MOST_TOPICS = 300;
/** From this share of a topic's words on it is covered, or partly so. */
const COVERED = 0.6;
const PARTLY = 0.3;
/** The words that a section has most often stand for what it says. */
const KEY_WORDS = 12;
/** What does not oblige may be left out. */
const INFORMATIVE = 0.7;

/** One thing that a content may say or not. */
interface Topic {
  title: string;
  /** What is compared beside the title. */
  words: readonly string[];
  normative: boolean;
  passage: Passage;
  /** What of the reference is quoted. */
  quote: string;
}

type Coverage = 'covered' | 'partly' | 'missing';

/**
 * What a text leaves out (5.4.3): each clause of the reference standards in the library, or each focus area, or what good
 * practice says where there is neither, against the text, by words. The greatest gap first: `semantic_score` is how much
 * of a topic the text does not speak of, less where nothing obliges to.
 */
export async function gapAnalysis(request: GapAnalysis, inquiry: Inquiry): Promise<Findings> {
  const { content, reference_standards = [], focus_areas = [] } = request;
  const { topics, compared, absent } = await topicsFor(request, inquiry);
  const sentences: { sentence: Sentence; stems: ReadonlySet<string> }[] = [];
  // Its headings as well, which are no sentences.
  const said = new Set<string>();
  for (const part of partsOf(content)) {
    for (const stem of stemsOf(part)) said.add(stem);
    for (const sentence of sentencesOf(part)) sentences.push({ sentence, stems: stemSet(sentence.text) });
    await inquiry.turns.pause();
  }
  const findings: Finding[] = [];
  const counts: Record<Coverage, number> = { covered: 0, partly: 0, missing: 0 };
  for (const topic of topics) {
    await inquiry.turns.pause();
    const share = shareOf(topic, said);
    const coverage: Coverage = share >= COVERED ? 'covered' : share >= PARTLY ? 'partly' : 'missing';
    counts[coverage]++;
    const near = coverage === 'missing' ? undefined : bestSentence(topic, sentences);
    const missing = [...new Set([...stemsOf(matterOf(topic.title)), ...topic.words])].filter((stem) => !said.has(stem));
    findings.push(
      inquiry.finding(topic.passage, {
        semantic: (1 - share) * (topic.normative ? 1 : INFORMATIVE),
        content: topic.quote,
        why: WHY[coverage](topic.title),
        details: {
          topic: topic.title,
          coverage,
          share: rounded(share),
          normative: topic.normative,
          ...(near ? { in_content: near.text } : {}),
          missing_words: writtenIn(`${topic.title} ${topic.quote}`, missing).slice(0, 10),
        },
      }),
    );
  }
  return inquiry.answer(inquiry.best(findings), {
    operation: request.operation,
    extra: { compared_with: compared, topics: topics.length, ...counts },
    nothing: 'There is nothing to compare with: name reference standards that are in the library, or focus areas.',
    remarks: [
      absent.length > 0
        ? `Not in the library: ${absent.join(', ')}. Ask for them with knowledge_request_document.`
        : undefined,
      reference_standards.length === 0 && focus_areas.length === 0 && topics.length > 0
        ? 'No reference was named: compared with good practices that come near.'
        : undefined,
      topics.length >= MOST_TOPICS ? `Only the first ${MOST_TOPICS} topics were compared.` : undefined,
    ],
  });
}

const WHY: Record<Coverage, (topic: string) => string> = {
  covered: (topic) => `The text speaks of "${cut(topic, 100)}".`,
  partly: (topic) => `The text speaks of a part of "${cut(topic, 100)}".`,
  missing: (topic) => `The text does not speak of "${cut(topic, 100)}", as far as words tell.`,
};

async function topicsFor(
  { content, reference_standards = [], focus_areas = [] }: GapAnalysis,
  inquiry: Inquiry,
): Promise<{ topics: Topic[]; compared: string[]; absent: string[] }> {
  const { evidence } = inquiry;
  const compared: string[] = [];
  const absent: string[] = [];
  const topics: Topic[] = [];
  const wanted: string[] = [];
  for (const standard of reference_standards) {
    const ids = await evidence.documentsNamed([standard]);
    if (ids.length === 0) absent.push(standard);
    wanted.push(...ids);
  }
  const documents = [...new Set(wanted)].slice(0, MOST_DOCUMENTS);
  for (const id of documents) {
    const chunks = await chunksOf(id, inquiry);
    if (chunks[0]) compared.push(chunks[0].document_title);
    topics.push(...sectionsOf(chunks).filter((topic) => isOfFocus(topic, focus_areas)));
  }
  if (documents.length === 0) {
    for (const area of focus_areas.slice(0, 50)) topics.push(await areaTopic(area, inquiry));
    compared.push(...focus_areas.slice(0, 50));
  }
  if (topics.length === 0 && reference_standards.length === 0 && focus_areas.length === 0) {
    for (const passage of await evidence.search({
      query: content,
      limit: 30,
      places: ['learning'],
      kinds: ['pattern'],
    })) {
      const record = passage.record?.record as Pattern | undefined;
      if (record?.pattern_type !== 'best_practice') continue;
      compared.push(record.name);
      const words = [...new Set(stemsOf(record.mitigations.join(' ')))].slice(0, KEY_WORDS);
      topics.push({ title: record.name, words, normative: false, passage, quote: record.description });
    }
  }
  return { topics: topics.slice(0, MOST_TOPICS), compared, absent };
}

async function chunksOf(id: string, { world, signal, evidence }: Inquiry): Promise<readonly KnowledgeChunk[]> {
  try {
    return await world.library.chunks(id);
  } catch (error) {
    signal?.throwIfAborted();
    evidence.problems.set('library', error instanceof Error ? error.message : String(error));
    return [];
  }
}

/** Short sections stand in one chunk together: its headings part them. */
function sectionsOf(chunks: readonly KnowledgeChunk[]): Topic[] {
  const sections = new Map<string, { chunk: KnowledgeChunk; text: string }[]>();
  for (const chunk of chunks) {
    for (const { title, text } of piecesOf(chunk)) {
      const known = sections.get(title) ?? [];
      known.push({ chunk, text });
      sections.set(title, known);
    }
  }
  return [...sections].map(([title, inside]) => {
    const { chunk, text } = inside.find((each) => each.chunk.normative) ?? inside[0]!;
    return {
      title,
      words: keyWords(inside.map((each) => each.text).join('\n')),
      normative: inside.some((each) => each.chunk.normative === true),
      passage: passageOf(chunk),
      quote: text,
    };
  });
}

function piecesOf({ content, section_title }: KnowledgeChunk): { title: string; text: string }[] {
  const pieces: { title: string; text: string }[] = [];
  let title = section_title;
  let lines: string[] = [];
  const close = () => {
    const text = lines.join('\n').trim();
    if (title !== '' && text !== '') pieces.push({ title, text });
    lines = [];
  };
  for (const line of content.split('\n')) {
    const heading = /^\s{0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$/.exec(line);
    if (!heading) lines.push(line);
    else {
      close();
      title = heading[1]!;
    }
  }
  close();
  return pieces;
}

function passageOf(chunk: KnowledgeChunk): Passage {
  const { id, content, document_id } = chunk;
  const scores = { semantic_score: 0, effectiveness_score: 0, combined_score: 0, score_confidence: 0 };
  const snippet = { text: '', marks: [] };
  return ofChunk({ id, uri: libraryUri(document_id, id), content, ...scores, snippet, matched: [], chunk });
}

function keyWords(text: string): string[] {
  const counts = new Map<string, number>();
  for (const stem of stemsOf(text)) if (stem.length > 2) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, KEY_WORDS)
    .map(([stem]) => stem);
}

function isOfFocus({ title, words }: Topic, areas: readonly string[]): boolean {
  if (areas.length === 0) return true;
  const said = new Set([...stemsOf(title), ...words]);
  return areas.some((area) => shared(stemsOf(area), said).length > 0);
}

/** What is known of an area, as what stands for it; the area's own name where nothing is. */
async function areaTopic(area: string, { evidence }: Inquiry): Promise<Topic> {
  const [passage] = await evidence.search({ query: area, limit: 5 });
  const known: Passage = passage ?? {
    id: area,
    // Nothing is known of it: there is no address.
    uri: '',
    title: area,
    kind: 'focus_area',
    artifact_type: 'pattern',
    text: area,
    semantic: 0,
    matched: [],
    source: { where: 'request', title: area },
    authority: 0,
  };
  return {
    title: area,
    words: [],
    normative: passage?.chunk?.normative === true,
    passage: known,
    quote: passage ? cut(passage.text, 1_000) : area,
  };
}

/** A title and the words of its section count half each; a title of one word, which many a text has, a quarter. */
const TITLE = 0.5;

function shareOf({ title, words }: Topic, said: ReadonlySet<string>): number {
  const ofTitle = coverageOf(matterOf(title), said);
  if (words.length === 0) return ofTitle;
  const ofWords = shared(words, said).length / new Set(words).size;
  const weight = Math.min(TITLE, 0.25 * stemSet(matterOf(title)).size);
  return weight * ofTitle + (1 - weight) * ofWords;
}

function bestSentence(
  { title, words }: Topic,
  sentences: readonly { sentence: Sentence; stems: ReadonlySet<string> }[],
): Sentence | undefined {
  const asked = [...stemsOf(title), ...words];
  let best: { sentence: Sentence; count: number } | undefined;
  for (const { sentence, stems } of sentences) {
    const count = shared(asked, stems).length;
    if (count > (best?.count ?? 0)) best = { sentence, count };
  }
  return best?.sentence;
}

/** A title without the number of its clause, which no text repeats that keeps to it. */
function matterOf(title: string): string {
  const matter = title.replace(/^\s*(?:\d+|[A-Z])(?:\.\d+)*\.?\s+(?=\p{L})/u, '');
  return matter === '' ? title : matter;
}

/** Words by their stems as the text has them, those that tell something. */
function writtenIn(text: string, stems: readonly string[]): string[] {
  const written = spelled(text);
  return stems.filter((stem) => /\p{L}/u.test(stem) && !isCommon(stem)).map((stem) => written.get(stem) ?? stem);
}
