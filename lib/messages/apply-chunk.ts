import type { ToolCall } from '#lib/tools/core/tool-call.ts';
import type { StudioChunk } from './chunk.ts';
import type { AssistantMessage, AssistantPart, Notice, ReasoningPart, TextPart, ToolCallPart } from './message.ts';
import { withResults } from './results.ts';

/**
 * Returns an assistant's message with one chunk of its stream applied; the same message if the chunk does not concern it.
 * Parts that the chunk does not affect keep their identity. Pure if `now` is given: the time in milliseconds since the
 * epoch, from which the duration of reasoning and the time of a retry are computed.
 */
export function applyChunk(message: AssistantMessage, chunk: StudioChunk, now: number = Date.now()): AssistantMessage {
  switch (chunk.type) {
    case 'start': {
      const runId = chunk.messageMetadata?.runId;
      return runId === undefined ? message : { ...message, status: { type: 'running', runId, ...repeatsOf(message) } };
    }
    case 'data-retry': {
      const { code, delayMs } = chunk.data;
      if (message.status.type !== 'running') return message;
      return { ...message, status: { ...message.status, retry: { code, at: now + delayMs } } };
    }
    case 'data-compacting':
      if (message.status.type !== 'running') return message;
      return { ...message, status: { ...message.status, compacting: true } };
    case 'data-compaction':
      return append(withoutWait(message), { type: 'compaction', ...runOf(message), ...chunk.data });
    case 'data-step':
      return append(withoutWait(message), {
        type: 'step',
        notices: repeatNotices(message),
        ...runOf(message),
        ...chunk.data,
      });
    case 'data-step-end':
      return endStep(message, chunk.data, now);
    case 'reset-step':
      return { ...message, parts: message.parts.slice(0, currentStepIndex(message)) };
    case 'text-start':
      return append(message, { type: 'text', text: '', openId: chunk.id, ...metadataOf(chunk) });
    case 'reasoning-start':
      return append(message, { type: 'reasoning', text: '', openId: chunk.id, startedAt: now, ...metadataOf(chunk) });
    case 'text-delta':
    case 'reasoning-delta':
      return updateOpen(message, chunk.id, (part) => ({
        ...part,
        text: part.text + chunk.delta,
        ...metadataOf(chunk),
      }));
    case 'text-end':
      if (becomesReasoning(chunk)) return updateOpen(message, chunk.id, ({ text }) => ({ type: 'reasoning', text }));
      return updateOpen(message, chunk.id, (part) => close({ ...part, ...metadataOf(chunk) }, now));
    case 'reasoning-end':
      return updateOpen(message, chunk.id, (part) => close({ ...part, ...metadataOf(chunk) }, now));
    case 'tool-input-start':
      return append(message, {
        type: 'tool-call',
        toolCallId: chunk.toolCallId,
        toolName: chunk.toolName,
        inputState: 'streaming',
        inputText: '',
        ...metadataOf(chunk),
      });
    case 'tool-input-delta':
      return updateCall(message, chunk.toolCallId, (part) => ({
        ...part,
        inputText: (part.inputText ?? '') + chunk.inputTextDelta,
      }));
    case 'tool-input-available':
      return completeCall(message, chunk);
    case 'tool-input-error':
      // The SDK may not know the name although the arguments are complete: then the executor reports the error.
      if (typeof chunk.input === 'object' && chunk.input !== null) return completeCall(message, chunk);
      return upsertCall(message, chunk, (part) => ({
        ...part,
        inputState: 'invalid',
        inputText: part.inputText ?? (typeof chunk.input === 'string' ? chunk.input : JSON.stringify(chunk.input)),
        ...metadataOf(chunk),
      }));
    case 'tool-output-error':
      return endWithError(message, chunk);
    case 'data-call-origin':
      return updateCall(message, chunk.data.toolCallId, (part) => ({ ...part, origin: chunk.data.origin }));
    case 'data-problem':
      return { ...endUnfinished(message, now), status: { type: 'failed', problem: chunk.data } };
    case 'abort':
      return { ...endUnfinished(message, now), status: { type: 'stopped' } };
    case 'finish': {
      const revision = chunk.messageMetadata?.revision;
      if (message.status.type !== 'running') return message;
      const status = pendingCalls(message).length > 0 ? 'waiting' : 'done';
      return { ...message, status: { type: status }, ...(revision === undefined ? {} : { revision }) };
    }
    default:
      return message;
  }
}

/** The message without its notes about a retry or a summary in progress: the model has begun to answer. */
function withoutWait(message: AssistantMessage): AssistantMessage {
  const { status } = message;
  if (status.type !== 'running' || (status.retry === undefined && status.compacting === undefined)) return message;
  return { ...message, status: { type: 'running', runId: status.runId, ...repeatsOf(message) } };
}

const repeatsOf = ({ status }: AssistantMessage): { repeats?: number } =>
  status.type === 'running' && status.repeats !== undefined ? { repeats: status.repeats } : {};

/** The notices with which a step begins: if it is the first one of a run that repeats a lost step, the notice that says so. */
function repeatNotices(message: AssistantMessage): Notice[] {
  const { runId } = runOf(message);
  const { repeats: times } = repeatsOf(message);
  const isFirst = !message.parts.some((part) => part.type === 'step' && part.runId === runId);
  return times !== undefined && isFirst ? [{ code: 'step-repeated', times }] : [];
}

/** Returns the calls of a message that have no result yet, in the order written. */
export function pendingCalls(message: AssistantMessage): ToolCallPart[] {
  return message.parts.filter((part): part is ToolCallPart => part.type === 'tool-call' && part.result === undefined);
}

/**
 * Converts a message's part with a call to the `ToolCall` that the executor runs. A call that was still being written when the
 * stream ended becomes `incomplete`.
 */
