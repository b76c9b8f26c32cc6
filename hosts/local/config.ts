import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { PermissionPolicy } from '#lib/tools/core/permission.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { COMMAND_SECONDS, COMMAND_SECONDS_MAX, FILE_BYTES, RESULTS, STEPS } from './limits.ts';

const policySchema = z.enum(['allow', 'ask', 'deny']);

const atMost = (max: number, fallback: number) => z.int().min(1).max(max).default(fallback);

/** What `.roundtrip/config.yaml` may say. */
export const folderConfigSchema = z.strictObject({
  /** The model that answers, by its id, unless the command line names one. */
  model: z.string().optional(),
  /** What happens with calls, by what their tools do. */
  permissions: z
    .strictObject({
      read: policySchema.default('allow'),
      write: policySchema.default('ask'),
      execute: policySchema.default('ask'),
    })
    .prefault({}),
  /** What happens with calls of single tools, by one of their names. */
  tools: z
    .record(z.string(), policySchema)
    .default({})
    .transform((policies, context) => {
      const known: Record<string, PermissionPolicy> = {};
      for (const [name, policy] of Object.entries(policies)) {
        const tool = toolRegistry.get(name);
        if (tool !== undefined) known[tool.name] = policy;
        else
          context.addIssue({
            ...{ code: 'custom', path: [name] },
            message: `There is no such tool. The tools are: ${toolRegistry
              .list()
              .map((one) => one.name)
              .join(', ')}.`,
          });
      }
      return known;
    }),
  /** Commands that run without a question, and commands that never run, by how they begin. */
  commands: z
    .strictObject({
      allow: z.array(z.string().trim().min(1)).default([]),
      deny: z.array(z.string().trim().min(1)).default([]),
    })
    .prefault({}),
  limits: z
    .strictObject({
      commandSeconds: atMost(COMMAND_SECONDS_MAX, COMMAND_SECONDS),
      commandSecondsMax: atMost(COMMAND_SECONDS_MAX, COMMAND_SECONDS_MAX),
      fileBytes: atMost(FILE_BYTES, FILE_BYTES),
      results: atMost(RESULTS, RESULTS),
      steps: atMost(100, STEPS),
    })
    .prefault({}),
  /** Programs that check files, by name. */
  languageServers: z
    .record(
      z.string(),
      z.strictObject({
        command: z.array(z.string().min(1)).min(1),
        /** Globs of the files that it checks. */
        files: z.array(z.string().min(1)).min(1),
        initializationOptions: z.json().optional(),
      }),
    )
    .default({}),
});

/** The configuration of a folder. */
export type FolderConfig = z.output<typeof folderConfigSchema>;

/** The configuration of a folder that says nothing. */
export const DEFAULT_CONFIG: FolderConfig = folderConfigSchema.parse({});

/**
 * Reads a folder's configuration. `isRequired`: the file was named, so it must be there. Rejects with `ConfigError` that
 * has a line for each fault, with its place.
 */
export async function readFolderConfig(place: string, shown: string, isRequired: boolean): Promise<FolderConfig> {
  if (!isRequired && !existsSync(place)) return DEFAULT_CONFIG;
  const [{ parseYamlFile }, { ConfigError }] = await Promise.all([
    import('#server/config/yaml-file.ts'),
    import('#server/config/errors.ts'),
  ]);
  let source: string;
  try {
    source = readFileSync(place, 'utf8');
  } catch (error) {
    throw new ConfigError(`${shown}: cannot be read (${error instanceof Error ? error.message : error})`);
  }
  return parseYamlFile(source, shown, folderConfigSchema, {}).value;
}

/** The policy for a tool. */
export function policyOf(
  { permissions, tools }: Pick<FolderConfig, 'permissions' | 'tools'>,
  tool: { name: string; effect: keyof FolderConfig['permissions'] },
): PermissionPolicy {
  return (Object.hasOwn(tools, tool.name) ? tools[tool.name] : undefined) ?? permissions[tool.effect];
}
