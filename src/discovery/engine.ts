import { join } from 'node:path';
import type { Sentence } from '../core/sentence';
import {
  createSearchIndex,
  createSemanticIndex,
  HybridSearch,
  Passages,
  type SearchIndex,
  SegmentCache,
  type SemanticIndex,
} from '../search';
import { NamedFiles } from './current-file';
import { EntryFeed } from './entry-feed';
import { FindingForPeople } from './finding-for-people';
import { Indexing } from './indexing';
import { NodeFeed } from './node-feed';
import { NoteFeed } from './note-feed';
import { NoteView } from './note-view';
import type { DiscoveryOptions } from './options';
import { Recommending } from './recommending';
import { Retrieving } from './retrieving';
import { Searching } from './searching';
import { SearchingNotes } from './searching-notes';
import { sourceOf } from './sources';
import { Viewpoint } from './viewpoint';

const SEGMENTS = 'segments';

/** The parts that discovery works with, made when it is first used. */
export interface Engine {
  index: SearchIndex;
  semantic: SemanticIndex;
  passages: Passages;
  indexing: Indexing;
  viewpoint: Viewpoint;
  named: NamedFiles;
  recommending: Recommending;
  searching: Searching;
  searchingNotes: SearchingNotes;
  retrieving: Retrieving;
  people: FindingForPeople;
}

export function createEngine(
  options: DiscoveryOptions,
  onProgress: () => void,
  /** Why there is no embedder though one was asked for. */
  embeddingProblem: () => Sentence | string | undefined,
): Engine {
  const { knowledge, bases, notes, clock, workspace, onEntriesChanged } = options;
  const log = options.log ?? (() => {});
  const index = createSearchIndex();
  const semantic = createSemanticIndex({ cacheDirectory: options.embeddingsDirectory, log });
  const { cacheDirectory } = options;
  const cache = cacheDirectory === undefined ? undefined : new SegmentCache(join(cacheDirectory, SEGMENTS), log);
  const passages = new Passages(index, semantic, cache);
  const entries = new EntryFeed(knowledge, passages);
  const nodes = new NodeFeed(bases, passages);
  const indexing = new Indexing({
    ...{ entries, nodes, notes: new NoteFeed(notes, passages), passages },
    ...{ bases, spaces: notes, onEntriesChanged, onProgress, log },
  });
  const hybrid = new HybridSearch(index, semantic, embeddingProblem, sourceOf);
  const viewpoint = new Viewpoint(knowledge, options.project);
  const named = new NamedFiles(bases);
  const noteView = new NoteView(notes, bases, index);
  const known = { knowledge, bases, notes, noteView, viewpoint };
  void cache?.tidy();
  return {
    index,
    semantic,
    passages,
    indexing,
    viewpoint,
    named,
    recommending: new Recommending({
      ...known,
      hybrid,
      tally: entries.tally,
      named,
      clock,
      workspace,
      learned: options.learned,
    }),
    searching: new Searching({ ...known, hybrid }),
    searchingNotes: new SearchingNotes({ notes, noteView, hybrid }),
    retrieving: new Retrieving(known),
    people: new FindingForPeople({ ...known, index }),
  };
}
