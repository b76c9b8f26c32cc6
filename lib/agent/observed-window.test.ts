import { describe, expect, test } from 'vitest';
import { contextSizeOf } from './observed-window.ts';
import { emptyTurn, finishedStep } from './test/messages.ts';
import { namedWindow } from './too-long.ts';

test.each([
  ['llama.cpp', 'request (5120 tokens) exceeds the available context size (4096 tokens), try increasing it', 4_096],
  [
    'llama.cpp in its body',
    '{"error":{"type":"exceed_context_size_error","n_prompt_tokens":5120,"n_ctx":4096}}',
    4_096,
  ],
  ['vLLM', "This model's maximum context length is 4096 tokens. However, you requested 5120 tokens", 4_096],
  ['vLLM, since 2025', 'You passed 5120 input tokens. max_model_len=4096', 4_096],
  ['OpenAI', 'This model’s maximum context length is 8192 tokens. However, your messages resulted in 9000', 8_192],
  ['Anthropic', 'prompt is too long: 210000 tokens > 200000 maximum', 200_000],
  ['Groq', 'Please reduce the length of the messages', undefined],
  ['a window that is too small to use', 'maximum context length is 64 tokens', undefined],
])('the window that a refusal names: %s', (_, refusal, window) => {
  expect(namedWindow(refusal)).toBe(window);
});

describe('what is known of a window', () => {
  const learned = (claimed: number | null, window = 4_096) => ({
    ...emptyTurn(),
    parts: [
      finishedStep('local', {
        notices: [{ code: 'window-learned', model: 'local/model', window, claimed, sent: 6_000 }],
      }),
    ],
  });

  test('is what the thread has learned of it', () => {
    expect(contextSizeOf([learned(null)], { id: 'local/model' })).toBe(4_096);
    expect(contextSizeOf([learned(32_000)], { id: 'local/model', contextSize: 32_000 })).toBe(4_096);
    expect(contextSizeOf([learned(32_000), learned(32_000, 2_048)], { id: 'local/model', contextSize: 32_000 })).toBe(
      2_048,
    );
  });

  test('is what is claimed now, once that has changed, and of every other model', () => {
    expect(contextSizeOf([learned(32_000)], { id: 'local/model', contextSize: 16_000 })).toBe(16_000);
    expect(contextSizeOf([learned(null)], { id: 'local/other' })).toBeUndefined();
  });

  test('is the same while what was learned already applies to the model', () => {
    const model = { id: 'local/model', contextSize: 4_096, claimedContextSize: 32_000 };
    expect(contextSizeOf([learned(32_000)], model)).toBe(4_096);
  });
});
