import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

const caseSchema = z.strictObject({
  name: z.string(),
  reply: z.string(),
  /** The visible text, without surrounding white space. */
  text: z.string().default(''),
  reasoning: z.string().default(''),
  calls: z
    .array(
      z.strictObject({
        name: z.string(),
        input: z.unknown(),
        incomplete: z.literal(true).optional(),
        /** The call may only be an example. */
        doubtful: z.literal(true).optional(),
      }),
    )
    .default([]),
  /** The tool of a call that could not be read. */
  unreadable: z.string().optional(),
  startsInReasoning: z.boolean().default(false),
});

/** A reply as a model wrote it, and the expected result of parsing it. */
type ReplyCase = z.infer<typeof caseSchema> & { file: string };

const FOLDER = join(import.meta.dirname, 'cases');

export const replyCases: readonly ReplyCase[] = readdirSync(FOLDER).flatMap((file) =>
  z
    .array(caseSchema)
    .parse(parse(readFileSync(join(FOLDER, file), 'utf8')))
    .map((entry) => ({ ...entry, file: file.replace('.yaml', '') })),
);
