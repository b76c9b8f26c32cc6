import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { expect, onTestFinished, test } from 'vitest';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import { createLog } from '#log/log.ts';
import type { ObservedRun } from '#server/runs/run-observer.ts';
import { Traces, tracesTo } from './traces.ts';

const SILENT = createLog('silent');

const RUN: ObservedRun = {
  threadId: 'thread-1',
  turnId: 'turn-1',
  runId: 'run-1',
  provider: 'google',
  model: 'gemini',
  isPersonal: false,
  results: [],
};

const step: StudioChunk = {
  type: 'data-step',
  data: {
    model: 'gemini',
    provider: 'google',
    promptHash: 'hash',
    settings: { systemPrompt: '', toolsets: [], toolCalling: 'native', budgetTokens: 8_000, lastStep: false },
  },
};

const stepEnd: StudioChunk = {
  type: 'data-step-end',
  data: { finishReason: 'stop', usage: { inputTokens: 10, outputTokens: 3 }, durationMs: 1, notices: [] },
};

/** Records runs, and returns the spans that are sent. */
async function spansOf(record: (traces: Traces) => void): Promise<ReadableSpan[]> {
  const kept: ReadableSpan[] = [];
  const exporter = new InMemorySpanExporter();
  // Those in memory are forgotten at the end.
  const keeping: SpanExporter = {
    export(spans, onResult) {
      kept.push(...spans);
      exporter.export(spans, onResult);
    },
    shutdown: () => exporter.shutdown(),
  };
  const traces = new Traces({ exporter: keeping, instance: 'here', log: SILENT });
  record(traces);
  await traces.close();
  return kept;
}

const named = (spans: readonly ReadableSpan[], name: string): ReadableSpan => {
  const found = spans.find((span) => span.name === name);
  if (found === undefined)
    throw new Error(`There is no span ${name}, only ${spans.map((span) => span.name).join(', ')}.`);
  return found;
};

test('a run is a span, with its steps and the calls whose results it got below it', async () => {
  const spans = await spansOf((traces) => {
    const run = traces.begin({
      ...RUN,
      results: [
        {
          type: 'tool-result',
          toolCallId: 'call-1',
          toolName: 'read_file',
          durationMs: 250,
          output: { content: [{ type: 'text', text: 'secret contents' }] },
        },
        { type: 'tool-error', toolCallId: 'call-2', toolName: 'bash', code: 'failed', message: 'secret message' },
      ],
    });
    run.chunk(step);
    run.chunk({ type: 'data-retry', data: { code: 'rate-limited', delayMs: 1 } });
    run.chunk({ type: 'text-delta', id: 't', delta: 'secret answer' });
    run.chunk(stepEnd);
    run.end('finished');
  });
  expect(spans.map(({ name }) => name).sort()).toEqual([
    'chat gemini',
    'execute_tool bash',
    'execute_tool read_file',
    'invoke_agent roundtrip-studio',
  ]);
  const run = named(spans, 'invoke_agent roundtrip-studio');
  expect(run.attributes).toEqual({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': 'gcp.gemini',
    'gen_ai.request.model': 'gemini',
    'gen_ai.conversation.id': 'thread-1',
    'studio.run.id': 'run-1',
    'studio.run.outcome': 'finished',
  });
  expect(run.resource.attributes).toMatchObject({
    'service.name': 'roundtrip-studio',
    'service.instance.id': 'here',
  });
  const chat = named(spans, 'chat gemini');
  expect(chat.parentSpanContext?.spanId).toBe(run.spanContext().spanId);
  expect(chat.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 3,
    'gen_ai.response.finish_reasons': ['stop'],
  });
  expect(chat.events.map(({ name, attributes }) => ({ name, attributes }))).toEqual([
    { name: 'retry', attributes: { 'error.type': 'rate-limited' } },
  ]);
  const read = named(spans, 'execute_tool read_file');
  expect(read.parentSpanContext?.spanId).toBe(run.spanContext().spanId);
  expect(read.attributes['gen_ai.tool.call.id']).toBe('call-1');
  const [seconds, nanoseconds] = read.duration;
  expect(seconds * 1_000 + nanoseconds / 1e6).toBeGreaterThanOrEqual(249);
  const bash = named(spans, 'execute_tool bash');
  expect(bash.status.code).toBe(SpanStatusCode.ERROR);
  expect(bash.attributes['error.type']).toBe('failed');
  const { spanContext: _, ...rest } = run;
  expect(
    JSON.stringify([rest.attributes, ...spans.map(({ name, attributes, events }) => [name, attributes, events])]),
  ).not.toContain('secret');
});

