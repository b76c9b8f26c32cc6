import type { ServerEnv } from '#config/env.ts';
import type { ExaminationEvent } from '#lib/wire/examination.ts';
import { directFetch } from '#net/direct-fetch.ts';
import type { ResolvedModelConfig } from '../config.ts';
import { toAgentModel } from '../language-model.ts';
import type { PersonalAccess } from '../personal.ts';
import { describeModelError } from '../problems.ts';
import { servedWindow } from '../served-window.ts';
import { servedModel } from '../served-windows.ts';
import { examine } from './examine.ts';
import { ResponseRecorder } from './wire.ts';

/**
 * A model whose tool calling and context window `examineModel` is to test, and its API key; undefined if it has none. `access`:
 * for a model of a connection that the user has made in the browser, the access to the addresses that the operator allows;
 * absent for the server's own models.
 */
export interface ExaminationRequest {
  model: ResolvedModelConfig;
  apiKey: string | undefined;
  access?: PersonalAccess | undefined;
}

interface ExamineOptions {
  env: Pick<ServerEnv, 'MODEL_TIMEOUT_MS'>;
  measuresWindow: boolean;
  /** The time to wait before a failed request is repeated, in milliseconds. */
  pauseMs?: number;
  signal: AbortSignal;
}

const PAUSE_MS = 3_000;

/**
 * Examines how a configured model calls tools, and how large its context window is. Returns the stream of `examine`: the
 * checks, requests, and findings as they come, and the report last. `measuresWindow`: whether the window may be measured with a
 * long prompt. Neither the model's replies nor its key are kept.
 */
export function examineModel(
  { model: config, apiKey, access }: ExaminationRequest,
  { env, measuresWindow, pauseMs = PAUSE_MS, signal }: ExamineOptions,
): ReadableStream<ExaminationEvent> {
  const wire = new ResponseRecorder();
  const fetch = access?.fetch ?? directFetch;
  // Effort would need more room for the answer, and some providers force no calls then.
  const { reasoning: { effort: _, ...reasoning } = {}, ...plain } = config;
  const served = servedModel(config, apiKey, access);
  return examine({
    model: toAgentModel(
      { ...plain, reasoning },
      apiKey,
      { ...env, AGENT_STREAM: true },
      {
        fetch: wire.watch(fetch),
        // The examination is to find out what the server refuses.
        isExact: true,
      },
    ),
    wire,
    measuresWindow,
    pauseMs,
    servedWindow: async (abort) => (served === undefined ? undefined : servedWindow(served, abort)),
    describe: (error) => describeModelError(error, apiKey),
    signal,
  });
}
