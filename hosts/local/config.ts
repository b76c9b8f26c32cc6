import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { messageOf } from '#lib/base/message-of.ts';
import { hostOf } from '#lib/tools/egress/reached-hosts.ts';
import type { PermissionPolicy } from '#lib/tools/permission/policy.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { COMMAND_SECONDS, COMMAND_SECONDS_MAX, FILE_BYTES, RESULTS, STEPS } from './limits.ts';

const policySchema = z.enum(['allow', 'ask', 'deny']);

const atMost = (max: number, fallback: number) => z.int().min(1).max(max).default(fallback);

/** A host, perhaps with a port, such as `localhost:8080`. It is normalized as by `hostOf`. */
const hostSchema = z.string().transform((host, context) => {
  const address = `https://${host}`;
  const isHost =
    URL.canParse(address) && new URL(address).href === `${new URL(address).origin}/` && !/[/?#@]/.test(host);
  if (isHost) return hostOf(new URL(address));
  context.addIssue({ code: 'custom', message: 'must be a host, such as example.org or localhost:8080' });
  return z.NEVER;
});

/**
 * The schema of a folder's configuration, which is in `.roundtrip/config.yaml`: the model, what needs a question or is denied
 * (calls, tools, commands, the web), limits, and language servers. It has a default for everything that must be there.
 */
export const folderConfigSchema = z.strictObject({
  /** The model that answers, by its id, unless the command line names one. */
  model: z.string().optional(),
  /** The policies for calls, by the effects of their tools. */
  permissions: z
    .strictObject({
      read: policySchema.default('allow'),
      write: policySchema.default('ask'),
      execute: policySchema.default('ask'),
    })
    .prefault({}),
  /** The policies for calls of single tools, by a tool's name or alias. */
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
            code: 'custom',
            path: [name],
            message: `There is no such tool. The tools are: ${toolRegistry
              .list()
              .map((one) => one.name)
              .join(', ')}. Others are allowed with “roundtrip tools allow”.`,
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
  /** Whether tools may reach the web at all, the hosts that they reach without a question, and those that they never reach. */
  web: z
    .strictObject({
      enabled: z.boolean().default(false),
      allow: z.array(hostSchema).default([]),
      deny: z.array(hostSchema).default([]),
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
  /** Language servers, which are programs that check files, by name. */
  languageServers: z
    .record(
      z.string(),
      z.strictObject({
        command: z.array(z.string().min(1)).min(1),
        /** Globs of the files that the program checks. */
        files: z.array(z.string().min(1)).min(1),
        initializationOptions: z.json().optional(),
      }),
    )
    .default({}),
});

/** The configuration of a folder, with the defaults for what its file does not say. */
export type FolderConfig = z.output<typeof folderConfigSchema>;

/** The configuration of a folder without a configuration file. */
export const DEFAULT_CONFIG: FolderConfig = folderConfigSchema.parse({});

/**
 * Reads a folder's configuration from the file `place`, and resolves with it and the text of the file. If the file is
 * missing, resolves with the defaults and an empty text. If `isRequired`, because the person has named the file, a missing
 * file is an error. `shown`: the name of the file in errors. Rejects with a `ConfigError` that has a line for each fault.
 */
export async function parseFolderConfig(
  place: string,
  shown: string,
  isRequired: boolean,
): Promise<{ config: FolderConfig; text: string }> {
  if (!isRequired && !existsSync(place)) return { config: DEFAULT_CONFIG, text: '' };
  const [{ parseYamlFile }, { ConfigError }] = await Promise.all([
    import('#config/yaml-file.ts'),
    import('#config/errors.ts'),
  ]);
  let text: string;
  try {
    text = readFileSync(place, 'utf8');
  } catch (error) {
    throw new ConfigError(`${shown}: cannot be read (${messageOf(error)})`);
  }
  return { config: parseYamlFile(text, shown, folderConfigSchema, {}).value, text };
}

/**
 * Describes each thing that a configuration allows beyond the defaults, in words that continue “lets the model”, for the
 * question whether the person trusts it; empty if there is none.
 */
export function allowancesOf({ model, limits, ...config }: FolderConfig): string[] {
  const { permissions, tools, commands, web, languageServers } = config;
  const allowed = Object.entries(tools).flatMap(([name, policy]) => (policy === 'allow' ? [name] : []));
  const programs = Object.values(languageServers).map(({ command }) => command.join(' '));
  return [
    ...(model !== undefined ? [`answer with the model ${model}, which gets the conversation`] : []),
    ...(limits.steps > STEPS ? [`take ${limits.steps} steps in a turn`] : []),
    ...(permissions.write === 'allow' ? ['change files without a question'] : []),
    ...(permissions.execute === 'allow' ? ['run commands and code without a question'] : []),
    ...(allowed.length > 0 ? [`use without a question: ${allowed.join(', ')}`] : []),
    ...(commands.allow.length > 0 ? [`run commands that begin with: ${commands.allow.join(', ')}`] : []),
    ...(web.enabled ? ['reach the web, with a question for each host'] : []),
    ...(web.enabled && web.allow.length > 0 ? [`reach without a question: ${web.allow.join(', ')}`] : []),
    ...(programs.length > 0 ? [`start these programs to check files: ${programs.join('; ')}`] : []),
  ];
}

/** Returns the configuration without what it allows beyond the defaults. What it denies and limits stays. */
export function withoutAllowances(config: FolderConfig): FolderConfig {
  const { model: _, ...others } = config;
  const { permissions, tools, commands, web, limits } = others;
  const { permissions: usual } = DEFAULT_CONFIG;
  type Policy = FolderConfig['permissions']['read'];
  const strict = (policy: Policy, other: Policy): Policy => (policy === 'allow' ? other : policy);
  return {
    ...others,
    limits: { ...limits, steps: Math.min(limits.steps, STEPS) },
    permissions: {
      read: permissions.read,
      write: strict(permissions.write, usual.write),
      execute: strict(permissions.execute, usual.execute),
    },
    tools: Object.fromEntries(Object.entries(tools).filter(([, policy]) => policy !== 'allow')),
    commands: { ...commands, allow: [] },
    web: { ...web, enabled: false, allow: [] },
    languageServers: {},
  };
}

/**
 * Returns the policy for calls of a tool: its own or, if the configuration has none for it, the one for its effect. Where
 * the one for the effect is `allow`, a tool that reaches the web still gets `ask`.
 */
export function policyOf(
  { permissions, tools }: Pick<FolderConfig, 'permissions' | 'tools'>,
  tool: { name: string; effect: keyof FolderConfig['permissions']; reaches?: unknown },
): PermissionPolicy {
  const own = Object.hasOwn(tools, tool.name) ? tools[tool.name] : undefined;
  const policy = own ?? permissions[tool.effect];
  return own === undefined && policy === 'allow' && tool.reaches !== undefined ? 'ask' : policy;
}
