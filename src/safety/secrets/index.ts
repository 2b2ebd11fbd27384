import { inTurns, Turns } from '../../core/turns';
import type { SecretFinding } from '../model';
import { findInAddresses } from './addresses';
import { findAssignments } from './assignments';
import { findPrivateKeys } from './private-keys';
import { type Found, findByRule, TOKEN_RULES } from './rules';
import { PRESET } from './secretlint';

/**
 * Secrets in texts. A bundle of its own, loaded with the first text that is written: most of it is secretlint's.
 */

/** Everything but private keys, which may be longer than a piece. The first that finds a place names it. */
const SEARCHES: readonly ((text: string) => Found[])[] = [
  ...TOKEN_RULES.map((rule) => (text: string) => findByRule(rule, text)),
  ...PRESET,
  findInAddresses,
  findAssignments,
];

/** What every token begins with, or stands behind: a text without any of them has none, and most texts have none. */
const HINTS =
  /AKIA|ASIA|secret|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|xox|xapp-|hooks\.slack|npm_|:_(?:auth|password)|pypi-|[sr]k_(?:live|test)|whsec_|AIza|GOCSPX|ya29\.|AccountKey|SharedAccessKey|sig=|\dQ~|sk-|hf_|SG\.|SK[0-9a-f]{8}|do[opr]_v1_|dckr_|dapi|hv[sbr]\.|ATATT3|:AA|AGE-SECRET|eyJ|Bearer|Basic|shp(?:at|ca|pa|ss)_|lin_api|ops_ey|x-oauth|aws.{0,20}sk/i;
const TEXTUAL = [findInAddresses, findAssignments];

/** Characters that are searched in one go; so many more are seen before and behind, longer than nearly all secrets. */
const PIECE = 32_768;
const BEFORE = 256;
const BEHIND = 8_192;

/** All secrets of a text, in its order, none within another. In short turns, however long the text is. */
export async function findSecretsIn(text: string, signal?: AbortSignal): Promise<SecretFinding[]> {
  const turns = new Turns(signal);
  const found = await inTurns(findPrivateKeys(text), turns);
  for (let from = 0; from < text.length; from += PIECE) {
    const begin = Math.max(0, from - BEFORE);
    const piece = text.slice(begin, from + PIECE + BEHIND);
    for (const search of HINTS.test(piece) ? SEARCHES : TEXTUAL) {
      for (const { start, end, ...name } of search(piece)) {
        // What begins elsewhere is found there, with what stands around it.
        if (begin + start >= from && begin + start < from + PIECE) {
          found.push({ ...name, start: begin + start, end: begin + end });
        }
      }
      await turns.pause();
    }
  }
  return located(text, apart(found));
}

/** Those that overlap are one, named by the first that was found. */
function apart(found: readonly Found[]): Found[] {
  const sorted = [...found].sort((a, b) => a.start - b.start);
  const result: Found[] = [];
  for (const each of sorted) {
    const last = result.at(-1);
    if (!last || each.start >= last.end) result.push({ ...each });
    else if (each.end > last.end) last.end = each.end;
  }
  return result;
}

function located(text: string, found: readonly Found[]): SecretFinding[] {
  let [line, lineStart] = [1, 0];
  return found.map((each) => {
    for (let next = text.indexOf('\n', lineStart); next !== -1 && next < each.start; ) {
      line++;
      lineStart = next + 1;
      next = text.indexOf('\n', lineStart);
    }
    return { ...each, line, column: each.start - lineStart + 1 };
  });
}
