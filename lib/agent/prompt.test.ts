import { describe, expect, test } from 'vitest';
import type { Message, PromptSettings } from '#lib/messages/message.ts';
import { ToolIndex } from '#lib/tools/catalogue/tool-index.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { builtInCatalogue } from '#lib/tools/test/built-in-catalogue.ts';
import { TOOLSETS } from '#lib/tools/toolset-names.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { buildPrompt } from './prompt.ts';
import { hashPrompt, type PromptRecord } from './prompt-record.ts';
import { answeredCall, emptyTurn, finishedStep, userMessage } from './test/messages.ts';
import { PROMPTED_NAME } from './tool-names.ts';

const settings: PromptSettings = {
  systemPrompt: 'Be brief.',
  toolsets: [...TOOLSETS],
  toolCalling: 'native',
  budgetTokens: 6_000,
  lastStep: false,
};
const options = {
  provider: 'local',
  vision: true,
  keepsReasoning: false,
  takesResultImages: false,
  toolName: PROMPTED_NAME,
  catalogue: builtInCatalogue,
  resultShare: 0.25,
};
const build = (overrides: Partial<PromptSettings> = {}, messages: readonly Message[] = [userMessage('Hi', 'u')]) =>
  buildPrompt(messages, { ...settings, ...overrides }, options);

describe('instructions', () => {
  test('it has a fragment for each enabled toolset, and for no other', async () => {
    const both = await build();
    expect(both.instructions).toContain('## Browser Execution');
    expect(both.instructions).toContain('## Virtual File System');
    expect(both.tools).toEqual(toolRegistry.list());
    const files = await build({ toolsets: ['files'] });
    expect(files.instructions).not.toContain('## Browser Execution');
    expect(files.instructions).not.toContain('browser_js_eval');
    expect(files.tools.every(({ toolset }) => toolset === 'files')).toBe(true);
  });

  test('without toolsets it is only the user’s own prompt', async () => {
    const none = await build({ toolsets: [] });
    expect(none.instructions).toBe('Be brief.');
    expect(none.tools).toEqual([]);
    expect((await build({ toolsets: [], systemPrompt: '  ' })).instructions).toBe('');
  });

  test('[R14] the last step tells the model to answer without tools, and no other step does', async () => {
    expect((await build({ lastStep: true })).instructions).toContain('Do not call any more tools.');
    expect((await build()).instructions).not.toContain('Do not call any more tools.');
  });
});

describe('the budget', () => {
  const history = (length: number): Message[] => [
    userMessage('old'),
    {
      ...emptyTurn(),
      status: { type: 'done' },
      parts: [finishedStep('local'), { type: 'text', text: 'x'.repeat(length) }],
    },
    userMessage('new'),
  ];

  test('[R16] a history that does not fit is trimmed, and the user is told by how much', async () => {
    const prompt = await build({}, history(30_000));
    expect(prompt.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'new' }] }]);
    expect(prompt.notices).toEqual([{ code: 'history-trimmed', messages: 2, tokens: expect.any(Number) }]);
    expect((await build({}, history(3_000))).notices).toEqual([]);
  });

  test('[R16] instructions and tools use part of the budget', async () => {
    // About 4,900 tokens, which fit into 5,000, but not together with the tools.
    expect((await build({ budgetTokens: 5_000 }, history(17_000))).notices).toHaveLength(1);
    expect((await build({ budgetTokens: 5_000, toolsets: [] }, history(17_000))).notices).toEqual([]);
  });

  test('[R8] one result uses at most its share, and a cut is reported', async () => {
    const turn: Message = { ...emptyTurn(), parts: [finishedStep('local'), answeredCall('c', 'x'.repeat(20_000))] };
    const prompt = await build({}, [userMessage('Read'), turn]);
    expect(prompt.notices).toEqual([{ code: 'result-cut', toolName: 'read_file', kept: 5_249, total: 20_000 }]);
    expect(JSON.stringify(prompt.messages)).toContain('the first 5249 of its 20000 characters are shown');
  });
});

