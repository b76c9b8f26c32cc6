import { expect, test } from 'vitest';
import { sendCorrected } from './request-corrections.ts';

type Body = Record<string, unknown>;

const CALLED = {
  role: 'assistant',
  content: null,
  reasoning_content: 'Hm.',
  tool_calls: [{ id: 'call_abcdef0123', type: 'function', function: { name: 'read_file', arguments: '{}' } }],
};
const BODY = {
  model: 'm',
  max_tokens: 100,
  temperature: 0.2,
  parallel_tool_calls: false,
  tool_choice: 'auto',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'One' },
    { role: 'user', content: 'Two' },
    CALLED,
    { role: 'tool', tool_call_id: 'call_abcdef0123', content: 'x' },
    { role: 'system', content: 'Be kind.' },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'read_file',
        parameters: {
          type: 'object',
          properties: { path: { type: 'string', minLength: 1 } },
          required: ['path'],
          additionalProperties: false,
        },
      },
    },
  ],
  stream: true,
  stream_options: { include_usage: true },
};

let count = 0;

/** Sends the body to a server that refuses something until it is right; what it got, request by request. */
async function sent(message: string, isRight: (body: Body) => boolean, { status = 400, times = 1 } = {}) {
  const bodies: Body[] = [];
  const server: typeof fetch = async (_, init) => {
    const body = JSON.parse(String(init?.body)) as Body;
    bodies.push(body);
    return isRight(body) ? new Response('data: [DONE]\n\n') : Response.json({ error: { message } }, { status });
  };
  const url = `http://server-${count++}/v1/chat/completions`;
  let response = new Response();
  for (let time = 0; time < times; time++)
    response = await sendCorrected(server, url, { method: 'POST', body: JSON.stringify(BODY) });
  return { bodies, response, last: bodies.at(-1) as typeof BODY & Body };
}

const lacks = (name: string) => (body: Body) => body[name] === undefined;
const messagesOf = (body: Body) => body.messages as Body[];
const rolesOf = (body: Body) =>
  messagesOf(body)
    .map(({ role }) => role)
    .join(' ');

test.each<[string, string, (body: Body) => boolean]>([
  [
    'a limit under another name',
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    (body) => body.max_tokens === undefined && body.max_completion_tokens === 100,
  ],
  ['options of the stream', 'Extra inputs are not permitted: stream_options', lacks('stream_options')],
  [
    'parallel calls',
    "[{'loc': ('body', 'parallel_tool_calls'), 'msg': 'unexpected field'}]",
    lacks('parallel_tool_calls'),
  ],
  [
    'a temperature',
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    lacks('temperature'),
  ],
  ['a choice of tools', 'tool_choice is not supported by this model', lacks('tool_choice')],
  [
    'ids of another form',
    'Tool call id was call_abcdef0123 but must be a-z, A-Z, 0-9, with a length of 9.',
    (body) => {
      const [, , , called, result] = messagesOf(body);
      const id = (called?.tool_calls as Body[] | undefined)?.[0]?.id;
      return /^[a-zA-Z0-9]{9}$/.test(String(id)) && result?.tool_call_id === id;
    },
  ],
  [
    'no content beside calls',
    "Invalid value for 'content': expected a string, got null.",
    (body) => messagesOf(body)[3]?.content === '',
  ],
  [
    'roles that do not alternate',
    'Conversation roles must alternate user/assistant/user/assistant/...',
    (body) => messagesOf(body).length === 5 && messagesOf(body)[1]?.content === 'One\n\nTwo',
  ],
  [
    'instructions at several places',
    'System message must be at the beginning.',
    (body) =>
      messagesOf(body)[0]?.content === 'Be brief.\n\nBe kind.' && rolesOf(body) === 'system user user assistant tool',
  ],
  [
    'instructions of their own role',
    'Developer instruction is not enabled for models/gemma-3-27b-it',
    (body) =>
      rolesOf(body) === 'user user assistant tool' && messagesOf(body)[0]?.content === 'Be brief.\n\nBe kind.\n\nOne',
  ],
  [
    'thoughts of earlier steps',
    "[{'type': 'extra_forbidden', 'loc': ('body', 'messages', 3, 'reasoning_content'), 'msg': 'Extra inputs are not permitted'}]",
    (body) => messagesOf(body).every((message) => message.reasoning_content === undefined),
  ],
  [
    'calls without a signature',
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.',
    (body) =>
      JSON.stringify(messagesOf(body)[3]?.tool_calls).includes(
        '"extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}}',
      ),
  ],
  [
    'words of a schema',
    'Invalid JSON payload received. Unknown name "additionalProperties" at \'tools[0].function_declarations[0].parameters\': Cannot find field.',
    (body) =>
      !JSON.stringify(body.tools).includes('additionalProperties') && JSON.stringify(body.tools).includes('"path"'),
  ],
])('a request is sent again without what was refused: %s', async (_, message, isRight) => {
  const { bodies, response } = await sent(message, isRight, { times: 2 });
  expect(response.ok).toBe(true);
  // Refused, corrected, and then corrected at once.
  expect(bodies.map(isRight)).toEqual([false, true, true]);
});

