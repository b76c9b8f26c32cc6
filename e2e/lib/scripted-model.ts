import { promptedReply, type ScenarioTurn } from '#e2e/lib/scenarios/scenario.ts';
import { CODEC_IDS } from '#lib/prompts/codecs/codecs.ts';

/** The way in which the scripted model sends a reply, apart from its content. */
interface Delivery {
  /** Characters per streamed chunk. */
  piece?: number;
  delayMs?: number;
  /** Pauses after this many characters, or at the end if there are fewer, until the gate is opened. */
  hold?: { after: number; gate: string };
  /** Sends the n-th piece only when the gate of this name and n is open, such as `shown 3`. */
  pace?: string;
  /** Closes the connection after this many characters, in the middle of the stream. */
  breakAfter?: number;
  /** Responds with an HTTP error instead. */
  status?: number;
  message?: string;
  headers?: Record<string, string>;
  finishReason?: 'stop' | 'length' | 'content_filter';
  /** The id that the provider gives its calls; models repeat ids. */
  callId?: string;
  usage?: { prompt_tokens: number; completion_tokens: number };
}

export type ScriptedTurn = Partial<ScenarioTurn> & Delivery;

interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content?: string | null | { type: string; text?: string }[];
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
  reasoning_content?: string;
}

export interface ChatRequestBody {
  model: string;
  messages: ChatMessage[];
  tools?: { function: { name: string } }[];
  tool_choice?: unknown;
  temperature?: number;
  max_tokens?: number;
  reasoning_effort?: string;
  stream?: boolean;
}

/** A request to the model's server. */
interface ModelRequest {
  /** The path and the query. */
  path: string;
  key: string | undefined;
  /** Reads the body. */
  read(): Promise<string>;
  /** Aborted once the other side has closed the connection. */
  signal: AbortSignal;
}

/** A response of the model's server. */
interface ModelResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The whole body, or its pieces as they are sent. A stream that throws `BrokenConnection` ends without an end. */
  body: string | AsyncIterable<string>;
}

/** Thrown by a response whose connection breaks in the middle. */
export class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection';
}

const DEFAULT_PIECE = 5;
/**
 * The server's models. `no-tools` rejects requests with tools; those named after a codec write what a turn defines for
 * that codec.
 */
const SCRIPTED_MODELS = ['scripted', 'no-tools', 'small-context', 'object', 'raw', 'xml', 'delimited'] as const;

/**
 * An OpenAI-compatible server that plays prepared replies, wherever its requests come from. The reply depends only on the
 * conversation: the user's newest message selects the script, and the number of assistant messages after it selects the
 * turn. A turn given as a list plays its entries in order, one for each request.
 */
export class ScriptedModel {
  readonly requests: ChatRequestBody[] = [];
  /** The key of each of them; undefined if it came without. */
  readonly keys: (string | undefined)[] = [];
  /** The only key that is accepted; any if undefined. */
  requiredKey: string | undefined;
  /** The window that it says it serves, as llama.cpp does; by default, it says none. */
  servedWindow: number | undefined;
  /**
   * The number of tokens of a prompt that it reads, and reports, without saying that it leaves out the rest; all by
   * default.
   */
  readsAtMost: number | undefined;
  /** The reply to requests for a summary, which may depend on what is to be kept; by default, it is like any other. */
  summarize: ((body: ChatRequestBody) => ScriptedTurn) | undefined;
  /** When each request had fully arrived and when the last byte of its response was written, in milliseconds. */
  readonly timing: { prompt: string; arrivedAt: number; endedAt?: number }[] = [];
  /** The messages whose answers the other side did not wait for, but closed the connection. */
  readonly #left: string[] = [];
  readonly #scripts = new Map<string, readonly (ScriptedTurn | readonly ScriptedTurn[])[]>();
  readonly #summaries = new Map<string, ScriptedTurn | undefined>();
  readonly #played = new Map<string, number>();
  readonly #gates = new Map<string, PromiseWithResolvers<void>>();

  /** Prepares the replies to a message. */
  script(prompt: string, turns: readonly (ScriptedTurn | readonly ScriptedTurn[])[]): void {
    this.#scripts.set(prompt, turns);
  }

  /** Prepares the summary of conversations that contain a text; by default, it lists what is to be kept. */
  scriptSummary(text: string, turn?: ScriptedTurn): void {
    this.#summaries.set(text, turn);
  }

  /** Releases a reply that is paused. */
  open(gate: string): void {
    this.#gate(gate).resolve();
  }

  /** The requests for answers to a message, in order. */
  requestsFor(prompt: string): ChatRequestBody[] {
    return this.requests.filter(({ messages }) => newestPrompt(messages) === prompt);
  }

  /** The requests with a text anywhere in them, such as in a message with files, in order. */
  requestsWith(text: string): ChatRequestBody[] {
    return this.requests.filter((body) => JSON.stringify(body).includes(text));
  }

  /** The requests for summaries of conversations that contain a text, in order. */
  summaryRequestsFor(text: string): ChatRequestBody[] {
    return this.requests.filter(
      (body) => isSummaryRequest(body) && body.messages.map(textOf).join('\n').includes(text),
    );
  }

