import type { PlayedScenario } from '#e2e/lib/play-scenario.ts';
import { type FailureKind, failureKindOf } from '#e2e/lib/scenarios/checks.ts';
import { wilson } from '#e2e/lib/scenarios/stats.ts';
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
  /** The reasons why it failed; empty if it passed. */
  failures: readonly string[];
  /** The first thing that went wrong; absent if it passed. */
  kind?: FailureKind;
  /** The whole thread of a failed run. */
  transcript?: readonly Message[];
}

/** A scenario in one language, with one model in one mode, with its runs and the medians of their numbers. */
export interface ScenarioResult extends Cost {
  /** Its file name. */
  scenario: string;
  title: string;
  language: Language;
  model: string;
  mode: ToolCallingChoice;
  passed: number;
  runs: number;
  /** The Wilson interval of the share of passed runs, at 95 %. */
  interval: [low: number, high: number];
  /** The number of times that each kind of failure came first. */
  kinds: Partial<Record<FailureKind, number>>;
  attempts: readonly Attempt[];
}

export interface ScenarioReport {
  models: readonly string[];
  startedAt: string;
  finishedAt: string;
  /** Numbers of runs. */
  passed: number;
  failed: number;
  results: readonly ScenarioResult[];
}

export function toAttempt({ failures, messages, durationMs }: PlayedScenario): Attempt {
  const steps = messages.flatMap(({ parts }) => (parts as { type: string }[]).filter(isStep));
  const turns = messages.filter((message) => message.role === 'assistant');
  const kind = failureKindOf(failures, turns);
  return {
    steps: steps.length,
    inputTokens: sum(steps.map(({ usage }) => usage?.inputTokens)),
    outputTokens: sum(steps.map(({ usage }) => usage?.outputTokens)),
    durationMs,
    failures,
    ...(kind !== undefined && { kind, transcript: messages }),
  };
}

export function toResult(
  scenario: Pick<ScenarioResult, 'scenario' | 'title' | 'language' | 'model' | 'mode'>,
  attempts: readonly Attempt[],
): ScenarioResult {
  const passed = attempts.filter(({ failures }) => failures.length === 0).length;
  const kinds: Partial<Record<FailureKind, number>> = {};
  for (const { kind } of attempts) if (kind !== undefined) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return {
    ...scenario,
    passed,
    runs: attempts.length,
    interval: wilson({ right: passed, total: attempts.length }),
    kinds,
    steps: median(attempts.map(({ steps }) => steps)),
    inputTokens: median(attempts.map(({ inputTokens }) => inputTokens)),
    outputTokens: median(attempts.map(({ outputTokens }) => outputTokens)),
    durationMs: median(attempts.map(({ durationMs }) => durationMs)),
    attempts,
  };
}

export function toReport(
  models: readonly string[],
  startedAt: Date,
  results: readonly ScenarioResult[],
): ScenarioReport {
  const runs = results.reduce((total, result) => total + result.runs, 0);
  const passed = results.reduce((total, result) => total + result.passed, 0);
  return {
    models,
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
