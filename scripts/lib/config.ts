import { resolve } from 'node:path';
import { readServerEnv, type ServerEnv } from '#config/env.ts';
import { ConfigError } from '#config/errors.ts';
import { readModelsFile } from '#models/models-file.ts';
import { readProviders } from '#models/providers-env.ts';
import { kindOfDatabase } from '#server/graph/checkpointer/checkpointers.ts';
import { readStudioServers } from '#server/mcp/studio-servers.ts';

/** Reads all configuration as the server will. An error ends the process with its position and reason. */
export function readConfigOrExit(): ServerEnv {
  try {
    const env = readServerEnv(process.env);
    kindOfDatabase(env.DATABASE_URL);
    readProviders(process.env);
    readModelsFile(resolve(env.MODELS_FILE));
    readStudioServers(resolve(env.MCP_FILE));
    return env;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    exitWith(error);
  }
}

/** Ends the process with an error of the configuration. */
export function exitWith(error: ConfigError): never {
  process.stderr.write(`The studio was not started.\n${error.message}\n`);
  process.exit(1);
}

/** Checks what several processes share, if there is anything. An error ends the process and names the variable to change. */
export async function checkSharedOrExit(env: ServerEnv): Promise<void> {
  if (env.SHARED_URL === 'memory:') return;
  const { checkShared } = await import('#server/shared/shared.ts');
  try {
    await checkShared(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    exitWith(error);
  }
}

/** The address to bind for a host name; a name of this machine itself binds only to loopback. */
export const bindAddress = (host: string): string => (host === 'localhost' ? '127.0.0.1' : host);

export const isLoopback = (host: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(host);
