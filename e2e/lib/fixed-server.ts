import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of the server. */
export interface FixedAnswer {
  /** The end of the paths that get it; all paths, unless an earlier answer is theirs. */
  path?: string;
  status?: number;
  body: string | object;
}

/** A server on loopback that gives the same answers each time: objects as JSON, and texts as web pages. */
export class FixedServer {
  readonly #http: Server;
  readonly #opened = Promise.withResolvers<void>();

  /** `isHeld`: it answers once it is opened. */
  static async start(answers: readonly FixedAnswer[], { isHeld = false } = {}): Promise<FixedServer> {
    const server = new FixedServer(answers);
    if (!isHeld) server.open();
    await new Promise<void>((resolve) => {
      server.#http.listen(0, '127.0.0.1', resolve);
    });
    return server;
  }

  private constructor(answers: readonly FixedAnswer[]) {
    this.#http = createServer(async ({ url = '' }, response) => {
      await this.#opened.promise;
      const { status = 200, body = '' } = answers.find(({ path = '' }) => url.endsWith(path)) ?? { status: 404 };
      const isPage = typeof body === 'string';
      response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json' });
      response.end(isPage ? body : JSON.stringify(body));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  open(): void {
    this.#opened.resolve();
  }

  async stop(): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }
}
