import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** The question that the server asks the person. */
const WHERE = inputRequired.elicit({
  message: 'Where do you live?',
  requestedSchema: {
    type: 'object',
    properties: { city: { type: 'string', title: 'City', minLength: 2 } },
    required: ['city'],
  },
});

/** A real tool server on loopback. It counts what it runs, and can change while it is in use. */
export class McpTestServer {
  /** The calls that it has begun to run, as `tool argument`. */
  readonly calls: string[] = [];
  /** The `origin` of each request that came straight from a page; undefined for those of a server. */
  readonly origins: (string | undefined)[] = [];
  /** The `authorization` of each request. */
  readonly keys: (string | undefined)[] = [];
  /** The description of its tool. */
  description = 'Tells the weather of a city.';
  /** Whether it lets pages call it. */
  isOpenToPages = true;
  /** The key that it wants; undefined for none. */
  key: string | undefined;
  /** Answers requests in its place, unless it returns nothing. */
  guard: ((request: Request) => Promise<Response | undefined>) | undefined;
  /** While it is there, calls wait for it. */
  gate: Promise<void> | undefined;
  /** Called when it begins to run a call. */
  onCall: () => void = () => undefined;
  /** Prompts that it has, by name. */
  readonly prompts = new Set(['review']);
  /** The number of further tools, with long descriptions: enough of them are searched for instead of being listed. */
  fillers = 0;
  readonly #handler = createMcpHandler(() => this.#create());
  readonly #http: HttpServer;

  static async start(): Promise<McpTestServer> {
    const server = new McpTestServer();
    await server.listen();
    return server;
  }

  private constructor() {
    this.#http = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  get url(): string {
    return `http://localhost:${this.#port}/mcp`;
  }

  #port = 0;

  listen(): Promise<void> {
    return new Promise((resolve) => {
      this.#http.listen(this.#port, '127.0.0.1', () => {
        this.#port = (this.#http.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  /** Tells whoever listens that its tools have changed. */
  announce(): void {
    this.#handler.notify.toolsChanged();
  }

  /** Offers another prompt, and tells whoever listens. */
  offerPrompt(name: string): void {
    this.prompts.add(name);
    this.#handler.notify.promptsChanged();
  }

  /** Breaks all connections, as a bad network does. */
  breakConnections(): void {
    this.#http.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  #create(): McpServer {
    const server = new McpServer({ name: 'weather', title: 'Weather', version: '1' });
    server.registerTool(
      'forecast',
      { description: this.description, inputSchema: z.object({ city: z.string().describe('The city.') }) },
      async ({ city }) => {
        this.calls.push(`forecast ${city}`);
        this.onCall();
        await this.gate;
        return { content: [{ type: 'text', text: `It rains in ${city}.` }] };
      },
    );
    server.registerTool(
      'erase',
      {
        description: 'Erases a city.',
        annotations: { destructiveHint: true },
        inputSchema: z.object({ city: z.string() }),
      },
      ({ city }) => {
        this.calls.push(`erase ${city}`);
        return { content: [{ type: 'text', text: `${city} is gone.` }] };
      },
    );
    server.registerTool('ask', { description: 'Asks where.', inputSchema: z.object({}) }, (_, { mcpReq }) => {
      const where = acceptedContent(mcpReq.inputResponses, 'where', z.object({ city: z.string() }));
      if (mcpReq.inputResponses === undefined) return inputRequired({ inputRequests: { where: WHERE } });
      this.calls.push(`ask ${where?.city ?? 'nowhere'}`);
      return { content: [{ type: 'text', text: `You said ${where?.city ?? 'nothing'}.` }] };
    });
    for (let n = 1; n <= this.fillers; n++)
      server.registerTool(
        `filler_${n}`,
        { description: `Does nothing. ${'It does nothing at all. '.repeat(100)}`, inputSchema: z.object({}) },
        () => ({ content: [] }),
      );
    for (const name of this.prompts)
      server.registerPrompt(name, { description: `Asks for a ${name}.` }, () => ({
        messages: [{ role: 'user', content: { type: 'text', text: `Please write a ${name}.` } }],
      }));
    return server;
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origin, authorization } = incoming.headers;
    if (this.isOpenToPages && origin !== undefined) {
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('access-control-allow-headers', '*, authorization');
      response.setHeader('access-control-allow-methods', '*');
      response.setHeader('access-control-expose-headers', '*');
    }
    if (incoming.method === 'OPTIONS') {
      response.writeHead(this.isOpenToPages ? 204 : 405).end();
      return;
    }
    this.origins.push(origin);
    this.keys.push(authorization);
    if (this.key !== undefined && authorization !== this.key) {
      response.writeHead(401).end();
      return;
    }
    const body = incoming.method === 'POST' ? await text(incoming) : undefined;
    const controller = new AbortController();
    response.on('close', () => controller.abort());
    const request = new Request(new URL(incoming.url ?? '', this.url), {
      method: incoming.method ?? 'GET',
      headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      signal: controller.signal,
      ...(body !== undefined && { body }),
    });
    const answer = (await this.guard?.(request)) ?? (await this.#handler.fetch(request));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else await pipeline(Readable.fromWeb(answer.body as ReadableStream), response);
  }
}
