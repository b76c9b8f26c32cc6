import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { NESTED_VARIABLE } from '#lib/sources/mcp/programs/nested.ts';
import type { LocalFolder } from '../local-folder.ts';
import { isInFolder, ownServersFile } from '../trust/own-places.ts';
import type { LocalServers, LocalServersOptions } from './local-servers.ts';

/** Options for finding and using tool servers. */
interface OpenServersOptions extends Pick<LocalServersOptions, 'env' | 'asksForms' | 'onNotice' | 'egress'> {
  folder: LocalFolder;
  /** The file that lists servers, if the person has named one. */
  mcpFile: string | undefined;
}

/**
 * Connects to the tool servers that the person has listed. Resolves with undefined if there are none, or if this process was
 * itself started as a tool server, because a list that names this program would start it again and again. A list in the folder
 * is read only if the person has named it: it starts programs. Rejects with `ConfigError` for a list that cannot be used.
 */
export async function openServers({
  folder,
  mcpFile,
  env,
  asksForms,
  onNotice,
  egress,
}: OpenServersOptions): Promise<LocalServers | undefined> {
  // A list that names this program would start it again and again.
  if (env[NESTED_VARIABLE]) return undefined;
  const { root } = folder.own;
  const place = mcpFile === undefined ? ownServersFile(env) : resolve(mcpFile);
  if (mcpFile === undefined && !existsSync(place)) return undefined;
  const [{ readMcpFile }, { ConfigError }, { LocalServers }] = await Promise.all([
    import('#config/mcp-file.ts'),
    import('#config/errors.ts'),
    import('./local-servers.ts'),
  ]);
  if (!existsSync(place)) throw new ConfigError(`--mcp ${mcpFile}: there is no such file.`);
  if (mcpFile === undefined && isInFolder(root, place)) {
    onNotice(`${place} is in the folder, where tools could change it. To use its servers, pass --mcp ${place}`);
    return undefined;
  }
  const servers = readMcpFile(place);
  if (servers.length === 0) return undefined;
  return LocalServers.open({ servers, root, env, asksForms, onNotice, egress, registry: folder.registry });
}
