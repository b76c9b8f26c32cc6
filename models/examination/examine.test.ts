import { describe, expect, it } from 'vitest';
import { resolveModelConfig } from '../config.ts';
import { conclude } from './conclude.ts';
import { examineModel } from './examine-model.ts';
import { namesNumber } from './probes.ts';
import { DefectiveServer } from './test/defective-server.ts';
import { examined, found } from './test/examined.ts';

describe('a server without mistakes', () => {
  it('gets native tools', async () => {
    const report = await examined('none');
    expect(report).toMatchObject({ verdict: 'native', because: 'native-works', use: { toolCalling: 'native' } });
    expect(found(report)).toEqual([
      'tools kept',
      'call native',
      'call streamed',
      'parallel together',
      'result answered',
      'window asks-first',
    ]);
    expect(report.requests).toBe(5);
  });
});

describe('the verdict on each of twelve mistakes', () => {
  const PROMPTED = { toolCalling: 'prompted', codec: 'object', compact: true, examples: true };
  const NATIVE = { toolCalling: 'native' };

  it.each([
    ['drops tools', { verdict: 'prompted', because: 'tools-dropped', use: PROMPTED }, 'tools dropped'],
    [
      'writes <tool_call>',
      { verdict: 'prompted', because: 'calls-in-text', use: PROMPTED },
      'call in-text <tool_call>',
    ],
    [
      'writes [TOOL_CALLS]',
      { verdict: 'prompted', because: 'calls-in-text', use: PROMPTED },
      'call in-text [TOOL_CALLS]',
    ],
    [
      'writes python',
      { verdict: 'prompted', because: 'calls-in-text', use: PROMPTED },
      'call in-text name(argument=…)',
    ],
    ['writes fenced JSON', { verdict: 'prompted', because: 'calls-in-text', use: PROMPTED }, 'call in-text JSON'],
    [
      'writes <function=',
      { verdict: 'prompted', because: 'calls-in-text', use: PROMPTED },
      'call in-text <function=…>',
    ],
    [
      'merges parallel calls',
      { verdict: 'native', because: 'native-works', use: { ...NATIVE, singleCalls: true } },
      'parallel merged',
    ],
    ['arguments as object', { verdict: 'native', because: 'native-works', use: NATIVE }, 'call arguments-as-object'],
    ['index always 0', { verdict: 'native', because: 'native-works', use: NATIVE }, 'parallel same-index'],
    ['repeats ids', { verdict: 'native', because: 'native-works', use: NATIVE }, 'parallel same-id'],
    ['buffers arguments', { verdict: 'native', because: 'native-works', use: NATIVE }, 'call at-once'],
    ['loses system prompt', { verdict: 'prompted', because: 'system-lost', use: PROMPTED }, 'tools system-lost'],
    ['no finish reason', { verdict: 'native', because: 'native-works', use: NATIVE }, 'call no-finish-reason'],
    [
      'leaks template tokens',
      { verdict: 'prompted', because: 'template-tokens', use: PROMPTED },
      'call template-tokens <|im_end|>',
    ],
  ] as const)('%s', async (defect, conclusion, finding) => {
    const report = await examined(defect);
    expect(found(report)).toContain(finding);
    expect(report).toMatchObject(conclusion);
    expect(report.use).toEqual(conclusion.use);
    expect(report.recommendations.map(({ setting }) => setting)).toEqual(Object.keys(conclusion.use));
  });

  it('error with status 200', async () => {
    const report = await examined('error with status 200');
    expect(report).toMatchObject({ verdict: 'unusable', because: 'endpoint-error', use: {}, requests: 1 });
    expect(report.detail).toContain('The model failed to load.');
  });

  it('serves 4k although it claims 128k', async () => {
    const report = await examined('serves 4k', { measuresWindow: true, contextSize: 128_000 });
    expect(report).toMatchObject({ verdict: 'native', because: 'native-works' });
    expect(found(report)).toContain('window cut 4096');
    expect(report.use).toEqual({ toolCalling: 'native', compact: true, contextSize: 4_096 });
  });
});

