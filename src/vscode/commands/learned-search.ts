import * as vscode from 'vscode';
import { learningUri } from '../../core/knowledge-uri';
import type { KaizenParts } from '../../kaizen';
import { type FoundRecord, LEARNED_KINDS, type LearnedKind, type LearningPart } from '../../learning';
import { learnedReference } from '../agent-reference';
import { cut, withoutIcons } from '../messages';
import { learnedIcon, learnedKindName, titleOfRecord } from '../views';
import { openRecord } from './artifact-commands';
import type { CommandContext } from './command';
import { nothingFound } from './entry-pick';
import { livePick, type PickItem } from './live-pick';
import { RatedLines } from './rated-lines';

/** More than anybody reads: another word finds it sooner. */
const MOST_HITS = 40;
/** Below that, a record shares a frequent word with what is asked, and no more. */
const LEAST_FIT = 0.05;
const DETAIL_CHARACTERS = 160;
const SHOWN_MS = 4_000;

/** Lets the person search captured records with each key, and opens the one that is chosen.
 * @param text what to look for first */
export async function findLearned(context: CommandContext, text: unknown): Promise<void> {
  const parts = await context.learning.start();
  const title = vscode.l10n.t('Find What Was Learned');
  const rated = new RatedLines(context, parts);
  const asked = typeof text === 'string' ? text : undefined;
  const found = await pickRecord(parts, { title, text: asked, shown: { context, rated } });
  if (!found) return;
  rated.opened(found.uri);
  await openRecord(found.kind, found.id);
}

/** Lets the person look for a captured record; with nothing typed, what was changed last. Undefined on cancel. */
export async function pickRecord(
  { learning }: KaizenParts,
  options: {
    title: string;
    kinds?: readonly LearnedKind[] | undefined;
    text?: string | undefined;
    /** Has the list follow what is captured meanwhile, and say how each served. */
    shown?: { context: CommandContext; rated: RatedLines } | undefined;
  },
): Promise<FoundRecord | undefined> {
  const { title, kinds = LEARNED_KINDS, text, shown } = options;
  const fits = new Map<string, number>();
  let running = new AbortController();
  try {
    return await livePick<FoundRecord>({
      title,
      placeholder: vscode.l10n.t('Words of a lesson, a decision, a pattern, a template or a project'),
      value: text,
      search: (query) => {
        running.abort();
        running = new AbortController();
        return itemsFor({ learning, kinds, fits, rated: shown?.rated }, query.trim(), running.signal);
      },
      // A line that was just rated stays where it is.
      onDidChange: shown && ((again) => learning.onDidChange(({ records }) => records && again())),
      dress: (item, { uri }) => shown?.rated.dress(item, uri) ?? item,
      actions: ({ uri }) => [
        {
          icon: 'copy',
          tooltip: vscode.l10n.t('Copy Reference for Agent'),
          run: (found) => copyLearned([found]),
        },
        ...(shown?.rated.actions<FoundRecord>(uri, fits.get(uri)) ?? []),
      ],
    });
  } finally {
    running.abort();
  }
}

export async function copyLearned(records: readonly FoundRecord[]): Promise<void> {
  if (records.length === 0) return;
  const text = learnedReference(
    records.map((found) => ({ kind: found.kind, uri: found.uri, title: titleOfRecord(found) })),
  );
  await vscode.env.clipboard.writeText(`${text}\n`);
  const what = records.length === 1 ? titleOfRecord(records[0]!) : records.length.toLocaleString(vscode.env.language);
  vscode.window.setStatusBarMessage(`$(copy) ${withoutIcons(vscode.l10n.t('Copied {0}', what))}`, SHOWN_MS);
}

interface Looking {
  learning: LearningPart;
  kinds: readonly LearnedKind[];
  /** How well each was found, by its address. */
  fits: Map<string, number>;
  rated: RatedLines | undefined;
}

async function itemsFor(
  { learning, kinds, fits, rated }: Looking,
  query: string,
  signal: AbortSignal,
): Promise<PickItem<FoundRecord>[]> {
  fits.clear();
  if (query === '') return latest(learning, kinds).map(itemOf);
  const all = await learning.search({ query, kinds, limit: MOST_HITS, signal });
  const fitting = all.filter(({ score }) => score >= LEAST_FIT);
  const hits = fitting.length > 0 ? fitting : all;
  if (hits.length === 0) return [nothingFound(query)];
  for (const { uri, score } of hits) fits.set(uri, score);
  const ranked = rated?.ranked(hits, ({ uri, score }) => ({ artifact: uri, fit: score })) ?? hits;
  return ranked.map(itemOf);
}

function latest(learning: LearningPart, kinds: readonly LearnedKind[]): FoundRecord[] {
  const all = kinds.flatMap((kind) =>
    learning
      .list(kind)
      .slice(0, MOST_HITS)
      .map((record) => ({ kind, id: record.id, uri: learningUri(kind, record.id), record }) as FoundRecord),
  );
  const isOfProduct = (found: FoundRecord) => Number(found.kind === 'pattern' && found.record.is_built_in);
  const changed = ({ record }: FoundRecord) => record.updated_at;
  return all.sort((a, b) => isOfProduct(a) - isOfProduct(b) || (changed(a) < changed(b) ? 1 : -1)).slice(0, MOST_HITS);
}

function itemOf(found: FoundRecord): PickItem<FoundRecord> {
  const facts = [learnedKindName(found.kind), found.record.domain];
  return {
    label: withoutIcons(titleOfRecord(found)),
    description: withoutIcons(facts.filter(Boolean).join(' · ')),
    detail: withoutIcons(cut(saidBy(found), DETAIL_CHARACTERS)),
    iconPath: learnedIcon(found.kind),
    // It was found by us, in more than what the line shows.
    alwaysShow: true,
    hit: found,
  };
}

function saidBy({ kind, record }: FoundRecord): string {
  if (kind === 'lesson') return record.lesson;
  return kind === 'decision' ? record.decision : record.description;
}
