import { defined } from '#lib/base/defined.ts';
import type { Catalogue } from '#lib/tools/catalogue/catalogue.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import { withoutKey } from '#log/redact.ts';
import { describeModelError } from '#models/problems.ts';
import { FENCE_KEY } from '#server/graph/checkpointer/checkpointer.ts';
import { FencedError } from '#server/graph/checkpointer/fence.ts';
import { type Graph, messagesInput, resumeInput } from '#server/graph/graph.ts';
import type { RunContext, ThreadStateValue } from '#server/graph/state.ts';
import { isDatabaseAway } from '#server/http/database-away.ts';
import { HttpProblem } from '#server/http/problem.ts';
import { Run, type RunKind } from './run.ts';
import { NO_OBSERVER, type RunObservation, type RunObserver } from './run-observer.ts';
import type { RunRequest, Runs } from './runs.ts';

/** The time for which a run that was cancelled before it was posted is remembered, in milliseconds. */
const CANCELLED_MS = 600_000;
/** The maximum number of runs that are remembered as cancelled before they were posted. */
const CANCELLED_MAX = 10_000;

/** Returns the problem (409) for a request to start a run that was stopped before the request arrived (rule R10). */
export const runCancelledProblem = (): HttpProblem =>
  new HttpProblem(409, 'run-cancelled', 'This run was stopped before it began.');

/** Returns the problem (409) for a request to start a run in a thread that has another active run. */
export const runActiveProblem = (): HttpProblem =>
  new HttpProblem(409, 'run-active', 'The model is still answering in this thread. Wait for it, or stop it first.');

interface RunLimits {
  /** The time for which a finished run is kept for a browser that has not stored it, in milliseconds. */
  retentionMs: number;
  /** Maximum memory usage of all runs together, in bytes; above it, the runs that finished first are evicted. */
  maxBytes: number;
}

/**
 * The runs of this process: one per thread at a time. Finished ones are kept until a browser has stored them, but not longer
 * than the limits for time and memory allow.
 */
export class RunRegistry implements Runs {
  #graph: Graph;
  #limits: RunLimits;
  #runs = new Map<string, Run>();
  /** Ids of runs that were cancelled before they were posted, with the time of cancellation; oldest first. */
  #cancelled = new Map<string, number>();
  readonly #observer: RunObserver;
  #isDraining = false;

  constructor(graph: Graph, limits: RunLimits, observer: RunObserver = NO_OBSERVER) {
    this.#graph = graph;
    this.#limits = limits;
    this.#observer = observer;
  }

  /** Approximate memory usage of all runs in bytes. */
  get bytes(): number {
    return this.#runs.values().reduce((sum, run) => sum + run.bytes, 0);
  }

  /**
   * Finds the thread's latest run; undefined if there is none. With `runId`, finds it only if it has that id, or if a request
   * with that id has joined it (see `joined`).
   */
  find(threadId: string, runId?: string): Run | undefined {
    const run = this.#runs.get(threadId);
    return run !== undefined && (runId === undefined || run.id === runId || run.joined.has(runId)) ? run : undefined;
  }

  /**
   * The run that already answers a request: the same run posted again, or a resume of the same revision (rule R9).
   * Undefined if a new run has to start. Throws `HttpProblem` 409 while another run of the thread is active, and for a run
   * that was cancelled before it was posted (rule R10).
   */
  existing(threadId: string, runId: string, kind: RunKind, baseRevision: string | null): Run | undefined {
    this.#refuseCancelled(runId);
    const run = this.#runs.get(threadId);
    if (run === undefined) return undefined;
    if (run.id === runId) return run;
    if (kind === 'resume' && run.kind === 'resume' && run.baseRevision === baseRevision && run.isUsable) {
      // The browser that posted it may stop it by the id that it knows.
      run.joined.add(runId);
      return run;
    }
    if (run.endedAt === undefined) throw runActiveProblem();
    return undefined;
  }

  #refuseCancelled(runId: string): void {
    if (this.#cancelled.has(runId)) throw runCancelledProblem();
  }

  /**
   * Starts a run, which outlives its request, unless one exists that answers the request: another request may have been faster
   * while this one was read. Throws `HttpProblem` like `existing`, and 503 while the server is draining.
   */
  start(request: RunRequest): Run {
    const { threadId, runId, input, baseRevision } = request;
    const existing = this.existing(threadId, runId, input.type, baseRevision);
    if (existing !== undefined) return existing;
    this.refuseDraining();
    return this.begin(request);
  }

  /** Starts a run without looking for others: the caller has made sure that it may. */
  begin(request: RunRequest): Run {
    const run = new Run({
      id: request.runId,
      threadId: request.threadId,
      kind: request.input.type,
      baseRevision: request.baseRevision,
      ...defined({ fence: request.fence }),
    });
    this.#runs.set(run.threadId, run);
    void this.#produce(run, request);
    return run;
  }

