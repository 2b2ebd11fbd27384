import { sentence } from '../../core/sentence';
import type { AskedDay, AskedQuery, LearningCounts, UseCount } from '../feedback-model';
import { list, maybe, number, object, type Shape, text, time, wrong } from './shapes';

const MOST = 1_000_000_000;
const MOST_ROWS = 50_000;
const tool = text(100, { min: 1, singleLine: true });

const count: Shape<number> = (value, where) => {
  const read = number(MOST)(value, where);
  if (!Number.isInteger(read)) throw wrong(where, sentence('is no whole number'));
  return read;
};

const day: Shape<string> = (value, where) => {
  const read = time(value, where);
  if (!/^\d{4}-\d\d-\d\d$/.test(read)) throw wrong(where, sentence('is no day'));
  return read;
};

/** What a file has to say of what was given, used and asked. */
export const COUNTS_SHAPE: Shape<LearningCounts> = object<LearningCounts>({
  uses: list(
    object<UseCount>({
      artifact: text(4_096, { min: 1, singleLine: true }),
      retrieved: count,
      used: count,
      last_retrieved: maybe(time),
      last_used: maybe(time),
    }),
    MOST_ROWS,
  ),
  queries: list(
    object<AskedQuery>({
      tool,
      query: text(300, { min: 1, singleLine: true }),
      times: count,
      unanswered: count,
      last_results: count,
      last_best: number(1),
      first_asked: time,
      last_asked: time,
    }),
    MOST_ROWS,
  ),
  days: list(object<AskedDay>({ day, tool, times: count, unanswered: count }), MOST_ROWS),
});
