import { createHash } from 'node:crypto';
import { saysTooLong } from '#lib/agent/too-long.ts';
import { plainSchema } from '#lib/tools/schema/plain-schema.ts';
import { BoundedMap } from '../bounded-map.ts';
import { beginningOf } from './beginning.ts';
import { fieldsOf, isFilled, parsed } from './fields.ts';
import { CORRECTION_ROUNDS_MAX, REFUSAL_MAX_CHARACTERS, REMEMBERED_CORRECTIONS_MAX } from './limits.ts';

interface Message {
  role?: unknown;
  content?: unknown;
  tool_calls?: readonly { id?: unknown; extra_content?: unknown }[];
  tool_call_id?: unknown;
  reasoning_content?: unknown;
}

type Body = Record<string, unknown> & { messages?: readonly Message[] };

/** A correction of requests: a form that some servers refuse, and the form that they get instead. */
interface Correction {
  id: string;
  /** Matches error messages of servers that refuse the form. */
  says: RegExp;
  /** Returns the body in the other form; undefined if there is nothing to correct. */
  correct(body: Body): Body | undefined;
}

const UNWANTED =
  'unsupported|not supported|does(?: not|n.t) support|unrecognized|unknown|unexpected|not permitted|not allowed|extra (?:inputs|fields|parameter)|invalid (?:parameter|argument|field)|not a valid';

/** Matches error messages about the value of a parameter. It is not corrected: the person who chose it must change it. */
const OF_VALUES =
  /\b(between|at most|at least|less than|greater than|out of range|in the range|max(imum)? (value|is)|min(imum)? (value|is)|must be (an? [a-z]{2}|(between|at (most|least)|less|greater|in)\b))/i;

/** Returns a pattern for error messages that name a parameter and say that it is unwanted, in either order. */
const refuses = (parameter: string): RegExp =>
  new RegExp(`\\b${parameter}\\b.{0,120}(?:${UNWANTED})|(?:${UNWANTED}).{0,120}\\b${parameter}\\b`, 'is');

/** Makes the correction that leaves a parameter out, because a reply without it is better than none. */
const without = (parameter: string): Correction => ({
  id: `without ${parameter}`,
  says: refuses(parameter),
  correct({ [parameter]: value, ...rest }) {
    // A request that forbids tools is no preference.
    return value === undefined || (parameter === 'tool_choice' && value === 'none') ? undefined : rest;
  },
});

const renamed = (from: string, to: string): Correction => ({
  id: `${to} for ${from}`,
  says: new RegExp(`(?:use|with|instead|supports? only).{0,40}\\b${to}\\b|${refuses(from).source}`, 'is'),
  correct({ [from]: value, ...rest }) {
    return value === undefined || rest[to] !== undefined ? undefined : { ...rest, [to]: value };
  },
});

/** Returns the body with changed messages; undefined if none changes. */
function changeMessages(body: Body, change: (message: Message) => Message): Body | undefined {
  const messages = body.messages?.map(change);
  return messages?.some((message, index) => message !== body.messages?.[index]) ? { ...body, messages } : undefined;
}

type Call = NonNullable<Message['tool_calls']>[number];

/** Returns the body with changed calls in its messages; undefined if none changes. */
const changeCalls = (body: Body, change: (call: Call) => Call): Body | undefined =>
  changeMessages(body, (message) => {
    const calls = message.tool_calls?.map(change);
    return calls?.some((call, index) => call !== message.tool_calls?.[index]) === true
      ? { ...message, tool_calls: calls }
      : message;
  });

/** The signature that Google accepts for a call that another model has made. */
const UNSIGNED = { google: { thought_signature: 'skip_thought_signature_validator' } };

/** Makes an id of nine letters and digits from another id, always the same for the same one. */
const shortId = (id: unknown): string => createHash('sha256').update(String(id)).digest('hex').slice(0, 9);

const isShort = (id: unknown): boolean => typeof id === 'string' && /^[a-zA-Z0-9]{9}$/.test(id);

/** Joins adjacent messages of the user, and adjacent system messages. */
function alternating(messages: readonly Message[]): Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    const isSame =
      last?.role === message.role && (message.role === 'user' || message.role === 'system') && last !== undefined;
    if (isSame) merged[merged.length - 1] = { ...last, content: joined(last.content, message.content) };
    else merged.push(message);
  }
  return merged;
}

