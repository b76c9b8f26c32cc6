import * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import { messageOf } from '#lib/base/message-of.ts';
import type { Author } from '#lib/vfs/file-system.ts';
import type { CapabilityName, OptionalCapabilities, ToolCapabilities } from '../capabilities/capabilities.ts';
import type { KnownFiles } from '../execution/known-files.ts';
import type { PathAccess } from '../permission/path-rule.ts';
import { keywordsOf, type ObjectSchema } from '../schema/json-schema.ts';
import type { CallForm, FormAnswer } from './call-form.ts';
import type { ToolEffect, ToolSpec } from './spec.ts';
import type { CallProgress, ToolOutput, ToolResult } from './tool-call.ts';

/**
 * The context of a tool's call: the capabilities that the tool lists in `needs`, the optional ones that the host has, and
 * the functions and data of the call.
 */
export type ToolContext<Needs extends CapabilityName = CapabilityName> = Pick<ToolCapabilities, Needs> &
  Partial<OptionalCapabilities> & {
    toolCallId: string;
    /** The author of the tool's changes to the workspace. */
    author: Author;
    /** Fires when the user stops the turn, or another tab takes over the call; the tool should end at once. */
    abortSignal: AbortSignal;
    callTool: CallTool;
    /** Shows the person the progress of the call. */
    report(progress: CallProgress): void;
    /** Asks the person to fill in a form; absent where nobody can be asked. Rejects if `abortSignal` fires first. */
    askForm?(form: CallForm): Promise<FormAnswer>;
    /** All tools that can be called, as they are now. */
    offered(): readonly ToolSpec[];
    /** The record of the contents that the model has read or written, by file. */
    known: KnownFiles;
    /** The results of a tool's earlier calls in this turn, oldest first. */
    earlierResults(toolName: string): readonly ToolResult[];
    /** Checks whether a tool was called before in this conversation. */
    hasRunBefore(toolName: string): boolean;
  };

/**
 * Calls another tool from within a call. The inner call is validated and needs permission like any other, has an id
 * derived from the outer call's, and its changes are attributed to the outer call. Inner calls run one at a time. Never
 * rejects. `onWait` is called with true when the user is being asked, and with false afterwards.
 */
export type CallTool = (toolName: string, input: unknown, onWait?: (isWaiting: boolean) => void) => Promise<ToolResult>;

/**
 * A call's arguments as its tool gets them, or what is wrong with them. `adjusted`: sentences for the model about values that
 * were replaced. `path`: where the problem is, such as `edits[0].find`; '' for the arguments as a whole.
 */
export type ParsedInput =
  | { success: true; data: unknown; adjusted?: readonly string[] }
  | { success: false; issues: readonly { path: string; message: string }[] };

/** A tool that can run: its spec, and the functions that check its arguments and execute its calls. */
export interface Tool extends ToolSpec {
  /** Checks arguments, and fills in defaults. Never throws. */
  parse(input: unknown): ParsedInput;
  /** The paths that a call with these parsed arguments reads and writes, for the user's rules about paths. Never throws. */
  touches?(input: unknown): readonly PathAccess[];
  /** The hosts that a call with these parsed arguments sends requests to, as `hostOf` names them. Never throws. */
  reaches?(input: unknown): readonly string[];
  /**
   * The hosts that each call sends requests to, for the record of requests. Unlike with `reaches`, the person is asked about
   * the tool, not about the hosts.
   */
  sendsTo?: readonly string[];
  /** Runs a call with arguments that `parse` has returned. May throw; the executor turns the error into a `tool-error`. */
  execute(input: unknown, context: ToolContext): Promise<ToolOutput>;
}

/**
 * A tool as its author writes it, for `defineTool`. Validation, schemas, prompt, question for permission, and card all come
 * from this single definition.
 */
export interface ToolDefinition<
  Input extends z.ZodType,
  Needs extends CapabilityName,
  Output extends z.ZodType = z.ZodNever,
> extends Pick<ToolSpec, 'aliases' | 'delegates' | 'metadata'> {
  /** Lower-case snake case. */
  name: string;
  description: string;
  /** An object schema in which every property is described. */
  inputSchema: Input;
  /** The form of the structured result. */
  outputSchema?: Output;
  toolset: string;
  effect: ToolEffect;
  needs?: readonly Needs[];
  examples?: readonly (Omit<NonNullable<ToolSpec['examples']>[number], 'input'> & { input: z.input<Input> })[];
  /** By default, the verb is `call`, and arguments and result are shown as text. */
  presentation?: ToolSpec['presentation'];
  /**
   * The paths that a call with these arguments reads and writes, for tools whose arguments name paths. Where a rule asks about
   * a path that is not listed here, access is refused.
   */
  touches?(input: z.output<Input>): readonly PathAccess[];
  /**
   * The hosts that a call with these arguments sends requests to, as `hostOf` names them, for tools whose arguments name hosts:
   * the user is asked about each host, not about the tool.
   */
  reaches?(input: z.output<Input>): readonly string[];
  execute(
    input: z.output<Input>,
    context: ToolContext<Needs>,
  ): Promise<ToolOutput & ([Output] extends [z.ZodNever] ? unknown : { data: z.input<Output> })>;
}

