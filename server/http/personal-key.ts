import { StepError } from '#lib/agent/problems.ts';
import { PERSONAL_KEY_HEADER, SUMMARY_KEY_HEADER } from '#lib/wire/connections.ts';
import { HttpProblem } from './problem.ts';

/** The API key of a person's own connection to a model provider, from a request's header; undefined if there is none. */
export const personalKeyOf = (request: Request): string | undefined =>
  request.headers.get(PERSONAL_KEY_HEADER)?.trim() || undefined;

/**
 * The API key of the person's own connection whose model writes summaries, from a request's header; undefined if there is none.
 */
export const summaryKeyOf = (request: Request): string | undefined =>
  request.headers.get(SUMMARY_KEY_HEADER)?.trim() || undefined;

/**
 * Runs `act`, and resolves with its value. If `act` fails with `StepError`, rejects with `HttpProblem` 400, which has the same
 * code and detail; other errors stay as they are.
 */
export async function stepErrorsAsProblems<Value>(act: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    throw new HttpProblem(400, error.problem.code, error.problem.detail);
  }
}
