import * as z from 'zod';
import { clampTime } from '#lib/base/clamp-time.ts';
import { toolContentSchema } from '#lib/tools/core/content.ts';
import { TOOL_ERROR_CODES } from '#lib/tools/core/tool-call.ts';
import { callOriginSchema } from '#lib/tools/execution/call-origin.ts';

/**
 * The schemas in this file describe the messages of a thread, in the single format used in the browser's storage, on the wire
 * and in checkpoints. Ids and names that come from models are data here, never keys.
 */

const providerMetadataSchema = z.record(z.string(), z.record(z.string(), z.json()));

const textPartSchema = z.object({
  type: z.literal('text'),
  text: z.string(),
  /** The id that the stream gives this block, while the block is open; absent once it is closed. */
  openId: z.string().optional(),
  providerMetadata: providerMetadataSchema.optional(),
});

const reasoningPartSchema = z.object({
  type: z.literal('reasoning'),
  text: z.string(),
  openId: z.string().optional(),
  startedAt: z.number().optional(),
  /** The duration of the model's reasoning, in milliseconds; absent while it is thinking. */
  durationMs: z.number().optional(),
  providerMetadata: providerMetadataSchema.optional(),
});

const filePartSchema = z.object({
  type: z.literal('file'),
  mediaType: z.string(),
  filename: z.string().optional(),
  /** A data: URL. */
  url: z.string().startsWith('data:', 'must be a data: URL'),
});

const toolResultBase = {
  toolCallId: z.string(),
  toolName: z.string(),
  durationMs: z.number().optional(),
  files: z.array(z.object({ path: z.string(), hash: z.string(), shown: z.literal(true).optional() })).optional(),
  changed: z.object({ files: z.number(), added: z.number(), removed: z.number() }).optional(),
};

export const toolResultSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('tool-result'),
    ...toolResultBase,
    output: z.object({ content: toolContentSchema, data: z.unknown().optional() }),
  }),
  z.object({
    type: z.literal('tool-error'),
    ...toolResultBase,
    code: z.enum(TOOL_ERROR_CODES),
    message: z.string(),
  }),
]);

const toolCallPartSchema = z.object({
  type: z.literal('tool-call'),
  toolCallId: z.string(),
  toolName: z.string(),
  /** `streaming` while the model writes the arguments; see `ToolInputState` for the rest. */
  inputState: z.enum(['streaming', 'complete', 'invalid', 'incomplete']),
  /** The arguments' JSON text as far as it arrived; absent once `input` is complete. */
  inputText: z.string().optional(),
  input: z.unknown().optional(),
  /** Where the call's text comes from, if not only from the model. */
  origin: callOriginSchema.optional(),
  result: toolResultSchema.optional(),
  providerMetadata: providerMetadataSchema.optional(),
});

const usageSchema = z.object({
  /** All input tokens, including those that were read from a cache or written to it. */
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  /** Input that the provider read from its cache. */
  cachedInputTokens: z.number().optional(),
  /** Input that the provider wrote to its cache. */
  cacheWriteTokens: z.number().optional(),
});

/** The way in which a model gets its tools: `native`, through the provider's API, or `prompted`, described in the prompt. */
export const toolCallingSchema = z.enum(['native', 'prompted']);

/**
 * The choices of tool calling: `native`, through the provider's API; `prompted`, with the tools described in the prompt; or
 * `auto`, which is native as long as that works with the model, and otherwise prompted.
 */
export const toolCallingChoiceSchema = z.enum([...toolCallingSchema.options, 'auto']);

