import recorded from './recorded-llama-cpp.json' with { type: 'json' };

/** A reply as its server sends it, event by event, without `[DONE]`, and what it says. */
export interface ServerStream {
  server: string;
  events: readonly object[];
  text: string;
  reasoning: string;
  calls: readonly string[];
  /** The reason of its end, if it is not the usual one. */
  finish?: string;
}

const LOCATION = { city: 'Zürich "HB"', days: 3 };
const ARGUMENTS = JSON.stringify(LOCATION);
const pieces = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));

/** Events with the same frame. */
const framed = (frame: object, choices: readonly object[]): object[] =>
  choices.map((choice) => ({ ...frame, choices: [choice] }));

const delta = (index: number, content: object, finish: string | null = null) => ({
  index,
  delta: content,
  finish_reason: finish,
});

const openAi = { id: 'chatcmpl-9', object: 'chat.completion.chunk', created: 1_764_300_000, model: 'gpt-5' };
const vllm = { id: 'chatcmpl-7f', object: 'chat.completion.chunk', created: 1_764_300_001, model: 'Qwen/Qwen3-8B' };
const llamaCpp = { created: 1_764_300_002, id: 'chatcmpl-W', model: 'gpt-3.5-turbo', object: 'chat.completion.chunk' };
const groq = { ...openAi, model: 'llama-3.3-70b-versatile', system_fingerprint: 'fp_1' };
const openRouter = {
  id: 'gen-1',
  provider: 'DeepInfra',
  model: 'z-ai/glm-5',
  object: 'chat.completion.chunk',
  created: 1,
};

