import { describe, expect, test } from 'vitest';
import type { AssistantMessage, Message, StepPart } from '#lib/messages/message.ts';
import { type Attempt, toAttempt, toReport, toResult } from './report.ts';
import { reportPage } from './report-page.ts';

const SCENARIO = {
  scenario: 'primes',
  title: 'Sum of <primes>',
  language: 'en',
  model: 'local/<m>',
  mode: 'native',
} as const;

const step = (usage?: StepPart['usage']): StepPart => ({
  type: 'step',
  model: 'm',
  provider: 'local',
  promptHash: '',
  settings: { systemPrompt: '', toolsets: [], toolCalling: 'native', budgetTokens: 1, lastStep: false },
  finishReason: 'stop',
  notices: [],
  ...(usage === undefined ? {} : { usage }),
});

const turn = (parts: AssistantMessage['parts'], status: AssistantMessage['status']): Message[] => [
  { id: 'q', role: 'user', createdAt: 1, parts: [{ type: 'text', text: 'What is <b>?' }] },
  { id: 'a', role: 'assistant', createdAt: 2, parts, status },
];

const attempt = (numbers: Partial<Attempt>): Attempt => ({
  steps: 1,
  inputTokens: null,
  outputTokens: null,
  durationMs: 1_000,
  failures: [],
  ...numbers,
});

describe('the numbers of a report', () => {
  test('a run counts its steps and the tokens that the provider reported', () => {
    const messages = turn(
      [step({ inputTokens: 10, outputTokens: 1 }), step(), step({ inputTokens: 5, outputTokens: 2 })],
      { type: 'done' },
    );
    expect(toAttempt({ failures: [], messages, durationMs: 7 })).toEqual({
      steps: 3,
      inputTokens: 15,
      outputTokens: 3,
      durationMs: 7,
      failures: [],
    });
  });

  test('tokens that nobody counted are unknown, not zero', () => {
    const messages = turn([step()], { type: 'done' });
    expect(toAttempt({ failures: [], messages, durationMs: 7 })).toMatchObject({ inputTokens: null });
  });

  test('only a failed run includes its transcript', () => {
    const messages = turn([step()], { type: 'done' });
    expect(toAttempt({ failures: ['no'], messages, durationMs: 7 })).toMatchObject({ transcript: messages });
  });

  test.each([
    [[3], 3],
    [[9, 1, 2], 2],
    [[1, 2, 4, 100], 3],
    [[null, 5, null], 5],
    [[null], null],
  ])('the median of %j is %j', (values, median) => {
    const result = toResult(
      SCENARIO,
      values.map((inputTokens) => attempt({ inputTokens })),
    );
    expect(result.inputTokens).toBe(median);
  });

  test('passed runs are counted by scenario and in total', () => {
    const results = [
      toResult(SCENARIO, [attempt({}), attempt({ failures: ['no'] }), attempt({})]),
      toResult(SCENARIO, [attempt({})]),
    ];
    expect(results.map(({ passed, runs }) => [passed, runs])).toEqual([
      [2, 3],
      [1, 1],
    ]);
    expect(toReport(['m'], new Date(0), results)).toMatchObject({ passed: 3, failed: 1 });
  });
});

describe('the report as a page', () => {
  const failing = (messages: Message[]) => {
    const failed = toAttempt({ failures: ['the answer does not match /<76127>/'], messages, durationMs: 1_234 });
    return reportPage(toReport(['local/<m>'], new Date(0), [toResult(SCENARIO, [failed])]));
  };

  test('a failure is shown with its reasons and its whole transcript', () => {
    const html = failing(
      turn(
        [
          step({ inputTokens: 1_200, outputTokens: 3 }),
          { type: 'reasoning', text: 'I wonder' },
          { type: 'text', text: 'Let me look.' },
          {
            type: 'tool-call',
            toolCallId: 'c1',
            toolName: 'read_file',
            inputState: 'complete',
            input: { path: '/a.txt' },
            result: {
              type: 'tool-error',
              toolCallId: 'c1',
              toolName: 'read_file',
              code: 'denied',
              message: 'Not run.',
            },
          },
          { type: 'tool-call', toolCallId: 'c2', toolName: 'write_file', inputState: 'incomplete', inputText: '{"pa' },
        ],
        { type: 'failed', problem: { code: 'rate-limited', detail: 'Slow down' } },
      ),
    );
    for (const text of [
      'the answer does not match /&lt;76127&gt;/',
      'What is &lt;b&gt;?',
      '1,200 tokens in, 3 out',
      'I wonder',
      'Let me look.',
      '&quot;path&quot;: &quot;/a.txt&quot;',
      'Error: denied',
      'Not run.',
      'arguments incomplete',
      'No result',
      'rate-limited: Slow down',
      '1.2 s',
    ]) {
      expect(html).toContain(text);
    }
  });

  test('what a model writes is never markup, and nothing is loaded', () => {
    const html = failing(
      turn([{ type: 'text', text: '</pre><script src="https://x.example"></script>' }], { type: 'done' }),
    );
    expect(html).not.toContain('<script');
    expect(html.replaceAll(/&lt;.*?&gt;/g, '')).not.toMatch(/(src|href)=/);
    expect(html).toContain("default-src 'none'");
  });

  test('models and modes are shown side by side, with intervals', () => {
    const results = [
      toResult(SCENARIO, [attempt({}), attempt({ failures: ['no'], kind: 'prose' })]),
      toResult({ ...SCENARIO, mode: 'prompted' }, [attempt({}), attempt({})]),
      toResult({ ...SCENARIO, model: 'other', mode: 'prompted' }, [attempt({ failures: ['no'], kind: 'answer' })]),
    ];
    const html = reportPage(toReport(['local/<m>', 'other'], new Date(0), results));
    for (const text of [
      'local/&lt;m&gt;, native</th><th scope="col">local/&lt;m&gt;, prompted</th><th scope="col">other, prompted',
      '1 of 2 (9–91 %)',
      '2 of 2 (34–100 %)',
      '0 of 1 (0–79 %)',
      'prose in place of a call',
      'wrong answer',
    ])
      expect(html).toContain(text);
    expect(reportPage(toReport(['m'], new Date(0), results.slice(0, 1)))).not.toContain('Side by side');
  });
});
