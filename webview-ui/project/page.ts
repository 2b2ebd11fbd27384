import type { ProjectDetails, ProjectRequest, ProjectState } from '../protocol/project';
import type { Answer, FieldDrafts, Question } from './fields';

/** A task on the board, by what tells it apart. */
export type TaskKey = string;

/** What the person does on the board, beside what is stored. */
export interface BoardUse {
  /** Only tasks of that domain are shown; empty for all. */
  domain: string;
  /** The task whose status or blocker is being typed, and what was typed so far. */
  editing: { key: TaskKey; text: string } | undefined;
  /** The task that is being added. */
  adding: { name: string; domain: string } | undefined;
  /** Why the last change was refused. */
  error: string;
  allCompleted: boolean;
}

/** What the person is about to add to the project's parents. */
export interface NewParent {
  tier: 'PRODUCT' | 'GROUP';
  name: string;
  error: string;
}

/** What the parts of the page work with. */
export interface Page {
  readonly state: ProjectState;
  readonly project: ProjectDetails;
  readonly fields: FieldDrafts;
  readonly board: BoardUse;
  readonly newParent: NewParent;
  /** How much room the picture has. */
  readonly pictureWidth: number;
  ask(question: Question): Promise<Answer>;
  post(message: ProjectRequest): void;
  /** Draws what has changed and keeps it for a reload. */
  changed(): void;
  /** Brings the focus to the first element that fits, once it is drawn. */
  focusOn(selector: string): Promise<void>;
  /** Says it to who listens to a screen reader. */
  announce(text: string): void;
}
