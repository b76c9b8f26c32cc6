import { StepError } from '#lib/agent/problems.ts';
import { PERSONAL_KEY_HEADER, SUMMARY_KEY_HEADER } from '#lib/wire/connections.ts';
import { HttpProblem } from './problem.ts';

/** The key of a person's connection that came with a request. */
export const personalKeyOf = (request: Request): string | undefined =>
  request.headers.get(PERSONAL_KEY_HEADER)?.trim() || undefined;

/** The key of the connection whose model writes summaries. */
export const summaryKeyOf = (request: Request): string | undefined =>
  request.headers.get(SUMMARY_KEY_HEADER)?.trim() || undefined;

/** Turns problems with a connection into problem details of the request. */
export async function withProblems<Value>(act: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    throw new HttpProblem(400, error.problem.code, error.problem.detail);
  }
}
