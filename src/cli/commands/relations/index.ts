import type { CommandGroup } from '../../command';
import { add, remove, tidy } from './change';
import { find, show } from './look';

export const relations: CommandGroup = {
  name: 'relations',
  summary: 'What causes, supports, contradicts or replaces what: add, find, follow',
  details: 'Between entries, notes, nodes, documents, passages and captured records. docs/relations.md describes it.',
  commands: [add, remove, show, find, tidy],
};
