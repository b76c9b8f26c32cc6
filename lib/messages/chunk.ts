import type { UIMessageChunk } from 'ai';
import type { CallOrigin } from '#lib/tools/execution/call-origin.ts';
import type { CompactionPart, Notice, Problem, PromptSettings, Usage } from './message.ts';

/** Data that the studio adds to the AI SDK's UI message stream, as `data-*` chunks. */
export type StudioData = {
  /** The request failed with this problem and will be repeated. */
  retry: { code: string; delayMs: number };
  /** The conversation is being summarized. */
  compacting: Record<string, never>;
  /** Ends that, also if it failed. Precedes the step that it applies to. */
  compaction: Omit<CompactionPart, 'type' | 'runId'>;
  /** Follows `start-step`. */
  step: {
    model: string;
    provider: string;
    promptHash: string;
    settings: PromptSettings;
    estimatedTokens?: number;
  };
  /** Follows the step's calls and precedes `step-end`. */
  'call-origin': { toolCallId: string; origin: CallOrigin };
  /** Precedes `finish-step`. */
  'step-end': { finishReason: string; usage: Usage; durationMs: number; notices: Notice[]; wasRead?: true };
  /** Precedes `error`, which contains only text. */
  problem: Problem;
};

/** Sent with `start` (the run) and `finish` (the revision, rule R11). */
export interface StudioMessageMetadata {
  runId?: string;
  revision?: string;
}

/** One chunk of a run's stream. */
export type StudioChunk = UIMessageChunk<StudioMessageMetadata, StudioData>;
