import type { Expansion } from './expansions';
import { operationOf, type Surroundings } from './value-operations';
import type { Variables } from './variables';

/**
 * What `${F%.bak}` is in its words: one, or for a list (`${files[@]%.bak}`) one for each element. `isWhole`: whether each stays
 * one, whatever it holds.
 */
export function operated(
  { name, index, sign, word, written }: Extract<Expansion, { kind: 'operation' }>,
  { isWhole, oneWord }: { isWhole: boolean; oneWord: Surroundings['oneWord'] },
  variables: Variables,
): readonly string[] {
  // What is run inside of it is run, whatever becomes of the value.
  oneWord(word);
  const operation = operationOf(sign, word, { held: (each) => variables.value(each), oneWord });
  const known = index === undefined ? variables.value(name) : variables.elements(name, index);
  const values = known === undefined ? [`\${${name}}`] : typeof known === 'string' ? [known] : known;
  return values.map((value) => variables.changes.word(name, { value, operation, written, isWhole }));
}
