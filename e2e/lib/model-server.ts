import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { BrokenConnection, ScriptedModel } from './scripted-model.ts';

/** A scripted model behind real HTTP, on a free port of loopback. */
export class ScriptedModelServer extends ScriptedModel {
  readonly #server: Server;
  #url = '';

  static async start(): Promise<ScriptedModelServer> {
    const model = new ScriptedModelServer();
    await new Promise<void>((resolve) => {
      model.#server.listen(0, '127.0.0.1', resolve);
    });
    const address = model.#server.address();
    model.#url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
    return model;
  }

  private constructor() {
    super();
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        response.destroy(error instanceof BrokenConnection || !(error instanceof Error) ? undefined : error);
      });
    });
  }

  get url(): string {
    return this.#url;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = new AbortController();
    response.once('close', () => {
      if (!response.writableEnded) closed.abort();
    });
    const { status, headers, body } = await this.respond({
      path: request.url ?? '/',
      key: request.headers.authorization?.replace(/^Bearer /, ''),
      read: () => text(request),
      signal: closed.signal,
    });
    response.writeHead(status, headers);
    if (typeof body === 'string') response.end(body);
    else {
      for await (const piece of body) response.write(piece);
      response.end();
    }
  }
}
