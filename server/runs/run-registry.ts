import { withoutKey } from '#log/redact.ts';
import { describeModelError } from '#models/problems.ts';
import { type Graph, messagesInput, resumeInput } from '#server/graph/graph.ts';
import type { RunContext, ThreadStateValue } from '#server/graph/state.ts';
import { HttpProblem } from '#server/http/problem.ts';
import { Run, type RunKind } from './run.ts';

export interface RunRequest {
  threadId: string;
  runId: string;
  baseRevision: string | null;
  turnId: string;
  input:
    | { type: 'resume'; results: Parameters<typeof resumeInput>[1] }
    | { type: 'messages'; messages: Parameters<typeof messagesInput>[0] };
  context: RunContext;
}

/** The time for which a run that was cancelled before it was posted is remembered, in milliseconds. */
const CANCELLED_MS = 600_000;
/** The maximum number of runs that are remembered as cancelled before they were posted. */
const CANCELLED_MAX = 10_000;

interface RunLimits {
  /** The time for which a finished run is kept for a browser that has not stored it, in milliseconds. */
  retentionMs: number;
  /** Maximum memory usage of all runs together, in bytes; above it, the runs that finished first are evicted. */
  maxBytes: number;
}

/** The runs of this process: one per thread at a time. Finished ones are kept until a browser has stored them. */
export class RunRegistry {
  #graph: Graph;
  #limits: RunLimits;
  #runs = new Map<string, Run>();
  /** Ids of runs that were cancelled before they were posted, with the time of cancellation; oldest first. */
  #cancelled = new Map<string, number>();

  constructor(graph: Graph, limits: RunLimits) {
    this.#graph = graph;
    this.#limits = limits;
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
    if (run.endedAt === undefined) {
      throw new HttpProblem(
        409,
        'run-active',
        'The model is still answering in this thread. Wait for it, or stop it first.',
      );
    }
    return undefined;
  }

  #refuseCancelled(runId: string): void {
    if (this.#cancelled.has(runId))
      throw new HttpProblem(409, 'run-cancelled', 'This run was stopped before it began.');
  }

  /** Starts a run, which outlives its request. Throws `HttpProblem` 409 if it was cancelled before it was posted. */
  start(request: RunRequest): Run {
    this.#refuseCancelled(request.runId);
    const run = new Run({
      id: request.runId,
      threadId: request.threadId,
      kind: request.input.type,
      baseRevision: request.baseRevision,
    });
    this.#runs.set(run.threadId, run);
    void this.#produce(run, request);
    return run;
  }

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

  async #produce(run: Run, { turnId, input, context }: RunRequest): Promise<void> {
    const log = context.log.child({ threadId: run.threadId, runId: run.id });
    const startedAt = performance.now();
    log.info({ kind: run.kind, model: context.model.id, toolCalling: context.toolCalling }, 'run started');
    let succeeded = false;
    run.emit({ type: 'start', messageId: turnId, messageMetadata: { runId: run.id } });
    try {
      const revision = await this.#stream(run, input, { ...context, log });
      run.emit({ type: 'finish', messageMetadata: { revision } });
      succeeded = true;
      log.info({ ms: Math.round(performance.now() - startedAt) }, 'run finished');
    } catch (error) {
      if (run.abortSignal.aborted) {
        run.emit({ type: 'abort' });
        log.info({ ms: Math.round(performance.now() - startedAt) }, 'run canceled');
      } else {
        const problem = describeModelError(error, context.apiKey);
        run.emit({ type: 'data-problem', data: problem });
        run.emit({ type: 'error', errorText: problem.detail });
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
  async #stream(run: Run, input: RunRequest['input'], context: RunContext): Promise<string> {
    const graphInput = input.type === 'resume' ? resumeInput(run.id, input.results) : messagesInput(input.messages);
    const stream = await this.#graph.stream(graphInput as Parameters<Graph['stream']>[0], {
      configurable: { thread_id: run.threadId },
      context,
      streamMode: ['custom', 'updates'],
      // The checkpoint is written once, at the end of the run. No call runs before that (rule R3): the page waits for `finish`.
      durability: 'exit',
      signal: run.abortSignal,
    });
    let revision = '';
    for await (const [mode, data] of stream) {
      // The chunks that the model node (server/graph/model-node.ts) writes with `config.writer`.
      if (mode === 'custom') run.emit(data);
      else revision = revisionIn(data as Record<string, Partial<ThreadStateValue> | undefined>) ?? revision;
    }
    return revision;
  }
}

/**
 * Returns the revision in an update of the graph, which has the state that a node returned, by the name of the node. Undefined
 * for the update at an interrupt, `{ __interrupt__: […] }`, so that the revision before it counts.
 */
function revisionIn(update: Record<string, Partial<ThreadStateValue> | undefined>): string | undefined {
  return Object.values(update)
    .map((values) => values?.revision)
    .findLast((revision) => typeof revision === 'string');
}