const isInstruction = ({ role }: Message): boolean => role === 'system' || role === 'developer';

const joined = (one: unknown, other: unknown): unknown =>
  typeof one === 'string' && typeof other === 'string' ? `${one}\n\n${other}` : [...partsOf(one), ...partsOf(other)];

const partsOf = (content: unknown): unknown[] =>
  Array.isArray(content) ? content : [{ type: 'text', text: String(content ?? '') }];

/** All corrections. The first whose `says` matches and that changes something is tried first. */
const CORRECTIONS: readonly Correction[] = [
  renamed('max_tokens', 'max_completion_tokens'),
  renamed('max_completion_tokens', 'max_tokens'),
  ...['stream_options', 'parallel_tool_calls', 'reasoning_effort', 'tool_choice', 'temperature', 'top_p'].map(without),
  {
    id: 'ids of nine characters',
    says: /tool.?call.?id.{0,80}(length of 9|a-z, A-Z, 0-9)/is,
    correct: (body) =>
      changeMessages(body, (message) => {
        const { tool_calls: calls, tool_call_id: id } = message;
        if (calls?.some((call) => !isShort(call.id)) === true)
          return {
            ...message,
            tool_calls: calls.map((call) => ({ ...call, id: isShort(call.id) ? call.id : shortId(call.id) })),
          };
        return id === undefined || isShort(id) ? message : { ...message, tool_call_id: shortId(id) };
      }),
  },
  {
    id: 'no thoughts',
    says: new RegExp(
      `${refuses('reasoning_content').source}|reasoning_content.{0,80}(?:should not|must not|remove)`,
      'is',
    ),
    correct: (body) =>
      changeMessages(body, (message) => {
        const { reasoning_content: thoughts, ...rest } = message;
        return thoughts === undefined ? message : rest;
      }),
  },
  {
    // The word that Google gives for calls of other models: https://ai.google.dev/gemini-api/docs/thought-signatures
    id: 'a signature for each call',
    says: /thought_?signature/i,
    correct: (body) =>
      changeCalls(body, (call) => (call.extra_content === undefined ? { ...call, extra_content: UNSIGNED } : call)),
  },
  {
    id: 'no signatures',
    says: refuses('extra_content'),
    correct: (body) =>
      changeCalls(body, (call) => {
        const { extra_content: signature, ...rest } = call;
        return signature === undefined ? call : rest;
      }),
  },
  {
    id: 'content beside calls',
    says: /content.{0,80}(null|none|required|must be a string|should be a valid string|string type|missing|cannot be empty)|missing.{0,20}content/is,
    correct: (body) =>
      changeMessages(body, (message) =>
        message.role === 'assistant' && (message.content === null || message.content === undefined)
          ? { ...message, content: '' }
          : message,
      ),
  },
  {
    id: 'no empty content beside calls',
    says: /content.{0,80}(empty|non-?empty|whitespace|at least)|empty.{0,20}content/is,
    correct: (body) =>
      changeMessages(body, (message) =>
        message.role === 'assistant' && message.content === '' && message.tool_calls !== undefined
          ? { ...message, content: null }
          : message,
      ),
  },
  {
    id: 'no system message',
    says: /(system|developer) (role|messages?|instructions?|prompts?) (is|are) not (supported|enabled|allowed)|(does not|doesn.t) support (a |the )?(system|developer) (role|message|prompt|instruction)/i,
    correct(body) {
      const messages = body.messages ?? [];
      const first = messages.findIndex(({ role }) => role === 'user');
      if (first === -1 || !messages.some(isInstruction)) return undefined;
      const content = [...messages.filter(isInstruction), ...messages.slice(first, first + 1)]
        .map((message) => message.content)
        .reduce(joined);
      const rest = messages.map((message, index) => (index === first ? { ...message, content } : message));
      return { ...body, messages: rest.filter((message) => !isInstruction(message)) };
    },
  },
  {
    id: 'one system message at the front',
    says: /(system|developer) (message|role|prompt).{0,80}(beginning|first|start|front|only one|single|once|multiple)|(only one|multiple|more than one|first message).{0,60}(system|developer)/is,
    correct(body) {
      const messages = body.messages ?? [];
      const [first, ...others] = messages.filter(isInstruction);
      if (first === undefined || (others.length === 0 && messages[0] === first)) return undefined;
      const content = [first, ...others].map((message) => message.content).reduce(joined);
      return { ...body, messages: [{ ...first, content }, ...messages.filter((message) => !isInstruction(message))] };
    },
  },
  {
    id: 'alternating roles',
    says: /roles? must alternate|alternate (between )?user|consecutive (user|messages)|conversation roles/is,
    correct(body) {
      const messages = alternating(body.messages ?? []);
      return messages.length === body.messages?.length ? undefined : { ...body, messages };
    },
  },
  {
    id: 'plain schemas',
    says: new RegExp(
      `(?:schema|function_?declarations|additionalproperties|[$](?:ref|defs|schema)|anyof|oneof).{0,200}(?:${UNWANTED}|unknown name|cannot find field|must be|should be|missing|not a type)|(?:${UNWANTED}|unknown name).{0,80}(?:schema|function_?declarations|additionalproperties|[$](?:ref|defs|schema)|anyof|oneof)`,
      'is',
    ),
    correct(body) {
      const tools = (Array.isArray(body.tools) ? body.tools : []).map((tool) => {
        const { function: called, ...rest } = fieldsOf(tool);
        const { strict: _, ...described } = fieldsOf(called);
        return { ...rest, function: { ...described, parameters: plainSchema(described.parameters) } };
      });
      return JSON.stringify(tools) === JSON.stringify(body.tools ?? []) ? undefined : { ...body, tools };
    },
  },
];

