import { PROBLEM_TYPE, type ProblemDetails } from '#lib/wire/problem.ts';

/** An error that is returned to the browser as problem details. Handlers and their callees throw it. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: number;
  readonly code: string;
  /** The names of the texts that the browser must send first, if `code` asks for texts. */
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
 * Makes the response for a problem. Its status is the problem's; for a code that ends with `-needed`, it is 200 if the request
 * accepts problem details by name (see `PROBLEM_TYPE`).
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
