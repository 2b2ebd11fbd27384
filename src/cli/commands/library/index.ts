import type { CommandGroup } from '../../command';
import { acquire } from './acquire';
import { add } from './add';
import { assess, preflight } from './coverage';
import { describe, refresh, remove } from './keep';
import { list } from './list';
import { requests } from './requests';
import { search } from './search';
import { init, roles } from './server';
import { show } from './show';
import { stats } from './stats';

export const library: CommandGroup = {
  name: 'library',
  summary: 'Documents and web pages with their sources: add, search, tell what is covered',
  details: [
    'The library is a folder beside the shared store, another one with --library DIR, or PostgreSQL, which KAIZEN_LIBRARY',
    'names best: postgres://user:password@host:5432/database. docs/library.md describes it.',
  ].join('\n'),
  commands: [
    add,
    list,
    show,
    search,
    refresh,
    describe,
    remove,
    assess,
    preflight,
    acquire,
    requests,
    stats,
    init,
    roles,
  ],
};