/** Statuses with which servers refuse what they do not understand. */
const REFUSED: ReadonlySet<number> = new Set([400, 422]);

/**
 * The ids of corrections that have helped, by a hash of address, model, and key: those of one person change nobody else's
 * requests.
 */
const known = new BoundedMap<string, readonly string[]>(REMEMBERED_CORRECTIONS_MAX);

/**
 * Sends a request for chat completions. If the server refuses a part of it and says which, the request is sent again with
 * that part corrected. Corrections that helped are applied at once to later requests with the same address, model, and key.
 * Only refused requests are repeated.
 */
export async function sendCorrected(
  request: typeof fetch,
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<Response> {
  if (typeof init?.body !== 'string') return request(input, init);
  const key = keyOf(input, init.headers, init.body);
  let applied = known.get(key) ?? [];
  let body = applied.length === 0 ? init.body : corrected(init.body, applied);
  for (let round = 0; ; round++) {
    const response = await request(input, { ...init, body });
    if (response.ok && round > 0) known.set(key, applied);
    if (!REFUSED.has(response.status) || round === CORRECTION_ROUNDS_MAX) return response;
    const whole = await beginningOf(response);
    const text = whole.slice(0, REFUSAL_MAX_CHARACTERS);
    const { status, statusText, headers } = response;
    const refused = () => new Response(whole, { status, statusText, headers });
    if (saysTooLong(text) || OF_VALUES.test(text)) return refused();
    const value = parsed(body);
    if (!isFilled(value)) return refused();
    const fitting = CORRECTIONS.filter(({ id, says }) => !applied.includes(id) && says.test(text));
    const found = fitting.find((correction) => correction.correct(fieldsOf(value) as Body) !== undefined);
    if (found === undefined) return refused();
    applied = [...applied, found.id];
    body = corrected(body, [found.id]);
  }
}

function keyOf(input: Parameters<typeof fetch>[0], headers: RequestInit['headers'], body: string): string {
  const url = input instanceof Request ? input.url : String(input);
  const model = /"model":"((?:[^"\\]|\\.)*)"/.exec(body.slice(0, REFUSAL_MAX_CHARACTERS))?.[1] ?? '';
  const key = new Headers(headers).get('authorization') ?? '';
  return createHash('sha256')
    .update(JSON.stringify([url, model, key]))
    .digest('hex');
}

function corrected(text: string, ids: readonly string[]): string {
  let body = fieldsOf(parsed(text)) as Body;
  for (const { id, correct } of CORRECTIONS) if (ids.includes(id)) body = correct(body) ?? body;
  return JSON.stringify(body);
}
