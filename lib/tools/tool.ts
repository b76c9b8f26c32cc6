import type * as z from 'zod';
import type { Author, FileSystem } from '#lib/vfs/file-system.ts';
import type { CallOrigin } from './call-origin.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { KnownFile, KnownFiles } from './known-files.ts';
import type { PagePreview } from './preview.ts';
import type { ConsoleLine, RenderedValue } from './rendered-value.ts';
import type { Shell } from './shell.ts';
import type { WorkspaceSearch } from './workspace-search.ts';

/** What a tool does to the world outside the conversation; permission and recovery follow from it. */
export type ToolEffect = 'read' | 'write' | 'execute';

/** A worked call, shown to models that get tools by prompt. */
export interface ToolExample<Input = unknown> {
  description: string;
  input: Input;
  /** What the model would get back, as text. */
  result: string;
}

/** What a call does, for the person who is asked about it. The catalogues have a sentence for each. */
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

/** How a call is put to the person. */
export interface ToolQuestion<Input = unknown> {
  verb: ToolVerb;
  /** The arguments that the sentence names, in its order. Without them, the files that the call touches. */
  names?: readonly (keyof Input & string)[];
  /** The argument that is shown in full, and what it is. */
  shows?: { argument: keyof Input & string; as: 'javascript' | 'bash' | 'diff' | 'edit' | 'edits' | 'file' };
}

/**
 * A tool, defined once: validation, provider schema, prompt text and card all come from here.
 * `execute` may throw; the executor turns what it throws into a `tool-error`.
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
  /** Other names models reach for; they resolve to this tool. */
  aliases?: readonly string[];
  examples?: readonly ToolExample<z.input<Input>>[];
  /** The argument a one-line card shows. */
  primaryArgument?: keyof z.input<Input> & string;
  /** How a call is put to the person, and which argument its card shows in full. */
  question?: ToolQuestion<z.input<Input>>;
  /** Files that can be opened after the call; the first is the one that matters most. None where it may be a directory. */
  touchedPaths?(input: z.output<Input>): readonly string[];
  execute(input: z.output<Input>, context: ToolContext): Promise<ToolOutput>;
}

/** What tools work with. They know of no model, message or store. */
export interface ToolCapabilities {
  fileSystem: FileSystem;
  evaluator: JavaScriptEvaluator;
  search: WorkspaceSearch;
  shell: Shell;
  diagnostics: Diagnostics;
  preview: PagePreview;
}

/** Those of a workspace; where code runs belongs to a conversation. */
export type WorkspaceCapabilities = Omit<ToolCapabilities, 'evaluator'>;

export interface ToolContext extends ToolCapabilities {
  toolCallId: string;
  /** Whose change it is when the tool changes the workspace. */
  author: Author;
  /** Fires when the person stops the turn, or another tab takes the call over; the tool should end at once. */
  abortSignal: AbortSignal;
  callTool: CallTool;
  /** What the model knows of the files. */
  known: KnownFiles;
  /** What the calls of a tool have given in this turn, before this one; the oldest first. */
  earlierResults(toolName: string): readonly ToolResult[];
}

/**
 * Calls another tool from within a call: checked and permitted as any call, under an id derived from the outer one's, and
 * what it changes is the outer call's change. One at a time. Never rejects. `onWait` is told when the person is being
 * asked (true) and when that is over.
 */
export type CallTool = (toolName: string, input: unknown, onWait?: (isWaiting: boolean) => void) => Promise<ToolResult>;

/** Runs JavaScript apart from the page, in a session that lasts. Rejects only with `ToolFailure`. */
export interface JavaScriptEvaluator {
  evaluate(code: string, options: EvaluationOptions): Promise<JavaScriptOutcome>;
}

export interface EvaluationOptions {
  abortSignal: AbortSignal;
  /** The time in which the person is asked about a file does not count. */
  timeoutMs: number;
  /** Whose code it is; the model's where nothing is said. The studio's only looks, and is not on record. */
  by?: 'model' | 'person' | 'studio';
  /** What the code has of the workspace, as `vfs`. */
  files: SandboxFiles;
}

/** The workspace's files, for code. Each rejects with an error whose message the code gets; `onWait` as in `CallTool`. */
export interface SandboxFiles {
  read(path: string, onWait: (isWaiting: boolean) => void): Promise<string>;
  write(path: string, text: string, onWait: (isWaiting: boolean) => void): Promise<void>;
  list(path: string, onWait: (isWaiting: boolean) => void): Promise<unknown>;
}

export interface JavaScriptOutcome {
  /** The completion value; undefined where nothing is known of one. */
  value?: RenderedValue;
  console: readonly ConsoleLine[];
  /** Nothing of earlier evaluations is there: it is the first, or what was there has ended. */
  isNewSession?: true;
  /** The browser gives the sandbox no thread of its own: the code ran in a worker. */
  hasNoDom?: true;
  /** There was no host for the sandbox alone: where the browser puts both into one process, it can slow the page down. */
  sharesHost?: true;
}

/** `content` is what the model reads; `data` is structured, for the UI and the stream, and is never parsed as anything. */
export interface ToolOutput {
  content: string;
  data?: unknown;
  /** Files that the model knows by this: those it was shown, and those that it gave the content of. */
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

/** The one result every call gets (rule R1). */
export type ToolResult = {
  toolCallId: string;
  toolName: string;
  /** Wall-clock time of the execution; absent when nothing ran. */
  durationMs?: number;
  /** Files as the model knows them after the call; also of one that failed when it had written some. */
  files?: KnownFile[] | undefined;
} & (
  | { type: 'tool-result'; output: Omit<ToolOutput, 'files'> }
  | { type: 'tool-error'; code: ToolErrorCode; message: string }
);

/** How the arguments of a call arrived: whole, as text that is no JSON object, or cut off. */
export type ToolInputState = 'complete' | 'invalid' | 'incomplete';

export interface ToolCall {
  /** Made by the server; unique for ever (rule R2). */
  toolCallId: string;
  /** As the model wrote it; may name no tool. */
  toolName: string;
  input: unknown;
  inputState: ToolInputState;
  /** What arrived of the arguments' JSON text, where it is not whole. */
  inputText?: string;
  /** Where its text comes from, if not from the model alone. */
  origin?: CallOrigin;
}

/** Thrown by tools and capabilities to choose the code of the result. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Keeps the input's type while a definition is written. */
export function defineTool<Input extends z.ZodType>(definition: ToolDefinition<Input>): ToolDefinition<Input> {
  return definition;
}
