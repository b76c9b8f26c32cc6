import { describe, expect, test } from 'vitest';
import type { AssistantMessage, AssistantPart, FilePart, Message, ToolCallPart } from '#lib/messages/message.ts';
import { ToolIndex } from '#lib/tools/catalogue/tool-index.ts';
import type { ToolContent } from '#lib/tools/core/content.ts';
import { toUnits } from './history.ts';
import { toModelMessages } from './model-messages.ts';
import { answeredCall, emptyTurn, finishedStep, userMessage } from './test/messages.ts';
import { PROMPTED_NAME, ToolNaming } from './tool-names.ts';

const assistant = (...parts: AssistantPart[]): AssistantMessage => ({
  ...emptyTurn(),
  status: { type: 'done' },
  parts,
});
const convert = (messages: readonly Message[], provider = 'local', vision = true, takesResultImages = false) =>
  toModelMessages(toUnits(messages), {
    provider,
    vision,
    keepsReasoning: ['anthropic', 'google', 'openai'].includes(provider),
    takesResultImages,
    naming: new ToolNaming(new ToolIndex([]), PROMPTED_NAME),
  });
const withFile = (file: Omit<FilePart, 'type'>, text = 'Look'): Message => ({
  ...userMessage(text),
  parts: [
    { type: 'text', text },
    { type: 'file', ...file },
  ],
});

describe('calls and results', () => {
  const call = (overrides: Partial<ToolCallPart>): ToolCallPart => ({
    type: 'tool-call',
    toolCallId: 'c',
    toolName: 'read_file',
    inputState: 'complete',
    input: { path: '/a' },
    ...overrides,
  });

  test('[R1] calls and results stay together, in the order written', async () => {
    const turn = assistant(finishedStep('local'), answeredCall('c1', 'one'), answeredCall('c2', 'two'));
    const [, spoken, results] = await convert([userMessage('u'), turn]);
    expect(spoken).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'c1' },
        { type: 'tool-call', toolCallId: 'c2' },
      ],
    });
    expect(results).toMatchObject({
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c1', output: { type: 'text', value: 'one' } },
        { type: 'tool-result', toolCallId: 'c2', output: { type: 'text', value: 'two' } },
      ],
    });
  });

  test('[R1] a call without a result gets one; otherwise the provider would reject the thread forever', async () => {
    const [, , results] = await convert([userMessage('u'), assistant(finishedStep('local'), call({}))]);
    expect(results).toMatchObject({
      role: 'tool',
      content: [{ toolCallId: 'c', output: { type: 'error-text', value: 'Error (aborted): The call was not run.' } }],
    });
  });

  test('an error result contains its code and message', async () => {
    const denied = call({
      result: { type: 'tool-error', toolCallId: 'c', toolName: 'read_file', code: 'denied', message: 'Not now.' },
    });
    const [, , results] = await convert([userMessage('u'), assistant(finishedStep('local'), denied)]);
    expect(results).toMatchObject({ content: [{ output: { type: 'error-text', value: 'Error (denied): Not now.' } }] });
  });

  test.each([
    ['cut in a value', { inputState: 'incomplete', input: undefined, inputText: '{"path":"/sr' }, { path: '/sr' }],
    ['no JSON at all', { inputState: 'invalid', input: undefined, inputText: 'path=/a' }, {}],
    ['a list', { inputState: 'invalid', input: undefined, inputText: '[1,2]' }, {}],
    ['never begun', { inputState: 'incomplete', input: undefined, inputText: '' }, {}],
    ['complete and empty', { input: undefined }, {}],
    [
      'beyond what JavaScript holds',
      { inputState: 'invalid', input: undefined, inputText: '{"id":12345678901234567890}' },
      { id: '12345678901234567890' },
    ],
  ] as const)(
    '[R6] arguments that are %s are sent back as an object, which is all that providers accept',
    async (_, overrides, input) => {
      const [, spoken] = await convert([userMessage('u'), assistant(finishedStep('local'), call(overrides))]);
      expect(spoken).toMatchObject({ content: [{ type: 'tool-call', input }] });
    },
  );
});

