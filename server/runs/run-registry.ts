import { type Graph, replaceInput, resumeInput } from '#server/graph/graph.ts';
import type { RunContext, ThreadStateValue } from '#server/graph/state.ts';
import { HttpProblem } from '#server/http/problem.ts';
import { describeModelError } from '#server/models/problems.ts';
import { Run, type RunKind } from './run.ts';

export interface RunRequest {
  threadId: string;
  runId: string;
  baseRevision: string | null;
  turnId: string;
  input:
    | { type: 'resume'; results: Parameters<typeof resumeInput>[0] }
    | { type: 'replace'; messages: Parameters<typeof replaceInput>[0] };
  context: RunContext;
}

/** The runs of this process: one per thread at a time, the finished ones until a browser has stored them. */
export class RunRegistry {
  #graph: Graph;
  #retentionMs: number;
  #runs = new Map<string, Run>();

  constructor(graph: Graph, retentionMs: number) {
    this.#graph = graph;
    this.#retentionMs = retentionMs;
  }

  /** The thread's run of that id, or its latest. */
  find(threadId: string, runId?: string): Run | undefined {
    const run = this.#runs.get(threadId);
    return run !== undefined && (runId === undefined || run.id === runId) ? run : undefined;
  }

  /**
   * The run that answers such a request already: the same one posted again, or a resume of the same state
   * (rule R9). Throws `HttpProblem` 409 while another run of the thread goes on.
   */
  existing(threadId: string, runId: string, kind: RunKind, baseRevision: string | null): Run | undefined {
    const run = this.#runs.get(threadId);
    if (run === undefined) return undefined;
    if (run.id === runId) return run;
    if (kind === 'resume' && run.kind === 'resume' && run.baseRevision === baseRevision && run.isUsable) return run;
    if (run.endedAt === undefined) {
      throw new HttpProblem(
        409,
        'run-active',
        'The model is still answering in this thread. Wait for it, or stop it first.',
      );
    }
    return undefined;
  }

  /** Starts a run that goes on whatever becomes of the request. */
  start(request: RunRequest): Run {
    this.#evict();
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

  /** Forgets a finished run that a browser says it has stored. */
  acknowledge(threadId: string, runId: string): void {
    const run = this.find(threadId, runId);
    if (run?.endedAt !== undefined) this.#runs.delete(threadId);
  }

  /** Ends the thread's run and waits until it has ended. */
  async cancel(threadId: string, runId?: string): Promise<void> {
    const run = this.find(threadId, runId);
    if (run === undefined) return;
    run.cancel();
    await run.ended();
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
        log.info({ ms: Math.round(performance.now() - startedAt) }, 'run cancelled');
      } else {
        const problem = describeModelError(error);
        run.emit({ type: 'data-problem', data: problem });
        run.emit({ type: 'error', errorText: problem.detail });
        log.warn({ code: problem.code, error: error instanceof Error ? error.message : String(error) }, 'run failed');
      }
    } finally {
      run.end(succeeded);
    }
  }

  /** Runs the graph to its next interrupt or end; resolves with the state's revision once that is checkpointed. */
  async #stream(run: Run, input: RunRequest['input'], context: RunContext): Promise<string> {
    const graphInput = input.type === 'resume' ? resumeInput(input.results) : replaceInput(input.messages);
    const stream = await this.#graph.stream(graphInput as Parameters<Graph['stream']>[0], {
      configurable: { thread_id: run.threadId },
      context,
      streamMode: ['custom', 'updates'],
      durability: 'exit',
      signal: run.abortSignal,
    });
    let revision = '';
    for await (const [mode, data] of stream) {
      if (mode === 'custom') run.emit(data);
      else revision = revisionIn(data as Record<string, Partial<ThreadStateValue> | undefined>) ?? revision;
    }
    return revision;
  }

  #evict(): void {
    const before = Date.now() - this.#retentionMs;
    for (const [threadId, run] of this.#runs)
      if (run.endedAt !== undefined && run.endedAt < before) this.#runs.delete(threadId);
  }
}

function revisionIn(update: Record<string, Partial<ThreadStateValue> | undefined>): string | undefined {
  return Object.values(update)
    .map((values) => values?.revision)
    .findLast((revision) => typeof revision === 'string');
}