export function toToolCall({ toolCallId, toolName, input, inputState, inputText, origin }: ToolCallPart): ToolCall {
  return {
    toolCallId,
    toolName,
    input,
    inputState: inputState === 'streaming' ? 'incomplete' : inputState,
    ...(inputText === undefined ? {} : { inputText }),
    ...(origin === undefined ? {} : { origin }),
  };
}

/**
 * Closes the parts that a broken or stopped stream left open: text and reasoning end, and calls that were still being
 * written become `incomplete`. `now`: the end of the reasoning, in milliseconds since the epoch.
 */
export function endUnfinished(message: AssistantMessage, now: number = Date.now()): AssistantMessage {
  return {
    ...message,
    parts: message.parts.map((part) => {
      if (part.type === 'tool-call' && part.inputState === 'streaming') return { ...part, inputState: 'incomplete' };
      const isOpen = (part.type === 'text' || part.type === 'reasoning') && part.openId !== undefined;
      return isOpen ? close(part, now) : part;
    }),
  };
}

/** Gives the result `aborted` to a call that the server itself has ended. */
function endWithError(
  message: AssistantMessage,
  { toolCallId, errorText }: Extract<StudioChunk, { type: 'tool-output-error' }>,
): AssistantMessage {
  const call = message.parts.find((part) => part.type === 'tool-call' && part.toolCallId === toolCallId);
  if (call?.type !== 'tool-call') return message;
  const { toolName } = call;
  return withResults(message, [{ type: 'tool-error', toolCallId, toolName, code: 'aborted', message: errorText }]);
}

type StepEnd = Extract<StudioChunk, { type: 'data-step-end' }>['data'];

/**
 * Ends the current step of a message. A call that is still open, or is the last part of a step that hit the length limit, was
 * cut off: it becomes `incomplete` (rule R6).
 */
function endStep(message: AssistantMessage, end: StepEnd, now: number): AssistantMessage {
  const ended = endUnfinished(message, now);
  const from = currentStepIndex(ended);
  const last = ended.parts.length - 1;
  return {
    ...ended,
    parts: ended.parts.map((part, index) => {
      if (index === from && part.type === 'step')
        return { ...part, ...end, notices: [...part.notices, ...end.notices] };
      if (part.type === 'tool-call' && index === last && end.finishReason === 'length') {
        return { ...part, inputState: 'incomplete', inputText: part.inputText ?? JSON.stringify(part.input) };
      }
      return part;
    }),
  };
}

const runOf = ({ status }: AssistantMessage): { runId?: string } =>
  status.type === 'running' ? { runId: status.runId } : {};

function currentStepIndex(message: AssistantMessage): number {
  const index = message.parts.findLastIndex((part) => part.type === 'step');
  return index === -1 ? message.parts.length : index;
}

const append = (message: AssistantMessage, part: AssistantPart): AssistantMessage => ({
  ...message,
  parts: [...message.parts, part],
});

type BlockPart = TextPart | ReasoningPart;

function updateOpen(message: AssistantMessage, id: string, update: (part: BlockPart) => BlockPart): AssistantMessage {
  return updateLast(message, (part) =>
    (part.type === 'text' || part.type === 'reasoning') && part.openId === id ? update(part) : undefined,
  );
}

function updateCall(
  message: AssistantMessage,
  toolCallId: string,
  update: (part: ToolCallPart) => ToolCallPart,
): AssistantMessage {
  return updateLast(message, (part) =>
    part.type === 'tool-call' && part.toolCallId === toolCallId ? update(part) : undefined,
  );
}

function upsertCall(
  message: AssistantMessage,
  { toolCallId, toolName }: { toolCallId: string; toolName: string },
  update: (part: ToolCallPart) => ToolCallPart,
): AssistantMessage {
  const updated = updateCall(message, toolCallId, update);
  if (updated !== message) return updated;
  return append(message, update({ type: 'tool-call', toolCallId, toolName, inputState: 'streaming' }));
}

function completeCall(
  message: AssistantMessage,
  chunk: Extract<StudioChunk, { type: 'tool-input-available' | 'tool-input-error' }>,
): AssistantMessage {
  return upsertCall(message, chunk, ({ inputText: _, ...part }) => ({
    ...part,
    inputState: 'complete',
    input: chunk.input,
    ...metadataOf(chunk),
  }));
}

/** Replaces the last part for which `update` returns a new one; returns the same message if there is none. */
function updateLast(
  message: AssistantMessage,
  update: (part: AssistantPart) => AssistantPart | undefined,
): AssistantMessage {
  for (let index = message.parts.length - 1; index >= 0; index--) {
    const part = message.parts[index];
    const updated = part === undefined ? undefined : update(part);
    if (updated !== undefined) return { ...message, parts: message.parts.with(index, updated) };
  }
  return message;
}

function close(part: BlockPart, now: number): BlockPart {
  const { openId: _, ...rest } = part;
  if (rest.type === 'text' || rest.startedAt === undefined) return rest;
  const { startedAt, ...reasoning } = rest;
  return { ...reasoning, durationMs: now - startedAt };
}

/** Checks whether the end of a text says that the text was a thought, which some templates open before the reply. */
const becomesReasoning = ({ providerMetadata }: Extract<StudioChunk, { type: 'text-end' }>): boolean =>
  (providerMetadata?.roundtrip as { becomesReasoning?: unknown } | undefined)?.becomesReasoning === true;

/** A provider's own data, passed through unchanged (rule R17). */
function metadataOf(chunk: { providerMetadata?: unknown }): Pick<TextPart, 'providerMetadata'> {
  if (chunk.providerMetadata === undefined) return {};
  return { providerMetadata: chunk.providerMetadata as TextPart['providerMetadata'] };
}
