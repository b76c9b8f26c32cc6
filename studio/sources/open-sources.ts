import { RestClient, startRestWorker } from '#lib/sources/http-api/rest-client.ts';
import { LoginWorker, startLoginWorker } from '#lib/sources/mcp/login/login-client.ts';
import { McpClient, startMcpWorker } from '#lib/sources/mcp/mcp-client.ts';
import type { EgressLedger } from '../web/egress-ledger.ts';
import { RestApis } from './http-api/rest-apis.ts';
import type { McpServersOptions } from './mcp/mcp-server.ts';
import { McpServers } from './mcp/mcp-servers.ts';
import { ServerLogins } from './mcp/server-logins.ts';
import { listStudioServers } from './mcp/studio-servers.ts';

/** The registry in which external tools are offered, and the parts of the studio that they use. */
export type SourceOptions = Pick<McpServersOptions, 'store' | 'registry' | 'vault' | 'onNewServers'> & {
  egress: Pick<EgressLedger, 'sent'>;
};

/** Offers the tools of the person's servers and HTTP APIs. Their requests are recorded. Rejects with `StorageError`. */
export async function openSources({ egress, onNewServers, ...common }: SourceOptions): Promise<{
  servers: McpServers;
  apis: RestApis;
}> {
  const kept = { ...common, onRequest: (...request: Parameters<typeof egress.sent>) => egress.sent(...request) };
  const servers = await McpServers.open({
    ...kept,
    onNewServers,
    listStudioServers,
    createClient: () => new McpClient(startMcpWorker),
    logins: new ServerLogins(common.vault, () => new LoginWorker(startLoginWorker)),
  });
  const apis = await RestApis.open({ ...kept, createClient: () => new RestClient(startRestWorker) });
  return { servers, apis };
}
