import * as z from 'zod';
import { defined } from '#lib/base/defined.ts';
import { CAPABILITY_NAMES } from '../capabilities/capabilities.ts';
import { isObjectSchema, type ObjectSchema } from '../schema/json-schema.ts';
import { CATALOGUE_LIMITS } from './limits.ts';
import { presentationSchema } from './presentation.ts';

/** A tool's effect on the world outside the conversation; it determines permission and recovery. */
const TOOL_EFFECTS = ['read', 'write', 'execute'] as const;

/**
 * A tool's effect on the world outside the conversation: the tool only reads, writes, or executes something. It determines
 * permission, and what becomes of a call that was interrupted.
 */
export type ToolEffect = (typeof TOOL_EFFECTS)[number];

const { name: NAME_LENGTH, description: DESCRIPTION_LENGTH, aliases, examples } = CATALOGUE_LIMITS;

/** A name of a tool or a toolset. Providers allow fewer names; see `lib/agent/tool-names.ts`. */
const nameSchema = z
  .string()
  .max(NAME_LENGTH)
  .regex(/^[^\s\p{C}]+$/u, 'must not be empty, and must not contain spaces or control characters');

const objectSchema = z.custom<ObjectSchema>(isObjectSchema, 'must be a JSON Schema whose type is "object"');

const nextCallSchema = z.object({
  name: nameSchema,
  input: z.unknown(),
  result: z.string(),
  fails: z.literal(true).optional(),
  together: z.literal(true).optional(),
});

/**
 * A tool as data: all that a model, a provider, a person and a host need to know of it. An implementation is a spec plus
 * `execute` (see `Tool`).
 */
export const toolSpecSchema = z.object({
  /** The tool's name, unique among the names and aliases of a catalogue. */
  name: nameSchema,
  /** For the model: what the tool does, what it returns, and when it fails. */
  description: z.string().max(DESCRIPTION_LENGTH),
  /** JSON Schema of the arguments. Providers get it as it is. */
  inputSchema: objectSchema,
  /** JSON Schema of the structured result (`data`), if the tool has one. */
  outputSchema: objectSchema.optional(),
  /** The name of the group of tools that users turn on and off together. */
  toolset: nameSchema,
  effect: z.enum(TOOL_EFFECTS),
  /** Present if the tool's effects cannot be undone, so that the user is asked about each call. */
  destructive: z.literal(true).optional(),
  /** Present if the tool only calls other tools, and each of those calls is checked for permission. */
  delegates: z.literal(true).optional(),
  /** The capabilities without which the tool cannot work. A host offers the tools whose needs it meets. */
  needs: z.array(z.enum(CAPABILITY_NAMES)),
  /** Other names that models use for this tool. */
  aliases: z.array(nameSchema).max(aliases).optional(),
  /**
   * Sample calls, shown to models that get their tools in the prompt. `result`: what the model would get, as text. `ask` and
   * `answer`: what a person says first and the model says last; with both, small models see the example as a conversation.
   * `fails`: the call fails, and `result` is the error. `next`: the calls that follow, each in a reply of its own or, with
   * `together`, in the same reply as the call before it.
   */
  examples: z
    .array(
      z.object({
        description: z.string(),
        ask: z.string().optional(),
        input: z.unknown(),
        result: z.string(),
        fails: z.literal(true).optional(),
        next: z.array(nextCallSchema).optional(),
        answer: z.string().optional(),
      }),
    )
    .max(examples)
    .optional(),
  /** Information about the tool, for catalogs and tool servers. Fields other than these are kept, too. */
  metadata: z
    .looseObject({
      tags: z.array(z.string()).optional(),
      version: z.string().optional(),
      documentationUrl: z.string().optional(),
    })
    .optional(),
  presentation: presentationSchema,
});

/** A tool as data, without the functions that run it (see `Tool`). */
export type ToolSpec = z.infer<typeof toolSpecSchema>;

/** Returns a tool's spec: the fields of `ToolSpec`, without any other fields of the object. Absent fields stay absent. */
export function specOf(tool: ToolSpec): ToolSpec {
  const { name, description, inputSchema, outputSchema, toolset, effect, destructive, delegates, needs } = tool;
  const { aliases, examples, metadata, presentation } = tool;
  return {
    name,
    description,
    inputSchema,
    ...defined({ outputSchema }),
    toolset,
    effect,
    ...defined({ destructive, delegates }),
    needs,
    ...defined({ aliases, examples, metadata }),
    presentation,
  };
}
