import { sentence } from '../core/sentence';
import { findInstructions } from '../safety';
import type { ProposalPreview } from './model';

/** So many are named; a text that holds more is plain enough. */
const MOST = 10;

/** The preview, with what a reviewer should look at twice: text that speaks to agents. What stood there before is not named. */
export async function withWarnings(preview: ProposalPreview): Promise<ProposalPreview> {
  const { title, before, after } = preview;
  const known = new Set((await findInstructions(before)).map(({ start, end }) => before.slice(start, end)));
  const found = (await findInstructions(after)).filter(({ start, end }) => !known.has(after.slice(start, end)));
  const warnings = [
    ...found.map(({ kind, line }) => sentence('line {0}: {1}', line, kind)),
    ...(await findInstructions(title)).map(({ kind }) => sentence('title: {0}', kind)),
  ].slice(0, MOST);
  return warnings.length === 0 ? preview : { ...preview, warnings };
}
