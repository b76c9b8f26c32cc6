import * as z from 'zod';
import { modelConfigSchema, modelUseSchema } from './model-config.ts';

/** The maximum number of requests to the model in one examination, which finds out what a model can do. */
export const EXAMINATION_REQUESTS_MAX = 8;

/** Body of `POST /api/examinations`, which finds out what a model can do by sending it a few requests. */
export const examinationRequestSchema = z.object({
  model: z.string(),
  /** The model's configuration, if it belongs to a connection in this browser. Its key is in a header. */
  personal: modelConfigSchema.optional(),
  /** Whether the model's window may be measured with a long prompt, if the model's server does not name it. */
  measuresWindow: z.boolean(),
});

/**
 * The checks of which an examination of a model consists, in the order in which they run: whether its server passes tools on;
 * whether it makes a native call, several at once, and uses a call's result; whether it makes calls in prompted mode; and how
 * large its context window is. Findings of earlier checks can make later ones unnecessary.
 */
export const CHECKS = ['tools', 'call', 'parallel', 'result', 'prompted', 'window'] as const;

/**
 * The codes of what each of the `CHECKS` of a model can find, such as `native` for the check `call`: the model makes native
 * calls.
 */
export const FINDINGS = {
  tools: ['kept', 'dropped', 'refused', 'system-lost', 'not-counted'],
  call: [
    'native',
    'inexact',
    'in-text',
    'unreadable',
    'none',
    'streamed',
    'at-once',
    'arguments-as-object',
    'no-finish-reason',
    'template-tokens',
  ],
  parallel: ['together', 'one', 'none', 'failed', 'merged', 'same-index', 'same-id'],
  result: ['answered', 'ignored', 'failed', 'reasoning-apart', 'reasoning-in-text'],
  prompted: ['readable', 'unreadable', 'answered', 'ignored', 'failed'],
  window: ['said', 'refused-longer', 'reached', 'cut', 'unknown', 'failed', 'asks-first'],
} as const satisfies Record<(typeof CHECKS)[number], readonly string[]>;

export type Check = (typeof CHECKS)[number];

/**
 * The codes of the reasons that an examination gives for its verdict about a model and for the settings that it recommends.
 * If a request has failed, the reason for a verdict may also be the code of a problem.
 */
export const REASONS = [
  ...['native-works', 'prompted-fails', 'tools-refused', 'calls-unreadable', 'tools-dropped', 'system-lost'],
  ...['calls-in-text', 'no-native-calls', 'results-fail', 'results-ignored', 'template-tokens', 'no-calls'],
  ...['calls-merged', 'small-window', 'codec-read', 'brief-read', 'full-read', 'examples-read', 'no-examples-read'],
  ...['window-cut', 'window-refused', 'window-said', 'window-reached', 'reply-cut'],
] as const;

/**
 * A finding of a check. `value`: a detail for the text about it, such as the name of a codec, a number of tokens, or the
 * endpoint's own words.
 */
const findingSchema = z.object({
  check: z.enum(CHECKS),
  code: z.string(),
  value: z.union([z.string(), z.number()]).optional(),
});

/** A setting that is recommended, and the reason as a code of `REASONS`. */
const recommendationSchema = z.object({
  setting: z.enum(modelUseSchema.keyof().options),
  because: z.string(),
});

export const examinationReportSchema = z.object({
  /** The mode in which tools work best with the model. `unusable`: none does. `unfinished`: the examination broke off. */
  verdict: z.enum(['native', 'prompted', 'unusable', 'unfinished']),
  /** The reason for the verdict, as a code of `REASONS` or of a problem. */
  because: z.string(),
  /** The endpoint's own words, if a request to it failed. */
  detail: z.string().optional(),
  findings: z.array(findingSchema),
  /** The settings that are recommended for the model. */
  use: modelUseSchema,
  recommendations: z.array(recommendationSchema),
  /** The number of requests to the model. */
  requests: z.number(),
  /** The input tokens of all requests, as far as the endpoint counted them. */
  inputTokens: z.number(),
  /** The output tokens of all requests, as far as the endpoint counted them. */
  outputTokens: z.number(),
  /** When the examination ended, in milliseconds since the epoch. */
  at: z.number(),
});

/**
 * A line of the response of `POST /api/examinations`: the beginning of a check, a request that is sent, a finding, or, at
 * the end, the report.
 */
export const examinationEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('check'), check: z.enum(CHECKS) }),
  /** A request is sent. `number` counts from 1. */
  z.object({ type: z.literal('request'), number: z.number() }),
  z.object({ type: z.literal('finding'), finding: findingSchema }),
  z.object({ type: z.literal('report'), report: examinationReportSchema }),
]);

export type ExaminationEvent = z.infer<typeof examinationEventSchema>;
export type ExaminationReport = z.infer<typeof examinationReportSchema>;
export type Finding = z.infer<typeof findingSchema>;