/** Something about a step that the user should know, as a code; the UI has the text. */
const noticeSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('step-limit'), steps: z.number() }),
  /** The model made the same calls again and again, with the same results, so it was told to answer. */
  z.object({ code: z.literal('repeated-calls'), toolName: z.string() }),
  /**
   * Older messages and steps were left out of the prompt: their number, and their estimated size (absent in older versions).
   */
  z.object({ code: z.literal('history-trimmed'), messages: z.number(), tokens: z.number().optional() }),
  z.object({ code: z.literal('result-cut'), toolName: z.string(), kept: z.number(), total: z.number() }),
  /** Only the main tools were described, because all would take too much of the window. `toolNames`: those left out. */
  z.object({ code: z.literal('tools-left-out'), toolNames: z.array(z.string()), contextTokens: z.number() }),
  /**
   * The model's server took less than was known of its window, so the step was repeated within `window` tokens. Either it
   * left out a part of the prompt without a word, and counted only `read` of about `sent` tokens; or it refused the
   * prompt, and `read` is absent. `claimed`: the window that was known before; null if none was.
   */
  z.object({
    code: z.literal('window-learned'),
    model: z.string(),
    window: z.number(),
    claimed: z.number().nullable(),
    sent: z.number(),
    read: z.number().optional(),
  }),
  /** The workspace's instructions for the model have changed since the step before. `paths`: of the changed files. */
  z.object({ code: z.literal('instructions-changed'), paths: z.array(z.string()) }),
  z.object({ code: z.literal('tools-refused'), model: z.string() }),
  /** The model wrote its native calls as text. `isGivenUp`: from this step on, its tools are described in the prompt. */
  z.object({ code: z.literal('calls-in-text'), model: z.string(), isGivenUp: z.boolean() }),
  /** The model has answered several questions that name a path, and has never called a tool. */
  z.object({
    code: z.literal('prose-only'),
    model: z.string(),
    answers: z.number(),
    toolCalling: toolCallingSchema,
  }),
  /** The reply consists only of a thought, which is shown as the answer. */
  z.object({ code: z.literal('thought-as-answer') }),
  /** The reply named a tool in a call that could not be read. `askedAgain`: the next step is another try. */
  z.object({ code: z.literal('call-unreadable'), toolName: z.string(), askedAgain: z.boolean() }),
  /**
   * The model made a call of this tool before it had the result that the call needs, so its reply was ended before the call.
   */
  z.object({ code: z.literal('call-postponed'), toolName: z.string() }),
  z.object({ code: z.literal('length') }),
  z.object({ code: z.literal('content-filter') }),
  /** The server lost the step before it was finished, so the browser repeated it, this many times. */
  z.object({ code: z.literal('step-repeated'), times: z.number() }),
]);

/** The notices that this version knows. Others, such as those of a newer page, are left out, so that the message is read. */
const noticesSchema = z.array(z.unknown()).transform((notices) =>
  notices.flatMap((notice) => {
    const known = noticeSchema.safeParse(notice);
    return known.success ? [known.data] : [];
  }),
);

/**
 * The settings that a step's prompt was built from: with the same preceding messages, the same settings give the same
 * prompt.
 */
export const promptSettingsSchema = z.object({
  systemPrompt: z.string(),
  toolsets: z.array(z.string()),
  /** The name of the catalogue that the tools were taken from; absent in steps from before there were catalogues. */
  catalogue: z.string().optional(),
  toolCalling: toolCallingSchema,
  /** The way in which the tools were described to the model; absent in steps from before there was a choice. */
  protocol: z
    .object({
      codec: z.string(),
      examples: z.boolean(),
      compact: z.boolean(),
      /** Present if the model was asked for one call at a time. */
      singleCalls: z.literal(true).optional(),
    })
    .optional(),
  /** The files of the workspace that instructed the model, with hashes of their contents; absent if there were none. */
  project: z.array(z.object({ path: z.string(), hash: z.string() })).optional(),
  /** Present if only the main tools were described, because all of them take too much of the window. */
  mainToolsOnly: z.literal(true).optional(),
  /** The most tokens that the prompt may have, as the model counts them. */
  budgetTokens: z.number(),
  /** The model's window in tokens; absent if it is unknown, and in steps of earlier versions. */
  contextSize: z.number().optional(),
  /**
   * The history is cut by about a multiple of this many tokens, so that the beginning of prompts stays the same for many
   * steps; absent in steps of versions that left out as little as possible.
   */
  strideTokens: z.number().positive().optional(),
  /** The number of tokens that the model counts for each one that `estimateTokens` counts; 1 if absent. */
  tokenScale: z.number().positive().optional(),
  /** 2 if notes to the model stand at the end of the prompt; in steps of earlier versions they changed its beginning. */
  layout: z.literal(2).optional(),
  /** Present if the model's server refuses a prompt in which steps have lost their reasoning. */
  wantsReasoning: z.literal(true).optional(),
  /** The ids of the compactions that apply to the prompt. */
  compactions: z.array(z.string()).optional(),
  /** Whether this is the last step that the turn may take. The model is told. */
  lastStep: z.boolean(),
  /** Present if this is the last step because the model made the same calls again and again. */
  repeats: z.literal(true).optional(),
});

