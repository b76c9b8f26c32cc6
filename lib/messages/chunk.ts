import type { UIMessageChunk } from 'ai';
import type { CallOrigin } from '#lib/tools/execution/call-origin.ts';
import type { CompactionPart, Notice, Problem, PromptSettings, Usage } from './message.ts';

/** Data that the studio adds to the AI SDK's UI message stream, as `data-*` chunks. */
export type StudioData = {
  /** A request to the model failed with the problem `code`, and will be repeated after `delayMs` milliseconds. */
  retry: { code: string; delayMs: number };
  /** The conversation is being summarized. */
  compacting: Record<string, never>;
  /** Ends `compacting`, with a compaction that was made or has failed. Precedes the first step that it applies to. */
  compaction: Omit<CompactionPart, 'type' | 'runId'>;
  /** Information about a step that begins. Follows `start-step`. */
  step: {
    model: string;
    provider: string;
    promptHash: string;
    settings: PromptSettings;
    estimatedTokens?: number;
  };
  /** The origin of a call's text, if not only the model. Follows the step's calls and precedes `step-end`. */
  'call-origin': { toolCallId: string; origin: CallOrigin };
  /**
   * Information about a finished step. Precedes `finish-step`. `wasRead`: present if few tokens were counted, but a check
   * showed that the server had read the whole prompt.
   */
  'step-end': { finishReason: string; usage: Usage; durationMs: number; notices: Notice[]; wasRead?: true };
  /** The problem with which the run fails. Precedes `error`, which contains only text. */
  problem: Problem;
};

/** Metadata of `start` (the run's id) and `finish` (the revision, rule R11). */
interface StudioMessageMetadata {
  runId?: string;
  revision?: string;
}

/**
 * One chunk of the stream in which the server sends the output of a run to the page: a chunk of the AI SDK's UI message
 * stream, with the studio's data and metadata.
 */
export type StudioChunk = UIMessageChunk<StudioMessageMetadata, StudioData>;
