import type { PlayedScenario } from '#e2e/lib/play-scenario.ts';
import type { Message, StepPart, ToolCallingChoice } from '#lib/messages/message.ts';
import type { Language } from './options.ts';

/** The cost of a run; null if the provider did not report it. */
interface Cost {
  /** Model calls. */
  steps: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  durationMs: number | null;
}

/** One run of a scenario. */
export interface Attempt extends Cost {
  /** Why it failed; empty if it passed. */
  failures: readonly string[];
  /** The whole thread of a failed run. */
  transcript?: readonly Message[];
}

/** A scenario in one language and mode, with its runs and the medians of their numbers. */
export interface ScenarioResult extends Cost {
  /** Its file name. */
  scenario: string;
  title: string;
  language: Language;
  mode: ToolCallingChoice;
  passed: number;
  runs: number;
  attempts: readonly Attempt[];
}

export interface ScenarioReport {
  model: string;
  startedAt: string;
  finishedAt: string;
  /** Numbers of runs. */
  passed: number;
  failed: number;
  results: readonly ScenarioResult[];
}

export function toAttempt({ failures, messages, durationMs }: PlayedScenario): Attempt {
  const steps = messages.flatMap(({ parts }) => (parts as { type: string }[]).filter(isStep));
  return {
    steps: steps.length,
    inputTokens: sum(steps.map(({ usage }) => usage?.inputTokens)),
    outputTokens: sum(steps.map(({ usage }) => usage?.outputTokens)),
    durationMs,
    failures,
    ...(failures.length === 0 ? {} : { transcript: messages }),
  };
}

export function toResult(
  scenario: Pick<ScenarioResult, 'scenario' | 'title' | 'language' | 'mode'>,
  attempts: readonly Attempt[],
): ScenarioResult {
  return {
    ...scenario,
    passed: attempts.filter(({ failures }) => failures.length === 0).length,
    runs: attempts.length,
    steps: median(attempts.map(({ steps }) => steps)),
    inputTokens: median(attempts.map(({ inputTokens }) => inputTokens)),
    outputTokens: median(attempts.map(({ outputTokens }) => outputTokens)),
    durationMs: median(attempts.map(({ durationMs }) => durationMs)),
    attempts,
  };
}

export function toReport(model: string, startedAt: Date, results: readonly ScenarioResult[]): ScenarioReport {
  const runs = results.reduce((total, result) => total + result.runs, 0);
  const passed = results.reduce((total, result) => total + result.passed, 0);
  return {
    model,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    passed,
    failed: runs - passed,
    results,
  };
}

const isStep = (part: { type: string }): part is StepPart => part.type === 'step';

/** The sum of the known values; null if none is known. */
function sum(values: readonly (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}

/** The median of the known values; with two middle values, their mean. */
function median(values: readonly (number | null)[]): number | null {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}
