import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PAGE = `<!doctype html><html><head><title>Trees</title></head><body>
<nav><a href="/other">Other</a></nav>
<article><h1>Trees of the park</h1>
<p>${'The park has oaks, limes, and beeches, which were planted long ago. '.repeat(6)}</p>
<ul><li>Oak: 40</li><li>Lime: 2</li></ul>
<p><a href="/map">The map</a></p>
<script>fetch('/script-ran')</script>
<img src="/image-loaded" alt="An oak">
</article></body></html>`;

/** A site on loopback that counts what is asked of it. */
export class WebTestServer {
  /** The paths of the requests, with their methods. */
  readonly requests: string[] = [];
  /** Further answers, by path. */
  readonly answers = new Map<string, (response: ServerResponse) => void>();
  readonly #http: Server;

  static async start(): Promise<WebTestServer> {
    const server = new WebTestServer();
    await new Promise<void>((resolve) => server.#http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  private constructor() {
    this.#http = createServer(({ method, url = '' }, response) => {
      this.requests.push(`${method} ${url}`);
      const answer = this.answers.get(url);
      if (answer !== undefined) answer(response);
      else if (url.startsWith('/trees')) response.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE);
      else if (url === '/data') response.setHeader('content-type', 'application/json').end('{"oaks":40}');
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.');
    });
  }

  /** The host as the studio names it. */
  get host(): string {
    return `127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  /** Answers a path with a page. */
  serve(path: string, html: string): void {
    this.answers.set(path, (response) => response.setHeader('content-type', 'text/html').end(html));
  }

  /** Answers a path with an image. */
  serveImage(path: string, svg: string): void {
    this.answers.set(path, (response) => response.setHeader('content-type', 'image/svg+xml').end(svg));
  }

  /** Sends whoever asks for a path to another address. */
  redirect(path: string, location: string): void {
    this.answers.set(path, (response) => response.writeHead(302, { location }).end());
  }

  async stop(): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }
}
