import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that a server has got. */
export interface SeenRequest {
  method: string;
  /** Path and query, as they came. */
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A real HTTP server on loopback that remembers what it was asked. */
export class ApiTestServer {
  readonly seen: SeenRequest[] = [];
  /** The handler that answers each request. */
  answer: (request: SeenRequest, response: ServerResponse) => void = (_, response) => {
    response.setHeader('content-type', 'application/json').end('{"ok":true}');
  };
  readonly #http = createServer((incoming, response) => {
    text(incoming)
      .then((body) => {
        const { method = '', url = '', headers } = incoming;
        const request = { method, url, headers, body };
        this.seen.push(request);
        this.answer(request, response);
      })
      .catch(() => response.destroy());
  });

  static async start(): Promise<ApiTestServer> {
    const server = new ApiTestServer();
    await new Promise<void>((resolve) => server.#http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://localhost:${(this.#http.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }
}