test('several things are refused one after the other', async () => {
  const names = ['stream_options', 'parallel_tool_calls', 'temperature'];
  const bodies: Body[] = [];
  const server: typeof fetch = async (_, init) => {
    const body = JSON.parse(String(init?.body)) as Body;
    bodies.push(body);
    const refused = names.find((name) => body[name] !== undefined);
    if (refused === undefined) return new Response('');
    return Response.json({ detail: `Unknown field: ${refused}` }, { status: 422 });
  };
  const response = await sendCorrected(server, 'http://strict/v1', { body: JSON.stringify(BODY) });
  expect([response.ok, bodies.length]).toEqual([true, 4]);
});

test('what is refused in words that other refusals use, too, changes nothing else', async () => {
  const { last, response } = await sent(
    'Invalid parameters: system role is not supported by this model',
    (body) => !rolesOf(body).includes('system'),
  );
  expect(response.ok).toBe(true);
  expect(last.tools).toEqual(BODY.tools);
});

test.each([
  ['an error about something else', 'The model `m` does not exist', 400],
  ['a prompt that is too long', 'maximum context length is 4096 tokens; stream_options is not supported', 400],
  ['a wrong key', 'temperature is not supported', 401],
  ['a limit', 'temperature is not supported', 429],
])('%s is passed on at once', async (_, message, status) => {
  const { bodies, response } = await sent(message, () => false, { status });
  expect([bodies.length, response.status, await response.json()]).toEqual([1, status, { error: { message } }]);
  expect(bodies[0]).toEqual(BODY);
});

test('a value that is refused is no reason to leave the parameter out', async () => {
  for (const message of [
    "Invalid parameter: 'temperature' must be between 0 and 2.",
    'temperature: unsupported value, must be at most 2',
    'Invalid parameter max_tokens: must be at most 8192',
  ]) {
    const { bodies, response } = await sent(message, () => false);
    expect([bodies.length, response.status]).toEqual([1, 400]);
  }
});

test('what one person’s request has taught changes nobody else’s', async () => {
  const bodies: Body[] = [];
  const server: typeof fetch = async (_, init) => {
    const body = JSON.parse(String(init?.body)) as Body;
    bodies.push(body);
    if (body.temperature === undefined) return new Response('');
    return Response.json({ error: { message: 'temperature is not supported' } }, { status: 400 });
  };
  const send = (key: string) =>
    sendCorrected(server, 'http://shared/v1', {
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(BODY),
    });
  await send('one');
  await send('one');
  expect(bodies.map(({ temperature }) => temperature)).toEqual([0.2, undefined, undefined]);
  await send('other');
  expect(bodies.slice(3).map(({ temperature }) => temperature)).toEqual([0.2, undefined]);
});

test('a server that refuses whatever it gets is asked a few times, and its last words are passed on', async () => {
  const { bodies, response } = await sent(
    'stream_options, parallel_tool_calls, temperature, tool_choice, and max_tokens are not supported',
    () => false,
  );
  expect(bodies).toHaveLength(4);
  expect(response.status).toBe(400);
  // Corrections that did not help are not remembered.
  const again = await sent('x', () => true);
  expect(again.last).toEqual(BODY);
});
