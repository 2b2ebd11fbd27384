/**
 * What other tools keep: their files of rules, decisions, graphs and lines, read into entries and compared with what is
 * stored, for a person to look through (docs/import-export.md). Stores nothing.
 */
export { type ComparedDraft, compareDrafts, type Likeness, type Standing, type StoredText } from './comparing';
export {
  type Leftover,
  RULE_KINDS,
  type RuleDraft,
  type RuleFile,
  type RuleFileOutcome,
  type RuleKind,
  type RulesReading,
  type RulesSource,
} from './model';
export { dataKind, mostBytesOf, type OpeningOptions, openRules } from './opening';
export { readRules } from './reading';
export { kindOf } from './recognising';
export { draftPlaces, recordsOf, type StoringOptions, tellDraftPlaces } from './records';
export { type DraftFlag, type ReviewedDraft, reviewDrafts } from './reviewing';
