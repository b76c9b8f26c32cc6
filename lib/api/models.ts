import * as z from 'zod';

/** A model as `GET /api/models` tells of it. No key, no address. */
export const modelInfoSchema = z.object({
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  providerLabel: z.string(),
  /** As configured. */
  toolCalling: z.enum(['native', 'prompted', 'auto']),
  /** What `auto` comes to at present. */
  effectiveToolCalling: z.enum(['native', 'prompted']),
  /** Whether its endpoint refused native tools since the server started; `auto` prompts them for that. */
  toolsRefused: z.boolean(),
  /** Null where nobody said; then a cautious size is assumed. */
  contextSize: z.number().nullable(),
  /** Whether it sees images; null where nobody said. */
  vision: z.boolean().nullable(),
  /** Scripted, not an AI. */
  demo: z.boolean(),
});

/** A place models come from that could not be read. */
export const modelSourceProblemSchema = z.object({ source: z.string(), code: z.string(), detail: z.string() });

export const modelListSchema = z.object({
  models: z.array(modelInfoSchema),
  defaultModel: z.string().nullable(),
  problems: z.array(modelSourceProblemSchema),
});

export type ModelInfo = z.infer<typeof modelInfoSchema>;
export type ModelList = z.infer<typeof modelListSchema>;
