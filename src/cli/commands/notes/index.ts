import type { CommandGroup } from '../../command';
import { changes } from './changes';
import { check } from './check';
import { collect, collections } from './collections';
import { create } from './create';
import { deleteNote } from './delete';
import { download } from './download';
import { get } from './get';
import { link, links, unlink } from './links';
import { list } from './list';
import { migrate } from './migrate';
import { publish } from './publish';
import { rename } from './rename';
import { search } from './search';
import { undo } from './undo';
import { update } from './update';

export const notes: CommandGroup = {
  name: 'notes',
  summary: "Keep notes as Markdown files: the project's, yours, and those of the registry",
  details: [
    'A note is looked for in the project, then among yours. The registry is asked only where a call names it.',
    'docs/notes.md describes the files, docs/registry.md the registry.',
  ].join('\n'),
  commands: [
    list,
    search,
    get,
    create,
    update,
    rename,
    deleteNote,
    link,
    unlink,
    links,
    collections,
    collect,
    publish,
    download,
    changes,
    undo,
    check,
    migrate,
  ],
};
