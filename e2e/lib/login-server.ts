import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { TestOAuthServer } from '#lib/sources/mcp/test/oauth-server.ts';
import { McpTestServer } from './mcp-server.ts';

/** A tool server on loopback that wants a login, and its authorization server on another port, with a page to log in. */
export class LoginTestServer {
  readonly tools: McpTestServer;
  /** The authorization server, which issues tokens and can misbehave. */
  readonly auth: TestOAuthServer;
  /** Whether the authorization server lets pages call it. */
  isOpenToPages = true;
  /** The `origin` of each request to it with a body; undefined for those of a server. */
  readonly origins: (string | undefined)[] = [];
  readonly #http: HttpServer;

  static async start(): Promise<LoginTestServer> {
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', () => resolve()));
    return new LoginTestServer(await McpTestServer.start(), http);
  }

  private constructor(tools: McpTestServer, http: HttpServer) {
    this.tools = tools;
    this.#http = http;
    this.auth = new TestOAuthServer(`http://localhost:${(http.address() as AddressInfo).port}`, tools.url);
    tools.guard = (request) => this.auth.fetch(request);
    http.on('request', (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  /** The address of the tool server. */
  get url(): string {
    return this.tools.url;
  }

  /** The calls that the tool server has begun to run. */
  get calls(): readonly string[] {
    return this.tools.calls;
  }

  /** For what the authorization server was asked for tokens, in order. */
  get grants(): readonly (string | undefined)[] {
    return this.auth.forms.map(({ grant_type }) => grant_type);
  }

  /** The number of refresh tokens that were used a second time. */
  get replays(): number {
    return this.auth.replays;
  }

  /** The number of tokens that the studio has given back. */
  get revocations(): number {
    return this.auth.requests.filter((one) => one === 'POST /revoke').length;
  }

  /** Limits how long tokens are valid from now on; undefined for no limit that is told. */
  limitTokens(seconds: number | undefined): void {
    this.auth.token = seconds === undefined ? {} : { expires_in: seconds };
  }

  /** Returns the address to which a person who agrees is sent back. */
  agree(authorizationUrl: string): string {
    return this.auth.redirectOf(authorizationUrl);
  }

  /** Makes all tokens worthless. */
  revokeAll(): void {
    this.auth.revokeAll();
  }

  async stop(): Promise<void> {
    await this.tools.stop();
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '', this.auth.issuer);
    if (url.pathname === '/authorize') {
      const link = (label: string, to: string) => `<p><a href="${to.replaceAll('&', '&amp;')}">${label}</a></p>`;
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><title>Log in</title>${link('Agree', this.auth.redirectOf(url.href))}${link('Refuse', this.auth.redirectOf(url.href, 'refuse'))}`,
      );
      return;
    }
    const { origin } = incoming.headers;
    if (this.isOpenToPages && origin !== undefined) {
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('access-control-allow-headers', '*');
    }
    if (incoming.method === 'OPTIONS') {
      response.writeHead(this.isOpenToPages ? 204 : 405).end();
      return;
    }
    const body = incoming.method === 'POST' ? await text(incoming) : undefined;
    if (body !== undefined && body !== '') this.origins.push(origin);
    const answer = await this.auth.fetch(
      new Request(url, {
        method: incoming.method ?? 'GET',
        headers: { 'content-type': incoming.headers['content-type'] ?? '' },
        ...(body !== undefined && { body }),
      }),
    );
    response.writeHead(answer?.status ?? 404, { 'content-type': 'application/json' }).end(await answer?.text());
  }
}
