import { globTexts } from '../hooks/glob-texts';
import type { GuardRule, RuleOutline } from '../model';

export function outlineOf({ applies_to, matches, needs }: GuardRule): RuleOutline {
  if (applies_to !== null) return globTexts(applies_to);
  return matches === null ? [] : needs;
}
