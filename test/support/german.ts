import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { KaizenError } from '../../src/core/errors';
import { isSentence, type Sentence } from '../../src/core/sentence';

const GERMAN = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Record<string, string>;

/** What a person with a German editor reads. Fails where a sentence, or one within it, has no German text. */
export function inGerman(said: Sentence | string): string {
  if (!isSentence(said)) return said;
  const text = GERMAN[said.text];
  assert.ok(text, `not translated: ${said.text}`);
  return text.replace(/\{(\d+)\}/g, (_, at: string) => {
    const value = said.values[Number(at)]!;
    return typeof value === 'number' ? String(value) : inGerman(value);
  });
}

/** An error as `errorInWords` says it. Fails where its message or its hint is in English only. */
export function errorInGerman({ said }: Pick<KaizenError, 'said'>): string {
  return said
    .map((part) => {
      assert.ok(isSentence(part), `in English only: ${part}`);
      return inGerman(part);
    })
    .join(' ');
}
