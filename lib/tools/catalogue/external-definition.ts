import * as z from 'zod';
import { canonicalJson } from '#lib/base/canonical-json.ts';
import { sha256 } from '#lib/base/sha256.ts';
import { isObjectSchema, type ObjectSchema } from '../schema/json-schema.ts';

const objectSchema = z.custom<ObjectSchema>(isObjectSchema);

/** The stored definition of an external tool. */
export const externalDefinitionSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: objectSchema,
  outputSchema: objectSchema.optional(),
  annotations: z.unknown().optional(),
  isDestructive: z.boolean(),
  origin: z.string().optional(),
  hash: z.string(),
}) as z.ZodType<ExternalDefinition>;

/** An external tool, such as a tool server or an HTTP API, as it is described there. Plain data. */
export interface ExternalDefinition {
  /** Unique among the tools of where it comes from, and its name there. */
  name: string;
  title?: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema?: ObjectSchema;
  /** Whether its description says that its effects cannot be undone. That only makes questions stricter. */
  isDestructive: boolean;
  /** Other information about it, unchanged. */
  annotations?: unknown;
  /** The address of where it comes from, unless that is said above. What is allowed at one address is not at another. */
  origin?: string;
  /** The SHA-256 of all of this: a changed definition has another one. */
  hash: string;
}

/** A tool that cannot be offered, and why, as a sentence for people. */
export interface RefusedTool {
  /** Its name where it comes from; may contain anything. */
  name: string;
  reason: string;
}

/** A definition with the hash of what it says. */
export async function withHash(definition: Omit<ExternalDefinition, 'hash'>): Promise<ExternalDefinition> {
  return { ...definition, hash: await sha256(canonicalJson(definition)) };
}
