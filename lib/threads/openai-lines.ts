import * as z from 'zod';
import { textOfDataUrl } from '#lib/base/data-url.ts';
import { defined } from '#lib/base/defined.ts';
import {
  type AssistantMessage,
  type AssistantPart,
  assistantMessageSchema,
  type CompactionPart,
  type Message,
  type StepPart,
  type ToolCallPart,
  timeSchema,
  toolResultSchema,
  type UserMessage,
} from '#lib/messages/message.ts';
import { resultText, type ToolResult } from '#lib/tools/core/tool-call.ts';
import { callOriginSchema } from '#lib/tools/execution/call-origin.ts';
import { exportedCompactionsSchema, toExportedCompaction } from './exported-compactions.ts';

// A conversation as JSON Lines: each line is a message in the format of OpenAI's chat completions API. What that format
// cannot hold is in one more field, `roundtrip`, which other programs ignore. The other fields count: where they were
// changed by hand, `roundtrip` no longer fits and is left aside.

const contentPartSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image_url'),
    image_url: z.object({ url: z.string().startsWith('data:', 'must be a data: URL') }),
  }),
]);

const messageIdSchema = { id: z.string().min(1), createdAt: timeSchema };

const metadataSchema = z.record(z.string(), z.record(z.string(), z.json()));

/** A part of a step without its text. `length`: the characters that it takes of the line's text or reasoning. */
const partShapeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), length: z.int().min(0), providerMetadata: metadataSchema.optional() }),
  z.object({
    type: z.literal('reasoning'),
    length: z.int().min(0),
    durationMs: z.number().optional(),
    providerMetadata: metadataSchema.optional(),
  }),
  z.object({
    type: z.literal('call'),
    state: z.enum(['complete', 'invalid', 'incomplete']),
    origin: callOriginSchema.optional(),
    providerMetadata: metadataSchema.optional(),
  }),
]);

/** A step part without its system prompt: all steps of a file have the conversation's. */
const stepShapeSchema = z.custom<Omit<StepPart, 'type'>>(
  (value) =>
    assistantMessageSchema.shape.parts.safeParse([
      { ...(value as object), type: 'step', settings: { systemPrompt: '', ...(value as StepPart | null)?.settings } },
    ]).success,
);

const resultShapeSchema = z.union([
  z.object({ type: z.literal('result'), toolName: z.string(), result: z.unknown() }),
  /** The call may have run: this line is its result until another line of the same call follows. */
  z.object({ type: z.literal('claim'), toolName: z.string(), claimant: z.string() }),
]);

/** One line of a conversation as JSON Lines: a message in OpenAI's format. `roundtrip` holds what that format cannot. */
export const openAiLineSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(contentPartSchema)]),
    roundtrip: z
      .object({
        ...messageIdSchema,
        /** Attachments. `at`: the index in `content`. `url`: absent for images, whose address is in `content`. */
        files: z
          .array(
            z.object({
              at: z.int(),
              mediaType: z.string(),
              filename: z.string().optional(),
              url: z.string().optional(),
            }),
          )
          .optional(),
      })
      .optional()
      .catch(undefined),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.string().nullish(),
    reasoning_content: z.string().nullish(),
    tool_calls: z
      .array(
        z.object({
          id: z.string(),
          type: z.literal('function'),
          function: z.object({ name: z.string(), arguments: z.string() }),
        }),
      )
      .optional(),
    roundtrip: z
      .object({
        id: messageIdSchema.id.optional(),
        createdAt: messageIdSchema.createdAt.optional(),
        step: stepShapeSchema.optional().catch(undefined),
        parts: z.array(partShapeSchema).optional().catch(undefined),
        compactions: exportedCompactionsSchema.optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
  }),
  z.object({
    role: z.literal('tool'),
    tool_call_id: z.string(),
    content: z.string(),
    roundtrip: resultShapeSchema.optional().catch(undefined),
  }),
]);

/**
 * One line of a conversation as JSON Lines, the format in which conversations are exported, imported, and kept in session
 * files: a message in OpenAI's format. The field `roundtrip` has what that format cannot hold. It is absent in lines that other
 * programs wrote.
 */
export type OpenAiLine = z.infer<typeof openAiLineSchema>;

/** A part of what a model said in a step: text, reasoning, or a call. */
type SaidPart = Exclude<AssistantPart, { type: 'step' | 'compaction' }>;

/** A step of a turn, with the compactions before it. `step`: undefined for parts that belong to no step. */
interface TurnStep {
  step: StepPart | undefined;
  compactions: readonly CompactionPart[];
  parts: readonly SaidPart[];
}

/**
 * Splits a turn into steps, each with the compactions (points from which prompts are shortened) before it, and the parts that
 * the model said in it. Parts before the first step, and compactions after the last, get an entry without `step`.
 */