/** Marks the start of a step (one model call), with information about it. */
const stepPartSchema = z.object({
  type: z.literal('step'),
  /** The run that wrote the step: a client that rejoins the run drops the step and receives it again. */
  runId: z.string().optional(),
  /** The model's id in the list of models. */
  model: z.string(),
  /** The model's provider: a provider's own data is only sent back to the same provider. */
  provider: z.string(),
  /** Hash of the prompt that the model received, for the context inspector. */
  promptHash: z.string(),
  settings: promptSettingsSchema,
  /** The size of the prompt by `estimateTokens`, not scaled by `tokenScale`; absent in steps of earlier versions. */
  estimatedTokens: z.number().optional(),
  finishReason: z.string().optional(),
  usage: usageSchema.optional(),
  /**
   * Present if the model's server counted so few tokens that it seemed to have cut the prompt, and a check showed that it had
   * read all of it.
   */
  wasRead: z.literal(true).optional(),
  durationMs: z.number().optional(),
  notices: noticesSchema,
});

const tokensSchema = z.number().nonnegative();

/** The estimated tokens of a prompt, by section. */
export const promptSectionsSchema = z.object({
  /** The system prompt. */
  system: tokensSchema,
  /** The workspace's instructions for the model; absent if there are none, and in data from earlier versions. */
  project: tokensSchema.optional(),
  /** Descriptions and schemas of tools. */
  tools: tokensSchema,
  /** The instructions for using the tools: fragments, and the form of calls in text. */
  protocol: tokensSchema,
  /** The summary of the messages that are left out. */
  summary: tokensSchema,
  /** Questions, answers, calls, and the results of earlier steps' calls that touched no files. */
  history: tokensSchema,
  /** Attachments, and the results of earlier steps' calls that read or wrote files. */
  files: tokensSchema,
  /** The results of the latest step. */
  results: tokensSchema,
});

/**
 * Marks a point in a turn from which prompts leave out some of what came before: notes stand for the results of the calls in
 * `stubs`, and `summary` for everything before its point `from`.
 */
export const compactionPartSchema = z.object({
  type: z.literal('compaction'),
  /** The compaction's id, by which steps to which it applies name it in their settings. */
  id: z.string(),
  runId: z.string().optional(),
  /** Present if the person asked for the compaction. */
  asked: z.literal(true).optional(),
  /** The ids of the calls whose results are out of date. */
  stubs: z.array(z.string()),
  summary: z
    .object({
      /** The text that the model wrote. */
      text: z.string(),
      /** The point from which everything is kept: a message, and the index of a step's part in it. */
      from: z.object({ messageId: z.string(), part: z.number() }),
      /** The summary's room for each of the person's messages, in characters. */
      messageChars: z.number(),
      /** The summary's room for all of the person's messages together, in tokens. */
      saidTokens: z.number(),
      /** The number of the oldest messages and steps that the summarizer did not get, because there were too many. */
      leftOut: z.number().optional(),
      /** Present if the whole messages are in files of the workspace. */
      hasFiles: z.literal(true).optional(),
      /** The id, in the list of models, of the model that wrote the summary. */
      model: z.string(),
      /** The provider of the model that wrote the summary. */
      provider: z.string(),
      usage: usageSchema.optional(),
      durationMs: z.number().optional(),
    })
    .optional(),
  /** The room for a prompt, in tokens. */
  roomTokens: tokensSchema,
  before: promptSectionsSchema,
  after: promptSectionsSchema,
  /**
   * Present if the compaction failed, so that it changes nothing. `nothing`: there was nothing to summarize yet. `refused`:
   * the model's summaries could not be used. `failed`: the model could not be asked. `detail` says why.
   */
  failed: z
    .object({
      reason: z.enum(['nothing', 'refused', 'failed']),
      model: z.string(),
      provider: z.string(),
      detail: z.string(),
      usage: usageSchema.optional(),
    })
    .optional(),
  /** Present if the person has undone the compaction. */
  undone: z.literal(true).optional(),
});

