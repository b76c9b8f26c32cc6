import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { objectCodec } from '#lib/prompts/codecs/object.ts';

/** The mistakes of model servers, one for each server. */
export const DEFECTS = [
  'none',
  'drops tools',
  'writes <tool_call>',
  'writes [TOOL_CALLS]',
  'writes python',
  'writes fenced JSON',
  'writes <function=',
  'merges parallel calls',
  'arguments as object',
  'index always 0',
  'repeats ids',
  'buffers arguments',
  'serves 4k',
  'loses system prompt',
  'error with status 200',
  'no finish reason',
  'leaks template tokens',
] as const;

/** Other defects of servers and models. */
const OTHER_DEFECTS = [
  'refuses tools',
  'cannot force calls',
  'writes without end if forced',
  'writes without end',
  'fails after results',
  'fails after results in any mode',
  'refuses long prompts',
  'counts no tokens',
  'cuts without counting',
  'has a model that never calls',
  'makes a second call',
  'thinks in the text',
  'thinks for long',
  'thinks forever',
  'never ends',
  'refuses short answers',
  'counts only what is not cached',
] as const;

export type Defect = (typeof DEFECTS)[number] | (typeof OTHER_DEFECTS)[number];

/** A call as the model makes it. */
export interface MadeCall {
  name: string;
  /** JSON text. */
  arguments: string;
}

/** The reply of a model: natively, its text and its calls; with the tools in the prompt, the whole as text. */
export interface Said {
  text: string;
  calls: readonly MadeCall[];
  written?: string;
}

interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content?: string | null | { text?: string }[];
}

export interface ChatBody {
  messages: ChatMessage[];
  tools?: { function: { name: string } }[];
  tool_choice?: unknown;
  parallel_tool_calls?: boolean;
  max_tokens?: number;
}

/** Answers a question that the examination does not ask; undefined if it cannot. `steps`: how often it has answered before. */
export type Script = (question: string, steps: number) => Said | undefined;

/** The failure of a request: with a status, or else with an event. */
export interface Failure {
  status?: number;
  error: { message: string; code?: number };
}

function fail(response: ServerResponse, { status, ...body }: Failure): void {
  response.writeHead(status ?? 200, {
    'content-type': status === undefined ? 'text/event-stream' : 'application/json',
  });
  response.end(status === undefined ? `data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n` : JSON.stringify(body));
}

/** Closes the connection in the middle of a reply. */
function close(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('data: {"id":"c","choices":[{"index":0,"delta":{"content":"Well, "}}]}\n\n', () => response.destroy());
}

const CHARACTERS_PER_TOKEN = 4;
const WINDOW_TOKENS = 4_096;

/** A server with OpenAI's chat completions, an able model, and one mistake. */
export class DefectiveServer {
  readonly requests: ChatBody[] = [];
  /** May change while it runs. */
  defect: Defect;
  /** Decides how a request fails, by its number from 1: by a status, by an event in its stream, or in the middle. */
  failing: (number: number, body: ChatBody) => number | Failure | 'closes' | undefined = () => undefined;
  /** The window that it serves if it cuts prompts, in tokens. */
  windowTokens = WINDOW_TOKENS;
  readonly #script: Script;
  readonly #server: Server;

  static async start(defect: Defect, script: Script = () => undefined): Promise<DefectiveServer> {
    const server = new DefectiveServer(defect, script);
    await new Promise<void>((resolve) => {
      server.#server.listen(0, '127.0.0.1', resolve);
    });
    return server;
  }

