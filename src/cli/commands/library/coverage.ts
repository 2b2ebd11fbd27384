import {
  type CoverageAssessment,
  DEPTH_THRESHOLDS,
  type Depth,
  type Preflight,
  RECENCY_REQUIREMENTS,
  REQUIRED_AUTHORITIES,
  WORKFLOW_TYPES,
  WORKFLOWS,
} from '../../../library';
import { type Command, expectWords, UsageError } from '../../command';
import { chosen } from '../../discovery-arguments';
import { counted, indent, type Terminal, table } from '../../terminal';
import { EVERY_LIBRARY_COMMAND, listOf, wholeLibrary, withLibrary } from './arguments';
import { bar, citationLine, gapLines, recommendationLines } from './wording';

const DEPTHS = Object.keys(DEPTH_THRESHOLDS) as Depth[];

export const assess: Command = {
  name: 'library assess',
  usage: ['library assess TOPIC [--depth DEPTH] [--authority LEVEL] [--recency NEED] [--workflow NAME]'],
  summary: 'How well the library covers a topic, and what is missing',
  options: {
    depth: { type: 'string', value: 'DEPTH', help: `${DEPTHS.join(', ')}; working unless told` },
    authority: { type: 'string', value: 'LEVEL', help: `${REQUIRED_AUTHORITIES.join(', ')}; reputable unless told` },
    recency: { type: 'string', value: 'NEED', help: `${RECENCY_REQUIREMENTS.join(', ')}; any unless told` },
    workflow: { type: 'string', value: 'NAME', help: `${WORKFLOWS.join(', ')}; general unless told` },
    ...EVERY_LIBRARY_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['TOPIC']);
    const request = {
      topic: args.positionals[0]!,
      required_depth: chosen(args, 'depth', DEPTHS),
      required_authority: chosen(args, 'authority', REQUIRED_AUTHORITIES),
      recency_requirement: chosen(args, 'recency', RECENCY_REQUIREMENTS),
      workflow_context: chosen(args, 'workflow', WORKFLOWS),
    };
    return withLibrary(args, terminal, async (session) => {
      await wholeLibrary(session, terminal);
      const assessment = await session.library.assessCoverage({ ...request, signal: session.change.signal });
      if (terminal.isJson) terminal.json(assessment);
      else showAssessment(assessment, terminal);
      return 0;
    });
  },
};

export const preflight: Command = {
  name: 'library preflight',
  usage: ['library preflight WORKFLOW DESCRIPTION [--topic TEXT]... [--standard ID]... [--domain TEXT]'],
  summary: 'Whether the library is enough for a workflow, over all the topics that it needs',
  details: `WORKFLOW is ${WORKFLOW_TYPES.join(', ')}. The exit code is 1 when the library is not ready for it.`,
  options: {
    topic: { type: 'string', multiple: true, value: 'TEXT', help: 'a topic that it needs; may be repeated' },
    standard: { type: 'string', multiple: true, value: 'ID', help: 'a standard that it needs; may be repeated' },
    domain: { type: 'string', value: 'TEXT', help: 'the field it is in' },
    ...EVERY_LIBRARY_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['WORKFLOW', 'DESCRIPTION']);
    const [word, workflow_description = ''] = args.positionals;
    const workflow_type = WORKFLOW_TYPES.find((each) => each === word);
    if (workflow_type === undefined) {
      throw new UsageError(`WORKFLOW is ${WORKFLOW_TYPES.join(', ')}, not "${word}".`);
    }
    const request = {
      workflow_type,
      workflow_description,
      key_topics: listOf(args, 'topic'),
      required_standards: listOf(args, 'standard'),
      domain: args.string('domain'),
    };
    return withLibrary(args, terminal, async (session) => {
      await wholeLibrary(session, terminal);
      const result = await session.library.preflight({ ...request, signal: session.change.signal });
      if (terminal.isJson) terminal.json(result);
      else showPreflight(result, terminal);
      return result.ready ? 0 : 1;
    });
  },
};

function showAssessment(assessment: CoverageAssessment, terminal: Terminal): void {
  const { topic, coverage_score, confidence_score, authority_score, recency_score, weights, evidence } = assessment;
  const { sources_found, chunks_found } = assessment;
  terminal.out(terminal.paint('bold', topic));
  terminal.out(
    table([
      ['overall', bar(assessment.overall_score), assessment.overall_level.replaceAll('_', ' ')],
      ['coverage', bar(coverage_score), weighing(weights.coverage)],
      ['confidence', bar(confidence_score), weighing(weights.confidence)],
      ['authority', bar(authority_score), weighing(weights.authority)],
      ['recency', bar(recency_score), weighing(weights.recency)],
    ]),
  );
  terminal.out(`${counted(chunks_found, 'passage')} in ${counted(sources_found, 'source')}.`);
  conclude(assessment, terminal);
  section('Evidence', table(evidence.map(citationLine)), terminal);
}

function showPreflight(result: Preflight, terminal: Terminal): void {
  const ready = result.ready ? terminal.paint('green', 'ready') : terminal.paint('red', 'not ready');
  terminal.out(`${ready}  ${bar(result.overall_score)}  ${result.overall_level.replaceAll('_', ' ')}`);
  const topics = result.topics.map(({ topic, overall_score, overall_level, recommendation }) => [
    bar(overall_score),
    overall_level.replaceAll('_', ' '),
    recommendation,
    result.derived_topics.includes(topic) ? `${topic} ${terminal.paint('dim', '(from the description)')}` : topic,
  ]);
  section('Topics', table(topics), terminal);
  const standards = result.standards.map(({ standard, found, documents }) => [
    found ? terminal.paint('green', 'there') : terminal.paint('red', 'missing'),
    standard,
    documents.join(', '),
  ]);
  section('Standards', table(standards), terminal);
  conclude(result, terminal);
}

function conclude(result: CoverageAssessment | Preflight, terminal: Terminal): void {
  const { recommendation, recommendation_rationale, gaps, acquisition_recommendations } = result;
  terminal.out(`\n${terminal.paint('bold', recommendation.replaceAll('_', ' '))}: ${recommendation_rationale}`);
  section('What is missing', gapLines(gaps, terminal), terminal);
  section('What to do', recommendationLines(acquisition_recommendations), terminal);
  section('If you go on as it is', result.caveats_if_proceeding.map((each) => `- ${each}`).join('\n'), terminal);
}

function section(title: string, text: string, terminal: Terminal): void {
  if (text !== '') terminal.out(`\n${terminal.paint('bold', title)}\n${indent(text)}`);
}

function weighing(weight: number): string {
  return `counts ${Math.round(weight * 100)} %`;
}
