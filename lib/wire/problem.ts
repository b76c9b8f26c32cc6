import * as z from 'zod';

/**
 * The media type of problem details. If a request names it in its `Accept` header, a problem that only asks for something (a
 * code that ends with `-needed`) comes with status 200, because browsers list a response with an error status in the console,
 * as if something had failed.
 */
export const PROBLEM_TYPE = 'application/problem+json';

/**
 * An error as the API answers it: problem details (RFC 9457) with a code of the studio, an explanation in plain English
 * (`detail`) and, if the server asks for texts that it does not have, their names (`missing`).
 */
export const problemDetailsSchema = z.object({
  type: z.literal('about:blank'),
  title: z.string(),
  status: z.number(),
  /** The problem and what to do next, in plain English. */
  detail: z.string(),
  code: z.string(),
  /** The names of the texts that the server does not have, for `contents-needed` and `catalogue-needed`. */
  missing: z.array(z.string()).optional(),
});

export type ProblemDetails = z.infer<typeof problemDetailsSchema>;
