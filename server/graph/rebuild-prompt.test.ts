import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { turnOf } from '#lib/agent/step.ts';
import { emptyTurn, resultOf, userMessage } from '#lib/agent/test/messages.ts';
import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { AssistantMessage, Message, UserMessage } from '#lib/messages/message.ts';
import { builtInCatalogue } from '#lib/tools/test/built-in-catalogue.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { LatestMemorySaver } from './checkpointer/memory-saver.ts';
import { createGraph, messagesInput, readThread, resumeInput } from './graph.ts';
import { rebuildPrompt } from './rebuild-prompt.ts';
import type { RunContext } from './state.ts';
import { runGraph, testContext, testEnv } from './test/fixtures.ts';
import { ModelServer } from './test/model-server.ts';

let model: ModelServer;

beforeAll(async () => {
  model = await ModelServer.start();
});

afterEach(() => {
  model.reset();
});

afterAll(() => model.stop());

const QUESTION: UserMessage = {
  ...userMessage('What is in the picture?'),
  parts: [
    { type: 'text', text: 'What is in the picture?' },
    { type: 'file', mediaType: 'image/png', filename: 'a.png', url: 'data:image/png;base64,AQID' },
    { type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: 'data:text/plain;base64,YWJj' },
  ],
};

/** A turn with two steps; the second has read a long result. */
async function playTurn(context: RunContext): Promise<AssistantMessage> {
  const saver = new LatestMemorySaver();
  const graph = createGraph(saver);
  const threadId = crypto.randomUUID();
  model.reply(
    {
      reasoning: 'I must look.',
      text: 'Looking.',
      calls: [{ name: 'read_file', arguments: '{"path":"/a","b":"}{"}' }],
    },
    { text: 'A cat.' },
  );
  await runGraph(graph, threadId, messagesInput([QUESTION, emptyTurn()]), context);
  const turn = async () => turnOf({ messages: (await readThread(saver, threadId))?.messages ?? [] });
  const results = pendingCalls(await turn()).map(({ toolCallId }) =>
    resultOf(toolCallId, 'read_file', '😀 line\n'.repeat(5_000), { lines: 5_000 }),
  );
  await runGraph(graph, threadId, resumeInput('next', results), context);
  return turn();
}

/** For each step, the branch up to it, as a browser requests its prompt after storing it. */
function stepsWithBranch(turn: AssistantMessage) {
  return turn.parts.flatMap((part, index) => {
    const messages: Message[] = [QUESTION, { ...turn, status: { type: 'done' }, parts: turn.parts.slice(0, index) }];
    return part.type === 'step' ? [{ step: part, messages: JSON.parse(JSON.stringify(messages)) as Message[] }] : [];
  });
}

describe('rebuilding a prompt', () => {
  test.each([
    ['native', 'true'],
    ['native', 'false'],
    ['prompted', 'true'],
    ['prompted', 'false'],
  ] as const)(
    'returns the prompt that was sent, and calls no provider (%s, AGENT_STREAM=%s)',
    async (toolCalling, stream) => {
      const context = { ...testContext(model.url, { env: { AGENT_STREAM: stream } }), toolCalling };
      const steps = stepsWithBranch(await playTurn(context));
      expect(steps).toHaveLength(2);
      for (const { step, messages } of steps) {
        expect(step.promptHash).toMatch(/^[0-9a-f]{64}$/);
        const rebuilt = await rebuildPrompt(
          { messages, settings: step.settings },
          context.model,
          context.env,
          builtInCatalogue,
        );
        expect(rebuilt.hash).toBe(step.promptHash);
      }
      expect(model.requests).toHaveLength(2);
    },
  );

  test('a different branch, setting or mode is a different prompt', async () => {
    const context = testContext(model.url);
    const [first] = stepsWithBranch(await playTurn(context));
    if (first === undefined) throw new Error('no step was played');
    const { step, messages } = first;
    const hashWith = async (settings: Partial<typeof step.settings>, branch: readonly Message[] = messages) => {
      const request = { messages: [...branch], settings: { ...step.settings, ...settings } };
      return (await rebuildPrompt(request, context.model, context.env, builtInCatalogue)).hash;
    };
    const hashes = await Promise.all([
      hashWith({}),
      hashWith({ toolCalling: 'prompted' }),
      hashWith({ systemPrompt: 'Be long.' }),
      hashWith({ toolsets: [] }),
      hashWith({ lastStep: true }),
      hashWith({}, [userMessage('Another question')]),
    ]);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('describes the prompt, its tools, and the size of their protocol', async () => {
    const context = testContext(model.url);
    const rebuild = (settings: { toolCalling: 'native' | 'prompted'; toolsets: string[] }) =>
      rebuildPrompt(
        {
          messages: [userMessage('Hi')],
          settings: { systemPrompt: 'Be brief.', budgetTokens: 6_000, lastStep: false, ...settings },
        },
        context.model,
        testEnv(),
        builtInCatalogue,
      );
    const native = await rebuild({ toolCalling: 'native', toolsets: ['files'] });
    expect(native.messages[0]?.content).toMatch(/^Be brief\.\n\n## Virtual File System/);
    expect(native.messages.at(-1)).toEqual({ role: 'user', content: 'Hi' });
    expect(native.tools.map(({ name }) => name)).toEqual(toolRegistry.list(['files']).map(({ name }) => name));
    const written = await rebuild({ toolCalling: 'prompted', toolsets: ['files'] });
    expect(written.tools).toEqual([]);
    expect(written.messages[0]?.content).toContain('### write_file');
    const bare = await rebuild({ toolCalling: 'native', toolsets: [] });
    expect(bare.protocolTokens).toBe(0);
    expect(native.protocolTokens).toBeGreaterThan(100);
    expect(written.protocolTokens).toBeGreaterThan(100);
  });

  test('a branch with nothing to send is an error, not a hang', async () => {
    const context = testContext(model.url);
    const settings = {
      systemPrompt: '',
      toolsets: [],
      toolCalling: 'native',
      budgetTokens: 6_000,
      lastStep: false,
    } as const;
    const request = { messages: [emptyTurn()], settings: { ...settings, toolsets: [] } };
    await expect(rebuildPrompt(request, context.model, context.env, builtInCatalogue)).rejects.toThrow();
  });
});