const problemSchema = z.object({
  /** The kind of problem; the UI has a text and next steps for each. */
  code: z.string(),
  /** A description of what happened, in plain English, with secrets removed. */
  detail: z.string(),
  /** The toolsets that take too much of the window, and how many tokens each of them takes. */
  toolsets: z.array(z.object({ name: z.string(), tokens: z.number() })).optional(),
});

/** A time in milliseconds since the epoch. A negative one becomes 0, and one too late for a `Date` the last possible one. */
export const timeSchema = z.number().transform(clampTime);

const messageBase = { id: z.string().min(1), createdAt: timeSchema };

export const userMessageSchema = z.object({
  ...messageBase,
  role: z.literal('user'),
  parts: z.array(z.discriminatedUnion('type', [textPartSchema, filePartSchema])),
});

export const assistantMessageSchema = z.object({
  ...messageBase,
  role: z.literal('assistant'),
  parts: z.array(
    z.discriminatedUnion('type', [
      stepPartSchema,
      compactionPartSchema,
      textPartSchema,
      reasoningPartSchema,
      toolCallPartSchema,
    ]),
  ),
  status: z.discriminatedUnion('type', [
    /** The server is producing output. `runId`: the run that does, which a page can rejoin. */
    z.object({
      type: z.literal('running'),
      runId: z.string(),
      /** Present if the run repeats a step that the server has lost: the number of times that it was repeated. */
      repeats: z.number().positive().optional(),
      /** Present while a failed request waits for its retry. `at`: its time, in milliseconds since the epoch. */
      retry: z.object({ code: z.string(), at: z.number() }).optional(),
      /** Present while the conversation is being summarized. */
      compacting: z.literal(true).optional(),
    }),
    /** Calls are pending, or answered but not yet sent. */
    z.object({ type: z.literal('waiting') }),
    z.object({ type: z.literal('done') }),
    z.object({ type: z.literal('stopped') }),
    z.object({ type: z.literal('failed'), problem: problemSchema }),
  ]),
  /** The server's name for the thread's state after the latest run of this message (rule R11). */
  revision: z.string().optional(),
});

export const messageSchema = z.discriminatedUnion('role', [userMessageSchema, assistantMessageSchema]);

export type TextPart = z.infer<typeof textPartSchema>;
export type ReasoningPart = z.infer<typeof reasoningPartSchema>;
export type FilePart = z.infer<typeof filePartSchema>;
export type ToolCallPart = z.infer<typeof toolCallPartSchema>;
export type PromptSettings = z.infer<typeof promptSettingsSchema>;
/** The part of a turn that marks the start of a step (one call of the model), with information about the step. */
export type StepPart = z.infer<typeof stepPartSchema>;
export type CompactionPart = z.infer<typeof compactionPartSchema>;
export type PromptSections = z.infer<typeof promptSectionsSchema>;
export type Notice = z.infer<typeof noticeSchema>;
export type Usage = z.infer<typeof usageSchema>;
export type ToolCallingMode = z.infer<typeof toolCallingSchema>;
export type ToolCallingChoice = z.infer<typeof toolCallingChoiceSchema>;
export type Problem = z.infer<typeof problemSchema>;
export type UserMessage = z.infer<typeof userMessageSchema>;
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;
export type AssistantPart = AssistantMessage['parts'][number];
export type Message = z.infer<typeof messageSchema>;
