import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { describe, expect, test } from 'vitest';
import { FALLBACK_PROTOCOL } from '#lib/prompts/codec.ts';
import { jsonCodec } from '#lib/prompts/codecs/json.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { collect, finish, scriptedModel } from '../test/scripted-model.ts';
import { promptedTools } from './prompted-tools.ts';

const READ_A =
  '{"tool_calls":[{"id":"call_0","type":"function","function":{"name":"read_file","arguments":"{\\"path\\":\\"/a\\"}"}}]}';

const textParts = (pieces: readonly string[]): LanguageModelV4StreamPart[] => [
  { type: 'text-start', id: '0' },
  ...pieces.map((delta): LanguageModelV4StreamPart => ({ type: 'text-delta', id: '0', delta })),
  { type: 'text-end', id: '0' },
];

function wrapped(
  parts: readonly LanguageModelV4StreamPart[],
  tools = toolRegistry.list(['files']),
  startsInReasoning = false,
  protocol = FALLBACK_PROTOCOL,
  postpones = true,
) {
  let next = 0;
  const provider = scriptedModel(parts);
  const middleware = promptedTools({
    protocol,
    tools,
    createId: () => `id-${++next}`,
    startsInReasoning,
    postpones,
    keepsBeginning: false,
  });
  return { model: wrapLanguageModel({ model: provider.model, middleware }), calls: provider.calls };
}

/** The stream, with the deltas of a block combined and the ids of text blocks left out. */
async function readStream(parts: readonly LanguageModelV4StreamPart[], startsInReasoning = false) {
  const { model } = wrapped(parts, toolRegistry.list(['files']), startsInReasoning);
  const read: string[] = [];
  for (const part of await collect(model, { prompt: [] })) {
    if (part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'tool-input-delta') {
      const label = part.type === 'tool-input-delta' ? `${part.type} ${part.id}` : part.type;
      const last = read.at(-1);
      if (last?.startsWith(`${label}: `)) read[read.length - 1] = last + part.delta;
      else read.push(`${label}: ${part.delta}`);
    } else if (part.type === 'tool-input-start') read.push(`${part.type} ${part.id} ${part.toolName}`);
    else if (part.type === 'tool-call') read.push(`${part.type} ${part.toolCallId} ${part.toolName} ${part.input}`);
    else if (part.type === 'finish') read.push(`${part.type} ${part.finishReason.unified}`);
    else if (part.type === 'tool-input-end') read.push(`${part.type} ${part.id}`);
    else read.push(part.type);
  }
  return read;
}

const everyLetter = (text: string) => [...text];

describe('the text of a prompted model becomes the stream of one with native tools', () => {
  const expected = [
    'text-start',
    'text-delta: Looking.\n\n',
    'text-end',
    'tool-input-start id-1 read_file',
    'tool-input-delta id-1: {"path":"/a"}',
    'tool-input-end id-1',
    'tool-call id-1 read_file {"path":"/a"}',
    'finish tool-calls',
  ];

  test.each([
    ['whole', [`Looking.\n\n${READ_A}`]],
    ['letter by letter', everyLetter(`Looking.\n\n${READ_A}`)],
  ])('however it is split: %s', async (_, pieces) => {
    expect(await readStream([...textParts(pieces), finish()])).toEqual(expected);
  });

  test('blank text around calls opens no separate block', async () => {
    const read = await readStream([...textParts(everyLetter(`\n\n${READ_A}\n\n`)), finish()]);
    expect(read.filter((line) => line.startsWith('text'))).toEqual([]);
  });

  test('text after a call is kept without its leading line breaks', async () => {
    const read = await readStream([...textParts([`${READ_A}\nDone.`]), finish()]);
    expect(read.filter((line) => line.startsWith('text-delta')).join()).toContain('Done.');
  });

  test('[R6] a call that was cut off has a beginning, but no call to run', async () => {
    const cut = READ_A.slice(0, READ_A.indexOf('/a'));
    const read = await readStream([...textParts(everyLetter(cut)), finish('length')]);
    expect(read).toEqual([
      'tool-input-start id-1 read_file',
      'tool-input-delta id-1: {"path":"',
      'tool-input-end id-1',
      'finish length',
    ]);
  });

  test('a call left unclosed at the end of a complete reply matches no schema', async () => {
    const cut = READ_A.slice(0, READ_A.indexOf('/a'));
    const read = await readStream([...textParts(everyLetter(cut)), finish('stop')]);
    expect(read.slice(-3)).toEqual(['tool-input-end id-1', 'tool-call id-1 read_file {"path":"', 'finish tool-calls']);
  });

  test('reasoning in the text and native reasoning are both reasoning', async () => {
    const own: LanguageModelV4StreamPart[] = [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'own' },
      { type: 'reasoning-end', id: 'r' },
    ];
    expect(await readStream([...own, ...textParts(['<think>told</think>Hi']), finish()])).toEqual([
      'reasoning-start',
      'reasoning-delta: own',
      'reasoning-end',
      'reasoning-start',
      'reasoning-delta: told',
      'reasoning-end',
      'text-start',
      'text-delta: Hi',
      'text-end',
      'finish stop',
    ]);
  });

  test('a reply may begin inside reasoning that a template opened', async () => {
    const read = await readStream([...textParts([`plan</think>${READ_A}`]), finish()], true);
    expect(read.slice(0, 4)).toEqual([
      'reasoning-start',
      'reasoning-delta: plan',
      'reasoning-end',
      'tool-input-start id-1 read_file',
    ]);
  });

  test('an error in the stream is passed on, and buffered text does not become an answer', async () => {
    const read = await readStream([...textParts([READ_A.slice(0, 30)]), { type: 'error', error: new Error('broken') }]);
    expect(read).toEqual(['error']);
  });
});