test('times that no call can have, and calls without number, harm no other span', async () => {
  const result = { type: 'tool-error', toolName: 'bash', code: 'failed', message: '' } as const;
  const before = Date.now();
  const spans = await spansOf((traces) => {
    const calls = Array.from({ length: 100_000 }, (_, index) => ({ ...result, toolCallId: `call-${index}` }));
    const results = [
      { ...calls[0], ...result, toolCallId: 'a', durationMs: 1e300 },
      { ...result, toolCallId: 'b', durationMs: -1e300 },
    ];
    traces.begin({ ...RUN, results: [...results, ...calls] }).end('finished');
  });
  expect(spans.length).toBeLessThan(300);
  for (const { startTime, name } of spans) {
    expect(startTime[0] * 1_000, name).toBeGreaterThan(before - 90_000_000);
    expect(startTime[0] * 1_000, name).toBeLessThanOrEqual(Date.now());
  }
});

test('a failed run and its open step have the code of the problem', async () => {
  const spans = await spansOf((traces) => {
    const run = traces.begin(RUN);
    run.chunk(step);
    run.end({ failed: 'endpoint-error' });
  });
  for (const span of spans) {
    expect(span.status.code, span.name).toBe(SpanStatusCode.ERROR);
    expect(span.attributes['error.type'], span.name).toBe('endpoint-error');
  }
  expect(spans).toHaveLength(2);
});

test('a run that is canceled is no error', async () => {
  const [run] = await spansOf((traces) => traces.begin(RUN).end('canceled'));
  expect(run?.status.code).toBe(SpanStatusCode.UNSET);
  expect(run?.attributes['studio.run.outcome']).toBe('canceled');
});

test('the runs of a turn are in one trace, in every process, and other turns in others', async () => {
  const record = (turnId: string, runId: string) =>
    spansOf((traces) => traces.begin({ ...RUN, turnId, runId }).end('finished'));
  const [[first], [second], [other]] = [
    await record('turn-1', 'run-1'),
    await record('turn-1', 'run-2'),
    await record('turn-2', 'run-3'),
  ];
  const traceOf = (span: ReadableSpan | undefined) => span?.spanContext().traceId;
  expect(traceOf(first)).toMatch(/^[0-9a-f]{32}$/);
  expect(traceOf(second)).toBe(traceOf(first));
  expect(traceOf(other)).not.toBe(traceOf(first));
});

test('a model of a person’s own connection has no name', async () => {
  const spans = await spansOf((traces) => {
    const run = traces.begin({ ...RUN, model: 'my secret model', isPersonal: true });
    run.chunk(step);
    run.end('finished');
  });
  expect(JSON.stringify(spans.map(({ name, attributes }) => ({ name, attributes })))).not.toContain('secret');
  expect(named(spans, 'chat personal').attributes['gen_ai.request.model']).toBe('personal');
});

test('spans go to the collector over HTTP', async () => {
  const bodies: string[] = [];
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      paths.push(request.url);
      bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const traces = tracesTo(`http://127.0.0.1:${port}/`, { instance: 'here', log: SILENT });
  traces.begin(RUN).end('finished');
  await traces.close();
  expect(paths).toEqual(['/v1/traces']);
  expect(bodies.join()).toContain('invoke_agent roundtrip-studio');
});

test('a collector that cannot be reached is said once in the log, and the end does not wait for it', async () => {
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line));
  const exporter: SpanExporter = {
    export: (_, onResult) => onResult({ code: 1, error: new Error('connect ECONNREFUSED') }),
    shutdown: () => new Promise(() => undefined),
  };
  const traces = new Traces({ exporter, instance: 'here', log });
  traces.begin(RUN).end('finished');
  await traces.close();
  expect(lines.join('')).toContain('traces cannot be sent');
  expect(lines.join('')).toContain('ECONNREFUSED');
});
