import { parse } from 'yaml';
import * as z from 'zod';
import type { RecordedCodec } from '#lib/messages/message.ts';
import { TOOL_ERROR_CODES } from '#lib/tools/tool.ts';

/**
 * A scenario: what a person asks, in which workspace, and what must hold when the model has answered. It is data, so
 * that it runs against a script and against any model alike. The format is documented in docs/SCENARIOS.md.
 */

/** A regular expression as text, with the flags `i`, `s` and `u`. */
const patternSchema = z.string().transform((source, context) => {
  try {
    return new RegExp(source, 'isu');
  } catch (error) {
    context.addIssue({
      code: 'custom',
      message: `is no regular expression: ${error instanceof Error ? error.message : error}`,
    });
    return z.NEVER;
  }
});

const callExpectationSchema = z.strictObject({
  tool: z.string(),
  /** Arguments that must match; others may be anything. */
  input: z.record(z.string(), patternSchema).default({}),
  /** How the call must have ended. */
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
  /** Prompted in another form than the canonical one, where that makes a difference. */
  codecs: z.strictObject({ raw: z.string(), xml: z.string(), delimited: z.string() }).optional(),
});

const variantSchema = z.strictObject({
  language: z.enum(['en', 'zh']),
  /** What the person sends, one message after the other's answer. */
  prompts: z.array(z.string().min(1)).min(1),
  /** For scripted runs: the model's replies to each prompt. */
  turns: z.array(z.array(turnSchema).min(1)).optional(),
  /** What the last answer must say. */
  answer: z.array(patternSchema).default([]),
});

const scenarioSchema = z.strictObject({
  title: z.string(),
  /** Files that are in the workspace before; everything else is gone. */
  workspace: z.record(z.string().startsWith('/'), z.string()).default({}),
  /** What the person says when a tool asks. */
  permission: z.enum(['allow', 'deny']).default('allow'),
  variants: z.array(variantSchema).min(1),
  expect: z.strictObject({
    calls: z.array(callExpectationSchema).default([]),
    /** `sequence`: these calls, in this order, others between them allowed; `set`: in any order. */
    order: z.enum(['sequence', 'set']).default('sequence'),
    files: z.record(z.string().startsWith('/'), fileExpectationSchema).default({}),
    /** The most model calls that all the prompts together may take. */
    maxSteps: z.int().min(1).optional(),
  }),
});

export type Scenario = z.output<typeof scenarioSchema>;
export type ScenarioVariant = Scenario['variants'][number];
export type ScenarioTurn = z.output<typeof turnSchema>;
export type CallExpectation = z.output<typeof callExpectationSchema>;

/** A reply as a prompted model writes it that was asked for the form of this codec. */
export function promptedReply(
  { prompted, codecs }: Pick<ScenarioTurn, 'prompted' | 'codecs'>,
  codec: RecordedCodec,
): string {
  return (codec === 'json' ? undefined : codecs?.[codec]) ?? prompted;
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