test('an image in a result follows it where the tools are prompted, because a prompted result is text', async () => {
  const image = { type: 'image' as const, mediaType: 'image/png', data: 'AAAA' };
  const output = { content: [image] };
  const result = { type: 'tool-result' as const, toolCallId: 'c', toolName: 'read_file', output };
  const turn: Message = {
    ...emptyTurn(),
    parts: [
      finishedStep('local'),
      { type: 'tool-call', toolCallId: 'c', toolName: 'read_file', inputState: 'complete', input: {}, result },
    ],
  };
  const rolesOf = async (toolCalling: 'native' | 'prompted') => {
    const all = [userMessage('Read'), turn];
    const built = await buildPrompt(all, { ...settings, toolCalling }, { ...options, takesResultImages: true });
    return built.messages.map(({ role }) => role);
  };
  expect(await rolesOf('native')).toEqual(['user', 'assistant', 'tool']);
  expect(await rolesOf('prompted')).toEqual(['user', 'assistant', 'tool', 'user']);
});

describe('a correction', () => {
  const corrected = (codec: string, toolName: string): Message[] => {
    const protocol = { codec, examples: false, compact: false };
    const step = finishedStep('local', {
      notices: [{ code: 'call-unreadable', toolName, askedAgain: true }],
      settings: { ...settings, toolCalling: 'prompted', protocol },
    });
    return [userMessage('Read'), { ...emptyTurn(), parts: [step, { type: 'text', text: 'I call read_file(' }] }];
  };
  const protocol = { codec: 'json', examples: false, compact: false };
  const textOf = async (messages: Message[]) =>
    JSON.stringify((await build({ toolCalling: 'prompted', protocol }, messages)).messages);

  test('follows a call that could not be read', async () => {
    expect(await textOf(corrected('json', 'read_file'))).toContain('[call_error');
  });

  test('contains no marker from a tool that somebody else wrote', async () => {
    const MARKER = '<|im_end|>';
    const tool: ToolSpec = {
      name: 'find',
      description: '',
      inputSchema: { type: 'object', properties: { q: { enum: [MARKER] } } },
      toolset: 'files',
      effect: 'read',
      needs: [],
      examples: [{ description: '', input: { q: MARKER }, result: '' }],
      presentation: { verb: 'call' },
    };
    const catalogue = { tools: new ToolIndex([tool]), fragments: [] };
    const prompted: PromptSettings = { ...settings, toolCalling: 'prompted', protocol };
    const { messages } = await buildPrompt(corrected('json', 'find'), prompted, { ...options, catalogue });
    expect(JSON.stringify(messages)).toContain('[call_error');
    expect(JSON.stringify(messages)).not.toContain(MARKER);
  });

  test('is left out for a codec of another version, and for a tool that has gone', async () => {
    for (const messages of [corrected('of-later', 'read_file'), corrected('json', 'gone')]) {
      const text = await textOf(messages);
      expect(text).not.toContain('[call_error');
      expect(text).toContain('I call read_file(');
    }
  });
});

describe('the hash', () => {
  test('the same messages and settings give the same prompt', async () => {
    expect(await build()).toEqual(await build());
  });

  const record: PromptRecord = {
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi', providerOptions: { a: { x: 1, y: 2 } } }] }],
    tools: [{ type: 'function', name: 'f', inputSchema: { type: 'object', properties: {} } }],
    toolChoice: { type: 'auto' },
  };

  test('does not depend on the order of keys, which storage may change, nor on what is undefined', async () => {
    const reordered: PromptRecord = {
      toolChoice: { type: 'auto' },
      tools: [{ inputSchema: { properties: {}, type: 'object' }, name: 'f', type: 'function', description: undefined }],
      prompt: [{ content: [{ providerOptions: { a: { y: 2, x: 1 } }, text: 'Hi', type: 'text' }], role: 'user' }],
    };
    expect(await hashPrompt(reordered)).toBe(await hashPrompt(record));
  });

  test('changes with anything that the model receives', async () => {
    const [message] = record.prompt;
    const others: PromptRecord[] = [
      { ...record, toolChoice: { type: 'none' } },
      { ...record, tools: [] },
      { ...record, prompt: message === undefined ? [] : [message, message] },
      { ...record, prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi ' }] }] },
      { ...record, prompt: [{ role: 'system', content: 'Hi' }] },
    ];
    const hashes = await Promise.all([record, ...others].map(hashPrompt));
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('treats a file’s bytes and their base64 text as equal', async () => {
    const withData = (data: Uint8Array | string): PromptRecord => ({
      ...record,
      prompt: [{ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data } }] }],
    });
    expect(await hashPrompt(withData(new Uint8Array([1, 2, 3])))).toBe(await hashPrompt(withData('AQID')));
  });
});
