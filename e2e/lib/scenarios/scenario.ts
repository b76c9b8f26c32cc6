import { parse } from 'yaml';
import * as z from 'zod';
import { CODEC_IDS } from '#lib/prompts/codecs/codecs.ts';
import { TOOL_ERROR_CODES } from '#lib/tools/core/tool-call.ts';

/**
 * A scenario: the user's prompts, the workspace, and what must hold after the model has answered. It is data, so that
 * it runs against a script as well as against any model. The format is documented in docs/SCENARIOS.md.
 */

/** A regular expression as text, with the flags `i`, `s` and `u`. */
const patternSchema = z.string().transform((source, context) => {
  try {
    return new RegExp(source, 'isu');
  } catch (error) {
    context.addIssue({
      code: 'custom',
      message: `is not a regular expression: ${error instanceof Error ? error.message : error}`,
    });
    return z.NEVER;
  }
});

const callExpectationSchema = z.strictObject({
  tool: z.string(),
  /** Arguments that must match; others may be anything. */
  input: z.record(z.string(), patternSchema).default({}),
  /** The outcome that the call must have. */
  outcome: z.enum(['success', ...TOOL_ERROR_CODES]).default('success'),
});

const fileExpectationSchema = z.union([
  z.literal('absent'),
  z.strictObject({ matches: z.array(patternSchema).min(1), notMatches: z.array(patternSchema).default([]) }),
]);

/** One reply of the scripted model, written by hand in every form. */
const turnSchema = z.strictObject({
  reasoning: z.string().optional(),
  /** Native: the text, and the calls with their arguments as JSON text. */
  text: z.string().default(''),
  calls: z.array(z.strictObject({ name: z.string(), arguments: z.string() })).default([]),
  /** Prompted: the reply exactly as the model writes it. */
  prompted: z.string(),
  /** Prompted in a format other than the canonical one, if that makes a difference. */
  codecs: z.partialRecord(z.enum(CODEC_IDS), z.string()).optional(),
});

const variantSchema = z.strictObject({
  language: z.enum(['en', 'zh']),
  /** The user's messages; each is sent after the answer to the previous one. */
  prompts: z.array(z.string().min(1)).min(1),
  /** For scripted runs: the model's replies to each prompt. */
  turns: z.array(z.array(turnSchema).min(1)).optional(),
  /** Patterns that the last answer must match. */
  answer: z.array(patternSchema).default([]),
});

const scenarioSchema = z.strictObject({
  title: z.string(),
  /** The initial files of the workspace; there are no others. */
  workspace: z.record(z.string().startsWith('/'), z.string()).default({}),
  /** The user's answer when a tool asks for permission. */
  permission: z.enum(['allow', 'deny']).default('allow'),
  variants: z.array(variantSchema).min(1),
  expect: z.strictObject({
    calls: z.array(callExpectationSchema).default([]),
    /** `sequence`: these calls in this order, possibly with others in between; `set`: in any order. */
    order: z.enum(['sequence', 'set']).default('sequence'),
    files: z.record(z.string().startsWith('/'), fileExpectationSchema).default({}),
    /** Maximum number of model calls for all prompts together. */
    maxSteps: z.int().min(1).optional(),
  }),
});

export type Scenario = z.output<typeof scenarioSchema>;
export type ScenarioVariant = Scenario['variants'][number];
export type ScenarioTurn = z.output<typeof turnSchema>;
export type CallExpectation = z.output<typeof callExpectationSchema>;

/** A reply as a prompted model writes it in the format of this codec. */
export function promptedReply({ prompted, codecs }: Pick<ScenarioTurn, 'prompted' | 'codecs'>, codec: string): string {
  return codecs?.[codec] ?? prompted;
}

/** Reads a scenario file. Throws an `Error` that names the file and each field that does not fit. */
export function parseScenario(source: string, file: string): Scenario {
  const parsed = scenarioSchema.safeParse(parseYaml(source, file));
  if (!parsed.success) throw new Error(`${file}:\n${z.prettifyError(parsed.error)}`);
  for (const { language, prompts, turns } of parsed.data.variants) {
    if (turns !== undefined && turns.length !== prompts.length) {
      throw new Error(`${file}: the ${language} variant has ${prompts.length} prompts but turns for ${turns.length}`);
    }
  }
  return parsed.data;
}

function parseYaml(source: string, file: string): unknown {
  try {
    return parse(source);
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}
