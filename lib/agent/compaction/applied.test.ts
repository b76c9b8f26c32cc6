import { describe, expect, test } from 'vitest';
import type {
  AssistantMessage,
  AssistantPart,
  CompactionPart,
  Message,
  PromptSettings,
} from '#lib/messages/message.ts';
import { builtInCatalogue } from '#lib/tools/test/built-in-catalogue.ts';
import { buildPrompt } from '../prompt.ts';
import { answeredCall, emptyTurn, finishedStep, userMessage } from '../test/messages.ts';
import { compactionsOf, latestSummary } from './applied.ts';

const settings: PromptSettings = {
  systemPrompt: '',
  toolsets: [],
  toolCalling: 'native',
  budgetTokens: 50_000,
  lastStep: false,
  layout: 2,
};
const options = {
  provider: 'signing',
  vision: false,
  keepsReasoning: true,
  takesResultImages: false,
  toolName: /./,
  catalogue: builtInCatalogue,
  resultShare: 0.25,
};
const sizes = { system: 1, tools: 1, protocol: 1, summary: 1, history: 1, files: 1, results: 1 };

const compaction = (id: string, from: { messageId: string; part: number }, text = 'It went well.'): CompactionPart => ({
  type: 'compaction',
  id,
  stubs: [],
  roomTokens: 1,
  before: sizes,
  after: sizes,
  summary: { text, from, messageChars: 100, saidTokens: 1_000, model: 'm', provider: 'p' },
});

/** A step whose reasoning is signed. */
const signedStep = (n: number): AssistantPart[] => [
  finishedStep('signing'),
  { type: 'reasoning', text: `thought ${n}`, providerMetadata: { signing: { signature: `signed ${n}` } } },
  answeredCall(`call-${n}`, `result ${n}`),
];

const turn = (...parts: AssistantPart[]): AssistantMessage => ({ ...emptyTurn('turn'), parts });

/** The prompt of the next step, with those compactions. */
const promptOf = async (messages: readonly Message[], compactions = compactionsOf(messages).map(({ id }) => id)) =>
  (await buildPrompt(messages, { ...settings, compactions }, options)).messages;

describe('[R1] [R16] [R17] a summary in the middle of a turn', () => {
  const steps = [0, 1, 2, 3].flatMap(signedStep);
  // The third step begins at the seventh part.
  const branch = [userMessage('Do it.', 'q'), turn(...steps, compaction('c', { messageId: 'turn', part: 6 }))];

  test('keeps whole steps after it, with calls, results and signatures, and nothing of those before', async () => {
    const messages = await promptOf(branch);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
    const text = JSON.stringify(messages);
    for (const n of [0, 1]) expect(text).not.toMatch(new RegExp(`thought ${n}|signed ${n}|call-${n}|result ${n}`));
    for (const n of [2, 3])
      expect(messages[(n - 2) * 2 + 1]?.content).toEqual([
        { type: 'reasoning', text: `thought ${n}`, providerOptions: { signing: { signature: `signed ${n}` } } },
        expect.objectContaining({ type: 'tool-call', toolCallId: `call-${n}` }),
      ]);
  });

  test('stands before the question, which stays word for word', async () => {
    const [first] = await promptOf(branch);
    expect(first?.content).toMatchObject([
      { text: expect.stringMatching(/^\[Summary of the conversation so far[\s\S]*It went well\.[\s\S]*\]\n\n$/) },
      { text: 'Do it.' },
    ]);
  });

  test('does not apply to a step whose settings do not name it', async () => {
    expect(await promptOf(branch, [])).toEqual(await promptOf([branch[0] as Message, turn(...steps)]));
  });
});

describe('of several summaries', () => {
  const branch = (undone: boolean): Message[] => [
    userMessage('One', 'q1'),
    { ...turn(finishedStep('signing'), { type: 'text', text: 'First.' }), id: 'a1', status: { type: 'done' } },
    userMessage('Two', 'q2'),
    {
      ...turn(compaction('c1', { messageId: 'q2', part: 0 }, 'Summary one.'), finishedStep('signing'), {
        type: 'text',
        text: 'Second.',
      }),
      id: 'a2',
      status: { type: 'done' },
    },
    userMessage('Three', 'q3'),
    turn({ ...compaction('c2', { messageId: 'q3', part: 0 }, 'Summary two.'), ...(undone && { undone: true }) }),
  ];

  test('the latest counts', async () => {
    const text = JSON.stringify(await promptOf(branch(false)));
    expect(text).toContain('Summary two.');
    expect(text).not.toMatch(/Summary one\.|First\.|Second\./);
    expect(text).toContain('1.\\n> One');
  });

  test('the one before counts again if the latest is undone', async () => {
    const text = JSON.stringify(await promptOf(branch(true)));
    expect(text).toContain('Summary one.');
    expect(text).toContain('Second.');
    expect(text).not.toMatch(/Summary two\.|First\./);
  });

  test('one whose point is not in the branch does not count', () => {
    expect(latestSummary(branch(false).slice(2, 4), ['c1', 'c2'])?.text).toBe('Summary one.');
    const gone = [userMessage('x'), turn(compaction('c', { messageId: 'elsewhere', part: 0 }))];
    expect(latestSummary(gone, ['c'])).toBeUndefined();
  });
});