export function stepsOf({ parts }: Pick<AssistantMessage, 'parts'>): TurnStep[] {
  const steps: { step: StepPart | undefined; compactions: CompactionPart[]; parts: SaidPart[] }[] = [];
  let compactions: CompactionPart[] = [];
  for (const part of parts) {
    if (part.type === 'compaction') compactions.push(part);
    else if (part.type === 'step') {
      steps.push({ step: part, compactions, parts: [] });
      compactions = [];
    } else if (steps.length === 0) {
      steps.push({ step: undefined, compactions, parts: [part] });
      compactions = [];
    } else steps.at(-1)?.parts.push(part);
  }
  if (compactions.length > 0) steps.push({ step: undefined, compactions, parts: [] });
  return steps;
}

/** Converts a user's message to an `OpenAiLine`. */
export function toUserLine({ id, createdAt, parts }: UserMessage): OpenAiLine {
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text')
    return { role: 'user', content: only.text, roundtrip: { id, createdAt } };
  const files = parts.flatMap((part, at) => {
    if (part.type === 'text') return [];
    const { mediaType, filename, url } = part;
    const isInContent = mediaType.startsWith('image/');
    return [{ at, mediaType, ...defined({ filename }), ...(!isInContent && { url }) }];
  });
  return {
    role: 'user',
    content: parts.map((part) => {
      if (part.type === 'text') return { type: 'text', text: part.text };
      if (part.mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url: part.url } };
      return { type: 'text', text: `Attached file ${part.filename ?? ''}:\n\n${textOfDataUrl(part.url)}` };
    }),
    roundtrip: { id, createdAt, ...(files.length > 0 && { files }) },
  };
}

/**
 * Converts a step of a turn to an `OpenAiLine`; undefined if nothing was said, thought or called in it. `kept`: the exported
 * messages up to and including the step's own; the step's compactions refer to them by number.
 */
export function toStepLine(
  { id, createdAt }: Pick<AssistantMessage, 'id' | 'createdAt'>,
  { step, compactions, parts }: TurnStep,
  kept: readonly Message[],
): OpenAiLine | undefined {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const reasoning = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  const calls = parts.filter((part): part is ToolCallPart => part.type === 'tool-call');
  if (text === '' && reasoning === '' && calls.length === 0) return undefined;
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ toolCallId, toolName, input, inputText }) => ({
            id: toolCallId,
            type: 'function' as const,
            function: { name: toolName, arguments: inputText ?? JSON.stringify(input ?? {}) },
          })),
        }),
    roundtrip: {
      id,
      createdAt,
      // Of a step that came from another program, nothing else is known.
      ...(step !== undefined && step.model !== '' && { step: withoutPrompt(step) }),
      parts: parts.map(toShape),
      ...(compactions.length > 0 && { compactions: compactions.map((part) => toExportedCompaction(part, kept)) }),
    },
  };
}

/** Converts the result of a call to an `OpenAiLine`. For a call without a result, the line says that it was not run. */
export const toResultLine = ({ toolCallId, result, toolName }: ToolCallPart): OpenAiLine => ({
  role: 'tool',
  tool_call_id: toolCallId,
  content: resultText(result),
  ...(result !== undefined && { roundtrip: { type: 'result', toolName, result: toResultShape(result) } }),
});

/**
 * Makes the `OpenAiLine` that says that a call is about to run, for a file to which lines are added while the conversation goes
 * on. Until a result follows, it stands for the result `interrupted`. `claimant`: the id that claims the call in the ledger.
 */
export const toClaimLine = (
  { toolCallId, toolName }: Pick<ToolCallPart, 'toolCallId' | 'toolName'>,
  claimant: string,
): OpenAiLine => ({
  role: 'tool',
  tool_call_id: toolCallId,
  content: `Error (interrupted): ${toolName} was interrupted while it ran. It may have made changes; check before running it again.`,
  roundtrip: { type: 'claim', toolName, claimant },
});

/**
 * Returns the step part of a line: the data about the call of the model, without its output. Undefined if the line says nothing
 * of its step. `systemPrompt`: that of the conversation, which the step gets.
 */
export function stepOf(
  { roundtrip }: Extract<OpenAiLine, { role: 'assistant' }>,
  systemPrompt: string,
): StepPart | undefined {
  const step = roundtrip?.step;
  return step === undefined ? undefined : { ...step, type: 'step', settings: { ...step.settings, systemPrompt } };
}

/**
 * Returns the text, reasoning, and calls of a line: divided into parts as `roundtrip` says, if that still fits the line's
 * other fields; otherwise, in one part for the reasoning, one for the text, and one for each call.
 */
