import type * as z from 'zod';
import type { Author, FileSystem } from '#lib/vfs/file-system.ts';
import type { Diagnostics } from '../capabilities/diagnostics.ts';
import type { PagePreview } from '../capabilities/preview.ts';
import type { ConsoleLine, RenderedValue } from '../capabilities/rendered-value.ts';
import type { Shell } from '../capabilities/shell.ts';
import type { WorkspaceSearch } from '../capabilities/workspace-search.ts';
import type { CallOrigin } from './call-origin.ts';
import type { KnownFile, KnownFiles } from './known-files.ts';

/** A tool's effect on the world outside the conversation; it determines permission and recovery. */
export type ToolEffect = 'read' | 'write' | 'execute';

/** A sample call, shown to models that get their tools in the prompt. */
export interface ToolExample<Input = unknown> {
  description: string;
  input: Input;
  /** What the model would get back, as text. */
  result: string;
}

/**
 * What a call does, for the permission question to the user. The translation catalogs have a sentence for each verb.
 */
export type ToolVerb =
  | 'run-code'
  | 'run-command'
  | 'open-page'
  | 'read'
  | 'list'
  | 'search'
  | 'check'
  | 'write'
  | 'edit'
  | 'patch'
  | 'make-directory'
  | 'move'
  | 'copy'
  | 'delete';

/** How the user is asked about a call. */
export interface ToolQuestion<Input = unknown> {
  verb: ToolVerb;
  /** The arguments that the sentence names, in order. Defaults to the files that the call touches. */
  names?: readonly (keyof Input & string)[];
  /** The argument that is shown in full, and its format. */
  shows?: { argument: keyof Input & string; as: 'javascript' | 'bash' | 'diff' | 'edit' | 'edits' | 'file' };
}

/**
 * The single definition of a tool: validation, provider schema, prompt text and card all come from here.
 * `execute` may throw; the executor turns the error into a `tool-error`.
 */
export interface ToolDefinition<Input extends z.ZodType = z.ZodType> {
  /** Lower-case snake case, unique in the registry. */
  name: string;
  /** For the model: what the tool does, what it returns, and when it fails. */
  description: string;
  /** An object schema in which every property is described. */
  inputSchema: Input;
  toolset: string;
  effect: ToolEffect;
  /** Other names that models use for this tool. */
  aliases?: readonly string[];
  examples?: readonly ToolExample<z.input<Input>>[];
  /** The argument that a one-line card shows. */
  primaryArgument?: keyof z.input<Input> & string;
  /** How the user is asked about a call, and which argument its card shows in full. */
  question?: ToolQuestion<z.input<Input>>;
  /** Files that can be opened after the call, the most important one first. None if the path may be a directory. */
  touchedPaths?(input: z.output<Input>): readonly string[];
  execute(input: z.output<Input>, context: ToolContext): Promise<ToolOutput>;
}

/** The capabilities that tools work with. They know nothing of models, messages or stores. */
export interface ToolCapabilities {
  fileSystem: FileSystem;
  evaluator: JavaScriptEvaluator;
  search: WorkspaceSearch;
  shell: Shell;
  diagnostics: Diagnostics;
  preview: PagePreview;
}

/** The capabilities of a workspace. The evaluator belongs to a conversation instead. */
export type WorkspaceCapabilities = Omit<ToolCapabilities, 'evaluator'>;

export interface ToolContext extends ToolCapabilities {
  toolCallId: string;
  /** The author of the tool's changes to the workspace. */
  author: Author;
  /** Fires when the user stops the turn, or another tab takes over the call; the tool should end at once. */
  abortSignal: AbortSignal;
  callTool: CallTool;
  /** What the model knows about the files. */
  known: KnownFiles;
  /** The results of a tool's earlier calls in this turn, oldest first. */
  earlierResults(toolName: string): readonly ToolResult[];
}

/**
 * Calls another tool from within a call. The inner call is validated and needs permission like any other, has an id
 * derived from the outer call's, and its changes are attributed to the outer call. Inner calls run one at a time. Never
 * rejects. `onWait` is called with true when the user is being asked, and with false afterwards.
 */
export type CallTool = (toolName: string, input: unknown, onWait?: (isWaiting: boolean) => void) => Promise<ToolResult>;

/** Runs JavaScript isolated from the page, in a persistent session. Rejects only with `ToolFailure`. */
export interface JavaScriptEvaluator {
  evaluate(code: string, options: EvaluationOptions): Promise<JavaScriptOutcome>;
}

export interface EvaluationOptions {
  abortSignal: AbortSignal;
  /** Time spent waiting for the user's permission does not count. */
  timeoutMs: number;
  /** Whose code it is; the model's by default. The studio's own code only inspects, and is not recorded. */
  by?: 'model' | 'person' | 'studio';
  /** Access to the workspace's files, as `vfs`. */
  files: SandboxFiles;
}

/**
 * The workspace's files, for code. Methods reject with an error whose message the code gets; for `onWait`, see
 * `CallTool`.
 */
export interface SandboxFiles {
  read(path: string, onWait: (isWaiting: boolean) => void): Promise<string>;
  write(path: string, text: string, onWait: (isWaiting: boolean) => void): Promise<void>;
  list(path: string, onWait: (isWaiting: boolean) => void): Promise<unknown>;
}

export interface JavaScriptOutcome {
  /** The completion value; undefined if unknown. */
  value?: RenderedValue;
  console: readonly ConsoleLine[];
  /** Nothing from earlier evaluations is available: this is the first one, or the previous session has ended. */
  isNewSession?: true;
  /** The browser does not give the sandbox its own thread, so the code ran in a worker. */
  hasNoDom?: true;
  /** The sandbox has no host of its own: if the browser runs both in one process, code can slow down the page. */
  sharesHost?: true;
}

/** `content` is what the model reads; `data` is structured, for the UI and the stream, and is never interpreted. */
export interface ToolOutput {
  content: string;
  data?: unknown;
  /** Files that the model knows from this call: those it was shown, and those whose content it provided. */
  files?: KnownFile[];
}

export const TOOL_ERROR_CODES = [
  'no-such-tool',
  'invalid-input',
  'denied',
  'aborted',
  'timed-out',
  'interrupted',
  'incomplete',
  'failed',
] as const;

export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

/** The one result that every call gets (rule R1). */
export type ToolResult = {
  toolCallId: string;
  toolName: string;
  /** Wall-clock time of the execution; absent if nothing ran. */
  durationMs?: number;
  /** Files as the model knows them after the call, including a failed one that wrote some first. */
  files?: KnownFile[] | undefined;
} & (
  | { type: 'tool-result'; output: Omit<ToolOutput, 'files'> }
  | { type: 'tool-error'; code: ToolErrorCode; message: string }
);

/** How the arguments of a call arrived: complete, as text that is not a JSON object, or cut off. */
export type ToolInputState = 'complete' | 'invalid' | 'incomplete';

export interface ToolCall {
  /** Created by the server; globally unique (rule R2). */
  toolCallId: string;
  /** As the model wrote it; may not be the name of a tool. */
  toolName: string;
  input: unknown;
  inputState: ToolInputState;
  /** The arguments' JSON text as far as it arrived, if it is not complete. */
  inputText?: string;
  /** Where the call's text comes from, if not only from the model. */
  origin?: CallOrigin;
}

/** Thrown by tools and capabilities to set the error code of the result. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Infers the input type of a definition. */
export function defineTool<Input extends z.ZodType>(definition: ToolDefinition<Input>): ToolDefinition<Input> {
  return definition;
}
