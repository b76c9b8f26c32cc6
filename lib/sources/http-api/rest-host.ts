import { messageOf } from '#lib/base/message-of.ts';
import { yamlText } from '#lib/base/yaml/yaml-file.ts';
import { relayRefusal } from '#lib/sources/mcp/relay-fetch.ts';
import type { EgressRequest } from '#lib/tools/egress/egress.ts';
import { RequestLog } from '#lib/tools/egress/request-log.ts';
import { type RestApi, restApiSchema } from './api.ts';
import { ApiFileError, readApiFile } from './api-file.ts';
import { isReading, type RestTool } from './api-tool.ts';
import { readDocument } from './openapi/document.ts';
import { DocumentError } from './openapi/document-error.ts';
import { type ListedOperation, type Operations, readOperations } from './openapi/operations.ts';
import { baseUrlsOf, type SecretHeader, secretHeadersOf } from './openapi/security.ts';
import type { RestOutcome } from './outcome.ts';
import { Redactor } from './redactor.ts';
import { RequestFault, requestOf } from './request.ts';
import { outcomeOf } from './response.ts';
import { type RestRoute, RestSender, SendError } from './send.ts';

/** The reason why the description of an API, or an OpenAPI document, cannot be used, for people: a line per fault. */
export interface Fault {
  fault: string;
}

/** A description of an API: its YAML text, and the API that was read from it. */
export interface WrittenApi {
  source: string;
  api: RestApi;
}

/** A summary of an OpenAPI document, from which a person chooses operations. */
export interface OpenedDocument {
  title: string;
  baseUrls: string[];
  secretHeaders: SecretHeader[];
  operations: ListedOperation[];
  /** The number of operations beyond the limit, which are not listed. */
  left: number;
}

/**
 * The operations that a person has chosen from an OpenAPI document, by name, and the other properties of the API that they
 * become. The values of `headers` have placeholders for secrets, such as `{{token}}`.
 */
export interface ChosenOperations {
  name: string;
  title?: string;
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  operations: readonly string[];
}

/** A call of a tool of an API. `args`: the model's arguments. `secrets`: the values of the API's secrets, by name. */
export interface RestCall {
  api: Pick<RestApi, 'baseUrl' | 'headers'>;
  tool: RestTool;
  args: Readonly<Record<string, unknown>>;
  secrets: Readonly<Record<string, string>>;
}

/**
 * Reads the descriptions of HTTP APIs and calls one API. It is made to run in a worker, where `RestClient` uses it: all
 * arguments and results are plain data.
 */
export class RestHost {
  readonly #sender: RestSender;
  readonly #calls = new Map<string, AbortController>();
  #operations: Operations | undefined;

  constructor(routes: readonly RestRoute[], callMs?: number) {
    this.#sender = new RestSender(routes, callMs);
  }

  /** Reads the description of an API from YAML text. `file`: its name in messages. */
  async readApi(source: string, file: string): Promise<WrittenApi | Fault> {
    try {
      return { source, api: await readApiFile(source, file) };
    } catch (error) {
      return faultIn(error);
    }
  }

  /** Reads an OpenAPI document, and keeps its operations for `describe`. */
  openDocument(source: string): OpenedDocument | Fault {
    try {
      const root = readDocument(source);
      this.#operations = readOperations(root);
      const { title } = (root.info ?? {}) as { title?: unknown };
      return {
        title: typeof title === 'string' ? title.slice(0, 200) : '',
        baseUrls: baseUrlsOf(root),
        secretHeaders: secretHeadersOf(root),
        operations: this.#operations.listed,
        left: this.#operations.left,
      };
    } catch (error) {
      return faultIn(error);
    }
  }

  /** Makes a description of an API from operations of the document that `openDocument` read last. */
  async describe({ operations, ...api }: ChosenOperations): Promise<WrittenApi | Fault> {
    const tools = operations.flatMap((name) => this.#operations?.tools.get(name) ?? []);
    const parsed = restApiSchema.safeParse({ ...api, tools });
    if (!parsed.success)
      return { fault: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n') };
    return this.readApi(yamlText(withoutDefaults(parsed.data)), api.name);
  }

  /** Calls a tool. `id`: names the call for `cancel`. `onRequest`: called with a record of each request. Never rejects. */
  async call(
    id: string,
    { api, tool, args, secrets }: RestCall,
    onRequest: (request: EgressRequest) => void = () => undefined,
  ): Promise<RestOutcome> {
    const log = new RequestLog({ onRequest, refusalOf: relayRefusal });
    const redactor = new Redactor(Object.values(secrets));
    const controller = new AbortController();
    this.#calls.set(id, controller);
    try {
      const request = requestOf(api, tool, args, secrets);
      const { signal } = controller;
      const response = await this.#sender.send(request, { isRead: isReading(tool), signal, log });
      return outcomeOf(response, tool, redactor);
    } catch (error) {
      const code = error instanceof SendError ? error.code : 'failed';
      const message = redactor.text(messageOf(error));
      return { type: 'failure', code, message: error instanceof RequestFault ? `Not run. ${message}` : message };
    } finally {
      log.end();
      this.#calls.delete(id);
    }
  }

  /** Stops the call with this `id`, if it is still under way. */
  cancel(id: string): void {
    this.#calls.get(id)?.abort();
  }
}

function faultIn(error: unknown): Fault {
  if (error instanceof ApiFileError || error instanceof DocumentError) return { fault: error.message };
  throw error;
}

/** Returns a description without `headers` and `parameters` that are empty, as they are by default. */
const withoutDefaults = ({ headers, tools, ...api }: RestApi) => ({
  ...api,
  ...(Object.keys(headers).length > 0 && { headers }),
  tools: tools.map(({ parameters, headers: own, ...tool }) => ({
    ...tool,
    ...(parameters.length > 0 && { parameters }),
    ...(Object.keys(own).length > 0 && { headers: own }),
  })),
});
