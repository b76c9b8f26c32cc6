import type { StudioChunk } from '#lib/messages/chunk.ts';

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

/** Watches the runs of a process, for instance to measure them. */
export interface RunObserver {
  /** Called when a run begins. `isPersonal`: whether the model belongs to a person's own connection. */
  begin(run: { provider: string; model: string; isPersonal: boolean }): RunObservation;
}

/** An observer that does nothing. */
export const NO_OBSERVER: RunObserver = { begin: () => ({ chunk: () => undefined, end: () => undefined }) };
