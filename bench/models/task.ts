/** The kinds of tasks. `none` needs no tool. */
export const TASK_KINDS = [
  'list',
  'read',
  'compute',
  'write',
  'edit',
  'search',
  'two-calls',
  'failing-first',
  'read-then-write',
  'none',
] as const;

export type TaskKind = (typeof TASK_KINDS)[number];

export const LANGUAGES = ['en', 'zh'] as const;

export type Language = (typeof LANGUAGES)[number];

/** `tuning`: for choosing words; `held-out`: for claims, and never used to choose anything. */
export const TASK_SETS = ['tuning', 'held-out'] as const;

export type TaskSet = (typeof TASK_SETS)[number];

/** A call as it was run. */
export interface PlayedCall {
  name: string;
  input: unknown;
  /** The result that the model got. */
  output: string;
  hasFailed: boolean;
  /** The workspace after the call, by path. */
  files: ReadonlyMap<string, string>;
}

/** The end of a conversation. */
export interface Ending {
  answer: string;
  /** The workspace, by path. */
  files: ReadonlyMap<string, string>;
}

/** A task with one question, and what a right answer is. */
export interface Task {
  id: string;
  kind: TaskKind;
  language: Language;
  set: TaskSet;
  /** The question of the person. */
  ask: string;
  /** The workspace at the start, by path. */
  files: Readonly<Record<string, string>>;
  /** Checks whether the first call leads to the answer; absent if no call is needed. */
  isFirstRight?(call: PlayedCall): boolean;
  isAnswered(ending: Ending): boolean;
}

/** The subject of a question, and its grading. */
export type Wanted = Pick<Task, 'kind' | 'files' | 'isAnswered' | 'isFirstRight'>;
