import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';

/**
 * The way in which a run ended. `finished`: at the end of the turn, or at calls whose results it needs. `abandoned`: another
 * run may have taken its thread over. `failed`: the code of the problem.
 */
export type RunOutcome = 'finished' | 'canceled' | 'abandoned' | { failed: string };

/** Receives the chunks and the end of one run. `RunObserver.begin` creates one for each run. */
export interface RunObservation {
  /** Called with each chunk that the graph writes. */
  chunk(chunk: StudioChunk): void;
  end(outcome: RunOutcome): void;
}

/** A run as its observers see it. */
export interface ObservedRun {
  threadId: string;
  /** The id of the assistant's message that the run begins or continues. */
  turnId: string;
  runId: string;
  provider: string;
  model: string;
  /** Whether the model belongs to a person's own connection. */
  isPersonal: boolean;
  /**
   * The results of calls with which the run continues its turn, as the page sent them. The name of a tool that is not in the
   * run's catalogue is `unknown`.
   */
  results: readonly ToolResult[];
}

/** Watches the runs of a process, for instance to measure them. */
export interface RunObserver {
  /** Called when a run begins. */
  begin(run: ObservedRun): RunObservation;
  /** Called when the process ends, after its runs. Never rejects. */
  close?(): Promise<void>;
}

/** Makes one observer of several. */
export const observerOf = (observers: readonly RunObserver[]): RunObserver => ({
  begin(run) {
    const observations = observers.map((one) => one.begin(run));
    return {
      chunk: (chunk) => observations.forEach((one) => void one.chunk(chunk)),
      end: (outcome) => observations.forEach((one) => void one.end(outcome)),
    };
  },
  async close() {
    await Promise.all(observers.map((one) => one.close?.()));
  },
});

/** An observer that does nothing. */
export const NO_OBSERVER: RunObserver = { begin: () => ({ chunk: () => undefined, end: () => undefined }) };