/** The forms in which eight servers send replies, from their documents and sources, and a recorded reply. */
export const STREAMS: readonly ServerStream[] = [
  {
    server: 'llama.cpp, recorded',
    events: recorded.events,
    text: recorded.text,
    reasoning: '',
    calls: [],
    finish: 'length',
  },
  {
    server: 'OpenAI',
    events: [
      ...framed({ ...openAi, system_fingerprint: null, usage: null }, [
        { ...delta(0, { role: 'assistant', content: '', refusal: null }), logprobs: null },
        ...pieces('Let me look.', 5).map((content) => ({ ...delta(0, { content }), logprobs: null })),
        delta(0, {
          tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name: 'weather', arguments: '' } }],
        }),
        ...pieces(ARGUMENTS, 7).map((one) => delta(0, { tool_calls: [{ index: 0, function: { arguments: one } }] })),
        delta(0, {
          tool_calls: [{ index: 1, id: 'call_b', type: 'function', function: { name: 'read_file', arguments: '' } }],
        }),
        ...pieces('{"path":"/a"}', 4).map((one) =>
          delta(0, { tool_calls: [{ index: 1, function: { arguments: one } }] }),
        ),
        delta(0, {}, 'tool_calls'),
      ]),
      { ...openAi, choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
    ],
    text: 'Let me look.',
    reasoning: '',
    calls: [`weather ${ARGUMENTS}`, 'read_file {"path":"/a"}'],
  },
  {
    server: 'vLLM',
    events: [
      ...framed(vllm, [
        delta(0, { role: 'assistant', content: '' }),
        ...pieces('I think, therefore.', 6).map((one) => delta(0, { reasoning_content: one })),
        ...pieces('It is 7 °C.', 3).map((content) => delta(0, { content })),
        { ...delta(0, { content: '' }, 'stop'), stop_reason: null },
      ]),
      { ...vllm, choices: [], usage: { prompt_tokens: 12, total_tokens: 20, completion_tokens: 8 } },
    ],
    text: 'It is 7 °C.',
    reasoning: 'I think, therefore.',
    calls: [],
  },
  {
    server: 'Ollama',
    events: framed({ ...openAi, id: 'chatcmpl-420', model: 'qwen3:4b', system_fingerprint: 'fp_ollama' }, [
      ...pieces('Hm, let me see.', 4).map((one) => delta(0, { role: 'assistant', content: '', reasoning: one })),
      delta(0, {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call_x', index: 0, type: 'function', function: { name: 'weather', arguments: ARGUMENTS } }],
      }),
      delta(0, { role: 'assistant', content: '' }, 'tool_calls'),
    ]),
    text: '',
    reasoning: 'Hm, let me see.',
    calls: [`weather ${ARGUMENTS}`],
  },
  {
    server: 'llama.cpp',
    events: [
      ...framed(llamaCpp, [
        { finish_reason: null, index: 0, delta: { role: 'assistant', content: null } },
        ...pieces('Two\nlines, "quoted" 🙂', 3).map((content) => ({
          finish_reason: null,
          index: 0,
          delta: { content },
        })),
        { finish_reason: 'stop', index: 0, delta: {} },
      ]),
      {
        ...llamaCpp,
        choices: [],
        usage: { completion_tokens: 9, prompt_tokens: 3, total_tokens: 12 },
        timings: { n: 1 },
      },
    ],
    text: 'Two\nlines, "quoted" 🙂',
    reasoning: '',
    calls: [],
  },
  {
    server: 'Groq',
    events: framed(groq, [
      { ...delta(0, { role: 'assistant', content: null }), logprobs: null },
      delta(0, {
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'weather', arguments: ARGUMENTS }, index: 0 },
          { id: 'call_2', type: 'function', function: { name: 'time', arguments: '{}' }, index: 1 },
        ],
      }),
      { ...delta(0, {}, 'tool_calls'), x_groq: { id: 'req_1' } },
    ]),
    text: '',
    reasoning: '',
    calls: [`weather ${ARGUMENTS}`, 'time {}'],
  },
  {
    server: 'OpenRouter',
    events: [
      ...framed(openRouter, [
        ...pieces('First I plan.', 5).map((one) =>
          delta(0, {
            role: 'assistant',
            content: '',
            reasoning: one,
            reasoning_details: [{ type: 'reasoning.text', text: one, format: 'unknown', index: 0 }],
          }),
        ),
        ...pieces('Done as planned.', 6).map((content) => ({
          ...delta(0, { role: 'assistant', content }),
          native_finish_reason: null,
          logprobs: null,
        })),
        { ...delta(0, { role: 'assistant', content: '' }, 'stop'), native_finish_reason: 'stop' },
      ]),
      {
        ...openRouter,
        choices: [delta(0, { role: 'assistant', content: '' })],
        usage: { prompt_tokens: 8, completion_tokens: 4, total_tokens: 12, cost: 0.0001, cost_details: { a: null } },
      },
    ],
    text: 'Done as planned.',
    reasoning: 'First I plan.',
    calls: [],
  },
  {
    server: 'DeepSeek',
    events: framed({ ...openAi, model: 'deepseek-reasoner', usage: null }, [
      delta(0, { role: 'assistant', content: null, reasoning_content: '' }),
      ...pieces('The user wants a file.', 7).map((one) => delta(0, { content: null, reasoning_content: one })),
      ...pieces('I will read it.', 4).map((content) => delta(0, { content, reasoning_content: null })),
      delta(0, {
        tool_calls: [{ index: 0, id: 'call_00_q', type: 'function', function: { name: 'read_file', arguments: '' } }],
      }),
      ...pieces('{"path": "/b.txt"}', 3).map((one) =>
        delta(0, { tool_calls: [{ index: 0, function: { arguments: one } }] }),
      ),
      delta(0, { content: '', reasoning_content: null }, 'tool_calls'),
    ]),
    text: 'I will read it.',
    reasoning: 'The user wants a file.',
    calls: ['read_file {"path": "/b.txt"}'],
  },
  {
    server: 'Mistral',
    events: framed({ ...openAi, id: 'cmpl-e5', model: 'mistral-large-latest' }, [
      delta(0, { role: 'assistant', content: '' }),
      delta(0, { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Let me think.' }] }] }),
      ...pieces('Bonjour à tous.', 5).map((content) => delta(0, { content })),
      delta(
        0,
        { content: '', tool_calls: [{ id: 'D681PevKs', function: { name: 'time', arguments: '{}' }, index: 0 }] },
        'tool_calls',
      ),
    ]),
    text: 'Bonjour à tous.',
    reasoning: 'Let me think.',
    calls: ['time {}'],
  },
  {
    server: 'Gemini',
    events: framed({ ...openAi, model: 'gemini-3-flash' }, [
      delta(0, { role: 'assistant', content: 'Moment.' }),
      delta(
        0,
        {
          role: 'assistant',
          tool_calls: [
            {
              extra_content: { google: { thought_signature: 'c2ln' } },
              function: { arguments: ARGUMENTS, name: 'weather' },
              id: 'function-call-1',
              type: 'function',
            },
          ],
        },
        'tool_calls',
      ),
    ]),
    text: 'Moment.',
    reasoning: '',
    calls: [`weather ${ARGUMENTS}`],
  },
];
