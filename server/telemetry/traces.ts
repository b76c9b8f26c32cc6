import { createHash } from 'node:crypto';
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, RandomIdGenerator, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { Log } from '#log/log.ts';
import { redact } from '#log/redact.ts';
import type { ObservedRun, RunObservation, RunObserver, RunOutcome } from '#server/runs/run-observer.ts';

/** The name under which a trace shows the models of people's own connections: their names are nobody's business. */
const PERSONAL = 'personal';

/** The longest time for which the end of the process waits for the last spans to be sent, in milliseconds. */
const CLOSE_MS = 2_000;

/** The most calls of which a run's trace has spans. */
const CALLS_MAX = 200;

/** The longest time of a call that is believed, in milliseconds: it comes from the page. */
const CALL_MAX_MS = 86_400_000;

/** The names that OpenTelemetry has for providers, by the studio's. A provider that is not listed has the same name there. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** Options for `Traces`. `instance`: the name of this process. */
export interface TracesOptions {
  exporter: SpanExporter;
  instance: string;
  log: Log;
}

/**
 * Records each run as a span (`invoke_agent`), with spans below it for the requests to the model (`chat`) and for the calls
 * whose results the page has sent (`execute_tool`), by OpenTelemetry's conventions for generative AI. All runs of a turn are in
 * one trace, whichever processes they run in. Spans contain names, ids, times, and counts of tokens, and nothing that people,
 * models, or tools write.
 */
export class Traces implements RunObserver {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #ids = new TurnIds();

  constructor({ exporter, instance, log }: TracesOptions) {
    const own = resourceFromAttributes({ 'service.name': 'roundtrip-studio', 'service.instance.id': instance });
    this.#provider = new TracerProvider({
      // `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` have the last word.
      resource: defaultResource()
        .merge(own)
        .merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor({ exporter: reporting(exporter, log) })],
      idGenerator: this.#ids,
    });
    this.#tracer = this.#provider.getTracer('roundtrip-studio');
  }

  begin({ threadId, turnId, runId, provider, model, isPersonal, results }: ObservedRun): RunObservation {
    const attributes = {
      'gen_ai.provider.name': PROVIDER_NAMES[provider] ?? provider,
      'gen_ai.request.model': isPersonal ? PERSONAL : model,
      'gen_ai.conversation.id': threadId,
    };
    this.#ids.startTurn(turnId);
    const run = this.#tracer.startSpan(
      'invoke_agent roundtrip-studio',
      {
        kind: SpanKind.INTERNAL,
        attributes: { ...attributes, 'gen_ai.operation.name': 'invoke_agent', 'studio.run.id': runId },
      },
      ROOT_CONTEXT,
    );
    const below = trace.setSpan(ROOT_CONTEXT, run);
    for (const { toolCallId, toolName, durationMs = 0, ...result } of results.slice(0, CALLS_MAX)) {
      const call = this.#tracer.startSpan(
        `execute_tool ${toolName}`,
        {
          kind: SpanKind.INTERNAL,
          startTime: Date.now() - Math.min(Math.max(durationMs, 0), CALL_MAX_MS),
          attributes: {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': toolName,
            'gen_ai.tool.call.id': toolCallId,
          },
        },
        below,
      );
      if (result.type === 'tool-error') fail(call, result.code);
      call.end();
    }
    let step: Span | undefined;
    return {
      chunk: (chunk: StudioChunk) => {
        if (chunk.type === 'data-step') {
          step?.end();
          step = this.#tracer.startSpan(
            `chat ${attributes['gen_ai.request.model']}`,
            { kind: SpanKind.CLIENT, attributes: { ...attributes, 'gen_ai.operation.name': 'chat' } },
            below,
          );
        } else if (chunk.type === 'data-retry') step?.addEvent('retry', { 'error.type': chunk.data.code });
        else if (chunk.type === 'data-step-end') {
          const { finishReason, usage } = chunk.data;
          step?.setAttribute('gen_ai.response.finish_reasons', [finishReason]);
          if (usage.inputTokens !== undefined) step?.setAttribute('gen_ai.usage.input_tokens', usage.inputTokens);
          if (usage.outputTokens !== undefined) step?.setAttribute('gen_ai.usage.output_tokens', usage.outputTokens);
          step?.end();
          step = undefined;
        }
      },
      end: (outcome: RunOutcome) => {
        run.setAttribute('studio.run.outcome', typeof outcome === 'string' ? outcome : 'failed');
        if (typeof outcome !== 'string') {
          fail(run, outcome.failed);
          if (step !== undefined) fail(step, outcome.failed);
        }
        step?.end();
        run.end();
      },
    };
  }

  /** Sends the spans that have ended. Resolves after `CLOSE_MS` at the latest; never rejects. */
  async close(): Promise<void> {
    const sent = this.#provider.shutdown().catch(() => undefined);
    await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
  }
}

/** Returns `Traces` that go to the collector at `endpoint`, over HTTP. Its headers come from `OTEL_EXPORTER_OTLP_HEADERS`. */
export function tracesTo(endpoint: string, options: Omit<TracesOptions, 'exporter'>): Traces {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  return new Traces({ ...options, exporter: new OTLPTraceExporter({ url }) });
}

function fail(span: Span, code: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', code);
}

/** Gives all runs of a turn the same trace id. */
class TurnIds extends RandomIdGenerator {
  #next: string | undefined;

  /** Makes the next span the first one of a run of this turn. */
  startTurn(turnId: string): void {
    this.#next = createHash('sha256').update(turnId).digest('hex').slice(0, 32);
  }

  override generateTraceId(): string {
    const id = this.#next ?? super.generateTraceId();
    this.#next = undefined;
    return id;
  }
}

/** An exporter that says in the log, once each, that spans cannot be sent, and that they can be sent again. */
function reporting(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, onResult) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== 0;
        if (hasFailed && !isFailing) log.warn({ error: redact(String(result.error ?? '')) }, 'traces cannot be sent');
        if (!hasFailed && isFailing) log.info({}, 'traces are sent again');
        isFailing = hasFailed;
        onResult(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
