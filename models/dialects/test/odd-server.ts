import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { REPLIES } from './odd-reply.ts';

interface Message {
  role: string;
  content: unknown;
}

/**
 * A server that answers as others do, byte by byte but for the size of the prompt: a message that is the id of an odd
 * reply gets that reply, and a call's result gets a plain answer.
 */
export class OddServer {
  /** Its answer once a call has its result. */
  readonly afterCalls = 'That is all.';
  readonly #http: Server;

  static async start(): Promise<OddServer> {
    const server = new OddServer();
    await new Promise<void>((resolve) => {
      server.#http.listen(0, '127.0.0.1', resolve);
    });
    return server;
  }

  private constructor() {
    this.#http = createServer(async (request, response) => {
      const body = (await text(request)) || '{}';
      const { messages = [] } = JSON.parse(body) as { messages?: Message[] };
      const asked = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content ?? '');
      // A message that was not answered is sent with the next one.
      const last = asked
        .match(/“[\w-]+”/g)
        ?.at(-1)
        ?.slice(1, -1);
      const reply = REPLIES.find(({ id }) => id === last);
      if (reply === undefined || messages.at(-1)?.role === 'tool') {
        const chunk = { choices: [{ index: 0, delta: { content: this.afterCalls }, finish_reason: 'stop' }] };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
        return;
      }
      response.writeHead(reply.status, reply.headers);
      // A server counts the prompt that it gets. What counts far less looks like one that cuts prompts.
      response.end(reply.body.replace(/("prompt_tokens":\s*)[1-9]\d*/g, `$1${Math.ceil(body.length / 4)}`));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/v1`;
  }

  /** The replies, for tests that cannot read files. */
  get replies(): typeof REPLIES {
    return REPLIES;
  }

  async stop(): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }
}