  /** Number of requests whose connection the other side closed early. */
  get aborted(): number {
    return this.#left.length;
  }

  /** Number of those among the requests for answers to a message. */
  abortedFor(prompt: string): number {
    return this.#left.filter((one) => one === prompt).length;
  }

  async respond({ path, key, read, signal }: ModelRequest): Promise<ModelResponse> {
    if (path === '/props' && this.servedWindow !== undefined)
      return json(200, { default_generation_settings: { n_ctx: this.servedWindow } });
    if (!path.startsWith('/v1/'))
      return { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' };
    if (this.requiredKey !== undefined && key !== this.requiredKey)
      return failure(401, `Incorrect API key provided: ${key}`);
    if (path.endsWith('/models'))
      return json(200, { object: 'list', data: SCRIPTED_MODELS.map((id) => ({ id, object: 'model' })) });
    const body = JSON.parse(await read()) as ChatRequestBody;
    // Unless a test has a title in mind, one comes on its own, and is no answer.
    if (isTitleRequest(body) && !this.#scripts.has(newestPrompt(body.messages))) return this.#titled(body, signal);
    this.requests.push(body);
    this.keys.push(key);
    const timing: (typeof this.timing)[number] = { prompt: newestPrompt(body.messages), arrivedAt: performance.now() };
    this.timing.push(timing);
    const ended = () => {
      timing.endedAt = performance.now();
    };
    const hasTools = (body.tools ?? []).length > 0;
    if (body.model === 'no-tools' && (hasTools || body.messages.some(({ role }) => role === 'tool')))
      return failure(400, `registry.ollama.ai/library/${body.model} does not support tools`);
    const turn = this.#turnFor(body);
    if (turn === undefined) return failure(400, `no script for ${JSON.stringify(newestPrompt(body.messages))}`);
    if (turn.status !== undefined) return failure(turn.status, turn.message ?? 'refused', turn.headers);
    const usage = turn.usage ?? {
      prompt_tokens: Math.min(countTokens(body), this.readsAtMost ?? Infinity),
      completion_tokens: 20,
    };
    if (body.stream !== true) {
      ended();
      return this.#whole(body.model, { ...turn, usage }, hasTools);
    }
    const left = () => this.#left.push(timing.prompt);
    const stream = this.#stream(body.model, { ...turn, usage }, { hasTools, signal, ended, left });
    return {
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
      body: stream,
    };
  }

  /** A title: the one that the question asks for, as in “(title: Bread)”, or else its first line. */
  #titled({ model, messages }: ChatRequestBody, signal: AbortSignal): ModelResponse {
    const question = textOf(messages.at(-1) ?? { role: 'user', content: '' }).replace(/^User: /, '');
    const text = /\(title: (.+?)\)/.exec(question)?.[1] ?? question.split('\n', 1)[0] ?? '';
    const turn = { text, usage: { prompt_tokens: 100, completion_tokens: 5 } };
    const ignored = () => 0;
    return {
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
      body: this.#stream(model, turn, { hasTools: true, signal, ended: ignored, left: ignored }),
    };
  }

  #turnFor(body: ChatRequestBody): ScriptedTurn | undefined {
    const { messages } = body;
    if (isSummaryRequest(body)) {
      const task = messages.map(textOf).join('\n');
      for (const [text, turn] of this.#summaries) if (task.includes(text)) return turn ?? faithfulSummary(body);
      if (this.summarize !== undefined) return this.summarize(body);
    }
    const prompt = newestPrompt(messages);
    const turns = this.#scripts.get(prompt);
    const from = messages.findLastIndex(isPrompt);
    const index = messages.slice(from + 1).filter(({ role }) => role === 'assistant').length;
    const turn = turns?.[index];
    if (turn === undefined || !isList(turn)) return turn;
    const key = `${index}:${prompt}`;
    const played = this.#played.get(key) ?? 0;
    this.#played.set(key, played + 1);
    return turn[Math.min(played, turn.length - 1)];
  }

  async *#stream(
    model: string,
    turn: CountedTurn,
    { hasTools, signal, ended, left }: { hasTools: boolean; signal: AbortSignal; ended(): void; left(): void },
  ): AsyncGenerator<string> {
    const { piece = DEFAULT_PIECE, delayMs = 0, hold, pace, breakAfter, usage } = turn;
    let isFinished = false;
    signal.addEventListener('abort', () => {
      if (!isFinished && breakAfter === undefined) left();
    });
    const id = `chatcmpl-${this.requests.length}`;
    const event = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    let sent = 0;
    let pieceCount = 0;
    let held = false;
    const waitForGate = (gate: string) => Promise.race([this.#gate(gate).promise, aborted(signal)]);
    const holdIfDue = async () => {
      if (hold === undefined || held || sent < hold.after) return;
      held = true;
      await waitForGate(hold.gate);
    };
    const pieces = async function* (text: string, toDelta: (part: string) => object): AsyncGenerator<string> {
      for (let at = 0; at < text.length; at += piece) {
        if (signal.aborted) return;
        await holdIfDue();
        if (pace !== undefined) await waitForGate(`${pace} ${pieceCount++}`);
        if (breakAfter !== undefined && sent >= breakAfter) throw new BrokenConnection();
        if (delayMs > 0) await delay(delayMs);
        yield event(toDelta(text.slice(at, at + piece)));
        sent += piece;
      }
    };
    yield event({ role: 'assistant', content: '' });
    const calls = hasTools ? (turn.calls ?? []) : [];
    const text = hasTools ? (turn.text ?? '') : writtenBy(model, turn);
    yield* pieces(turn.reasoning ?? '', (reasoning_content) => ({ reasoning_content }));
    yield* pieces(text, (content) => ({ content }));
    for (const [index, call] of calls.entries()) {
      await holdIfDue();
      yield event({
        tool_calls: [
          { index, id: turn.callId ?? `call_${index}`, type: 'function', function: { name: call.name, arguments: '' } },
        ],
      });
      yield* pieces(call.arguments, (part) => ({ tool_calls: [{ index, function: { arguments: part } }] }));
    }
    if (hold !== undefined && sent < hold.after) await waitForGate(hold.gate);
    if (signal.aborted) return;
    yield event({}, turn.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop'));
    yield `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model, choices: [], usage: withTotal(usage) })}\n\n`;
    isFinished = true;
    yield 'data: [DONE]\n\n';
    ended();
  }

  #whole(model: string, turn: CountedTurn, hasTools: boolean): ModelResponse {
    const calls = hasTools ? (turn.calls ?? []) : [];
    return json(200, {
      id: `chatcmpl-${this.requests.length}`,
      object: 'chat.completion',
      created: 1,
      model,
      choices: [
        {
          index: 0,
          finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
          message: {
            role: 'assistant',
            content: hasTools ? (turn.text ?? '') : writtenBy(model, turn),
            ...(calls.length > 0
              ? { tool_calls: calls.map((call, index) => ({ id: `call_${index}`, type: 'function', function: call })) }
              : {}),
          },
        },
      ],
      usage: withTotal(turn.usage),
    });
  }

  #gate(name: string): PromiseWithResolvers<void> {
    const known = this.#gates.get(name);
    if (known !== undefined) return known;
    const gate = Promise.withResolvers<void>();
    this.#gates.set(name, gate);
    return gate;
  }
}

/** A turn with what is reported of its tokens. */
type CountedTurn = ScriptedTurn & { usage: NonNullable<Delivery['usage']> };

/** Checks whether a request asks for a summary of a conversation. */
export const isSummaryRequest = ({ messages: [first] }: ChatRequestBody): boolean =>
  first !== undefined && textOf(first).startsWith('You write summaries');

/** Checks whether a request asks for the title of a conversation. */
const isTitleRequest = ({ messages: [first] }: ChatRequestBody): boolean =>
  first !== undefined && textOf(first).startsWith('You name conversations');

/** A summary that lists what is to be kept. */
export function faithfulSummary({ messages }: ChatRequestBody): ScriptedTurn {
  const task = messages.map(textOf).join('\n');
  const facts = /Copy each of these lines to “Facts” as it is:\n([\s\S]*?)\n\n/.exec(task)?.[1] ?? '';
  return {
    text: `## Done\nThe assistant told a long story.\n## Decisions\nNone.\n## Facts\n${facts}\n## Open\nNothing.`,
  };
}

/** About what a tokenizer counts, for whom an image is 1,000 characters. */
export const countTokens = ({ messages, tools = [] }: ChatRequestBody): number =>
  Math.ceil(JSON.stringify([messages, tools]).replaceAll(/"data:[^"]*"/g, `"${'x'.repeat(1_000)}"`).length / 4);

const withTotal = (usage: CountedTurn['usage']) => ({
  ...usage,
  total_tokens: usage.prompt_tokens + usage.completion_tokens,
});

/** The reply of a model that has only the tools in its prompt. */
function writtenBy(model: string, { text = '', prompted = text, codecs }: ScriptedTurn): string {
  const codec = CODEC_IDS.find((id) => id === model) ?? 'json';
  return promptedReply({ prompted, codecs }, codec);
}

const isList = (turn: ScriptedTurn | readonly ScriptedTurn[]): turn is readonly ScriptedTurn[] => Array.isArray(turn);

const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');

/** A message from the user. Prompted models also get results and corrections in messages with the same role. */
const isPrompt = (message: ChatMessage): boolean =>
  message.role === 'user' &&
  !/^(?:\[(?:tool_result|call_error) |Result of \w+:\n|[a-z]+_\w+ failed: )/.test(textOf(message));

function newestPrompt(messages: readonly ChatMessage[]): string {
  const message = messages.findLast(isPrompt);
  // A summary stands in front of the first message after it.
  return message === undefined
    ? ''
    : (textOf(message)
        .split('[End of the summary.', 2)[1]
        ?.replace(/^[^\]]*\]\s*/, '') ?? textOf(message));
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });

const json = (status: number, body: unknown, headers: Record<string, string> = {}): ModelResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const failure = (status: number, message: string, headers?: Record<string, string>): ModelResponse =>
  json(status, { error: { message, type: 'invalid_request_error', code: null } }, headers);