describe('other cases', () => {
  it('a server that refuses tools gets them in the prompt', async () => {
    const report = await examined('refuses tools');
    expect(report).toMatchObject({ verdict: 'prompted', because: 'tools-refused' });
    expect(found(report)).toEqual([
      'tools refused 400: able does not support tools',
      'prompted readable object',
      'prompted answered',
      'window asks-first',
    ]);
  });

  it('a server that cannot force a call is asked for one', async () => {
    const report = await examined('cannot force calls', { measuresWindow: true });
    expect(report).toMatchObject({ verdict: 'native', because: 'native-works', requests: 7 });
  });

  it('a model that writes without end when it is forced to call is asked without that', async () => {
    expect(await examined('writes without end if forced')).toMatchObject({ verdict: 'native', requests: 6 });
  });

  it('a model that writes without end where it should call gets its tools in the prompt', async () => {
    const report = await examined('writes without end', { measuresWindow: true });
    expect(report).toMatchObject({ verdict: 'prompted', because: 'no-native-calls' });
  });

  it('a server that fails after native results gets them as text', async () => {
    const report = await examined('fails after results', { measuresWindow: true });
    expect(report).toMatchObject({ verdict: 'prompted', because: 'results-fail', requests: 8 });
    expect(found(report)).toContain('result failed 500: template error');
  });

  it('a server that fails after any results is unusable', async () => {
    const report = await examined('fails after results in any mode');
    expect(report).toMatchObject({ verdict: 'unusable', because: 'results-fail', use: {}, recommendations: [] });
  });

  it('a model that never calls is unusable', async () => {
    const report = await examined('has a model that never calls');
    expect(report).toMatchObject({ verdict: 'unusable', because: 'no-calls', use: {} });
    expect(found(report)).toEqual(['tools kept', 'call none', 'prompted unreadable', 'window asks-first']);
  });

  it('every call of a reply gets a result', async () => {
    expect(await examined('makes a second call')).toMatchObject({ verdict: 'native', because: 'native-works' });
  });

  it('tools that arrive are recognized without counted tokens', async () => {
    const report = await examined('counts no tokens');
    expect(report).toMatchObject({ verdict: 'native', because: 'native-works', inputTokens: 0 });
  });

  it('a model that thinks for long gets more room', async () => {
    const report = await examined('thinks for long', { measuresWindow: true });
    expect(report.requests).toBe(7);
    expect(found(report)).toContain('call native');
    expect(report.verdict).toBe('native');
  });

  it('a long prompt that was cached is not taken for one that was cut', async () => {
    const report = await examined('counts only what is not cached', { measuresWindow: true, contextSize: 128_000 });
    expect(found(report).at(-1)).toBe('window reached');
    expect(report.use).toEqual({ toolCalling: 'native' });
  });

  it('reasoning in the text is told from the answer', async () => {
    expect(found(await examined('thinks in the text'))).toContain('result reasoning-in-text');
  });

  it.each([
    ['refuses long prompts', 'window refused-longer 4096', 4_096],
    ['cuts without counting', /^window cut (3|4)\d\d\d$/, expect.any(Number)],
  ] as const)('a server that %s', async (defect, finding, contextSize) => {
    const report = await examined(defect, { measuresWindow: true, contextSize: 128_000 });
    expect(found(report).filter((one) => one.startsWith('window'))).toEqual([
      typeof finding === 'string' ? finding : expect.stringMatching(finding),
    ]);
    expect(report.use.contextSize).toEqual(contextSize);
  });

  it('a window that is known to be smaller than the long prompt gets a shorter one', async () => {
    const report = await examined('none', { measuresWindow: true, contextSize: 4_096 });
    expect(found(report)).toContain('window reached');
    expect(report.use).not.toHaveProperty('contextSize');
  });

  it('a window of 8k is found, too', async () => {
    const report = await examined('serves 4k', {
      measuresWindow: true,
      contextSize: 128_000,
      prepare: (one) => {
        one.windowTokens = 8_192;
      },
    });
    expect(report.use.contextSize).toBe(8_192);
  });

  it('a length that was only reached is no small window', () => {
    const findings = [
      { check: 'call', code: 'native' },
      { check: 'window', code: 'reached', value: 12_000 },
    ] as const;
    expect(conclude({ findings, protocol: undefined }).use).toEqual({ toolCalling: 'native', contextSize: 12_000 });
  });

  it('an endpoint that refuses short answers is not asked for any', async () => {
    expect(await examined('refuses short answers')).toMatchObject({ verdict: 'native' });
  });

  it('a model that thinks beyond every limit gets no verdict', async () => {
    const report = await examined('thinks forever');
    expect(report).toMatchObject({ verdict: 'unfinished', because: 'reply-cut', use: {} });
  });

  it('a reply that never ends is ended', async () => {
    expect(await examined('never ends')).toMatchObject({ verdict: 'unusable', because: 'reply-too-long', requests: 1 });
  });

  it('results that are ignored in both modes are no reason to leave the native one', () => {
    const protocol = { codec: 'object', compact: true, examples: true };
    const findings = [
      { check: 'call', code: 'native' },
      { check: 'result', code: 'ignored' },
      { check: 'prompted', code: 'readable' },
    ] as const;
    const ignored = { check: 'prompted', code: 'ignored' } as const;
    expect(conclude({ findings, protocol }).verdict).toBe('prompted');
    expect(conclude({ findings: [...findings, ignored], protocol }).verdict).toBe('native');
  });

  it('ends when it is aborted', async () => {
    const server = await DefectiveServer.start('none');
    const model = resolveModelConfig({ provider: 'local', model: 'able', baseURL: server.url, toolCalling: 'auto' });
    const ending = new AbortController();
    const options = { env: { MODEL_TIMEOUT_MS: 10_000 }, measuresWindow: false, signal: ending.signal };
    const events = examineModel({ model, apiKey: undefined }, options);
    const reader = events.getReader();
    await reader.read();
    ending.abort();
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toMatchObject({ name: 'AbortError' });
    await server.stop();
  });

  it('a server that is not there is said to be so', async () => {
    const server = await DefectiveServer.start('none');
    const baseURL = server.url;
    await server.stop();
    const model = resolveModelConfig({ provider: 'local', model: 'able', baseURL, toolCalling: 'auto' });
    const options = { env: { MODEL_TIMEOUT_MS: 10_000 }, measuresWindow: false, signal: new AbortController().signal };
    const events = [];
    for await (const event of examineModel({ model, apiKey: undefined }, options)) events.push(event);
    expect(events.at(-1)).toMatchObject({ report: { verdict: 'unfinished', because: 'endpoint-unreachable' } });
  });
});

it.each(['The number is 5741.', 'Number 5,741', 'Note no. 5 741'])('%s names the number', (text) => {
  expect(namesNumber(text)).toBe(true);
});
