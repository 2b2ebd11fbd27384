import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokens } from '../../src/core/tokens';

const PIECE = 2_500;

function pieces(text: string): string[] {
  const all = [];
  for (let at = 0; at < text.length; at += PIECE) all.push(text.slice(at, at + PIECE).replace(/\p{Cs}/gu, ''));
  return all.filter((piece) => piece.length > 400);
}

function filesIn(folder: string, ending: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));
  return names
    .sort()
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n');
}

const GERMAN = `Wer ein Schiff in den Hafen bringt, meldet sich spätestens zwei Stunden vorher bei der Lotsenstation. Die Anmeldung enthält den Namen des Schiffes, seine Länge, den größten Tiefgang und die Zahl der Personen an Bord. Bei starkem Wind entscheidet der diensthabende Kapitän, ob ein Schlepper bereitstehen muss; seine Entscheidung gilt auch dann, wenn der Liegeplatz bereits zugewiesen wurde.

Gefährliche Güter werden getrennt aufgeführt. Fehlt das Sicherheitsdatenblatt, so darf die Ladung nicht gelöscht werden, und die Hafenbehörde wird unverzüglich benachrichtigt. Änderungen an diesen Regeln bespricht die Arbeitsgruppe in ihrer monatlichen Sitzung. Nach jeder Übung wird aufgeschrieben, was gut gelungen ist und was verbessert werden sollte, damit neue Kolleginnen und Kollegen davon lernen können.`;

const CHINESE = `船舶进港前两小时必须向引航站报告。报告内容包括船名、船长、最大吃水深度和船上人数。风力较大时，由值班船长决定是否需要拖轮协助；即使泊位已经分配，他的决定仍然有效。危险货物应当单独列出。如果没有安全数据表，货物不得卸下，并应立即通知港口管理部门。每次演习之后都要写下哪些做得好，哪些需要改进，以便新同事学习。工作组在每月的会议上讨论这些规则的修改。系统会自动保存所有的更改，用户可以随时查看历史记录并恢复到以前的版本。`;

const JAPANESE = `船を港に入れる人は、遅くとも二時間前に水先案内所に連絡してください。連絡には船の名前、長さ、最大の喫水、乗っている人の数を含めます。風が強いときは、当直の船長がタグボートを待機させるかどうかを決めます。バースがすでに割り当てられていても、その決定が優先されます。危険な貨物は別に記載します。安全データシートがない場合は荷揚げができず、港湾局にすぐ知らせなければなりません。訓練のあとには、うまくいったことと改善すべきことを書き残し、新しい同僚が学べるようにします。システムはすべての変更を自動的に保存します。`;

const TABLE = [
  '| task type | guideline | protocol | context | owner | last checked |',
  '|-----------|-----------|----------|---------|-------|--------------|',
  ...['implement', 'debug', 'refactor', 'document', 'review', 'design', 'test', 'deploy', 'migrate', 'measure'].map(
    (task, index) =>
      `| ${task.padEnd(9)} | 1.${index % 6} | ${(1 + index / 7).toFixed(2)} | see \`${task}_context\` | pilots | 2026-01-${10 + index} |`,
  ),
].join('\n');

const KINDS: Record<string, string[]> = {
  'English documentation': pieces(filesIn('docs', '.md')),
  'TypeScript code': pieces(filesIn('src/core', '.ts') + filesIn('src/knowledge', '.ts')),
  JSON: [...pieces(readFileSync('package.json', 'utf8')), ...pieces(readFileSync('package.nls.json', 'utf8'))],
  German: [GERMAN],
  'Chinese and Japanese': [CHINESE, JAPANESE],
  table: [TABLE],
};

describe('the estimate of tokens', () => {
  const errorsOf = (texts: readonly string[], count: (text: string) => number) =>
    texts.map((text) => Math.abs(estimateTokens(text) / count(text) - 1));
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

  for (const [name, count] of [
    ['o200k', countO200k],
    ['cl100k', countCl100k],
  ] as const) {
    it(`is within 10 % of ${name} on average, over all kinds of text`, () => {
      const byKind = Object.values(KINDS).map((texts) => mean(errorsOf(texts, count)));
      assert.ok(mean(byKind) < 0.1, String(mean(byKind)));
    });
  }

  it('is within 10 % of the newer vocabulary on average for each kind, and never off by a third', () => {
    for (const [kind, texts] of Object.entries(KINDS)) {
      const errors = errorsOf(texts, countO200k);
      assert.ok(mean(errors) < 0.1, `${kind}: ${mean(errors).toFixed(3)} on average`);
      assert.ok(Math.max(...errors) < 0.33, `${kind}: ${Math.max(...errors).toFixed(3)} at worst`);
    }
  });

  it('is within 5 % of both for English prose, code and JSON', () => {
    for (const kind of ['English documentation', 'TypeScript code', 'JSON']) {
      for (const count of [countO200k, countCl100k]) {
        const error = mean(errorsOf(KINDS[kind]!, count));
        assert.ok(error < 0.05, `${kind}: ${error.toFixed(3)}`);
      }
    }
  });

  it('is nothing for nothing, whole, and never less for more text', () => {
    assert.equal(estimateTokens(''), 0);
    assert.equal(estimateTokens('word'), 1);
    for (const text of ['a', ' ', '\n', '😀', '私', '─'.repeat(50), '\uD83D', '\0']) {
      const tokens = estimateTokens(text);
      assert.ok(Number.isInteger(tokens) && tokens >= 0 && tokens <= 4 * text.length, JSON.stringify(text));
    }
    assert.ok(estimateTokens(GERMAN.repeat(2)) >= 2 * estimateTokens(GERMAN) - 2);
  });

  it('is made for a megabyte, whatever stands in it', () => {
    // Anything quadratic would take longer than a test may.
    for (const unit of ['word and more, ', 'A', 'a1B2.', '私は', '\n \t', '-', '😀', 'ß']) {
      const text = unit.repeat(1_048_576 / unit.length);
      assert.ok(estimateTokens(text) > 0, unit);
    }
  });
});
