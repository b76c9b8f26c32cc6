import * as z from 'zod';
import { isObjectSchema, type ObjectSchema } from '#lib/tools/core/json-schema.ts';
import type { McpDefinition } from './definition.ts';

const objectSchema = z.custom<ObjectSchema>(isObjectSchema);

/** A tool's definition as it was stored. */
export const mcpDefinitionSchema: z.ZodType<McpDefinition> = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: objectSchema,
  outputSchema: objectSchema.optional(),
  annotations: z.unknown().optional(),
  isDestructive: z.boolean(),
  hash: z.string(),
}) as z.ZodType<McpDefinition>;
