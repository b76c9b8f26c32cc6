import { PROBLEM_TYPE, type ProblemDetails } from '#lib/wire/problem.ts';

/**
 * An error that a route's handler, or a function that it calls, throws so that the browser gets it as problem details. These
 * are JSON with `status`, `code`, which tells programs what is wrong, and `detail` (the error's message), which tells people.
 */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: number;
  readonly code: string;
  /**
   * The names of texts that the server lacks, such as long parts of a conversation. The browser must send them, then repeat its
   * request. Only `contents-needed` and `catalogue-needed` have names.
   */
  readonly missing: readonly string[] | undefined;

  constructor(status: number, code: string, detail: string, missing?: readonly string[]) {
    super(detail);
    this.status = status;
    this.code = code;
    this.missing = missing;
  }
}

const TITLES = new Map([
  [400, 'Bad Request'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [409, 'Conflict'],
  [413, 'Content Too Large'],
  [415, 'Unsupported Media Type'],
  [500, 'Internal Server Error'],
  [503, 'Service Unavailable'],
]);

/**
 * Makes the response that reports a problem: problem details in JSON, with the problem's status. A problem that only asks the
 * browser to send something (its code ends with `-needed`) has status 200 instead if the `Accept` header of `request` names
 * `PROBLEM_TYPE`: browsers would list an error status in the console, as if something had failed.
 */
export function problemResponse({ status, code, message, missing }: HttpProblem, request?: Request): Response {
  const isQuestion = code.endsWith('-needed') && request?.headers.get('accept')?.includes(PROBLEM_TYPE) === true;
  const body: ProblemDetails = {
    type: 'about:blank',
    title: TITLES.get(status) ?? 'Error',
    status,
    detail: message,
    code,
    ...(missing !== undefined && { missing: [...missing] }),
  };
  return new Response(JSON.stringify(body), {
    status: isQuestion ? 200 : status,
    headers: { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store' },
  });
}