describe('the prompt of a prompted model', () => {
  const prompt: LanguageModelV4Prompt = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Read both.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'never sent' },
        { type: 'text', text: 'Reading.\n' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'read_file', input: { path: '/a' } },
        { type: 'tool-call', toolCallId: 'c2', toolName: 'read_file', input: { path: '/"b"' } },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c1', toolName: 'read_file', output: { type: 'text', value: 'alpha' } },
        {
          type: 'tool-result',
          toolCallId: 'c2',
          toolName: 'read_file',
          output: { type: 'error-text', value: 'Error (failed): ENOENT' },
        },
      ],
    },
  ];

  async function sentFor(
    options: Partial<LanguageModelV4CallOptions>,
    tools = toolRegistry.list(['files']),
    protocol = FALLBACK_PROTOCOL,
  ) {
    const { model, calls } = wrapped([finish()], tools, false, protocol);
    await collect(model, { prompt, ...options });
    const [call] = calls;
    if (call === undefined) throw new Error('the provider was not asked');
    return call;
  }

  test('contains the tools as text, and none is sent to the provider natively', async () => {
    const sent = await sentFor({
      tools: [{ type: 'function', name: 'read_file', inputSchema: { type: 'object' } }],
      toolChoice: { type: 'auto' },
    });
    expect(sent.tools).toBeUndefined();
    expect(sent.toolChoice).toBeUndefined();
    const [system, ...others] = sent.prompt;
    expect(system?.content).toMatch(/^Be brief\.\n\n## Calling tools/);
    for (const { name } of toolRegistry.list(['files'])) expect(system?.content).toContain(`### ${name}`);
    expect(system?.content).toContain(jsonCodec.reminder);
    expect(others.some(({ role }) => role === 'system')).toBe(false);
    expect(sent.stopSequences).toEqual(jsonCodec.stopSequences);
  });

  test('[R1] writes past calls in the correct format, and all results of a step into one message', async () => {
    const { prompt: sent } = await sentFor({});
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    const textOf = (index: number) => {
      const [part] = sent[index]?.content ?? [];
      return typeof part === 'object' && part.type === 'text' ? part.text : '';
    };
    const [said, written = ''] = textOf(2).split('\n\n');
    expect(said).toBe('Reading.');
    expect(JSON.parse(written).tool_calls).toEqual([
      { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"/a"}' } },
      { id: 'c2', type: 'function', function: { name: 'read_file', arguments: '{"path":"/\\"b\\""}' } },
    ]);
    expect(textOf(3)).toBe(
      '[tool_result c1 read_file]\nalpha\n[/tool_result c1]\n\n[tool_result c2 read_file]\nError (failed): ENOENT\n[/tool_result c2]',
    );
  });

  test('begins with the sample conversation of its format, unless no calls are allowed', async () => {
    const protocol = { codec: 'object', examples: true, compact: true };
    const textsOf = async (toolChoice: LanguageModelV4CallOptions['toolChoice'] & object) => {
      const { prompt: sent } = await sentFor({ toolChoice }, undefined, protocol);
      return sent.map(({ role, content }) => {
        const part = typeof content === 'string' ? undefined : content[0];
        return [role, part?.type === 'text' ? part.text : ''];
      });
    };
    const open = await textsOf({ type: 'auto' });
    expect(open.slice(0, 2)).toEqual([
      ['system', ''],
      ['user', 'Which files are in the folder /docs?'],
    ]);
    expect(open.slice(-5)).toEqual([
      ['user', 'How do you say “cat” in Italian?'],
      ['assistant', 'Gatto.'],
      ['user', 'Read both.'],
      ['assistant', expect.stringContaining('Reading.\n\n```json\n{"name": "read_file"')],
      ['user', 'Result of read_file:\n```\nalpha\n```\n\nread_file failed: ENOENT'],
    ]);
    expect((await textsOf({ type: 'none' })).map(([role]) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });

  test('[R14] does not ask for calls when none are allowed, but still explains earlier ones', async () => {
    const { prompt: sent } = await sentFor({ toolChoice: { type: 'none' } });
    expect(sent[0]?.content).toContain('### read_file');
    expect(sent[0]?.content).not.toContain(jsonCodec.reminder);
  });

  test('without tools is unchanged', async () => {
    const sent = await sentFor({ prompt: prompt.slice(0, 2) }, []);
    expect(sent.prompt).toEqual(prompt.slice(0, 2));
    expect(sent.stopSequences).toBeUndefined();
  });
});

describe('calls of one reply that build on each other, in the format for small models', () => {
  const fence = (name: string, input: object) => `\`\`\`json\n${JSON.stringify({ name, arguments: input })}\n\`\`\`\n`;
  const tagged = (name: string, input: object) =>
    `<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>\n`;
  const read = (path: string) => fence('read_file', { path });
  const write = (path: string) => fence('write_file', { path, content: 'x' });
  const run = fence('browser_js_eval', { code: '1' });

  const callsOf = async (text: string, codec = 'object', postpones = true) => {
    const protocol = { codec, examples: false, compact: true };
    const { model } = wrapped([...textParts([text]), finish()], toolRegistry.list(), false, protocol, postpones);
    const parts = await collect(model, { prompt: [] });
    const end = parts.find((part) => part.type === 'finish');
    return {
      calls: parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : [])),
      started: parts.filter(({ type }) => type === 'tool-input-start').length,
      notes: end?.providerMetadata?.studio,
      reason: end?.finishReason.unified,
    };
  };

  test.each([
    ['a write after a read', read('/a') + write('/b'), ['read_file'], 'write_file'],
    [
      'a write by another name',
      tagged('read_file', { path: '/a' }) + tagged('create_file', { path: '/b', content: 'x' }),
      ['read_file'],
      'create_file',
    ],
    ['code after a read', read('/a') + read('/b') + run + write('/c'), ['read_file', 'read_file'], 'browser_js_eval'],
    ['a write after code', `First.\n\n${run}${write('/a')}Done.`, ['browser_js_eval'], 'write_file'],
  ])('%s waits, with all that follows', async (_, text, calls, postponedCall) => {
    expect(await callsOf(text)).toMatchObject({
      calls,
      started: calls.length,
      notes: { postponedCall },
      reason: 'tool-calls',
    });
  });

  test.each([
    ['reads', read('/a') + read('/b'), 2],
    ['writes, and a look at what they did', write('/a') + write('/b') + run + read('/a'), 4],
    ['code', run + run, 2],
  ])('%s do not wait', async (_, text, count) => {
    expect(await callsOf(text)).toMatchObject({ started: count, notes: undefined });
  });

  test('nothing waits if it must not', async () => {
    expect(await callsOf(read('/a') + write('/b'), 'object', false)).toMatchObject({ started: 2, notes: undefined });
  });

  test('a call that may only be quoted stays marked if another one waits', async () => {
    const bash = fence('execute_bash', { command: 'rm -rf /src' });
    const text = `For example, never do this:\n\n${bash}\nThat would delete everything.\n\n${write('/b')}`;
    expect(await callsOf(text)).toMatchObject({
      calls: ['execute_bash'],
      notes: { postponedCall: 'write_file', doubtfulCalls: [{ index: 0 }] },
    });
  });

  test('no other format ends a reply', async () => {
    expect(await callsOf(read('/a') + write('/b'), 'json')).toMatchObject({ started: 2, notes: undefined });
  });
});
