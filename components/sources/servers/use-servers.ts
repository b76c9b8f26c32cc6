import type { McpServer } from '#studio/sources/mcp/mcp-server.ts';
import type { McpServers } from '#studio/sources/mcp/mcp-servers.ts';
import type { Tools } from '#studio/tools.ts';
import { useLoadedSources } from '../use-loaded-sources.ts';

const serversOf = ({ servers }: Tools): McpServers | undefined => servers;

/** Returns all tool servers, and the object that changes them; undefined until the tools are loaded. */
export function useServers(): { servers: McpServers | undefined; list: readonly McpServer[] } {
  const { sources, list } = useLoadedSources<McpServer, McpServers>(serversOf);
  return { servers: sources, list };
}
