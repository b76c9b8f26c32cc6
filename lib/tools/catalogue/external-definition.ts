import * as z from 'zod';
import { canonicalJson } from '#lib/base/canonical-json.ts';
import { sha256 } from '#lib/base/sha256.ts';
import { isObjectSchema, type ObjectSchema } from '../schema/json-schema.ts';

const objectSchema = z.custom<ObjectSchema>(isObjectSchema);

/** The schema of an `ExternalDefinition`, a tool as its tool server or HTTP API describes it, as it is stored. */
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

/**
 * An external tool as its tool server or HTTP API describes it. Plain data. The workspace's tools have none: they are allowed
 * by the content of their files.
 */
export interface ExternalDefinition {
  /** The tool's name at its source; unique among the source's tools. */
  name: string;
  title?: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema?: ObjectSchema;
  /**
   * Whether the tool's source says that the tool's effects cannot be undone. That only makes the questions for permission
   * stricter.
   */
  isDestructive: boolean;
  /** Other information about the tool from its source, unchanged. */
  annotations?: unknown;
  /**
   * The address of the source, unless `annotations` has it. A tool that is allowed at one address is not allowed at another.
   */
  origin?: string;
  /** The SHA-256 of all other fields, which tells a changed definition from the one that was allowed. */
  hash: string;
}

/** An external tool that its source lists, and that cannot be offered. `reason`: a sentence for people. */
export interface RefusedTool {
  /** The tool's name at its source; may contain anything. */
  name: string;
  reason: string;
}

/**
 * Adds to the definition of an external tool the hash of its other fields, which tells a changed definition from the one that
 * the user has allowed.
 */
export async function withHash(definition: Omit<ExternalDefinition, 'hash'>): Promise<ExternalDefinition> {
  return { ...definition, hash: await sha256(canonicalJson(definition)) };
}
