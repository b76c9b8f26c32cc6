import { ApiTestServer, type SeenRequest } from '#lib/sources/http-api/test/api-server.ts';

/** An HTTP API on loopback that wants a key. It says back what it was sent, also what it should not. */
export class KeyedApi {
  /** Whether it lets pages call it. */
  isOpenToPages = true;
  readonly #server: ApiTestServer;

  static async start(key: string): Promise<KeyedApi> {
    return new KeyedApi(await ApiTestServer.start(), key);
  }

  private constructor(server: ApiTestServer, key: string) {
    this.#server = server;
    server.answer = ({ method, url, headers, body }, response) => {
      const { authorization, origin } = headers;
      if (this.isOpenToPages && origin !== undefined) {
        response.setHeader('access-control-allow-origin', origin);
        response.setHeader('access-control-allow-headers', 'authorization, content-type');
        response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
      }
      if (method === 'OPTIONS') return response.writeHead(this.isOpenToPages ? 204 : 405).end();
      response.setHeader('content-type', 'application/json');
      if (authorization !== `Bearer ${key}`) return response.writeHead(401).end('{"message":"Who are you?"}');
      return response.end(JSON.stringify({ data: { method, url, body, authorization } }));
    };
  }

  get url(): string {
    return this.#server.url;
  }

  /** All requests that it has got. */
  get seen(): readonly SeenRequest[] {
    return this.#server.seen;
  }

  /** The requests that were no question about whether pages may call it. */
  get calls(): readonly SeenRequest[] {
    return this.seen.filter(({ method }) => method !== 'OPTIONS' && method !== 'HEAD');
  }

  /** Returns its description for the studio. `more` is added to the description of its first tool. */
  describe(more = ''): string {
    return `name: tracker
baseUrl: ${this.url}/api
headers:
  Authorization: Bearer {{token}}
tools:
  - name: get_issue
    description: Returns an issue by its number.${more}
    method: GET
    path: /issues/{id}
    parameters:
      - { name: id, in: path, schema: { type: integer } }
    result: data
  - name: create_issue
    description: Creates an issue.
    method: POST
    path: /issues
    parameters:
      - { name: title, in: body, required: true }
    result: data
`;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}
