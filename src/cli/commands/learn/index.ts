import type { CommandGroup } from '../../command';
import { changes, undo } from './changes';
import { decision } from './decision';
import { exportLearned, importLearned } from './exchange';
import { feedback } from './feedback';
import { health } from './health';
import { lesson } from './lesson';
import { pattern } from './pattern';
import { project } from './project';
import { report } from './report';
import { score } from './score';
import { search } from './search';
import { stale } from './stale';
import { template } from './template';

export const learn: CommandGroup = {
  name: 'learn',
  summary: 'What was planned, what came of it, what it taught, and what works',
  details: 'Captured records lie in the shared store. docs/learning.md describes them.',
  commands: [
    project,
    template,
    lesson,
    decision,
    pattern,
    search,
    feedback,
    score,
    report,
    health,
    stale,
    changes,
    undo,
    exportLearned,
    importLearned,
  ],
};
