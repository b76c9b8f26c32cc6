import * as z from 'zod';

/** An error as the API answers it: problem details (RFC 9457) with our own code. */
export const problemDetailsSchema = z.object({
  type: z.literal('about:blank'),
  title: z.string(),
  status: z.number(),
  /** What happened and what to do next, in plain English. */
  detail: z.string(),
  code: z.string(),
  /** For `contents-needed`: the names of the texts that the server does not have. */
  missing: z.array(z.string()).optional(),
});

export type ProblemDetails = z.infer<typeof problemDetailsSchema>;
