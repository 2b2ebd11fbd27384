/** What the person is told and may choose. */
export interface QuestionText {
  message: string;
  /** As the person reads them; the first one changes nothing. */
  choices: readonly string[];
}

interface QuestionOptions<Result> extends QuestionText {
  /** What the answer counts for, such as an entry and its revision: an answer to something else is no answer. */
  about: string;
  /** The tool's result when nobody can be asked or nobody decides. */
  otherwise: Result;
  /** Does what the person chose, as a second step of the call with a time limit of its own. */
  decided(choice: string, signal: AbortSignal): Promise<Result>;
}

/** What a tool returns in place of its result to have the person decide first, where the client can ask them. */
export class Question<Result = unknown> {
  constructor(readonly options: QuestionOptions<Result>) {}
}

/** A call's way to the person, whom only the client can ask. */
export interface Person<Later> {
  /**
   * Resolves with the choice, with undefined when there is none (nobody to ask, declined, too late, failed), or with
   * what the client is to be answered so that it asks and calls again.
   */
  ask(question: Question, signal: AbortSignal): Promise<{ choice: string | undefined } | { later: Later }>;
}
