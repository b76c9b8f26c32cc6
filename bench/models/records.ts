import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { FAILURES, type Failure } from './failures.ts';
import { type Played, TOOL_CHOICES } from './play.ts';

const callSchema = z.object({
  step: z.number(),
  name: z.string(),
  input: z.unknown(),
  output: z.string(),
  code: z.string().optional(),
});

const replySchema = z.object({
  text: z.string(),
  reasoning: z.string(),
  calls: z.array(z.object({ name: z.string(), input: z.string() })),
  finishReason: z.string(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  ms: z.number(),
});

const playedSchema: z.ZodType<Played> = z.object({
  replies: z.array(replySchema),
  calls: z.array(callSchema),
  notices: z.array(z.array(z.string())),
  answer: z.string(),
  isFirstRight: z.boolean().optional(),
  isAnswered: z.boolean(),
}) as z.ZodType<Played>;

/** A try, without its result. */
const trySchema = z.object({
  model: z.string(),
  arm: z.string(),
  tools: z.enum(TOOL_CHOICES),
  task: z.string(),
  /** From 1; the seed follows from it. */
  number: z.number(),
  temperature: z.number(),
  /** At most so many tokens for a reply. */
  maxOutput: z.number(),
  /** In tokens; absent if it is not known. */
  window: z.number().optional(),
});

export type Try = z.infer<typeof trySchema>;

/** One line of the results: a try, and how it went. */
const recordSchema = trySchema.extend({
  seed: z.number(),
  /** Absent if the server refused the request. */
  played: playedSchema.optional(),
  /** The message of the server. */
  error: z.string().optional(),
  failure: z.enum(Object.keys(FAILURES) as [Failure, ...Failure[]]).optional(),
});

export type TryRecord = z.infer<typeof recordSchema>;

/** Returns the key of a try; tries with the same key are the same. */
export const keyOf = ({ model, arm, tools, task, number, temperature, maxOutput, window }: Try): string =>
  JSON.stringify([model, arm, tools, task, number, temperature, maxOutput, window]);

/**
 * The records in a file, one for each try; the newest counts. A last line that was cut off is left out. Throws for
 * another line that is no record.
 */
export function readRecords(path: string): TryRecord[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  const records = new Map<string, TryRecord>();
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    try {
      const record = recordSchema.parse(JSON.parse(line));
      records.set(keyOf(record), record);
    } catch (error) {
      if (index === lines.length - 1) break;
      const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
      throw new Error(`${path}, line ${index + 1} is not a result of this benchmark: ${reason}`);
    }
  }
  return [...records.values()];
}

/** Removes a last line that was cut off, so that lines added from now on can be read. */
export function dropCutLine(path: string): void {
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  if (!text.endsWith('\n')) writeFileSync(path, text.slice(0, text.lastIndexOf('\n') + 1));
}

/** Adds a record to a file, which is created if need be. */
export function appendRecord(path: string, record: TryRecord): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${JSON.stringify(record)}\n`);
}
