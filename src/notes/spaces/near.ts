import { distance } from 'fastest-levenshtein';
import { compareText } from '../../core/text';
import { idKey } from '../format/ids';

/** Ids that are compared at most, and steps of comparing them. */
const MAX_COMPARED = 20_000;
const MAX_STEPS = 2_000_000;
const MAX_NEAR = 3;

/** Up to three ids that are most like the one that was asked for, or begin or end with it. */
export function nearIds(wanted: string, ids: Iterable<string>): string[] {
  const key = idKey(wanted).slice(0, 200);
  const allowed = Math.max(2, Math.floor(key.length / 3));
  const near: { id: string; far: number }[] = [];
  let compared = 0;
  let steps = 0;
  for (const id of ids) {
    if (++compared > MAX_COMPARED || steps > MAX_STEPS) break;
    const other = idKey(id);
    const isPart = key.length > 2 && (other.startsWith(key) || other.endsWith(key));
    const isAlike = Math.abs(other.length - key.length) <= allowed;
    // The distance takes 32 letters at once.
    if (isAlike) steps += Math.ceil(key.length / 32) * other.length;
    const far = isAlike ? distance(other, key) : Number.POSITIVE_INFINITY;
    if (far <= allowed || isPart) near.push({ id, far: Math.min(far, allowed + 1) });
  }
  near.sort((a, b) => a.far - b.far || compareText(a.id, b.id));
  return near.slice(0, MAX_NEAR).map(({ id }) => id);
}
