import type { messagesInput, resumeInput } from '#server/graph/graph.ts';
import type { RunContext } from '#server/graph/state.ts';
import type { RunKind } from './run.ts';

/** A run that is to be started. */
export interface RunRequest {
  threadId: string;
  runId: string;
  /** The revision that the run builds on; null if the thread has none yet. */
  baseRevision: string | null;
  /** The id of the assistant's message that the run begins or continues. */
  turnId: string;
  /**
   * The input of the graph. `resume`: the results of the calls for which the turn waits. `messages`: all messages of the
   * branch, with the turn at their end; they take the place of the messages that the server has.
   */
  input:
    | { type: 'resume'; results: Parameters<typeof resumeInput>[1] }
    | { type: 'messages'; messages: Parameters<typeof messagesInput>[0] };
  /** The model, its key, the settings of the thread, and what else the nodes of the graph need. */
  context: RunContext;
  /** The fence that its checkpoint is checked against, if processes share the database (see `Ownership`). */
  fence?: string;
  /** Called at the run's end, after its checkpoint is written and before the browser is told. */
  onEnding?(succeeded: boolean): Promise<void>;
}

/** A run whose chunks can be sent to a browser, whether this process or another one executes it. */
export interface ReadableRun {
  /** The run's chunks from number `from` on, as server-sent events, until the run ends. */
  stream(from: number): ReadableStream<Uint8Array>;
}

type MaybePromise<T> = T | Promise<T>;

/**
 * The runs of threads: of this process (`RunRegistry`), or of all processes that share a database (`SharedRuns`). A run is one
 * stretch of an answer on the server, from a request to the next calls that the browser must execute, or to the end. Its
 * chunks, the pieces that it sends to the browser, are kept for a while after its end. A thread has one run at a time. The
 * rules, such as R9, are in docs/ARCHITECTURE.md.
 */
export interface Runs {
  /**
   * Finds the run that already answers a request (rule R9): the thread's latest one, if it has the same id or, unless it has
   * failed, if both resume the turn, with the results of its calls, from the same `baseRevision`. Undefined if a new run has to
   * start. Throws or rejects with `HttpProblem`: 409 `run-active` or `run-cancelled`, as described at `start`, or 404
   * `no-such-run` if the run that was found has ended and its chunks are gone.
   */
  existing(
    threadId: string,
    runId: string,
    kind: RunKind,
    baseRevision: string | null,
  ): MaybePromise<ReadableRun | undefined>;
  /**
   * Starts a run, which goes on if its request is cut off, unless there is one that already answers the request (see
   * `existing`). Throws or rejects with `HttpProblem`: 409 `run-active` while another run of the thread is active, 409
   * `run-cancelled` if the run was cancelled before it was posted (rule R10), 404 `no-such-run` if the request comes so late
   * that the thread has had later runs since, and 503 `draining`.
   */
  start(request: RunRequest): MaybePromise<ReadableRun>;
  /** Finds the thread's latest run, if it has this id, and is in progress or its chunks are still kept; undefined otherwise. */
  find(threadId: string, runId: string): MaybePromise<ReadableRun | undefined>;
  /** Drops a run that a browser says it has stored. Does nothing if the run has not ended, or is not the thread's latest. */
  acknowledge(threadId: string, runId: string): MaybePromise<void>;
  /**
   * Cancels the thread's run and waits until it has ended. With `runId`, only if the run has that id; if that run has not been
   * posted yet, it never starts.
   */
  cancel(threadId: string, runId?: string): Promise<void>;
  /** Called when a thread is deleted: cancels its run, and makes sure that it stores nothing anymore. */
  forget(threadId: string): Promise<void>;
  /** Throws `HttpProblem` 503 `draining` once this process starts no more runs. */
  refuseDraining(): void;
  /** Starts no more runs in this process from now on, and resolves once all of its own have ended. */
  drain(): Promise<void>;
  /**
   * Called when this process ends: gives up the runs that it still has, so that other processes can take their threads over.
   */
  close(): Promise<void>;
}
