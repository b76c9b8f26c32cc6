import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '#config/env.ts';
import { ConfigError } from '#config/errors.ts';
import { messageOf } from '#lib/base/message-of.ts';

/** The file in the studio's folder that names the version that was started last. */
const VERSION_FILE = 'version.txt';

/**
 * Returns the variables that name files, as absolute paths: those that are set count from `directory`, in which the studio was
 * started, and the defaults from `home`.
 */
export function fileVariables(env: Environment, home: string, directory: string): Record<string, string> {
  const pathOf = (value: string | undefined, otherwise: string) =>
    value === undefined || value === '' ? join(home, otherwise) : resolve(directory, value);
  const [, database] = /^sqlite:(.*)$/s.exec(env.DATABASE_URL ?? '') ?? [];
  return {
    MODELS_FILE: pathOf(env.MODELS_FILE, 'models.yaml'),
    MCP_FILE: pathOf(env.MCP_FILE, 'mcp.yaml'),
    ...((!env.DATABASE_URL || database !== undefined) && {
      DATABASE_URL: `sqlite:${pathOf(database, 'checkpoints.db')}`,
    }),
  };
}

/**
 * Makes the studio's folder ready for `version`, and returns the version that was started there before; undefined if none was.
 * Throws `ConfigError` if it cannot be written to, or if a later version has used it.
 */
export function prepareHome(home: string, version: string): string | undefined {
  const file = join(home, VERSION_FILE);
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    accessSync(home, constants.W_OK);
    const before = readVersion(file);
    if (before !== undefined && isLater(before, version))
      throw new ConfigError(
        `${home} was last used by version ${before}, and this is ${version}. Install ${before} or later, or choose another folder with STUDIO_HOME.`,
      );
    if (before !== version) writeFileSync(file, `${version}\n`);
    return before;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(
      `The studio cannot write to its folder (${messageOf(error)}). Make ${home} writable, or choose another folder with STUDIO_HOME.`,
    );
  }
}

/** Reads a version such as `1.2.3`; undefined if there is none, or it cannot be understood. */
function readVersion(file: string): string | undefined {
  try {
    return /^\d+\.\d+\.\d+/.exec(readFileSync(file, 'utf8'))?.[0];
  } catch {
    // The studio was never started here.
    return undefined;
  }
}

/** Checks whether a version, such as `1.10.0`, comes after another one, such as `1.9.2`. */
function isLater(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split('.').map((part) => Number.parseInt(part, 10)));
  const index = (a ?? []).findIndex((part, at) => part !== b?.[at]);
  return index >= 0 && (a?.[index] ?? 0) > (b?.[index] ?? 0);
}