  private constructor(defect: Defect, script: Script) {
    this.defect = defect;
    this.#script = script;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/v1/models') {
      const model = { id: 'able', ...(this.defect === 'serves 4k' && { context_length: 128_000 }) };
      return json(response, 200, { data: [model] });
    }
    if (request.url !== '/v1/chat/completions') return json(response, 404, { error: { message: 'not found' } });
    const body = JSON.parse(await textOf(request)) as ChatBody;
    this.requests.push(body);
    if (this.defect === 'error with status 200')
      return json(response, 200, { error: { message: 'The model failed to load.', type: 'server_error' } });
    const failure = this.failing(this.requests.length, body);
    if (typeof failure === 'number') return json(response, failure, { error: { message: `failing with ${failure}` } });
    if (failure === 'closes') {
      close(response);
      return;
    }
    if (failure !== undefined) {
      fail(response, failure);
      return;
    }
    const refusal = this.#refusal(body);
    if (refusal !== undefined) return json(response, refusal.status, { error: { message: refusal.message } });
    const given = this.#given(body);
    const said = this.#say(given, body);
    this.#stream(response, given, said, body);
  }

  #refusal({
    messages,
    tools = [],
    tool_choice,
    max_tokens = 16,
  }: ChatBody): { status: number; message: string } | undefined {
    const hasResult = messages.some(
      (message) => message.role === 'tool' || contentOf(message).startsWith('Result of save_note'),
    );
    const isLong = messages.map(contentOf).join('').length > WINDOW_TOKENS * CHARACTERS_PER_TOKEN;
    if (this.defect === 'refuses short answers' && max_tokens < 16)
      return {
        status: 400,
        message: `Invalid 'max_output_tokens': Expected a value >= 16, but got ${max_tokens} instead.`,
      };
    if (this.defect === 'refuses tools' && tools.length > 0)
      return { status: 400, message: 'able does not support tools' };
    if (this.defect === 'cannot force calls' && tool_choice === 'required')
      return { status: 400, message: 'tool_choice "required" is not supported' };
    if (this.defect === 'fails after results' && hasResult && tools.length > 0)
      return { status: 500, message: 'template error' };
    if (this.defect === 'fails after results in any mode' && hasResult)
      return { status: 500, message: 'template error' };
    if (this.defect === 'refuses long prompts' && isLong)
      return { status: 400, message: `This model’s maximum context length is ${WINDOW_TOKENS} tokens.` };
    return undefined;
  }

  /** Returns the part of a request that reaches the model. */
  #given({ messages, tools = [] }: ChatBody): Given {
    const isWithout = this.defect === 'drops tools' || tools.length === 0;
    const losesSystem = this.defect === 'loses system prompt' && tools.length > 0;
    const system = losesSystem
      ? ''
      : messages
          .filter(({ role }) => role === 'system')
          .map(contentOf)
          .join('\n');
    const rest = messages.filter(({ role }) => role !== 'system');
    const schemas = isWithout ? '' : JSON.stringify(tools);
    const whole = [system, schemas, ...rest.map(contentOf)].join('\n');
    const isSmall = this.defect === 'serves 4k' || this.defect === 'cuts without counting';
    const room = isSmall ? this.windowTokens * CHARACTERS_PER_TOKEN : Number.POSITIVE_INFINITY;
    if (whole.length <= room) return { system, rest, hasTools: !isWithout, text: whole };
    const text = whole.slice(-room);
    // The beginning of the prompt is cut off.
    return { system: '', rest, hasTools: false, text };
  }

  #say({ system, rest, hasTools, text }: Given, { parallel_tool_calls: mayBeSeveral }: ChatBody): Said {
    const at = rest.findLastIndex(isQuestion);
    const question = at === -1 ? '' : contentOf(rest[at] as ChatMessage);
    const steps = rest.slice(at + 1).filter(({ role }) => role === 'assistant').length;
    const latest = contentOf(rest.at(-1) ?? { role: 'user', content: '' });
    const said = sayToDoctor({ question, steps, latest, system, text }) ?? this.#script(question, steps);
    if (said === undefined) return { text: 'Good morning.', calls: [] };
    if (this.defect === 'has a model that never calls') return { text: 'Please do that yourself.', calls: [] };
    if (this.defect === 'makes a second call' && said.calls.length > 0)
      return { ...said, calls: [...said.calls, { name: 'look_up_city', arguments: '{"city":"Rome"}' }] };
    if (this.defect === 'thinks in the text') return { ...said, text: `<think>Let me see.</think>${said.text}` };
    if (hasTools) return mayBeSeveral === false ? { ...said, calls: said.calls.slice(0, 1) } : said;
    const knowsTools = system.includes('To call a tool, reply with one JSON object') && system.includes('(');
    if (said.calls.length > 0 && !knowsTools) return { text: 'I would do that, but I have no tools.', calls: [] };
    return { text: said.written ?? [said.text, written(said.calls)].filter(Boolean).join('\n\n'), calls: [] };
  }

  #stream(response: ServerResponse, { text: prompt }: Given, said: Said, body: ChatBody): void {
    const { max_tokens: maxTokens = Number.POSITIVE_INFINITY } = body;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta: object, finish: string | null = null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'able', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      );
    const form = FORMS[this.defect];
    const isCut = maxTokens < 20;
    const inText = form === undefined || said.calls.length === 0 ? '' : said.calls.map(form).join('\n');
    const calls = inText === '' && !isCut ? said.calls : [];
    const ending = this.defect === 'leaks template tokens' ? '<|im_end|>' : '';
    const whole = [said.text, inText].filter(Boolean).join('\n\n') + ending;
    send({ role: 'assistant', content: '' });
    const isForced = body.tool_choice === 'required';
    const isEndless = this.defect === 'writes without end' && body.tools !== undefined;
    if (isEndless || (this.defect === 'writes without end if forced' && isForced)) {
      send({ content: 'Note, note, note, ' });
      send({}, 'length');
      response.end('data: [DONE]\n\n');
      return;
    }
    if (this.defect === 'never ends') {
      for (let index = 0; index < 30; index++) send({ content: '\n'.repeat(10_000) });
      return;
    }
    if (this.defect === 'thinks for long' || this.defect === 'thinks forever') {
      send({ reasoning_content: 'Let me see. ' });
      if (maxTokens < 2_000 || this.defect === 'thinks forever') {
        send({}, 'length');
        response.end('data: [DONE]\n\n');
        return;
      }
    }
    for (const piece of pieces(isCut ? whole.slice(0, 4) : whole)) send({ content: piece });
    this.#sendCalls(calls, send);
    const finish = isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
    if (this.defect !== 'no finish reason') send({}, finish);
    const countsTokens = this.defect !== 'counts no tokens' && this.defect !== 'cuts without counting';
    const isCached = this.defect === 'counts only what is not cached' && prompt.includes('first code word');
    const counted = isCached ? 12 : Math.ceil(prompt.length / CHARACTERS_PER_TOKEN);
    const usage = { prompt_tokens: counted, completion_tokens: 20 };
    if (countsTokens)
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'able', choices: [], usage: { ...usage, total_tokens: usage.prompt_tokens + 20 } })}\n\n`,
      );
    response.end('data: [DONE]\n\n');
  }

  #sendCalls(calls: readonly MadeCall[], send: (delta: object) => void): void {
    const [first] = calls;
    if (this.defect === 'merges parallel calls' && first !== undefined) {
      const merged = calls.map((call) => call.arguments).join('');
      for (const [at, piece] of pieces(merged).entries())
        send({ tool_calls: [at === 0 ? begun(0, 'call_0', first.name, piece) : continued(0, piece)] });
      return;
    }
    for (const [position, call] of calls.entries()) {
      const index = this.defect === 'index always 0' ? 0 : position;
      const id = this.defect === 'repeats ids' ? 'call_0' : `call_${position}`;
      if (this.defect === 'arguments as object')
        send({ tool_calls: [begun(index, id, call.name, JSON.parse(call.arguments))] });
      else if (this.defect === 'buffers arguments') send({ tool_calls: [begun(index, id, call.name, call.arguments)] });
      else {
        send({ tool_calls: [begun(index, id, call.name, '')] });
        for (const piece of pieces(call.arguments)) send({ tool_calls: [continued(index, piece)] });
      }
    }
  }
}

interface Given {
  system: string;
  rest: readonly ChatMessage[];
  hasTools: boolean;
  /** All that the model sees. */
  text: string;
}

const begun = (index: number, id: string, name: string, args: unknown) => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: args },
});

const continued = (index: number, args: string) => ({ index, function: { arguments: args } });

const pieces = (text: string): string[] => text.match(/[\s\S]{1,7}/g) ?? [];

const written = (calls: readonly MadeCall[]): string =>
  calls.length === 0
    ? ''
    : objectCodec.formatToolCalls(
        calls.map(({ name, arguments: inputText }) => ({ toolCallId: '', toolName: name, inputText })),
      );

/** Functions that write calls in forms that the server does not recognize. */
const FORMS: Partial<Record<Defect, (call: MadeCall) => string>> = {
  'writes <tool_call>': (call) => `<tool_call>\n{"name": "${call.name}", "arguments": ${call.arguments}}\n</tool_call>`,
  'writes [TOOL_CALLS]': (call) => `[TOOL_CALLS][{"name": "${call.name}", "arguments": ${call.arguments}}]`,
  'writes python': (call) =>
    `[${call.name}(${Object.entries(JSON.parse(call.arguments) as object)
      .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
      .join(', ')})]`,
  'writes fenced JSON': (call) => `\`\`\`json\n{"name": "${call.name}", "arguments": ${call.arguments}}\n\`\`\``,
  'writes <function=': (call) =>
    `<function=${call.name}>\n${Object.entries(JSON.parse(call.arguments) as object)
      .map(
        ([name, value]) =>
          `<parameter=${name}>\n${typeof value === 'string' ? value : JSON.stringify(value)}\n</parameter>`,
      )
      .join('\n')}\n</function>`,
};

