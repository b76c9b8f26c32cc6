import * as z from 'zod';
import { defined } from '#lib/base/defined.ts';
import { contentText } from '#lib/tools/core/content.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import { requiredOf } from '#lib/tools/schema/json-schema.ts';

/** The code of the error with which `roundtrip serve` answers a request that has no result. */
export type RequestErrorCode =
  | 'parse-error'
  | 'line-too-long'
  | 'invalid-request'
  | 'unknown-method'
  | 'invalid-params'
  | 'duplicate-id'
  | 'internal';

/** The parts of a request to `roundtrip serve` that are the same for all methods. The id may be any JSON; null if absent. */
export const requestSchema = z.looseObject(
  {
    id: z.json('must be JSON').default(null),
    method: z.string('must be a text'),
    params: z.looseObject({}, 'must be an object').nullish(),
  },
  'A request is an object.',
);

/**
 * The parameters of the method `call_tool`, with which a client of `roundtrip serve` calls a tool: its `name`, its arguments
 * (`input`; none if absent), and `progress`, which asks for messages while the call runs.
 */
export const callParamsSchema = z.looseObject({
  name: z.string('must be the name of a tool'),
  input: z.unknown().optional(),
  /** Whether to report that the call has begun, and that it is still running. */
  progress: z.boolean('must be true or false').optional(),
});

/** The parameters of the method `cancel`: the id of the call to cancel. */
export const cancelParamsSchema = z.looseObject({ id: z.json('must be the id of a call') });

/** Returns a tool in the form in which the method `list_tools` lists it. `parameters`: the JSON Schema of its arguments. */
export function describeTool(tool: Tool) {
  const { name, description, inputSchema, outputSchema, effect, toolset, aliases = [], metadata = {} } = tool;
  return {
    name,
    description,
    parameters: inputSchema,
    required: [...requiredOf(inputSchema)],
    ...defined({ output_schema: outputSchema }),
    effect,
    toolset,
    aliases,
    metadata,
  };
}

/**
 * Returns the result of a call in the form in which the method `call_tool` answers. `content`: the text for a model; for a
 * failure, its message. `structured`: the data of the result; absent if the tool has returned none.
 */
export function describeResult(result: ToolResult) {
  const { toolName, durationMs = null } = result;
  const metadata = { tool: toolName, duration_ms: durationMs };
  if (result.type === 'tool-error')
    return { type: 'text', content: result.message, metadata: { ...metadata, code: result.code }, is_error: true };
  const { content, data } = result.output;
  return {
    type: 'text',
    content: contentText(content),
    metadata,
    is_error: false,
    ...defined({ structured: data }),
  };
}
