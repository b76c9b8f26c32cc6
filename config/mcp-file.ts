import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { MCP_LIMITS } from '#lib/sources/mcp/limits.ts';
import { headerProblem, SOURCE_NAME, sourceUrlSchema } from '#lib/sources/mcp/server-config.ts';
import type { Environment } from './env.ts';
import { ConfigError } from './errors.ts';
import { parseYamlFile } from './yaml-file.ts';

/** The name of an environment variable. Errors never repeat an invalid name, which could be a secret value. */
const variable = z
  .string('must be the name of an environment variable')
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable, such as GITHUB_TOKEN');

const NAMES_ONLY =
  'must be a list of names of environment variables, such as [GITHUB_TOKEN]; their values stay in the environment';

const entrySchema = z
  .strictObject({
    /** The title that people see instead of the name. */
    title: z.string().trim().min(1).max(MCP_LIMITS.name).optional(),
    command: z.string().trim().min(1).optional(),
    args: z.array(z.string('must be text; put it in quotes')).max(100).optional(),
    env: z.array(variable, NAMES_ONLY).max(100).optional(),
    /** The folder in which the program runs, relative to the file's folder, which is the default. */
    cwd: z.string().min(1).optional(),
    /** Names of tools that run without a question, as long as the server describes them as it did at first. */
    allow: z.array(z.string().min(1).max(MCP_LIMITS.name)).max(MCP_LIMITS.tools).optional(),
    url: sourceUrlSchema.optional(),
    headers: z
      .record(
        z.string(),
        variable,
        'must be headers with the names of environment variables, such as { X-Key: MY_KEY }',
      )
      .optional(),
  })
  .superRefine(({ command, url, ...others }, context) => {
    const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
    if ((command === undefined) === (url === undefined))
      refuse([], 'must have either a command, which starts the server, or a url, where it is');
    const strange = command === undefined ? (['args', 'env', 'cwd'] as const) : (['headers'] as const);
    for (const key of strange)
      if (others[key] !== undefined)
        refuse([key], `belongs to a server with a ${command === undefined ? 'command' : 'url'}`);
    for (const name of Object.keys(others.headers ?? {}))
      if (headerProblem(name, '') !== undefined) refuse(['headers', name], 'is no header that can be set');
  });

const mcpFileSchema = z.strictObject({
  servers: z
    .record(
      z
        .string()
        .regex(
          SOURCE_NAME,
          'must be 1 to 24 lowercase letters, digits, and hyphens, and begin with a letter or a digit',
        ),
      entrySchema,
    )
    .refine(
      (servers) => Object.keys(servers).length <= MCP_LIMITS.servers,
      `There can be at most ${MCP_LIMITS.servers} servers`,
    ),
});

/**
 * A tool server in an `mcp.yaml`: a program to start in the folder `cwd`, or an address. `allow`: the names of its tools that
 * run without a question. `at`: the file and line of its entry. `env`: the names of the environment variables that the program
 * gets. `headers`: by the name of each header, the name of the variable with its value.
 */
export type ListedServer = { name: string; title?: string | undefined; allow: readonly string[]; at: string } & (
  | { type: 'program'; command: string; args: readonly string[]; env: readonly string[]; cwd: string }
  | { type: 'address'; url: string; headers: Readonly<Record<string, string>> }
);

/**
 * Returns the tool servers listed in an `mcp.yaml`; none if the file does not exist. Throws `ConfigError` with file, line,
 * field and reason for everything that is invalid.
 */
export function readMcpFile(path: string): ListedServer[] {
  if (!existsSync(path)) return [];
  try {
    return parseMcpFile(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${path}: cannot be read (${error instanceof Error ? error.message : error})`);
  }
}

export function parseMcpFile(source: string, path: string): ListedServer[] {
  const { value, at } = parseYamlFile(source, path, mcpFileSchema, { servers: {} });
  return Object.entries(value.servers).map(([name, { title, allow = [], command, url, args, env, cwd, headers }]) => ({
    name,
    title,
    allow,
    at: at(['servers', name]),
    ...(command === undefined
      ? { type: 'address', url: url ?? '', headers: headers ?? {} }
      : { type: 'program', command, args: args ?? [], env: env ?? [], cwd: resolve(dirname(path), cwd ?? '.') }),
  }));
}

/** Returns the names of the environment variables that a server's entry names but that are unset or empty. */
export function missingVariables(server: ListedServer, env: Environment): string[] {
  const names = server.type === 'program' ? server.env : Object.values(server.headers);
  return names.filter((name) => !env[name]);
}