export function partsOf(line: Extract<OpenAiLine, { role: 'assistant' }>): SaidPart[] {
  const { content, reasoning_content: reasoning, tool_calls: calls = [], roundtrip } = line;
  const shapes = roundtrip?.parts;
  const plain: SaidPart[] = [
    ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
    ...(content ? [{ type: 'text' as const, text: content }] : []),
    ...calls.map(toCall),
  ];
  if (shapes === undefined || !isFor(shapes, line)) return plain;
  let [text, thought] = [content ?? '', reasoning ?? ''];
  const left = calls.map(toCall);
  return shapes.flatMap((shape): SaidPart[] => {
    if (shape.type === 'call') {
      const call = left.shift();
      const { type: _, state, ...more } = shape;
      return call === undefined ? [] : [{ ...call, ...inputIn(call, state), ...more }];
    }
    const { length, ...more } = shape;
    if (shape.type === 'text') {
      const said = text.slice(0, length);
      text = text.slice(length);
      return [{ ...more, text: said } as SaidPart];
    }
    const said = thought.slice(0, length);
    thought = thought.slice(length);
    return [{ ...more, text: said } as SaidPart];
  });
}

/**
 * Returns the result of a call from its line; if the line's text was changed by hand, that text. The line of a claim (see
 * `toClaimLine`), which no result has followed, gives an `interrupted` error: the call may have run.
 */
export function resultIn(
  { content, roundtrip }: Extract<OpenAiLine, { role: 'tool' }>,
  { toolCallId, toolName }: Pick<ToolCallPart, 'toolCallId' | 'toolName'>,
): ToolResult {
  if (roundtrip?.type === 'claim') {
    const message = content.replace(/^Error \(interrupted\): /, '');
    return { type: 'tool-error', toolCallId, toolName, code: 'interrupted', message };
  }
  const plain: ToolResult = { type: 'tool-result', toolCallId, toolName, output: { content } };
  if (roundtrip === undefined) return plain;
  const shape = { ...(roundtrip.result as object | null), toolCallId, toolName };
  // Anything that is missing is the same as in the line.
  const parsed = toolResultSchema.safeParse(
    'output' in shape ? { ...shape, output: { content, ...(shape.output as object) } } : shape,
  );
  return parsed.success && resultText(parsed.data) === content ? parsed.data : plain;
}

const withoutPrompt = ({ type: _, settings, ...step }: StepPart): Omit<StepPart, 'type'> => {
  const { systemPrompt: __, ...others } = settings;
  return { ...step, settings: others as StepPart['settings'] };
};

type PartShape = z.infer<typeof partShapeSchema>;

function toShape(part: SaidPart): PartShape {
  const { providerMetadata } = part;
  const data = providerMetadata === undefined ? {} : { providerMetadata };
  switch (part.type) {
    case 'text':
      return { type: 'text', length: part.text.length, ...data };
    case 'reasoning':
      return {
        type: 'reasoning',
        length: part.text.length,
        ...defined({ durationMs: part.durationMs }),
        ...data,
      };
    default: {
      const { inputState, origin } = part;
      const state = inputState === 'streaming' ? 'incomplete' : inputState;
      return { type: 'call', state, ...defined({ origin }), ...data };
    }
  }
}

/** Checks whether the lengths and calls in `shapes` still fit a line, which may have been changed by hand. */
function isFor(shapes: readonly PartShape[], line: Extract<OpenAiLine, { role: 'assistant' }>): boolean {
  const lengthOf = (type: 'text' | 'reasoning') =>
    shapes.reduce((sum, shape) => sum + (shape.type === type ? shape.length : 0), 0);
  return (
    lengthOf('text') === (line.content ?? '').length &&
    lengthOf('reasoning') === (line.reasoning_content ?? '').length &&
    shapes.filter(({ type }) => type === 'call').length === (line.tool_calls ?? []).length
  );
}

function toCall({
  id,
  function: { name, arguments: text },
}: {
  id: string;
  function: { name: string; arguments: string };
}): ToolCallPart {
  const call = { type: 'tool-call', toolCallId: id, toolName: name } as const;
  try {
    return { ...call, inputState: 'complete', input: JSON.parse(text) };
  } catch {
    // Models also write invalid JSON, which is kept as they wrote it.
    return { ...call, inputState: 'invalid', inputText: text };
  }
}

function inputIn(call: ToolCallPart, state: 'complete' | 'invalid' | 'incomplete'): Partial<ToolCallPart> {
  if (state === 'complete' || call.inputState === state) return {};
  const { input: _, ...others } = call;
  return { ...others, input: undefined, inputState: state, inputText: call.inputText ?? JSON.stringify(call.input) };
}

/** A result without its ids and its text, which the line's other fields hold. */
function toResultShape(result: ToolResult): unknown {
  const { toolCallId: _, toolName: __, ...shape } = result;
  if (shape.type === 'tool-error') return shape;
  const { content, ...output } = shape.output;
  return { ...shape, output: typeof content === 'string' ? output : shape.output };
}
