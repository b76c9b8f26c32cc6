import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { Log } from '#log/log.ts';
import type { RunObservation, RunObserver, RunOutcome } from '#server/runs/run-observer.ts';

/** The label of models that belong to people's own connections: their names are unlimited, and nobody's business. */
const PERSONAL = 'personal';

/** The limits of the histograms of times, in seconds. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Figures about the process and its runs, for Prometheus. No label has a thread, a run, or a person. */
export class Metrics implements RunObserver {
  readonly #registry = new Registry();
  readonly #active: Gauge;
  readonly #ended: Counter;
  readonly #seconds: Histogram;
  readonly #firstChunk: Histogram;
  readonly #tokens: Counter;

  constructor() {
    const registers = [this.#registry];
    const models = ['provider', 'model'];
    collectDefaultMetrics({ register: this.#registry });
    this.#active = new Gauge({ name: 'studio_runs_active', help: 'Runs that this process executes.', registers });
    this.#ended = new Counter({
      name: 'studio_runs_ended_total',
      help: 'Runs that have ended, by outcome; failed ones by the code of the problem.',
      labelNames: [...models, 'outcome'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'studio_run_seconds',
      help: 'Time from the start of a run to its end.',
      labelNames: models,
      buckets: SECONDS,
      registers,
    });
    this.#firstChunk = new Histogram({
      name: 'studio_first_chunk_seconds',
      help: 'Time from the start of a run to the first text, thought, or call of the model.',
      labelNames: models,
      buckets: SECONDS,
      registers,
    });
    this.#tokens = new Counter({
      name: 'studio_tokens_total',
      help: 'Tokens of finished steps, as the model’s server counted them.',
      labelNames: [...models, 'direction'],
      registers,
    });
  }

  begin({ provider, model, isPersonal }: { provider: string; model: string; isPersonal: boolean }): RunObservation {
    const labels = { provider, model: isPersonal ? PERSONAL : model };
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1_000;
    let hasBegun = false;
    this.#active.inc();
    return {
      chunk: (chunk: StudioChunk) => {
        if (!hasBegun && /^(?:text|reasoning|tool-input)-/.test(chunk.type)) {
          hasBegun = true;
          this.#firstChunk.observe(labels, seconds());
        }
        if (chunk.type !== 'data-step-end') return;
        const { inputTokens, outputTokens } = chunk.data.usage;
        this.#tokens.inc({ ...labels, direction: 'input' }, inputTokens ?? 0);
        this.#tokens.inc({ ...labels, direction: 'output' }, outputTokens ?? 0);
      },
      end: (outcome: RunOutcome) => {
        this.#active.dec();
        this.#seconds.observe(labels, seconds());
        this.#ended.inc({ ...labels, outcome: typeof outcome === 'string' ? outcome : `failed: ${outcome.failed}` });
      },
    };
  }

  /** Returns all figures in the text format that Prometheus reads. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

/**
 * Serves metrics at `/metrics` on a port of their own, which is not for browsers. If the port cannot be opened, logs the
 * error, and the studio goes on without metrics.
 */
export function serveMetrics(metrics: Metrics, { port, host }: { port: number; host: string }, log: Log): Server {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.on('error', (error) => log.error({ port, error: String(error) }, 'no metrics'));
  server.listen(port, host);
  server.unref();
  return server;
}
