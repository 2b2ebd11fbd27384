import { isDeepStrictEqual } from 'node:util';

/**
 * What is to be stored of something about which a person was asked: what they changed, and of the rest what it says now,
 * for somebody else may have changed that while they thought.
 * @param before what the questions began with
 * @param now the same of what is stored now; what is gone is nothing to go by
 */
export function withOthersChanges<T extends object>(answers: T, before: Partial<T>, now: Partial<T> | undefined): T {
  const isLeft = (name: string) => isDeepStrictEqual(answers[name as keyof T], before[name as keyof T]);
  const taken = Object.entries(now ?? {}).filter(([name]) => isLeft(name));
  return { ...answers, ...Object.fromEntries(taken) };
}
