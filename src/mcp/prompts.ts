import type { Prompt, PromptArgument } from './prompt';

/** The prompts of seed 002 ("MCP Prompts Specification") and for seed 000's session patterns. */

const task: PromptArgument = { name: 'task', description: 'The task to prepare for', required: true };

const projectId: PromptArgument = {
  name: 'project_id',
  description: 'Scope id of the project; the current one unless told',
  required: false,
  completes: 'project',
};

const taskPreparation: Prompt = {
  name: 'task_preparation',
  title: 'Prepare a task',
  description: 'Prepare context before executing a coding task',
  arguments: [task],
  text: (args) => `You are about to perform the following task:
${args.task}

Before proceeding, follow these steps:

1. Call \`discover_context\` with the task description to identify relevant knowledge
2. Present its warnings to me, if there are any
3. Review the recommendations and their relevance scores
4. Call \`retrieve_knowledge\` for items with relevance_score > 0.7, with include_children where their reason says so
5. Read and internalize the retrieved context
6. Only then proceed with the task, applying the guidelines and patterns you learned, and cite them as [path]

If you encounter ambiguity during the task, call \`search_knowledge\` to find specific guidance.`,
};

const knowledgeAudit: Prompt = {
  name: 'knowledge_audit',
  title: 'Audit the knowledge for a task',
  description: 'Verify sufficient context exists before proceeding',
  arguments: [
    { ...task, description: 'The task that the context is for' },
    {
      name: 'loaded_context',
      description: 'List of knowledge base IDs already loaded',
      required: true,
      completes: 'nodes',
    },
  ],
  text: (args) => `Verify that you have sufficient context for the following task:
${args.task}

Knowledge that is already loaded:
${args.loaded_context}

1. Call \`discover_context\` with the task description
2. Compare: name every recommendation with relevance_score > 0.7 that is not among the loaded ones, and every warning
3. For each loaded node, call \`get_dependencies\` and name what it is blocked by and is not loaded
4. Call \`retrieve_knowledge\` for what is missing, most relevant first, with include_children where its reason says so, within your token budget
5. For each part of the task that nothing covers, call \`search_knowledge\` with other words; if it finds nothing, note the gap: "No knowledge base entry found for [topic]"
6. Conclude in one line: sufficient, or what is missing. Do not begin the task before that`,
};

const sessionStart: Prompt = {
  name: 'session_start',
  title: 'Start a session',
  description: 'Pick up the work where the last session left it',
  arguments: [projectId],
  text: (args, project) => `Start a work session${ofProject(args, project)}:

1. Call \`get_project_overview\` for the high-level context
2. Call \`get_session_history\` with limit=3 for recent work
3. Call \`get_progress_status\` for the current state
4. Tell me in a few sentences where we stand, what was planned next and what is blocked; then continue naturally from there`,
};

const sessionEnd: Prompt = {
  name: 'session_end',
  title: 'End a session',
  description: 'Store what was done and what comes next',
  arguments: [projectId],
  writes: true,
  text: (args, project) => `End this work session${ofProject(args, project)}:

1. If a rule was learned that is not stored yet, propose it to me, and store what I approve with \`store_knowledge_if_missing\`
2. Call \`store_session_summary\` with a summary that is concise but informative, the completed tasks, the domain we worked in and what is planned next
3. Tell me in one sentence what you stored`,
};

function ofProject(args: Readonly<Record<string, string>>, project: string | undefined): string {
  const id = args.project_id ?? project;
  return id === undefined
    ? ' (call `list_scopes` first and choose the project that fits)'
    : ` for the project \`${id}\``;
}

export const discoveryPrompts: readonly Prompt[] = [taskPreparation, knowledgeAudit];
export const sessionPrompts: readonly Prompt[] = [sessionStart, sessionEnd];
