import { describe, expect, it } from 'vitest';
import { EXAMINATION_REQUESTS_MAX } from '#lib/wire/examination.ts';
import type { DefectiveServer, Failure } from './test/defective-server.ts';
import { examined, found } from './test/examined.ts';

describe('what says nothing about the model', () => {
  const failing = (failing: DefectiveServer['failing']) => ({
    prepare: (one: DefectiveServer) => {
      one.failing = failing;
    },
  });

  it.each([
    [3, 429],
    [6, 503],
  ])('request %i is repeated once after a %i', async (number, status) => {
    const report = await examined(
      'none',
      failing((at) => (at === number ? status : undefined)),
    );
    expect(report).toMatchObject({ verdict: 'native', because: 'native-works' });
  });

  it.each([
    [429, 'rate-limited'],
    [401, 'key-refused'],
    [503, 'endpoint-error'],
  ])('after a second %i there is no verdict, and what was found is kept', async (status, because) => {
    const report = await examined(
      'none',
      failing((at) => (at > 3 ? status : undefined)),
    );
    expect(report).toMatchObject({ verdict: 'unfinished', because, use: {}, recommendations: [] });
    expect(found(report)).toContain('call native');
    expect(report.detail).toContain(`failing with ${status}`);
  });

  it('two calls that fail again leave the rest of what was found', async () => {
    const report = await examined(
      'none',
      failing((at) => (at === 4 || at === 5 ? 500 : undefined)),
    );
    expect(report).toMatchObject({ verdict: 'native', because: 'native-works' });
    expect(found(report)).toContain('parallel failed 500: failing with 500');
  });

  it.each<[string, number | Failure]>([
    ['a server that is overloaded', 529],
    ['one error of the server', 500],
    ['an error in the stream', { error: { code: 502, message: 'Provider returned error' } }],
    ['an error in the stream without a code', { error: { message: 'Provider returned error' } }],
  ])('%s is no refusal of tools', async (_, failure) => {
    for (const number of [2, 3, 5]) {
      const report = await examined(
        'none',
        failing((at) => (at === number ? failure : undefined)),
      );
      expect(report).toMatchObject({ verdict: 'native', because: 'native-works' });
      expect(found(report)).toContain('result answered');
    }
  });

  it('a limit of many at once in the stream is none, either', async () => {
    const error = { code: 429, message: 'Rate limit exceeded' };
    const report = await examined(
      'none',
      failing((at) => (at > 1 ? { error } : undefined)),
    );
    expect(report).toMatchObject({ verdict: 'unfinished', because: 'rate-limited' });
  });

  it('a connection that is closed again and again is none, either', async () => {
    const report = await examined(
      'none',
      failing((at) => (at > 3 ? 'closes' : undefined)),
    );
    expect(report).toMatchObject({ verdict: 'unfinished', because: 'stream-broken' });
    expect(found(report)).toContain('call native');
  });

  it('a refusal is kept in the server’s words', async () => {
    const error = { message: 'tools need --enable-auto-tool-choice' };
    const report = await examined(
      'none',
      failing((_, { tools = [] }) => (tools.length > 0 ? { status: 400, error } : undefined)),
    );
    expect(found(report)).toContain('tools refused 400: tools need --enable-auto-tool-choice');
  });

  it('repeated requests count, too', async () => {
    const seen = new Set<string>();
    const report = await examined('none', {
      measuresWindow: true,
      ...failing((_, body) => {
        const isNew = !seen.has(JSON.stringify(body)) && seen.size < 3;
        seen.add(JSON.stringify(body));
        return isNew ? 429 : undefined;
      }),
    });
    expect(report.requests).toBeLessThanOrEqual(EXAMINATION_REQUESTS_MAX);
    expect(report.verdict).toBe('native');
  });
});

describe('a limit of the examination’s own that is refused', () => {
  const refusing = (message: (maxTokens: number) => string | undefined) => ({
    prepare: (one: DefectiveServer) => {
      one.failing = (_, { max_tokens = 0 }) => {
        const words = message(max_tokens);
        return words === undefined ? undefined : { status: 400, error: { message: words } };
      };
    },
  });
  const vllm = (maxTokens: number, window: number) =>
    `'max_tokens' or 'max_completion_tokens' is too large: ${maxTokens}. This model's maximum context length is ${window} tokens and your request has 950 input tokens.`;

  it.each([
    [
      'because the parameter has another name',
      (maxTokens: number) =>
        maxTokens > 0 ? "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." : undefined,
    ],
    [
      'because the window is small',
      (maxTokens: number) => (maxTokens > 2_048 - 950 ? vllm(maxTokens, 2_048) : undefined),
    ],
  ] as const)('is left out, %s', async (_, message) => {
    expect(await examined('none', refusing(message))).toMatchObject({ verdict: 'native', because: 'native-works' });
  });

  it('is left out for a model that thinks for long, too', async () => {
    const report = await examined(
      'thinks for long',
      refusing((maxTokens) => (maxTokens > 4_096 - 950 ? vllm(maxTokens, 4_096) : undefined)),
    );
    expect(report).toMatchObject({ verdict: 'native', because: 'native-works' });
  });
});