/** Thrown when a tool cannot be offered; the message says what to change. */
export class ToolDefinitionError extends Error {
  override readonly name = 'ToolDefinitionError';
}

/**
 * Makes a tool from its definition. Its `parse` replaces a number that is out of range with the nearest allowed one, unless the
 * number is negative or nested, and says so in `adjusted`. Throws `ToolDefinitionError` if JSON Schema cannot express one of
 * its schemas, or if one is not the schema of an object.
 */
export function defineTool<
  Input extends z.ZodType,
  const Needs extends CapabilityName = never,
  Output extends z.ZodType = z.ZodNever,
>(definition: ToolDefinition<Input, Needs, Output>): Tool {
  const {
    inputSchema,
    outputSchema,
    needs = [],
    examples,
    presentation,
    touches,
    reaches,
    execute,
    ...rest
  } = definition;
  return {
    ...rest,
    inputSchema: toObjectSchema(inputSchema, 'input', definition.name),
    ...(outputSchema !== undefined && { outputSchema: toObjectSchema(outputSchema, 'output', definition.name) }),
    needs: [...needs],
    ...(examples !== undefined && { examples: [...examples] }),
    presentation: presentation ?? { verb: 'call' },
    parse: (input) => parseWith(inputSchema, input),
    ...(touches !== undefined && { touches: (input: unknown) => touches(input as z.output<Input>) }),
    ...(reaches !== undefined && { reaches: (input: unknown) => reaches(input as z.output<Input>) }),
    execute: (input, context) => execute(input as z.output<Input>, context),
  };
}

function parseWith(schema: z.ZodType, input: unknown): ParsedInput {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed;
  const clamped = clampNumbers(input, parsed.error.issues);
  const again = clamped && schema.safeParse(clamped.input);
  if (again?.success) return { success: true, data: again.data, adjusted: clamped?.adjusted ?? [] };
  return {
    success: false,
    issues: parsed.error.issues.map(({ path, message }) => ({ path: toDotPath(path), message })),
  };
}

/**
 * The arguments, with the nearest allowed number in place of each one that is out of range. Undefined if anything else is
 * wrong, or if such a number is negative or nested. The studio's tools take numbers only as limits and positions; with a
 * negative one, models mean “all”, or a position from the end.
 */
function clampNumbers(
  input: unknown,
  issues: readonly z.core.$ZodIssue[],
): { input: unknown; adjusted: string[] } | undefined {
  const given = keywordsOf(input);
  if (given === undefined) return undefined;
  const clamped: Record<string, unknown> = { ...given };
  const adjusted = new Map<string, string>();
  for (const issue of issues) {
    const [name, ...deeper] = issue.path;
    const bound = boundOf(issue);
    if (bound === undefined || typeof name !== 'string' || deeper.length > 0 || Number(given[name]) < 0)
      return undefined;
    adjusted.set(name, `"${name}" was ${given[name]}, which is out of range; ${bound} was used.`);
    clamped[name] = bound;
  }
  return { input: clamped, adjusted: [...adjusted.values()] };
}

/** The end of the allowed range that a number is beyond; undefined if the issue is another one. */
function boundOf(issue: z.core.$ZodIssue): number | undefined {
  if (issue.code === 'too_small' && issue.inclusive) return isNumeric(issue.origin) ? Number(issue.minimum) : undefined;
  if (issue.code === 'too_big' && issue.inclusive) return isNumeric(issue.origin) ? Number(issue.maximum) : undefined;
  return undefined;
}

const isNumeric = (origin: string): boolean => origin === 'number' || origin === 'int';

/** A Zod schema as draft-7 JSON Schema, which all providers accept. */
function toObjectSchema(schema: z.ZodType, io: 'input' | 'output', name: string): ObjectSchema {
  let converted: z.core.JSONSchema.BaseSchema;
  try {
    converted = z.toJSONSchema(schema, { target: 'draft-7', io });
  } catch (error) {
    const reason = messageOf(error);
    throw new ToolDefinitionError(`Tool "${name}": the ${io} schema is not JSON Schema: ${reason}`);
  }
  const { $schema: _, ...plain } = converted;
  if (plain.type !== 'object') throw new ToolDefinitionError(`Tool "${name}": the ${io} schema must be an object`);
  return { ...plain, type: 'object' };
}