  /** Throws `HttpProblem` 503 `draining` once the server starts no more runs. */
  refuseDraining(): void {
    if (this.#isDraining)
      throw new HttpProblem(503, 'draining', 'The studio’s server is being stopped. Send the request again.');
  }

  /** Starts no more runs from now on, and resolves once all have ended. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    await Promise.all(this.#runs.values().map((run) => run.ended()));
  }

  async close(): Promise<void> {}

  /** Drops a run that a browser says it has stored. Does nothing if the run has not ended, or is not the thread's latest. */
  acknowledge(threadId: string, runId: string): void {
    const run = this.find(threadId, runId);
    if (run?.endedAt !== undefined) this.#runs.delete(threadId);
  }

  /** Cancels the thread's run and waits until it has ended. If `runId` has not been posted yet, that run never starts. */
  async cancel(threadId: string, runId?: string): Promise<void> {
    const run = this.find(threadId, runId);
    if (run !== undefined) {
      run.cancel();
      await run.ended();
    } else if (runId !== undefined) {
      this.#cancelled.delete(runId);
      this.#cancelled.set(runId, Date.now());
    }
  }

  /** Evicts finished runs that are too old or use too much memory, and outdated cancellations. */
  evict(): void {
    const now = Date.now();
    const finished = [...this.#runs.values()]
      .filter((run) => run.endedAt !== undefined)
      .sort((one, other) => (one.endedAt ?? 0) - (other.endedAt ?? 0));
    let { bytes } = this;
    for (const run of finished) {
      const isOld = (run.endedAt ?? 0) < now - this.#limits.retentionMs;
      if (!isOld && bytes <= this.#limits.maxBytes) break;
      bytes -= run.bytes;
      this.#runs.delete(run.threadId);
    }
    for (const [runId, at] of this.#cancelled) {
      if (at > now - CANCELLED_MS && this.#cancelled.size <= CANCELLED_MAX) break;
      this.#cancelled.delete(runId);
    }
  }

  /** Cancels the thread's run. The caller deletes its checkpoint, and no other process has it. */
  async forget(threadId: string): Promise<void> {
    await this.cancel(threadId);
  }

  async #produce(run: Run, { turnId, input, context, fence, onEnding }: RunRequest): Promise<void> {
    const log = context.log.child({ threadId: run.threadId, runId: run.id });
    const startedAt = performance.now();
    log.info({ kind: run.kind, model: context.model.id, toolCalling: context.toolCalling }, 'run started');
    let succeeded = false;
    const { provider, id } = context.model;
    const observation = this.#observer.begin({
      threadId: run.threadId,
      turnId,
      runId: run.id,
      provider,
      model: id,
      isPersonal: context.access !== undefined,
      results: input.type === 'resume' ? withKnownTools(input.results, context.catalogue) : [],
    });
    run.emit({ type: 'start', messageId: turnId, messageMetadata: { runId: run.id } });
    try {
      const revision = await this.#stream(run, input, { ...context, log }, fence, observation);
      if (!run.isAbandoned) await onEnding?.(true);
      if (run.isAbandoned) throw new FencedError();
      run.emit({ type: 'finish', messageMetadata: { revision } });
      succeeded = true;
      observation.end('finished');
      log.info({ ms: Math.round(performance.now() - startedAt) }, 'run finished');
    } catch (error) {
      // Another process may own the thread by the time that the database is back.
      if (error instanceof FencedError || (fence !== undefined && isDatabaseAway(error))) run.abandon();
      if (run.isAbandoned) {
        observation.end('abandoned');
        log.warn({ ms: Math.round(performance.now() - startedAt) }, 'run abandoned');
        return;
      }
      await onEnding?.(false);
      if (run.abortSignal.aborted) {
        run.emit({ type: 'abort' });
        observation.end('canceled');
        log.info({ ms: Math.round(performance.now() - startedAt) }, 'run canceled');
      } else {
        const problem = describeModelError(error, context.apiKey);
        run.emit({ type: 'data-problem', data: problem });
        run.emit({ type: 'error', errorText: problem.detail });
        observation.end({ failed: problem.code });
        log.warn({ code: problem.code, error: withoutKey(String(error), context.apiKey) }, 'run failed');
      }
    } finally {
      run.end(succeeded);
      this.evict();
    }
  }

  /**
   * Runs the graph to its next interrupt or end, and adds the chunks that it writes to the run. Resolves with the state's
   * revision once the state is checkpointed.
   */
  async #stream(
    run: Run,
    input: RunRequest['input'],
    context: RunContext,
    fence: string | undefined,
    observation: RunObservation,
  ): Promise<string> {
    const graphInput = input.type === 'resume' ? resumeInput(run.id, input.results) : messagesInput(input.messages);
    const stream = await this.#graph.stream(graphInput as Parameters<Graph['stream']>[0], {
      configurable: { thread_id: run.threadId, ...defined({ [FENCE_KEY]: fence }) },
      context,
      streamMode: ['custom', 'updates'],
      // The checkpoint is written once, at the end of the run. No call runs before that (rule R3): the page waits for `finish`.
      durability: 'exit',
      signal: run.abortSignal,
    });
    let revision = '';
    for await (const [mode, data] of stream) {
      // The chunks that the model node (server/graph/model-node.ts) writes with `config.writer`.
      if (mode === 'custom') {
        run.emit(data);
        observation.chunk(data);
      } else revision = revisionIn(data as Record<string, Partial<ThreadStateValue> | undefined>) ?? revision;
    }
    return revision;
  }
}

/** Returns results without the names of tools that are not in the catalogue: a model may have written anything. */
const withKnownTools = (results: readonly ToolResult[], { tools }: Catalogue): ToolResult[] =>
  results.map((result) => (tools.get(result.toolName) === undefined ? { ...result, toolName: 'unknown' } : result));

/**
 * Returns the revision in an update of the graph, which has the state that a node returned, by the name of the node. Undefined
 * for the update at an interrupt, `{ __interrupt__: […] }`, so that the revision before it counts.
 */
function revisionIn(update: Record<string, Partial<ThreadStateValue> | undefined>): string | undefined {
  return Object.values(update)
    .map((values) => values?.revision)
    .findLast((revision) => typeof revision === 'string');
}
