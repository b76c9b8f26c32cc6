import * as z from 'zod';

/** The path for requests that the studio's server passes on to the web, tool servers, and HTTP APIs. */
export const RELAY_PATH = '/api/mcp/relay';

/** The header with the status of a relayed response. A response without it is the studio's own. */
export const RELAY_STATUS_HEADER = 'x-relayed-status';

/** The header with the headers of a relayed response, as a JSON object. */
export const RELAY_HEADERS_HEADER = 'x-relayed-headers';

/**
 * A request to a website, a tool server, or an HTTP API that the page asks the studio's server to make, because the browser
 * does not let the page make it: the page's own policy forbids requests to websites, and the other servers may not allow calls
 * from web pages (CORS). Posted to `RELAY_PATH`.
 */
export const relayRequestSchema = z.object({
  url: z.url({ protocol: /^https?$/ }),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
  headers: z.record(z.string().max(200), z.string().max(8_192)),
  body: z.string().optional(),
  /**
   * The handling of redirects, which are never followed. `manual`: the redirect is passed back; if absent, it is answered with
   * a problem.
   */
  redirect: z.literal('manual').optional(),
  /**
   * Whether somebody other than the person names the address, such as the model. The host may then be in a private network only
   * if its name says so (see `saysOwnNetwork`).
   */
  isForeign: z.boolean().optional(),
});

/** A request to the web, a tool server, or an HTTP API that the page may not make itself. */
export type RelayRequest = z.input<typeof relayRequestSchema>;

/** The path that lists the tool servers that the studio's operator offers. Each is reached below this path, by its name. */
export const MCP_SERVERS_PATH = '/api/mcp/servers';

/**
 * The header with the random name of a page's connection to a tool server that the studio's operator offers. Only that page can
 * use the connection.
 */
export const MCP_CONNECTION_HEADER = 'x-mcp-connection';

/** The JSON-RPC code of errors for a tool server whose program has ended, or could not be started. */
export const MCP_PROGRAM_ENDED = -32_090;

/** The tool servers that the studio's operator offers. */
export const studioServersSchema = z.object({
  servers: z.array(z.object({ name: z.string(), title: z.string().optional() })),
});

/** A tool server that the studio's operator offers. */
export type StudioServer = z.infer<typeof studioServersSchema>['servers'][number];
