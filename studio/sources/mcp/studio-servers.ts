import { MCP_LIMITS } from '#lib/sources/mcp/limits.ts';
import { type ServerConfig, SOURCE_NAME } from '#lib/sources/mcp/server-config.ts';
import { MCP_SERVERS_PATH, type StudioServer, studioServersSchema } from '#lib/wire/mcp.ts';

/** A tool server of the studio's operator, and whether it is used in this browser. */
export type KnownStudioServer = StudioServer & { isOn: boolean };

/** Asks the studio's server for the tool servers that its operator offers now. Rejects if it does not answer. */
export async function listStudioServers(): Promise<StudioServer[]> {
  const response = await fetch(MCP_SERVERS_PATH);
  if (!response.ok) throw new Error(`The studio’s server answered with ${response.status}.`);
  const { servers } = studioServersSchema.parse(await response.json());
  return servers.filter(({ name }) => SOURCE_NAME.test(name)).slice(0, MCP_LIMITS.servers);
}

/** Returns the configuration with which this page reaches a server of the operator: through the studio's server. */
export const studioServerConfig = ({ name, isOn }: KnownStudioServer): ServerConfig => ({
  name,
  isOn,
  headers: [],
  url: new URL(`${MCP_SERVERS_PATH}/${name}`, globalThis.location?.origin ?? 'http://localhost').href,
});
