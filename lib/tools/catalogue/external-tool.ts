import * as z from 'zod';
import { startOf } from '#lib/base/cut-text.ts';
import { defined } from '#lib/base/defined.ts';
import { excessOf } from '#lib/base/json-size.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { roundedNumber } from '#lib/base/rounded-number.ts';
import { blocksOf, toolContentSchema } from '../core/content.ts';
import { CONTENT_LIMITS } from '../core/limits.ts';
import { type ToolSpec, toolSpecSchema } from '../core/spec.ts';
import { type Tool, ToolDefinitionError } from '../core/tool.ts';
import { ToolFailure, type ToolOutput } from '../core/tool-call.ts';
import { SchemaValidator } from '../schema/schema-validator.ts';

/**
 * An external tool (one that is not the studio's own) with its description from its source, such as a tool server, and the
 * function that runs its calls.
 */
export interface ExternalTool
  extends Pick<ToolSpec, 'name' | 'toolset' | 'effect'>,
    Partial<
      Pick<ToolSpec, 'description' | 'destructive' | 'aliases' | 'needs' | 'examples' | 'metadata' | 'presentation'>
    > {
  /** JSON Schema of any draft. It is used as it is: to check arguments, and for providers. */
  inputSchema: unknown;
  /** JSON Schema of the structured result. A result that does not match is used all the same, and the model is told so. */
  outputSchema?: unknown;
  /** The hosts that each call sends requests to, for the record of requests. */
  sendsTo?: Tool['sendsTo'];
  execute: Tool['execute'];
}

/**
 * Makes a `Tool` of an external one. Its calls fail as `failed` if their result is not JSON, or is too large. Throws
 * `ToolDefinitionError` if it cannot be offered: its description is too large, its name is unusable, or its input schema is not
 * that of an object, or cannot be checked.
 */
export function externalTool({ execute, sendsTo, ...described }: ExternalTool): Tool {
  const parsed = toolSpecSchema.safeParse({
    description: '',
    needs: [],
    presentation: { verb: 'call' },
    ...described,
  });
  if (!parsed.success) throw new ToolDefinitionError(`Tool "${described.name}": ${z.prettifyError(parsed.error)}`);
  const spec = parsed.data;
  const input = validatorOf(spec.name, spec.inputSchema);
  const output = checkerOf(spec.outputSchema);
  return {
    ...spec,
    ...defined({ sendsTo }),
    parse: (value) => input.check(value),
    async execute(value, context) {
      const result = resultOf(spec.name, await execute(value, context));
      const checked = result.data === undefined ? undefined : output?.check(result.data);
      if (checked?.success !== false || output?.check(withNumbers(result.data)).success === true) return result;
      const issues = checked.issues.map(({ path, message }) => `${path || '(result)'}: ${message}`).join('; ');
      const text = `[The structured result does not match the tool’s output schema. ${startOf(issues, ISSUES_MAX)}.]`;
      // It has run, perhaps with effects, so that its result must not be lost.
      return { ...result, content: [...blocksOf(result.content), { type: 'text', text }] };
    },
  };
}

/** The longest description of what is wrong with a result, in characters. */
const ISSUES_MAX = 1_000;

/** The schema of an external tool's result. It has no `files`: only the studio's tools say which files the model knows. */
const resultSchema = z.object({ content: toolContentSchema, data: z.unknown().optional() });

/** The result as plain data. Throws `ToolFailure` if it is not JSON, is too large or too deep, or does not fit the schema. */
function resultOf(name: string, returned: unknown): Pick<ToolOutput, 'content' | 'data'> {
  const refuse = (reason: string) => new ToolFailure('failed', `${name} ran, but its result cannot be used. ${reason}`);
  let plain: unknown;
  try {
    plain = JSON.parse(JSON.stringify(returned));
  } catch {
    throw refuse('It is not JSON.');
  }
  if (excessOf(plain, CONTENT_LIMITS) !== undefined) throw refuse('It is nested too deeply, or too large.');
  const { data, error } = resultSchema.safeParse(plain);
  if (error !== undefined) throw refuse(z.prettifyError(error));
  return data;
}

/**
 * Turns strings of digits into numbers, for a schema that wants numbers. Integers that JavaScript cannot hold exactly arrive as
 * strings, so that the model sees all of their digits; as numbers, they are rounded.
 */
const withNumbers = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) =>
    typeof one === 'string' && roundedNumber(one) === one ? Number(one) : one,
  );

/** Makes a validator of results. Undefined if the schema is absent or cannot be checked; the tool is offered all the same. */
function checkerOf(schema: ToolSpec['outputSchema']): SchemaValidator | undefined {
  try {
    return schema && new SchemaValidator(schema);
  } catch {
    return undefined;
  }
}

function validatorOf(name: string, schema: ToolSpec['inputSchema']): SchemaValidator {
  try {
    return new SchemaValidator(schema);
  } catch (error) {
    const reason = messageOf(error);
    throw new ToolDefinitionError(`Tool "${name}": its schema cannot be checked: ${reason}`);
  }
}
