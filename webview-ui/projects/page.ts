import type { AnsweredProjectsRequest, ProjectsRequest, ProjectsState, ProjectsView } from '../protocol/projects';
import type { OutcomeFields, PlanFields } from './fields';

type Unnumbered<T> = T extends unknown ? Omit<T, 'request'> : never;
/** A request that is answered, before it has its number. */
export type Question = Unnumbered<AnsweredProjectsRequest>;

export interface Answer {
  error?: string;
  project_id?: string;
}

/** What the person is filling in, as it is kept when the page is hidden. */
export type Form = (
  | { kind: 'create'; fields: PlanFields }
  /** `base` is when the project had changed last; `tasks` what stood in that field at first. */
  | { kind: 'change'; project_id: string; name: string; base: string; tasks: string; fields: PlanFields }
  | { kind: 'end'; project_id: string; name: string; fields: OutcomeFields }
  | { kind: 'abandon'; project_id: string; name: string; reason: string }
) & {
  /** Something was typed into it: it is not closed but by the person. */
  touched?: boolean;
};

/** What the parts of the page work with. */
export interface Page {
  readonly state: ProjectsState;
  /** What is asked for; what is drawn follows. */
  readonly view: ProjectsView;
  form: Form | undefined;
  /** Why the last change was refused; empty when it was not. */
  error: string;
  /** Whether the estimates of all projects are unfolded. */
  comparing: boolean;
  look(changed: Partial<ProjectsView>): void;
  /** Never throws: the answer says what went wrong. */
  ask(question: Question): Promise<Answer>;
  post(message: ProjectsRequest): void;
  /** Draws what has changed and keeps it for a reload. */
  changed(): void;
  /** Brings the focus to the first element that fits, once it is drawn. */
  focusOn(selector: string): Promise<void>;
  /** Says it to who listens to a screen reader. */
  announce(text: string): void;
}
