import type { ServerResponse } from 'node:http';
import { type LocalServer, sendJson, startLocalServer } from '#server/test/local-server.ts';

/** The model's reply to one request. */
export interface ModelReply {
  reasoning?: string;
  text?: string;
  /** Sent natively if the request has tools, otherwise written as the protocol's text. */
  calls?: readonly { name: string; arguments: string; id?: string }[];
  finishReason?: 'stop' | 'length' | 'content_filter';
  /** Characters for each piece; a few by default. */
  piece?: number;
  /** Closes the connection after this many characters. */
  breakAfter?: number;
  /** Pauses after this many characters until the promise resolves or the other side disconnects. */
  hold?: { after: number; until: Promise<unknown> };
  /** Responds with an error instead. */
  error?: { status: number; message: string; headers?: Record<string, string> };
}

interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null | { type: string; text?: string; image_url?: { url: string } }[];
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
  reasoning_content?: string;
}

export interface ChatBody {
  model: string;
  messages: ChatMessage[];
  tools?: { function: { name: string } }[];
  tool_choice?: unknown;
  stream?: boolean;
}

const PIECE = 5;

/** About what a tokenizer counts. Always odd: a prompt whose size is that of a window is taken for a cut one. */
const countCharacters = ({ messages, tools = [] }: ChatBody): number =>
  2 * Math.ceil(JSON.stringify([messages, tools]).length / 8) + 1;

/** An OpenAI chat completions endpoint that plays its replies in the given order. */
export class ModelServer {
  readonly requests: ChatBody[] = [];
  /** The key sent with each request. */
  readonly authorizations: (string | undefined)[] = [];
  /** Counts the tokens of a prompt, for what is reported. */
  count: (body: ChatBody) => number = countCharacters;
  /** The error with which it refuses a prompt; undefined if it takes it. */
  refuse: (body: ChatBody) => string | undefined = () => undefined;
  /** Its reply to a request that needs one of its own; undefined for the next one of the queue. */
  respond: (body: ChatBody) => ModelReply | undefined = () => undefined;
  /** The number of times that the other side disconnected before a reply had ended. */
  leftEarly = 0;
  #replies: ModelReply[] = [];
  #server: LocalServer | undefined;

  static async start(): Promise<ModelServer> {
    const model = new ModelServer();
    model.#server = await startLocalServer(({ body, headers, path }, response) => {
      if (path.endsWith('/models')) return sendJson(response, 200, { data: [{ id: 'scripted' }] });
      model.authorizations.push(headers.authorization);
      return model.#answer(JSON.parse(body) as ChatBody, response);
    });
    return model;
  }

  get url(): string {
    return `${this.#server?.url}/v1`;
  }

  /** Adds replies to the queue. */
  reply(...replies: readonly ModelReply[]): void {
    this.#replies.push(...replies);
  }

  /** Clears unused replies. */
  dropReplies(): void {
    this.#replies = [];
  }

  /** Clears recorded requests and unused replies. */
  reset(): void {
    this.#replies = [];
    this.requests.length = 0;
    this.authorizations.length = 0;
    this.leftEarly = 0;
    this.count = countCharacters;
    this.refuse = () => undefined;
    this.respond = () => undefined;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  async #answer(body: ChatBody, response: ServerResponse): Promise<void> {
    this.requests.push(body);
    const refusal = this.refuse(body);
    if (refusal !== undefined) return sendJson(response, 400, { error: { message: refusal } });
    const reply = this.respond(body) ??
      this.#replies.shift() ?? { error: { status: 418, message: 'no reply is left' } };
    if (reply.error !== undefined) {
      const { status, message, headers } = reply.error;
      return sendJson(response, status, { error: { message, type: 'invalid_request_error', code: null } }, headers);
    }
    const native = (body.tools ?? []).length > 0;
    const calls = native ? (reply.calls ?? []) : [];
    const text = native ? (reply.text ?? '') : writePrompted(reply);
    const finish = reply.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop');
    const usage = usageOf(this.count(body));
    if (body.stream !== true) return sendWhole(response, { ...reply, text, calls }, { finish, usage });
    return this.#stream(response, { ...reply, text, calls }, { finish, usage });
  }

  async #stream(response: ServerResponse, reply: ModelReply, { finish, usage }: ReplyEnd): Promise<void> {
    const gone = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableEnded && reply.breakAfter === undefined) this.leftEarly++;
        resolve();
      });
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let sent = 0;
    for (const delta of deltasOf(reply)) {
      if (reply.hold !== undefined && sent >= reply.hold.after) await Promise.race([reply.hold.until, gone]);
      if (response.destroyed) return;
      if (reply.breakAfter !== undefined && sent >= reply.breakAfter) {
        // Unlike a reset, this closes only after the written data has arrived.
        response.socket?.end();
        return;
      }
      const choices = [{ index: 0, delta, finish_reason: null }];
      await new Promise((resolve) => {
        response.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices })}\n\n`, resolve);
      });
      sent += reply.piece ?? PIECE;
    }
    const last = { id: 'x', choices: [{ index: 0, delta: {}, finish_reason: finish }], usage };
    response.end(`data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
  }
}

interface ReplyEnd {
  finish: string;
  usage: ReturnType<typeof usageOf>;
}

const usageOf = (prompt: number) => ({ prompt_tokens: prompt, completion_tokens: 20, total_tokens: prompt + 20 });

function* deltasOf({ reasoning = '', text = '', calls = [], piece: size = PIECE }: ModelReply): Generator<object> {
  for (const piece of pieces(reasoning, size)) yield { reasoning_content: piece };
  for (const piece of pieces(text, size)) yield { content: piece };
  for (const [index, call] of calls.entries()) {
    const id = call.id ?? `call_${index}`;
    yield { tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }] };
    for (const piece of pieces(call.arguments, size)) yield { tool_calls: [{ index, function: { arguments: piece } }] };
  }
}

function* pieces(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

function sendWhole(response: ServerResponse, reply: ModelReply, { finish, usage }: ReplyEnd): void {
  const { reasoning, text = '', calls = [] } = reply;
  const toolCalls = calls.map(({ id, name, arguments: input }, index) => ({
    id: id ?? `call_${index}`,
    type: 'function',
    function: { name, arguments: input },
  }));
  const message = {
    role: 'assistant',
    content: text,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  sendJson(response, 200, { id: 'x', choices: [{ index: 0, message, finish_reason: finish }], usage });
}

/** The reply of a model with prompted tools; cut off inside the last call's arguments if it ends for length. */
function writePrompted({ text = '', calls = [], finishReason }: ModelReply): string {
  if (calls.length === 0) return text;
  const written = JSON.stringify({
    tool_calls: calls.map(({ name, arguments: input }) => ({
      id: 'call_0',
      type: 'function',
      function: { name, arguments: input },
    })),
  });
  const cut = finishReason === 'length' ? written.slice(0, -'"}}]}'.length) : written;
  return text === '' ? cut : `${text}\n\n${cut}`;
}
