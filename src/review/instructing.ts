import { findInstructions } from '../safety';
import type { ProposalPreview } from './model';

/** So many are named; a text that holds more is plain enough. */
const MOST = 10;

/** The preview, with what a reviewer should look at twice: text that speaks to agents. What stood there before is not named. */
export function withWarnings(preview: ProposalPreview): ProposalPreview {
  const { title, before, after } = preview;
  const known = new Set(findInstructions(before).map(({ start, end }) => before.slice(start, end)));
  const found = findInstructions(after).filter(({ start, end }) => !known.has(after.slice(start, end)));
  const warnings = [
    ...found.map(({ kind, line }) => `line ${line}: ${kind}`),
    ...findInstructions(title).map(({ kind }) => `title: ${kind}`),
  ].slice(0, MOST);
  return warnings.length === 0 ? preview : { ...preview, warnings };
}
