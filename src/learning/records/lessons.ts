import { sentence } from '../../core/sentence';
import type { Lesson, ProjectRecord } from '../records-model';
import type { LessonInput } from '../workflows-model';
import { checkAddresses, checkGiven, checkLine, checkLong, checkName, checkVisibility } from './checks';
import { uriOf } from './kinds';
import { given, type Plan, putting, type Writing } from './writing';

const LONGEST_TITLE = 120;

/** Throws `unknown_lesson`, `unknown_project`. */
export function planLesson(input: LessonInput, writing: Writing): Plan {
  const existing = input.id === undefined ? undefined : writing.require('lesson', input.id);
  const project = input.project_id === undefined ? undefined : writing.require('project', input.project_id);
  const title = checkName(input.title, sentence('title'));
  const said = given({
    context: input.context === undefined ? undefined : checkLong(input.context, sentence('context')),
    recommendation:
      input.recommendation === undefined ? undefined : checkLong(input.recommendation, sentence('recommendation')),
    project_type: checkLine(input.project_type, sentence('project type')) ?? project?.project_type,
    domain: checkLine(input.domain, sentence('domain')) ?? project?.domain,
    sources: sourcesOf(input.sources, project),
    project_id: project?.id,
    visibility: input.visibility && checkVisibility(input.visibility),
  });
  return putting('lesson', {
    ...(existing ?? emptyLesson(title, writing)),
    ...said,
    title,
    lesson: checkGiven(input.lesson, sentence('lesson')),
    updated_at: writing.at,
  });
}

/**
 * The lessons of a project's outcome as records of their own, so that they are found without the project. One that the
 * project has taught already is not captured again.
 */
export function lessonsOf(project: ProjectRecord, writing: Writing): Lesson[] {
  const captured = writing.all('lesson', { field: 'project_id', value: project.id });
  const known = new Set(captured.map(({ lesson }) => lesson));
  return project.lessons_learned
    .filter((lesson) => !known.has(lesson))
    .map((lesson) => {
      const title = titleFrom(lesson);
      return {
        ...emptyLesson(title, writing),
        context: [`Project: ${project.name}.`, project.outcome_summary ?? ''].join(' ').trim(),
        lesson,
        project_type: project.project_type,
        domain: project.domain,
        sources: [uriOf('project', project)],
        project_id: project.id,
        visibility: project.visibility,
        owner: project.owner,
      };
    });
}

function emptyLesson(title: string, writing: Writing): Lesson {
  return {
    ...writing.begun('lesson', title),
    title,
    context: '',
    lesson: '',
    recommendation: '',
    sources: [],
    visibility: 'personal',
    owner: writing.person,
  };
}

/** The project is a source of what was learned in it. */
function sourcesOf(sources: readonly string[] | undefined, project: ProjectRecord | undefined): string[] | undefined {
  if (sources === undefined && !project) return undefined;
  return [
    ...new Set([...checkAddresses(sources, sentence('sources')), ...(project ? [uriOf('project', project)] : [])]),
  ];
}

/** The first sentence, on one line, cut between words. */
export function titleFrom(lesson: string): string {
  const line = lesson.replace(/\p{Cc}+/gu, ' ').trim();
  const sentence = /^.*?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line;
  if (sentence.length <= LONGEST_TITLE) return sentence.replace(/[.。]$/, '') || sentence;
  return `${sentence.slice(0, LONGEST_TITLE).replace(/\s+\S*$|\p{Cs}$/u, '')}…`;
}
