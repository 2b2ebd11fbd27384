import { join } from 'node:path';
import { sentence } from '../core/sentence';
import { copilotPlace } from './copilot-place';
import { agentGuide, namedScope } from './guide';
import { findSection, withoutSection, withSection } from './marked-section';
import type { AgentClient, AgentSurroundings } from './model';
import type { PieceNote, PieceReading, PieceWriter } from './piece';
import { claudeCodeTraces, cursorTraces } from './traces';

/** A file that agents read at the start of every session, and where in the workspace it is. */
interface InstructionFile {
  path: readonly string[];
  client: AgentClient | undefined;
  traces(around: AgentSurroundings): string[];
  /** What stands above the section in a file that Kaizen makes. */
  head?: string;
  notes?(text: string | undefined): PieceNote[];
}

/** Cursor's rules are files with a front matter; `alwaysApply` puts one into every request (https://cursor.com/docs/context/rules). */
const CURSOR_HEAD = `---
description: What this project knows, and when to ask for it
alwaysApply: true
---
`;

const IMPORTED = sentence('Read twice here: it imports AGENTS.md, which reaches Claude Code by that.');

const FILES: readonly InstructionFile[] = [
  {
    // Read by Cursor, Copilot, Codex and others (https://agents.md).
    path: ['AGENTS.md'],
    client: undefined,
    traces: (around) => [
      ...cursorTraces(around),
      ...copilotPlace(around).traces,
      join(around.workspace, '.vscode'),
      join(around.workspace, '.codex'),
      join(around.platform.home, '.codex'),
      join(around.platform.home, '.copilot'),
    ],
  },
  {
    path: ['CLAUDE.md'],
    client: 'claude-code',
    traces: claudeCodeTraces,
    notes: (text) => (text !== undefined && importsAgents(text) ? [{ sentence: IMPORTED, isCovered: true }] : []),
  },
  { path: ['.github', 'copilot-instructions.md'], client: undefined, traces: () => [] },
  {
    path: ['.cursor', 'rules', 'kaizen.mdc'],
    client: 'cursor',
    traces: cursorTraces,
    head: CURSOR_HEAD,
  },
];

/** A guide for agents, as a marked section of each file that agents read. */
export const INSTRUCTION_WRITERS: readonly PieceWriter[] = FILES.map(instructionWriter);

function instructionWriter({ path, client, traces, head, notes }: InstructionFile): PieceWriter {
  const name = path.join('/');
  return {
    id: `instructions:${name}`,
    kind: 'instructions',
    client,
    title: name,
    place: (around) => ({ file: join(around.workspace, ...path), place: 'workspace', traces: traces(around) }),
    read: (text, around) => readingOf(text, around),
    write(text, around) {
      if (text !== undefined && readingOf(text, around) === 'current') return text;
      const body = sectionBody(around.project);
      return text === undefined && head !== undefined ? withSection(head, body) : withSection(text, body);
    },
    remove(text) {
      const rest = withoutSection(text);
      return rest === head ? undefined : rest;
    },
    ...(notes ? { notes } : {}),
  };
}

/**
 * A section that names no scope is right in every project, and one that does is right where nobody knows better: a file
 * that a team shares would be another one on each machine otherwise.
 */
function readingOf(text: string | undefined, { project }: AgentSurroundings): PieceReading {
  const section = text === undefined ? undefined : findSection(text);
  if (section === undefined) return 'absent';
  if ('unreadable' in section) return section;
  const named = project ?? namedScope(section.body);
  return section.body === sectionBody(named) || section.body === sectionBody(undefined) ? 'current' : 'outdated';
}

/** What stands between the marks; the same in every file, so that files that are one by a link agree. */
function sectionBody(project: string | undefined): string {
  return `<!-- Written by Kaizen, which brings it up to date and removes it: "kaizen setup". Changes in here are lost. -->

## What this project knows

${agentGuide(project)}`;
}

/** Claude Code puts the file in for `@AGENTS.md`, except in code (https://code.claude.com/docs/en/memory, "CLAUDE.md imports"). */
function importsAgents(text: string): boolean {
  const withoutCode = text.replace(/^(`{3,}|~{3,})[\s\S]*?^\1[`~]*[ \t]*$/gm, '').replace(/`[^`\n]*`/g, '');
  return /(?:^|\s)@(?:\.\/)?AGENTS\.md(?![\w/.-]*\w)/m.test(withoutCode);
}
