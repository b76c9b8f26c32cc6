import * as z from 'zod';

/** Where requests to tool servers and HTTP APIs are passed on. */
export const MCP_RELAY_PATH = '/api/mcp/relay';

/** The status of a relayed response. Without it, the response is the studio's own. */
export const MCP_RELAY_STATUS_HEADER = 'x-relayed-status';

/** The headers of a relayed response, as a JSON object. */
export const MCP_RELAY_HEADERS_HEADER = 'x-relayed-headers';

/** A request to a tool server or an HTTP API that the page may not make itself. */
export const mcpRelayRequestSchema = z.object({
  url: z.url({ protocol: /^https?$/ }),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
  headers: z.record(z.string().max(200), z.string().max(8_192)),
  body: z.string().optional(),
});

/** A request to a tool server or an HTTP API that the page may not make itself. */
export type McpRelayRequest = z.input<typeof mcpRelayRequestSchema>;
