import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { finishedStep, userMessage } from '#lib/agent/test/messages.ts';
import type { AssistantMessage, Message, StepPart } from '#lib/messages/message.ts';
import { testContext } from './test/fixtures.ts';
import { type ChatBody, ModelServer } from './test/model-server.ts';
import { openThread } from './test/open-thread.ts';

const WINDOW = 4_096;
const TURNS = 24;

/** The beginning of a request that only asks how a prompt is counted. */
const FRONT = 'This is only a line that takes some room';

let model: ModelServer;
beforeAll(async () => {
  model = await ModelServer.start();
});
beforeEach(() => model.reset());
afterAll(() => model.stop());

const sizeOf = (part: unknown): number => Math.ceil(JSON.stringify(part).length / 4.2);
const sizeOfAll = ({ messages, tools = [] }: Pick<ChatBody, 'messages' | 'tools'>): number =>
  [...tools, ...messages].reduce((sum, part) => sum + sizeOf(part), 0);

/** The behavior of a server when a prompt is longer than its window. */
interface CuttingServer {
  /** Returns the number of tokens that are read, and reported. */
  read(body: ChatBody): number;
  refuse?(body: ChatBody): string | undefined;
}

const SERVERS: Record<string, CuttingServer> = {
  // Leaves out a part in the middle, as llama.cpp's server did until it began to refuse: blocks of half a window.
  'llama.cpp': {
    read(body) {
      const size = sizeOfAll(body);
      if (size < WINDOW) return size;
      const block = WINDOW / 2;
      return size - Math.floor((size - block) / block) * block;
    },
  },
  // Leaves out the oldest messages, but keeps the system prompt.
  Ollama: {
    read(body) {
      const [system, ...others] = body.messages;
      while (others.length > 1 && sizeOfAll({ ...body, messages: [...(system ? [system] : []), ...others] }) > WINDOW)
        others.shift();
      return Math.min(WINDOW, sizeOfAll({ ...body, messages: [...(system ? [system] : []), ...others] }));
    },
  },
  // Leaves out as much of the middle as does not fit.
  'LM Studio': { read: (body) => Math.min(WINDOW, sizeOfAll(body)) },
  // Refuses, and says so.
  vLLM: {
    read: sizeOfAll,
    refuse: (body) =>
      sizeOfAll(body) > WINDOW
        ? `This model's maximum context length is ${WINDOW} tokens. However, your request has ${sizeOfAll(body)} input tokens.`
        : undefined,
  },
};

const stepsIn = (messages: readonly Message[]): StepPart[] =>
  messages
    .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
    .filter((part): part is StepPart => part.type === 'step');

/** The longest time for dozens of steps where other processes take most of the machine, in milliseconds. */
const BUSY_MS = 20_000;

describe.each(Object.entries(SERVERS))('a window that is smaller than is known: %s', (_, server) => {
  test.each([
    ['nothing is known', undefined, 260],
    ['more is claimed', 32_000, 260],
    ['messages are short', undefined, 60],
    ['messages are long', 32_000, 900],
  ])('no answer comes from a prompt that was cut: %s', { timeout: BUSY_MS }, async (_name, contextSize, words) => {
    model.count = server.read;
    if (server.refuse !== undefined) model.refuse = server.refuse;
    const { model: config, ...context } = testContext(model.url, { toolsets: [] });
    const { contextSize: _unknown, ...unknown } = config;
    let used = contextSize === undefined ? unknown : { ...config, contextSize };
    const branch: Message[] = [];
    let learned = 0;
    let probes = 0;
    // Enough for the window to be exceeded several times.
    const turns = Math.max(TURNS, Math.ceil(15_000 / (words * 2.8)));
    for (let turn = 0; turn < turns; turn++) {
      branch.push(userMessage(`Question ${turn}: ${'how are you '.repeat(words / 6)}`));
      const before = model.requests.length;
      const text = `Answer ${turn}: ${'very well indeed '.repeat(words / 6)}`;
      model.reply(...Array.from({ length: 8 }, () => ({ text, piece: 1_000 })));
      const thread = openThread({ ...context, model: used });
      const { error } = await thread.ask(...branch);
      expect(error).toBeUndefined();
      const answer = await thread.turn();
      branch.push({ ...answer, id: `turn-${turn}`, status: { type: 'done' } } as AssistantMessage);
      // The last request of the turn itself is the one whose answer was taken.
      const taken = model.requests.findLast((body) => !JSON.stringify(body).includes(FRONT));
      expect(taken && sizeOfAll(taken)).toBeLessThanOrEqual(WINDOW);
      const notices = stepsIn([answer]).flatMap((step) => step.notices);
      const notice = notices.find(({ code }) => code === 'window-learned');
      if (notice?.code === 'window-learned') {
        learned++;
        // As the browser remembers it.
        used = {
          ...used,
          contextSize: notice.window,
          claimedContextSize: notice.claimed,
        };
        expect(notice.window).toBeLessThanOrEqual(WINDOW);
        expect(notice.window).toBeGreaterThan(WINDOW / 2);
        expect(notice.claimed).toBe(contextSize ?? null);
      }
      probes += model.requests.slice(before).filter((body) => JSON.stringify(body).includes(FRONT)).length;
      // Replies that are left in the queue belong to no other turn.
      model.dropReplies();
    }
    expect(learned).toBe(1);
    expect(probes).toBeLessThanOrEqual(server.refuse === undefined ? 4 : 1);
  });
});

describe('a prompt that was read whole', () => {
  /** A turn whose step was counted. */
  const counted = (estimatedTokens: number, inputTokens: number): AssistantMessage => ({
    id: crypto.randomUUID(),
    role: 'assistant',
    createdAt: 0,
    status: { type: 'done' },
    parts: [
      finishedStep('local', { model: 'local/scripted', estimatedTokens, usage: { inputTokens } }),
      { type: 'text', text: 'Yes.' },
    ],
  });

  test('is sent once, although it has far fewer tokens than was expected', async () => {
    model.count = ({ messages }) => 1_200 + 20 * (JSON.stringify(messages).split(FRONT).length - 1);
    model.reply({ text: 'I see many lines.' }, { text: '' }, { text: '' });
    const thread = openThread(testContext(model.url, { toolsets: [] }));
    const { error } = await thread.ask(userMessage('Hi'), counted(500, 450), userMessage('='.repeat(20_000)));
    expect(error).toBeUndefined();
    const turn = await thread.turn();
    expect(turn.parts.at(-1)).toMatchObject({ text: 'I see many lines.' });
    expect(stepsIn([turn])[0]?.notices).toEqual([]);
    expect(model.requests.filter((body) => !JSON.stringify(body).includes(FRONT))).toHaveLength(1);
    expect(model.requests).toHaveLength(3);
  });

  test('is not taken for cut by a server whose counts tell nothing', async () => {
    model.count = () => 1;
    model.reply({ text: 'Here it is.' }, { text: '' }, { text: '' });
    const thread = openThread(testContext(model.url, { toolsets: [] }));
    const { error } = await thread.ask(userMessage('one two three four '.repeat(1_500)));
    expect(error).toBeUndefined();
    const turn = await thread.turn();
    expect(turn.parts.at(-1)).toMatchObject({ text: 'Here it is.' });
    expect(stepsIn([turn])[0]?.notices).toEqual([]);
  });
});