describe('results with images', () => {
  const IMAGE = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=', alt: 'a red dot' } as const;
  const turnWith = (content: ToolContent) =>
    assistant(finishedStep('local'), {
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 'draw',
      inputState: 'complete',
      input: {},
      result: { type: 'tool-result', toolCallId: 'c', toolName: 'draw', output: { content } },
    });
  const turn = turnWith([{ type: 'text', text: 'Drawn.' }, IMAGE]);
  const outputs = async (vision: boolean, takesResultImages: boolean) => {
    const [, , results, ...more] = await convert([userMessage('u'), turn], 'local', vision, takesResultImages);
    return { results, more };
  };

  test('keep them where the provider takes images in results', async () => {
    const { results, more } = await outputs(true, true);
    expect(results).toMatchObject({
      content: [
        {
          output: {
            type: 'content',
            value: [{ type: 'text', text: 'Drawn.' }, expect.objectContaining({ mediaType: 'image/png' })],
          },
        },
      ],
    });
    expect(more).toEqual([]);
  });

  test('are followed by them where it takes images only from the user', async () => {
    const { results, more } = await outputs(true, false);
    expect(results).toMatchObject({
      content: [{ output: { type: 'text', value: 'Drawn.\n[Image, image/png: a red dot]' } }],
    });
    expect(more).toMatchObject([
      { role: 'user', content: [{ type: 'text' }, { type: 'file', mediaType: 'image/png' }] },
    ]);
  });

  test('an image of another kind is text, and an empty text is left out', async () => {
    const other = { type: 'image', mediaType: 'image/svg+xml', data: 'AAAA' } as const;
    const blocks = [{ type: 'text', text: '' } as const, other, IMAGE];
    const turn = turnWith(blocks);
    const [, , results] = await convert([userMessage('u'), turn], 'local', true, true);
    const text = { type: 'text', text: '[Image, image/svg+xml]' };
    const value = [text, expect.objectContaining({ mediaType: 'image/png' })];
    expect(results).toMatchObject({ content: [{ output: { type: 'content', value } }] });
    const [, , , following] = await convert([userMessage('u'), turn], 'local', true, false);
    expect(following).toMatchObject({ content: [{ type: 'text' }, { type: 'file', mediaType: 'image/png' }] });
  });

  test.each([true, false])('are text for a model that cannot see (%j)', async (takesResultImages) => {
    const { results, more } = await outputs(false, takesResultImages);
    expect(results).toMatchObject({
      content: [{ output: { type: 'text', value: 'Drawn.\n[Image, image/png: a red dot]' } }],
    });
    expect(more).toEqual([]);
  });
});

describe('[R17] what a provider needs back', () => {
  const signed: AssistantPart = {
    type: 'reasoning',
    text: 'hm',
    providerMetadata: { anthropic: { signature: 's1' } },
  };
  const said: AssistantPart = { type: 'text', text: 'a', providerMetadata: { openai: { itemId: 'msg_1' } } };
  const signedCall: AssistantPart = {
    ...answeredCall('c', 'r'),
    providerMetadata: { google: { thoughtSignature: 's2' } },
  } as AssistantPart;
  const turnOf = (provider: string) => assistant(finishedStep(provider), signed, said, signedCall);

  test('goes back unchanged to the provider that sent it', async () => {
    const [, spoken] = await convert([userMessage('u'), turnOf('anthropic')], 'anthropic');
    expect(spoken?.content).toEqual([
      { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 's1' } } },
      { type: 'text', text: 'a', providerOptions: { openai: { itemId: 'msg_1' } } },
      {
        type: 'tool-call',
        toolCallId: 'c',
        toolName: 'read_file',
        input: { path: '/a' },
        providerOptions: { google: { thoughtSignature: 's2' } },
      },
    ]);
  });

  test('is left out for any other provider, including reasoning', async () => {
    const [, spoken] = await convert([userMessage('u'), turnOf('anthropic')], 'local');
    expect(spoken?.content).toEqual([
      { type: 'text', text: 'a' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'read_file', input: { path: '/a' } },
    ]);
  });

  test.each(['anthropic', 'google', 'openai'])(
    'reasoning of earlier turns goes back to %s, which verifies it',
    async (provider) => {
      const [, spoken] = await convert([userMessage('u'), turnOf(provider), userMessage('next')], provider);
      expect(spoken).toMatchObject({ content: [{ type: 'reasoning' }, { type: 'text' }, { type: 'tool-call' }] });
    },
  );

  test.each(['local', 'deepseek', 'openrouter'])('reasoning goes back to %s only within the turn', async (provider) => {
    const [, within] = await convert([userMessage('u'), turnOf(provider)], provider);
    expect(within).toMatchObject({ content: [{ type: 'reasoning' }, { type: 'text' }, { type: 'tool-call' }] });
    const [, later] = await convert([userMessage('u'), turnOf(provider), userMessage('next')], provider);
    expect(later).toMatchObject({ content: [{ type: 'text' }, { type: 'tool-call' }] });
  });
});

describe('user messages', () => {
  test('unanswered questions are merged, for templates that require alternating turns', async () => {
    const messages = await convert([userMessage('one'), userMessage('two')]);
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
    ]);
  });

  test('an image is sent along, and a model without vision gets a note instead', async () => {
    const picture = withFile({ mediaType: 'image/png', filename: 'cat.png', url: 'data:image/png;base64,AAAA' });
    expect((await convert([picture]))[0]?.content).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'file', mediaType: 'image/png', filename: 'cat.png', data: 'AAAA' },
    ]);
    const [blind] = await convert([picture], 'local', false);
    expect(JSON.stringify(blind)).toContain('The image cat.png was attached, but this model cannot see images.');
    expect(JSON.stringify(blind)).not.toContain('AAAA');
  });

  test.each([
    ['base64', `data:text/plain;base64,${Buffer.from('Grüße, 你好').toString('base64')}`],
    ['percent-encoded', `data:text/plain,${encodeURIComponent('Grüße, 你好')}`],
  ])('an attached text file is included as text, %s or not', async (_, url) => {
    const [message] = await convert([withFile({ mediaType: 'text/plain', filename: 'a.txt', url })]);
    expect(message?.content[1]).toEqual({ type: 'text', text: 'Attached file a.txt:\n\nGrüße, 你好' });
  });

  test('an attachment that cannot be decoded does not break the thread', async () => {
    const [message] = await convert([withFile({ mediaType: 'text/plain', url: 'data:text/plain,100%' })]);
    expect(message?.content[1]).toEqual({ type: 'text', text: 'Attached file file:\n\n100%' });
  });
});