/** Returns the answer of an able model to the examination; undefined if somebody else asks. */
function sayToDoctor({
  question,
  steps,
  latest,
  system,
  text,
}: {
  question: string;
  steps: number;
  latest: string;
  system: string;
  text: string;
}): Said | undefined {
  if (question.startsWith('Save a note')) {
    if (steps > 0) return { text: `Its number is ${/note is (\d+)/.exec(latest)?.[1]}.`, calls: [] };
    const note = {
      title: /^Title: (.*)$/m.exec(question)?.[1],
      text: /in two lines:\n([\s\S]*)\nItems:/.exec(question)?.[1],
      items: [
        { name: 'pen', amount: 2 },
        { name: 'book', amount: 1 },
      ],
      reference: /reference of this conversation is ([\w-]+)/.exec(system)?.[1] ?? 'unknown',
    };
    return { text: '', calls: [{ name: 'save_note', arguments: JSON.stringify(note) }] };
  }
  if (question.startsWith('Look up Oslo'))
    return {
      text: '',
      calls: ['Oslo', 'Lima'].map((city) => ({ name: 'look_up_city', arguments: JSON.stringify({ city }) })),
    };
  if (question.includes('very first code word')) return { text: `${/Code word: (\w+)/.exec(text)?.[1]}`, calls: [] };
  return undefined;
}

const contentOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');

/** A message of the user, and no result of a tool that is described in the prompt. */
const isQuestion = (message: ChatMessage): boolean =>
  message.role === 'user' &&
  !/^(?:\[(?:tool_result|call_error) |Result of \w+:\n|\w+ failed: )/.test(contentOf(message));

async function textOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of request) body += String(piece);
  return body;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
